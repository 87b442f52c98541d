import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shortHash } from '../../src/base/short-hash.ts';
import { uptimeMs } from '../../src/base/time.ts';
import { answerEvent } from '../../src/hook/hook.ts';
import type { LogRecord } from '../../src/state/execution-log.ts';
import { type Run, ralphLoop, startRalphLoop } from './bin.ts';
import type { Project } from './project.ts';

type Event = Readonly<Record<string, unknown>>;

/** The session of a project's stops. No other project has it: what guarded a session is recorded outside of projects. */
export function sessionOf({ root }: Pick<Project, 'root'>): string {
  return `session-${shortHash(root)}`;
}

/** A stop of the check subagent, as Claude Code reports it. */
export function checkStops(project: Project, more: Event = {}): Event {
  return {
    hook_event_name: 'SubagentStop',
    session_id: sessionOf(project),
    agent_id: 'agent-1',
    agent_type: 'check',
    cwd: project.root,
    stop_hook_active: false,
    last_assistant_message: 'All done.',
    ...more,
  };
}

/** A stop of the main agent. */
export function mainStops(project: Project, more: Event = {}): Event {
  return {
    hook_event_name: 'Stop',
    session_id: sessionOf(project),
    cwd: project.root,
    stop_hook_active: false,
    last_assistant_message: 'All done.',
    ...more,
  };
}

export interface HookOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The answer on stdout; without output, it is empty. */
export interface HookAnswer {
  readonly decision?: 'allow' | 'block';
  readonly reason?: string;
  readonly systemMessage?: string;
}

export type GateHookAnswer = HookAnswer & { readonly warnings?: readonly string[] };

/**
 * Runs the hook on an event, or on a text on stdin, in this process, with real gates and real files. Fails unless the hook exits with 0, prints
 * nothing on stderr, and JSON or nothing on stdout.
 */
export async function hookAnswers(
  project: Project,
  event: object | string,
  options: HookOptions = {},
): Promise<HookAnswer> {
  return answerOf(await runHookInProcess('ralph-loop', project, event, options));
}

/** Runs the hook of `ralph-gate`, like `hookAnswers`. Fails unless it prints one JSON object. */
export async function gateHookAnswers(
  project: Project,
  event: object | string = mainStops(project),
  { args = [], ...options }: HookOptions = {},
): Promise<GateHookAnswer> {
  const run = await runHookInProcess('ralph-gate', project, event, { ...options, args: ['--hook', ...args] });
  expect(run.stdout).toMatch(/^\{.*\}$/);
  return answerOf(run);
}

async function runHookInProcess(
  program: 'ralph-loop' | 'ralph-gate',
  project: Project,
  event: object | string,
  { args = [], env = {}, cwd = project.root }: HookOptions,
) {
  const printed = { 1: '', 2: '' };
  const exitCode = await answerEvent(program, args, {
    env: { ...project.environment, ...env },
    cwd,
    readStdin: () => (typeof event === 'string' ? event : JSON.stringify(event)),
    write: (descriptor, text) => {
      printed[descriptor] += text;
    },
    events: new EventEmitter(),
    startedAtMs: uptimeMs(),
  });
  return { exitCode, stdout: printed[1], stderr: printed[2] };
}

/** Runs the hook in a separate process: for tests of start-up, signals, memory and the working directory. */
export async function hookProcessAnswers(
  project: Project,
  event: Event,
  { args = [], ...overrides }: HookOptions = {},
): Promise<HookAnswer> {
  const run = await ralphLoop(project, ['hook', ...args], { ...overrides, input: JSON.stringify(event) });
  return answerOf(run);
}

export function answerOf({
  exitCode,
  stdout,
  stderr,
}: Pick<Run, 'exitCode' | 'stdout' | 'stderr'>): HookAnswer {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout === '' ? {} : JSON.parse(stdout);
}

/** Starts the hook on an event, without waiting for its end. */
export function startHook(project: Project, event: Event, { args = [], ...overrides }: HookOptions = {}) {
  const running = startRalphLoop(project, ['hook', ...args], overrides);
  running.stdin.end(JSON.stringify(event));
  return running;
}

/** Returns `block`, or `allow` for an answer that allows the stop, also without output. */
export function decisionOf({ decision }: HookAnswer): 'allow' | 'block' {
  return decision ?? 'allow';
}

/** The decisions of several stops, one after another. */
export async function decisions(project: Project, event: Event, stops: number, options: HookOptions = {}) {
  const taken: ('allow' | 'block')[] = [];
  for (let n = 0; n < stops; n++) taken.push(decisionOf(await hookAnswers(project, event, options)));
  return taken;
}

/** Returns the length of the longest series of blocks. */
export function longestBlockade(taken: readonly ('allow' | 'block')[]): number {
  return Math.max(
    ...taken
      .join(' ')
      .split('allow')
      .map((blocks) => blocks.match(/block/g)?.length ?? 0),
  );
}

export const STATE_FILE = '.trellis/.ralph-state.json';
export const LOG_FILE = '.trellis/.ralph/log.jsonl';

/** For a hook whose user log a test reads: otherwise all projects share one. */
export const OWN_USER_LOG = { env: { XDG_STATE_HOME: '' } } satisfies HookOptions;

export function stateOf(project: Project): Readonly<Record<string, unknown>> {
  return JSON.parse(project.read(STATE_FILE));
}

/** Returns the records of the execution log: that of the project, or with `'user'` that of stops outside of a project. */
export function logOf(project: Project, whose: 'project' | 'user' = 'project'): LogRecord[] {
  const path =
    whose === 'project' ? project.path(LOG_FILE) : join(project.home, '.local/state/ralph-loop/log.jsonl');
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
