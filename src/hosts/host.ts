import type { HostName } from './stop-event.ts';

/** An event as it came, whatever is in it. */
export type EventFields = Readonly<Record<string, unknown>>;

/** What ralph-loop knows of a host: measured with the real client, or from its documentation (hosts.md). */
export interface Host {
  readonly name: HostName;
  /** Whether an event is this host's. Its own fields tell more than the environment, which its children inherit. */
  recognises(event: EventFields, env: NodeJS.ProcessEnv): boolean;
  /** The event in Claude Code's words, which most hosts speak; absent where the host speaks them. */
  translate?(event: EventFields): EventFields;
  /** Why one of its stops is not to be judged, though it is one; undefined where it is. */
  skipReason?(event: EventFields): string | undefined;
  /** The keys of an answer that it takes, or passes over without harm. */
  readonly answerKeys: readonly AnswerKey[];
  readonly timeout: HookTimeout;
  /** After so many blocks in a row it lets the agent stop, whatever a hook says; absent where it never does. */
  readonly blockCap?: number;
  /** Its event holds all that the agent has said since the person spoke, not its last message alone. */
  readonly saysWholeTurn?: true;
}

/** How long a host waits for a hook. */
export interface HookTimeout {
  /** Of the timeout in its settings. */
  readonly unit: 's' | 'ms';
  /** Numbers below are seconds, whatever the unit. */
  readonly secondsBelow?: number;
  /** After so many seconds it gives up on a hook that sets no timeout, and lets the agent stop. */
  readonly defaultSeconds: number;
  /** After so many it does so whatever its settings say. */
  readonly limitSeconds?: number;
}

/** A number of seconds as the host's settings have it. */
export function timeoutInUnit({ unit }: HookTimeout, seconds: number): number {
  return unit === 'ms' ? seconds * 1000 : seconds;
}

/** The seconds that the host waits where its settings have this number; its default where they have none. */
export function timeoutSeconds(
  { unit, secondsBelow = 0, defaultSeconds, limitSeconds = Infinity }: HookTimeout,
  value: number | undefined,
): number {
  if (value === undefined) return defaultSeconds;
  return Math.min(unit === 's' || value < secondsBelow ? value : value / 1000, limitSeconds);
}

/** A host that ralph-loop can set itself up for. */
export interface KnownHost extends Host {
  /** As people call it. */
  readonly title: string;
  readonly hookFile: HookFile;
  /** The file that names its MCP servers, relative to the project: TOML, or JSON with them below `mcpServers`. */
  readonly mcpFile?: string;
  /** What a person has to do before it runs a project's hooks; absent where it does not ask. */
  readonly trust?: string;
  /** Runs the hooks of Claude Code's settings too: a hook of its own beside them would be a second one. */
  readonly runsClaudeHooks?: true;
}

/** Where a host's settings name its hooks, and in which form. All have the events below `hooks`. */
export interface HookFile {
  /** Relative to the project's directory. */
  readonly path: string;
  /** Further files of the same form that it reads; `~` stands for the home directory. */
  readonly otherPaths: readonly string[];
  /** What a file of its own has to say besides its hooks. */
  readonly head?: Readonly<Record<string, unknown>>;
  /**
   * Its names of the main agent's stop, of a subagent's (none where that is no event, or cannot be blocked), and of a
   * prompt that a person has typed.
   */
  readonly events: { readonly main: string; readonly subagent?: string; readonly prompt: string };
  /** `grouped`: an event holds groups `{matcher, hooks: [entry, …]}`; `flat`: an event holds the entries. */
  readonly form: 'grouped' | 'flat';
  /** Whether a hook can be bound to types of subagents: where not, it is called for all. */
  readonly hasMatcher: boolean;
  readonly commandKey: 'command' | 'bash';
  readonly timeoutKey: 'timeout' | 'timeoutSec';
  /** What an entry has to say besides its command and its timeout. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** A file of the project as a word of the command: by a variable that the host sets, for its shell to expand. */
  inProject(path: string): string;
  /** Takes an exit code, or words on stderr, for an answer: a program that is missing must give neither. */
  readonly needsSilence?: true;
}

/** The form of Claude Code's settings, which most hosts have taken over. */
export const CLAUDE_FORM = {
  events: { main: 'Stop', subagent: 'SubagentStop', prompt: 'UserPromptSubmit' },
  form: 'grouped',
  hasMatcher: true,
  commandKey: 'command',
  timeoutKey: 'timeout',
  entry: { type: 'command' },
} as const satisfies Partial<HookFile>;

/** What stands between double quotes in a shell, safe from it. */
export function quoted(text: string): string {
  return text.replace(/["\\$`]/g, '\\$&');
}

export type AnswerKey = 'decision' | 'reason' | 'warnings' | 'systemMessage' | 'followup_message';
