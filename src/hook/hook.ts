import { existsSync } from 'node:fs';
import { failure, type Result, success } from '../base/result.ts';
import { jsonText, oneLine, printable } from '../base/text.ts';
import { uptimeMs } from '../base/time.ts';
import { findAgentProject, rootWithoutConfig, workingDirectory } from '../config/discover.ts';
import { writeAnswer, writeTrellisAnswer } from '../hosts/format.ts';
import { parseEvent, readPromptEvent, readStopEvent } from '../hosts/normalize.ts';
import { readGateEvent, writeGateAnswer } from '../hosts/ralph-gate.ts';
import type { PromptEvent, StopEvent } from '../hosts/types.ts';
import { chainRoots as findChainRoots, mayHaveGates } from '../state/chain-location.ts';
import { LOGGED_TASK_CHARACTERS, type LogRecord, loggedGates, writeLog } from '../state/execution-log.ts';
import { sessionPath } from '../state/paths.ts';
import type { EndSignal } from './handle-stop.ts';
import { isTerminal, readStdin, write } from './io.ts';
import { GATE_FLAGS, type HookOptions, parseHookOptions } from './options.ts';
import { rootOfTurns, triageGateStop, triageStop } from './triage.ts';
import type { HookProcess, StopResult } from './types.ts';

interface Hook extends HookOptions {
  readonly program: 'ralph-loop' | 'ralph-gate';
}

/** Runs the hook in this process, and exits. */
export async function runHook(program: Hook['program'], args: readonly string[]): Promise<never> {
  const exitCode = await answerEvent(program, args, {
    env: process.env,
    cwd: workingDirectory(),
    readStdin: (maxMs) => (program === 'ralph-gate' && isTerminal() ? '' : readStdin(maxMs)),
    write,
    events: process,
    startedAtMs: 0,
    loadRunner: async () => (await import('../verification/runner.ts')).startRunner,
  });
  process.exit(exitCode);
}

/**
 * `ralph-loop hook` and `ralph-gate --hook`: reads one event from stdin, writes one answer to stdout and one line to the
 * execution log. This file is all that runs, and all that is loaded, for an event that is ignored.
 *
 * @returns the exit code
 */
export async function answerEvent(
  program: Hook['program'],
  args: readonly string[],
  host: HookProcess,
): Promise<number> {
  const hook = { program, ...parseHookOptions(args, program === 'ralph-gate' ? GATE_FLAGS : []) };
  try {
    return await answer(hook, host);
  } catch (error) {
    // A host could take an exit code or a stack trace for an answer.
    const notes = [(error as Error).stack ?? String(error)];
    const result: StopResult = {
      answer: { decision: 'allow', why: 'internal-error' },
      root: undefined,
      notes,
    };
    await log(hook, host, undefined, result);
    return 0;
  }
}

async function answer(hook: Hook, host: HookProcess): Promise<number> {
  const input = readInput(hook, host);
  if (!input.ok) return ignore(hook, host, undefined, projectRoot(host.cwd, []), input.failure.message);
  const event = input.value;
  if ('prompt' in event) return answerPrompt(event, hook, host);

  const directory = event.cwd ?? host.cwd;
  const { projectDirectories } = event;
  if (event.skipReason !== undefined)
    return (host.env.RALPH_LOOP === '1' ? leaveUnguarded : ignore)(
      hook,
      host,
      event,
      projectRoot(directory, projectDirectories),
      event.skipReason,
    );
  const triage =
    hook.program === 'ralph-gate'
      ? triageGateStop(event, directory, { named: hook.config, only: hook.only })
      : triageStop(event, directory, hook.config);
  const root = triage.guarded
    ? triage.project.root
    : (triage.root ?? rootWithoutConfig(directory, projectDirectories));
  // Chains never verify the stop of a subagent.
  const chainRoots = event.isMain ? findChainRoots(root, [directory, ...projectDirectories]) : [];
  if (!triage.guarded && chainRoots.length === 0)
    return leaveUnguarded(hook, host, event, triage.root, triage.why);

  const { superviseStop, exitCodeAfter } = await import('./handle-stop.ts');
  const { result, endedBy, mask } = await superviseStop(
    event,
    { triage, root, chainRoots },
    hook.deadlineSeconds,
    host,
  );
  if (endedBy === undefined) host.write(1, format(hook, event, { ...result, answer: mask(result.answer) }));
  await log(hook, host, event, result, { endedBy, mask });
  return endedBy === undefined ? 0 : exitCodeAfter(endedBy);
}

function readInput(
  hook: Hook,
  { env, readStdin, startedAtMs }: HookProcess,
): Result<StopEvent | PromptEvent> {
  const { deadlineSeconds = Number.POSITIVE_INFINITY } = hook;
  // Half of the deadline is left for the gates, which Ralph Gate runs without an event too.
  const text = readStdin(deadlineSeconds * 500 - (uptimeMs() - startedAtMs));
  // Ralph Gate reads no event: whatever calls its hook is a stop.
  if (hook.program === 'ralph-gate') return readGateEvent(text, env, hook.host);
  let value: unknown;
  try {
    value = parseEvent(text);
  } catch (error) {
    return failure(`stdin is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const prompt = readPromptEvent(value, env, hook.host);
  return prompt ? success(prompt) : readStopEvent(value, env, hook.host);
}

/** A prompt without gates gets no answer and no line in the log. */
async function answerPrompt(
  event: PromptEvent,
  { verbose, config }: Hook,
  host: HookProcess,
): Promise<number> {
  try {
    const cwd = event.cwd ?? host.cwd;
    const rootOfTurn = host.env.RALPH_LOOP === '1' ? undefined : rootOfTurns(event, cwd, config);
    if (rootOfTurn !== undefined) {
      const { beginTurn } = await import('./turn.ts');
      await beginTurn(event, { root: rootOfTurn, env: host.env, now: () => new Date() });
    }
    if (!mayHaveGates(event.prompt)) return 0;
    const place = [event.cwd ?? host.cwd, event.projectDirectories] as const;
    const root = projectRoot(...place) ?? rootWithoutConfig(...place);
    const { handlePrompt } = await import('./handle-prompt.ts');
    host.write(1, await handlePrompt(event, root, host.env));
  } catch (error) {
    // An internal error must not keep a person from working.
    if (verbose) host.write(2, `${printable(String((error as Error).stack ?? error))}\n`);
  }
  return 0;
}

/** Allows a stop that nothing verifies, which was not always so if the session was guarded before. */
async function leaveUnguarded(
  hook: Hook,
  host: HookProcess,
  event: StopEvent,
  root: string | undefined,
  why: string,
): Promise<number> {
  const path = await sessionPath(event.sessionId);
  if (path === undefined || !existsSync(path)) return ignore(hook, host, event, root, why);
  const { answerUnguarded } = await import('./lost-guard.ts');
  const result: StopResult = { answer: await answerUnguarded(event, why), root, notes: [why] };
  host.write(1, format(hook, event, result));
  await log(hook, host, event, result);
  return 0;
}

function projectRoot(directory: string, projectDirectories: readonly string[]): string | undefined {
  const found = findAgentProject(directory, projectDirectories);
  return found.ok ? found.value.root : undefined;
}

async function ignore(
  hook: Hook,
  host: HookProcess,
  event: StopEvent | undefined,
  root: string | undefined,
  why: string,
): Promise<number> {
  const result: StopResult = { answer: { decision: 'ignore', why }, root };
  if (event) host.write(1, format(hook, event, result));
  await log(hook, host, event, result);
  return 0;
}

/** Returns what goes to stdout: one JSON document, or nothing. */
function format(hook: Hook, { host }: StopEvent, { answer, attempt }: StopResult): string {
  if (hook.program === 'ralph-gate') return writeGateAnswer(answer, host);
  return hook.format === 'trellis'
    ? writeTrellisAnswer(answer, attempt?.maxIterations ?? 0)
    : writeAnswer(answer, host);
}

/** Writes a line for the stop, and one for the chain that was judged before it; with `--verbose`, to stderr too. */
async function log(
  hook: Hook,
  host: HookProcess,
  event: StopEvent | undefined,
  result: StopResult,
  // An ignored stop reads no gate and no config that could contain a secret.
  { endedBy, mask = (value) => value }: { endedBy?: EndSignal | undefined; mask?: <T>(value: T) => T } = {},
): Promise<void> {
  // What happened to the chain is final, even if the host ended the hook after it.
  if (result.chain) await log({ ...hook, notes: [] }, host, event, result.chain, { mask });
  const notes = [...hook.notes, ...(result.notes ?? [])];
  const record = mask(logRecord(event, { ...result, notes }, endedBy, new Date()));
  if (hook.verbose) host.write(2, `${jsonText(record)}\n`);
  // The answer is out already: a log that cannot be written must not change it.
  await writeLog(result.root, record, host.env).catch(() => {});
}

/** Limits the length of a line, whatever an event, a config or a check.jsonl contains. */
const MAX_CHARACTERS = 500;
const MAX_NOTES = 20;

/** Returns a stop attempt as a line of the execution log. */
export function logRecord(
  event: StopEvent | undefined,
  result: StopResult,
  endedBy: NodeJS.Signals | undefined,
  now: Date,
): LogRecord {
  const { answer, task, attempt, summary, notes = [] } = result;
  return {
    time: now.toISOString(),
    host: event?.host ?? 'unknown',
    session: shortened(event?.sessionId),
    agent: shortened(event?.agent),
    task: task?.slice(0, LOGGED_TASK_CHARACTERS) ?? null,
    iteration: attempt?.iteration ?? null,
    max: attempt?.maxIterations ?? null,
    gates: summary ? loggedGates(summary) : [],
    answer: endedBy === undefined ? answer.decision : 'none',
    why: endedBy === undefined ? oneLine(answer.why, MAX_CHARACTERS) : `ended by ${endedBy}`,
    ...(notes.length > 0 && { notes: shortNotes(notes) }),
  };
}

function shortNotes(notes: readonly string[]): string[] {
  const shown = notes.slice(0, MAX_NOTES).map((note) => oneLine(note, MAX_CHARACTERS));
  return notes.length > MAX_NOTES ? [...shown, `and ${notes.length - MAX_NOTES} more`] : shown;
}

function shortened(text: string | undefined): string | null {
  return text === undefined ? null : oneLine(text, MAX_CHARACTERS);
}
