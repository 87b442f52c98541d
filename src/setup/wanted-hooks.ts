import { MAIN_AGENT } from '../config/discover.ts';
import { type HookTimeout, type KnownHost, timeoutInUnit, timeoutSeconds } from '../hosts/host.ts';
import type { WantedHook } from './edit-hook-file.ts';
import type { Program } from './find-program.ts';
import { hookCommand, parseHookCommand } from './hook-command.ts';
import type { HookEntry } from './read-hook-file.ts';

/** What a project's hooks depend on. */
export interface HookNeeds {
  readonly program: Program;
  /** Agents to be guarded: `main`, and types of subagents. */
  readonly agents: readonly string[];
  /** Seconds that all gates together may take at most; infinite where one has no limit. */
  readonly gateSeconds: number;
}

/** Below the 600 s that most hosts wait by default. */
const USUAL_DEADLINE_SECONDS = 570;
/** The answer is out this long before the host gives up: starting up, ending a stubborn tree, and a slow disk. */
const MARGIN_SECONDS = 30;
/** A checkpoint of a large repository takes seconds. */
const PROMPT_SECONDS = 30;
/** The same where the host waits so little that the gates need all of it. */
const LIMIT_MARGIN_SECONDS = 5;

/** The hooks that a host's settings shall have; none where it has no event for any of the agents. */
export function wantedHooks(host: KnownHost, needs: HookNeeds): WantedHook[] {
  const { events, hasMatcher } = host.hookFile;
  const subagents = needs.agents.filter((agent) => agent !== MAIN_AGENT);
  const form: WantedHook['form'] = (earlier) => formOf(host, needs, earlier);
  const promptForm: WantedHook['form'] = (earlier) => formOfPrompt(host, needs, earlier);
  const hooks: WantedHook[] = [];
  if (needs.agents.includes(MAIN_AGENT))
    hooks.push(
      { event: events.prompt, matcher: undefined, form: promptForm },
      { event: events.main, matcher: undefined, form },
    );
  if (subagents.length > 0 && events.subagent !== undefined)
    hooks.push({
      event: events.subagent,
      matcher: hasMatcher ? subagents.map(literally).join('|') : undefined,
      form,
    });
  return hooks;
}

/** Hosts read a matcher as a regular expression. */
function literally(agent: string): string {
  return agent.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The deadline that leaves all gates their time, as far as they have limits, and the host has none. */
function deadlineFor({ limitSeconds }: HookTimeout, gateSeconds: number): number {
  if (limitSeconds !== undefined) return limitSeconds - LIMIT_MARGIN_SECONDS;
  if (!Number.isFinite(gateSeconds)) return USUAL_DEADLINE_SECONDS;
  return Math.max(USUAL_DEADLINE_SECONDS, Math.ceil(gateSeconds / MARGIN_SECONDS) * MARGIN_SECONDS);
}

function formOf(host: KnownHost, { program, gateSeconds }: HookNeeds, earlier: HookEntry | undefined) {
  const kept = keptOf(host, gateSeconds, earlier);
  const { flags = '', deadlineSeconds = deadlineFor(host.timeout, gateSeconds) } = kept;
  const command = hookCommand(host.hookFile, program, { host: namedTo(host), deadlineSeconds, flags });
  const { limitSeconds = deadlineSeconds + MARGIN_SECONDS } = host.timeout;
  const timeout = kept.timeout ?? timeoutInUnit(host.timeout, limitSeconds);
  return { command, timeout };
}

/** Nothing is run when a prompt is typed: what it says is remembered, and a checkpoint made where it asks for one. */
function formOfPrompt(host: KnownHost, { program }: HookNeeds, earlier: HookEntry | undefined) {
  const flags = (earlier && parseHookCommand(earlier.command)?.flags) ?? '';
  const command = hookCommand(host.hookFile, program, {
    host: namedTo(host),
    deadlineSeconds: undefined,
    flags,
  });
  return { command, timeout: timeoutInUnit(host.timeout, PROMPT_SECONDS) };
}

/** Others run Claude Code's hooks too: there the event tells the host. */
function namedTo({ name }: KnownHost): KnownHost['name'] | undefined {
  return name === 'claude-code' ? undefined : name;
}

/** What is kept of an entry that is there: a longer deadline, and flags that somebody added. */
function keptOf(host: KnownHost, gateSeconds: number, earlier: HookEntry | undefined) {
  const ours = earlier && parseHookCommand(earlier.command);
  const deadline = ours?.deadlineSeconds ?? 0;
  const isLonger =
    deadline > deadlineFor(host.timeout, gateSeconds) &&
    deadline + MARGIN_SECONDS <= timeoutSeconds(host.timeout, earlier?.timeout);
  return { flags: ours?.flags, ...(isLonger && { deadlineSeconds: deadline, timeout: earlier?.timeout }) };
}
