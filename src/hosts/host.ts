import { MAIN_AGENT } from '../config/discover.ts';

/** The fields of an event, as the host sent them. */
export type EventFields = Readonly<Record<string, unknown>>;

/**
 * How a host's events are read and answered. The facts were measured with the real client or taken from its
 * documentation. A hook loads every host file for every event, so host files hold plain data and small pure functions
 * and import nothing but this file.
 */
export interface Host<Name extends string = string> {
  readonly name: Name;
  /** Whether this host sent the event. Event fields are better evidence than the environment, which children inherit. */
  recognizes(event: EventFields, env: NodeJS.ProcessEnv): boolean;
  /** Renames fields to Claude Code's names; event names are translated already, by `hookFile.events`. */
  translate?(event: EventFields, env: NodeJS.ProcessEnv): EventFields;
  /**
   * The reason why a stop of this host is not checked, for the execution log; undefined if it is checked.
   *
   * @param event the translated event
   */
  skipReason?(event: EventFields): string | undefined;
  /** Whether the host wakes the main agent when a shell in the background ends or a scheduled wake-up is due. */
  wakesMainAgent?(env: NodeJS.ProcessEnv): boolean;
  /** The event holds everything the agent said since the last prompt, not its last message alone. */
  readonly sendsWholeTurn?: true;
  /** The answer that blocks a stop; `{"decision":"block","reason":…}` if absent. */
  block?(reason: string): object;
  /** Context that continues a turn as a block does; absent if the host takes none at a stop. */
  readonly stopContext?: StopContext;
  /** Optional keys of an answer that the host accepts, or ignores without harm. */
  readonly answerExtras: readonly ('warnings' | 'systemMessage')[];
  /** Nothing that the hook says at a stop reaches the person: it is shown at the next prompt. */
  readonly showsAtPrompt?: true;
  /** The answer that adds context to a prompt; absent if the host does not pass it to the agent. */
  promptContext?(eventName: string, context: string): object;
  /** The answer that adds context after an edit; absent if no context reaches the agent there. */
  editContext?(eventName: string, context: string): object;
  /** The answer that rejects a prompt; `{"decision":"block","reason":…}` if absent. */
  rejectPrompt?(reason: string): object;
  readonly timeout: HookTimeout;
  /** The host allows a stop after this many consecutive blocks; absent if it has no such limit. */
  readonly blockCap?: number;
  /**
   * The variables in which a hook gets the project's directory, the host's own first. Most hosts also set Claude Code's,
   * so none of them identifies a host. Absent if the host sets none.
   */
  readonly projectVariables?: readonly string[];
  /** The variable with the session for which the host started an MCP server. */
  readonly mcpSessionVariable?: string;
  readonly hookFile?: HookFile;
}

/** How a host takes context at a stop. */
export interface StopContext {
  /** The first version that is known to take it. */
  readonly since: string;
  /** Whether the environment of a hook shows that the host takes it. */
  isTaken(env: NodeJS.ProcessEnv): boolean;
  answer(eventName: string, context: string): object;
}

/** How long a host waits for a hook. */
export interface HookTimeout {
  /** The unit of the timeout in the host's settings. */
  readonly unit: 's' | 'ms';
  /** Numbers below this are seconds, whatever the unit. */
  readonly secondsBelow?: number;
  /** The timeout of a hook that sets none, in seconds. After it, the host allows the stop. */
  readonly defaultSeconds: number;
  /** The longest timeout in seconds that the host honours. */
  readonly limitSeconds?: number;
}

/** Converts seconds to the unit of the host's settings. */
export function timeoutInUnit({ unit }: HookTimeout, seconds: number): number {
  return unit === 'ms' ? seconds * 1000 : seconds;
}

/** The seconds that the host waits for a hook whose settings have this timeout; the host's default if undefined. */
export function timeoutSeconds(
  { unit, secondsBelow = 0, defaultSeconds, limitSeconds = Infinity }: HookTimeout,
  value: number | undefined,
): number {
  if (value === undefined) return defaultSeconds;
  return Math.min(unit === 's' || value < secondsBelow ? value : value / 1000, limitSeconds);
}

/** A host that `init` and `doctor` support. */
export interface KnownHost<Name extends string = string> extends Host<Name> {
  /** The product's name. */
  readonly title: string;
  /** Names of another product that runs the hooks of the same file, for `--host`. */
  readonly alsoNamed?: readonly string[];
  /** Files or directories in a project that show that the host is used there. */
  readonly projectFiles: readonly string[];
  /** The name of its program on PATH. */
  readonly executable: string;
  readonly hookFile: HookFile;
  /** The project's file that lists MCP servers: TOML, or JSON with the servers in `mcpServers`. */
  readonly mcpFile?: string;
  /** Absent if the host runs a project's hooks without asking. */
  readonly trust?: TrustRule;
  /** The host also runs the hooks of Claude Code's settings; a hook in its own file would be called twice. */
  readonly runsClaudeHooks?: true;
  /** What a person must do for that, as a sentence. */
  readonly runsClaudeHooksIf?: string;
  /**
   * A stop as the host reports it, with the variables by which it identifies itself. `doctor --fire` sends it.
   *
   * @param event a stop with the host's event name and Claude Code's field names
   * @param root absolute directory of the project
   */
  sampleStop(event: SampleFields, root: string): SampleStop;
}

/** Where a host's hooks are configured, and in which form. Every form has the events in an object `hooks`. */
export interface HookFile {
  /** Relative to the project's directory. */
  readonly path: string;
  /** The path is the user's TOML file, with lists of `[[hooks]]`: `init` prints what to add, and writes nothing there. */
  readonly isOfUser?: true;
  /**
   * The text in the package of the plugin that calls the hooks, for a host that starts no command of its own: a page of
   * JavaScript with the hooks as JSON. Absent if the file is JSON.
   */
  readonly page?: string;
  /** Further files of the same form that the host reads; `~` is the home directory. */
  readonly otherPaths: readonly string[];
  /** The variable that names another directory for the user's files below this one. */
  readonly userDirectory?: { readonly path: string; readonly variable: string };
  /** The keys besides `hooks` that a file must have. */
  readonly head?: Readonly<Record<string, unknown>>;
  /** The only keys of a file; the host ignores a file with any other. Absent if it ignores the key alone. */
  readonly onlyKeys?: readonly string[];
  /** All events of the host, if it ignores a file with any other. */
  readonly allEvents?: readonly string[];
  /** The keys of `hooks` that are no events. */
  readonly switches?: readonly string[];
  /** The host finds the file from every directory of the repository, not only from the one where it is started. */
  readonly isFoundBelow?: true;
  /**
   * The host's names for the main agent's stop, a subagent's stop (absent if there is no such event, or if it cannot be
   * blocked), a prompt that was typed, and a tool that has edited files (absent if nothing reaches the agent after it).
   */
  readonly events: {
    readonly main: string;
    readonly subagent?: string;
    readonly prompt: string;
    readonly edit?: string;
  };
  /** The matcher of the tools that edit files. */
  readonly editTools?: string;
  /** `grouped`: an event has a list of groups `{matcher, hooks: [entry, …]}`; `flat`: a list of entries. */
  readonly form: 'grouped' | 'flat';
  /** Whether a matcher limits a hook to types of subagents. */
  readonly hasMatcher: boolean;
  readonly commandKey: 'command' | 'bash';
  readonly timeoutKey: 'timeout' | 'timeoutSec';
  /** The key in which another product that runs the hooks of the file reads the same timeout. */
  readonly alsoTimeoutKey?: 'timeout';
  /** The keys of an entry besides its command and its timeout. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** A shell expression for the project's directory, safe between double quotes; absent if hooks are started in it. */
  readonly projectDirectory?: string;
  /** The host takes an exit code or stderr as an answer: a missing program must produce neither. */
  readonly needsSilence?: true;
  /** Whether settings disable all hooks in a way of this host alone; `disableAllHooks` is checked for every host. */
  disablesHooks?(settings: EventFields): boolean;
}

/** The host with the paths of the user's files as they are in this environment. */
export function withUserFiles(host: KnownHost, env: NodeJS.ProcessEnv): KnownHost {
  const { path, otherPaths, userDirectory } = host.hookFile;
  const directory = userDirectory && env[userDirectory.variable];
  if (!directory) return host;
  const moved = (file: string) => file.replace(userDirectory.path, () => directory);
  return { ...host, hookFile: { ...host.hookFile, path: moved(path), otherPaths: otherPaths.map(moved) } };
}

/** Whether a hook file is not the project's. */
export function isOfUser(file: string): boolean {
  return /^[~/]/.test(file);
}

/** Claude Code's variable for the project's directory, which most hosts set too. */
export const CLAUDE_PROJECT_DIR = 'CLAUDE_PROJECT_DIR';

/** What most hosts' hook files have in common with Claude Code's. */
export const CLAUDE_HOOK_FILE = {
  events: { main: 'Stop', subagent: 'SubagentStop', prompt: 'UserPromptSubmit', edit: 'PostToolUse' },
  editTools: 'Edit|Write|MultiEdit|NotebookEdit',
  form: 'grouped',
  hasMatcher: true,
  commandKey: 'command',
  timeoutKey: 'timeout',
  entry: { type: 'command' },
} as const satisfies Partial<HookFile>;

/** What the plugins that ralph-loop writes have in common: they send the events of Claude Code. */
export const PLUGIN_PAGE = {
  events: CLAUDE_HOOK_FILE.events,
  form: 'flat',
  hasMatcher: false,
  commandKey: 'command',
  timeoutKey: 'timeout',
  entry: {},
} as const satisfies Partial<HookFile>;

/** The answer to a prompt, and after an edit, by which most hosts pass context to the agent. */
export function hookSpecificOutput(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

/** A host that does not run a project's hooks before a person has trusted them. */
interface TrustRule {
  /** What the person has to do. */
  readonly instructions: string;
  /** What keeps the host from running the hooks; undefined if they are trusted. */
  findProblem(facts: TrustFacts): TrustProblem | undefined;
}

/** What a trust rule knows. File access, parsing and hashing are passed in, because a hook loads every host file. */
interface TrustFacts {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly hooks: readonly InstalledHook[];
  readonly env: NodeJS.ProcessEnv;
  /**
   * The value at a path of keys in a JSON or TOML file, which is absolute or begins with `~/`; without keys, the whole
   * table, which is empty if the file is missing or broken.
   */
  lookUp(file: string, ...keys: readonly string[]): unknown;
  /** Whether the project is this directory or is inside it. */
  isProjectIn(directory: string): boolean;
  /** The SHA-256 of a text, in hexadecimal. */
  sha256(text: string): string;
}

interface TrustProblem {
  /** `error`: the host does not run the hooks. */
  readonly level: 'error' | 'warning';
  readonly message: string;
}

/** A hook of ralph-loop that is in a host's settings. */
export interface InstalledHook {
  /** Relative to the project, beginning with `~/`, or absolute. */
  readonly file: string;
  readonly event: string;
  /** The types of subagents that its group matches; undefined if there is no matcher. */
  readonly matcher: string | undefined;
  readonly command: string;
  /** In the host's unit; undefined if the settings have none. */
  readonly timeout: number | undefined;
  /** The keys and indices that lead to it in the file. */
  readonly path: readonly (string | number)[];
}

/** The fields of a stop from which a host makes its sample. */
type SampleFields = {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
  readonly stop_hook_active: boolean;
  readonly agent_id?: string;
  readonly agent_type?: string;
};

interface SampleStop {
  readonly event: EventFields;
  readonly env: Readonly<Record<string, string>>;
}

const SAMPLE_SESSION = 'ralph-loop-doctor';

/**
 * A stop as the host reports it.
 *
 * @param agent `main`, or a type of subagent
 * @param cwd the directory where the agent works
 * @param root absolute directory of the project, where the hook's command is found
 * @param session its id: what guards a session goes on to guard it
 */
export function sampleStopOf(
  host: KnownHost,
  agent: string,
  cwd: string,
  root: string,
  session = SAMPLE_SESSION,
): SampleStop {
  const { main, subagent = main } = host.hookFile.events;
  const isMain = agent === MAIN_AGENT;
  const event = {
    hook_event_name: isMain ? main : subagent,
    session_id: session,
    cwd,
    stop_hook_active: false,
    ...(!isMain && { agent_id: session, agent_type: agent }),
  };
  const sample = host.sampleStop(event, root);
  const directories = (host.projectVariables ?? []).map((name) => [name, root]);
  return { ...sample, env: { ...Object.fromEntries(directories), ...sample.env } };
}
