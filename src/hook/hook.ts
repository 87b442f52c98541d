import { existsSync } from 'node:fs';
import { failure, type Result, success } from '../base/result.ts';
import { jsonText, oneLine, printable } from '../base/text.ts';
import { uptimeMs } from '../base/time.ts';
import { findAgentProject, rootWithoutConfig, workingDirectory } from '../config/discover.ts';
import { writeAnswer, writePromptContext, writeTrellisAnswer } from '../hosts/format.ts';
import { parseEvent, readEditEvent, readPromptEvent, readStopEvent } from '../hosts/normalize.ts';
import { readGateEvent, writeGateAnswer } from '../hosts/ralph-gate.ts';
import { hostNamed } from '../hosts/registry.ts';
import type { EditEvent, PromptEvent, StopEvent } from '../hosts/types.ts';
import { chainRoots as findChainRoots, mayHaveGates } from '../state/chain-location.ts';
import { LOGGED_TASK_CHARACTERS, type LogRecord, loggedGates, writeLog } from '../state/execution-log.ts';
import { sessionPath } from '../state/paths.ts';
import type { EndSignal } from './handle-stop.ts';
import { isTerminal, readStdin, write } from './io.ts';
import { GATE_FLAGS, type HookOptions, parseHookOptions } from './options.ts';
import { projectOfPrompt, type TriagedStop, triageEdit, triageGateStop, triageStop } from './triage.ts';
import type { HookProcess, StopResult } from './types.ts';

interface Hook extends HookOptions {
  readonly program: 'ralph-loop' | 'ralph-gate';
}

type HookEvent = StopEvent | PromptEvent | EditEvent;

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
  let hasAnswered = false;
  const write: HookProcess['write'] = (descriptor, text) => {
    if (descriptor === 1) hasAnswered = true;
    host.write(descriptor, text);
  };
  let event: HookEvent | undefined;
  try {
    const input = readInput(hook, host);
    if (!input.ok)
      return await ignore(hook, host, undefined, projectRoot(host.cwd, []), input.failure.message);
    event = input.value;
    return await answer(event, hook, { ...host, write });
  } catch (error) {
    // A host could take an exit code or a stack trace for an answer.
    const notes = [(error as Error).stack ?? String(error)];
    const toPerson = await import('../messages/person.ts').then(
      ({ internalErrorMessage }) => internalErrorMessage(error),
      () => `ralph-loop: internal error, the stop was allowed unverified: ${oneLine(String(error))}`,
    );
    const result: StopResult = {
      answer: { decision: 'allow', why: 'internal-error', toPerson },
      root: undefined,
      notes,
    };
    const stop = event && 'isMain' in event ? event : undefined;
    if (stop && !hasAnswered) host.write(1, format(hook, stop, result));
    await log(hook, host, stop, result);
    return 0;
  }
}

async function answer(event: HookEvent, hook: Hook, host: HookProcess): Promise<number> {
  if ('prompt' in event) return answerPrompt(event, hook, host);
  if ('paths' in event) return answerEdit(event, hook, host);

  const directory = event.cwd ?? host.cwd;
  const { projectDirectories, skipReason } = event;
  const isGate = hook.program === 'ralph-gate';
  // Set for an agent that a gate has started, or by an agent for itself.
  if (skipReason !== undefined && !(host.env.RALPH_LOOP === '1' && (await wasGuarded(event)))) {
    const project = projectRoot(directory, projectDirectories);
    const isMarked = await isMarkedOnly(hook, host, event);
    return (isMarked ? allowMarked : ignore)(hook, host, event, project, skipReason);
  }
  const triage = triageOf(event, directory, hook);
  const root = triage.guarded
    ? triage.project.root
    : (triage.root ?? rootWithoutConfig(directory, projectDirectories));
  // Chains verify neither the stop of a subagent nor that of an agent that a gate has started.
  const chainRoots =
    event.isMain && skipReason === undefined ? findChainRoots(root, [directory, ...projectDirectories]) : [];
  if (!triage.guarded && chainRoots.length === 0 && !(await wasGuarded(event)))
    return ignore(hook, host, event, triage.root, triage.why);

  const { superviseStop, exitCodeAfter } = await import('./handle-stop.ts');
  const { result, endedBy, mask } = await superviseStop(
    event,
    { triage, root, chainRoots, isGate },
    hook.deadlineSeconds,
    host,
  );
  if (endedBy === undefined) host.write(1, format(hook, event, { ...result, answer: mask(result.answer) }));
  if (hostNamed(event.host).showsAtPrompt) {
    const { leaveForPrompt } = await import('./at-prompt.ts');
    leaveForPrompt(mask(result.answer), result.root);
  }
  await log(hook, host, event, result, { endedBy, mask });
  if (result.notify !== undefined && endedBy === undefined) {
    const { notify } = await import('./notify.ts');
    notify(event, result, { env: host.env, mask });
  }
  return endedBy === undefined ? 0 : exitCodeAfter(endedBy);
}

function readInput(hook: Hook, { env, readStdin, startedAtMs }: HookProcess): Result<HookEvent> {
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
  const other = readPromptEvent(value, env, hook.host) ?? readEditEvent(value, env, hook.host);
  return other ? success(other) : readStopEvent(value, env, hook.host);
}

/** A prompt without gates gets no answer and no line in the log. */
async function answerPrompt(
  event: PromptEvent,
  { verbose, config }: Hook,
  host: HookProcess,
): Promise<number> {
  try {
    const cwd = event.cwd ?? host.cwd;
    const prompted = host.env.RALPH_LOOP === '1' ? undefined : projectOfPrompt(event, cwd, config);
    if (prompted) {
      const { beginPrompt } = await import('./turn.ts');
      await beginPrompt(event, prompted, { env: host.env, now: () => new Date() });
    }
    if (prompted && hostNamed(event.host).showsAtPrompt) {
      const { takeForPrompt } = await import('./at-prompt.ts');
      const context = mayHaveGates(event.prompt) ? undefined : takeForPrompt(prompted.project.root);
      if (context !== undefined) host.write(1, writePromptContext(event, { context }));
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

/** Blocks nothing. An edit that made no check weaker gets no answer and no line in the log. */
async function answerEdit(event: EditEvent, { verbose, config }: Hook, host: HookProcess): Promise<number> {
  try {
    if (host.env.RALPH_LOOP !== '1' && event.paths.length > 0) {
      const { recordEdit } = await import('./record-edit.ts');
      await recordEdit(event, event.cwd ?? host.cwd, config);
    }
    const edit = host.env.RALPH_LOOP === '1' ? undefined : triageEdit(event, event.cwd ?? host.cwd, config);
    if (edit === undefined) return 0;
    const { handleEdit } = await import('./handle-edit.ts');
    const { stdout, record } = await handleEdit(event, edit, { env: host.env, now: new Date() });
    host.write(1, stdout);
    if (record) await writeLog(edit.project.root, record, host.env);
  } catch (error) {
    // An internal error must not reach the agent, which could take it for the result of its edit.
    if (verbose) host.write(2, `${printable(String((error as Error).stack ?? error))}\n`);
  }
  return 0;
}

function triageOf(
  event: StopEvent,
  cwd: string,
  { program, config: named, only }: Hook,
): TriagedStop['triage'] {
  if (event.skipReason !== undefined)
    return { guarded: false, why: event.skipReason, root: projectRoot(cwd, event.projectDirectories) };
  return program === 'ralph-gate'
    ? triageGateStop(event, cwd, { named, only })
    : triageStop(event, cwd, named);
}

/** Whether the session has been guarded before, or its gates are recorded. */
async function wasGuarded({ sessionId }: StopEvent): Promise<boolean> {
  const path = await sessionPath(sessionId);
  return path !== undefined && existsSync(path);
}

/** Allows a stop that only a variable of the environment keeps from being guarded, which the person reads. */
async function allowMarked(
  hook: Hook,
  host: HookProcess,
  event: StopEvent,
  root: string | undefined,
  why: string,
): Promise<number> {
  const { answerMarked } = await import('./lost-guard.ts');
  const result: StopResult = { answer: answerMarked(), root, notes: [why] };
  host.write(1, format(hook, event, result));
  await log(hook, host, event, result);
  return 0;
}

/** Whether the environment alone keeps a stop from being guarded: a gate sets the variable of its project too. */
async function isMarkedOnly({ config }: Hook, { env, cwd }: HookProcess, event: StopEvent): Promise<boolean> {
  if (env.RALPH_LOOP !== '1') return false;
  const { PROJECTS_VARIABLE } = await import('../gates/nesting.ts');
  if (env[PROJECTS_VARIABLE] !== undefined) return false;
  return triageStop(event, event.cwd ?? cwd, config).guarded;
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
function format(hook: Hook, event: StopEvent, result: StopResult): string {
  const { answer, attempt } = result;
  if (hook.program === 'ralph-gate') return writeGateAnswer(answer, event.host);
  return hook.format === 'trellis'
    ? writeTrellisAnswer(answer, attempt?.maxIterations ?? 0)
    : writeAnswer(answer, event.host, contextEventOf(hook, event, result));
}

/** The name of the event under which a block is answered as context; undefined if it is answered as a block. */
function contextEventOf(
  { program, format }: Hook,
  event: StopEvent | undefined,
  { answer, blockAs }: StopResult,
): string | undefined {
  const isWanted = answer.decision === 'block' && blockAs === 'context';
  return isWanted && program === 'ralph-loop' && format === 'host' ? event?.contextEvent : undefined;
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
  const blockAs = contextEventOf(hook, event, result) === undefined ? 'block' : 'context';
  const record = mask(logRecord(event, { ...result, notes, blockAs }, endedBy, new Date()));
  if (hook.verbose) host.write(2, `${jsonText(record)}\n`);
  // The answer is out already: a log that cannot be written must not change it.
  await writeLog(result.root, record, host.env).catch(() => {});
}

/** Limits the length of a line, whatever an event, a config or a check.jsonl contains. */
const MAX_CHARACTERS = 500;
const MAX_NOTES = 20;
const MAX_FINDINGS = 50;

/** Returns a stop attempt as a line of the execution log. */
export function logRecord(
  event: StopEvent | undefined,
  result: StopResult,
  endedBy: NodeJS.Signals | undefined,
  now: Date,
): LogRecord {
  const { answer, blockAs, task, attempt, summary, findings = [] } = result;
  const { escalated, selfReviewed = [], notes = [] } = result;
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
    ...(endedBy === undefined && blockAs === 'context' && { as: blockAs }),
    why: endedBy === undefined ? oneLine(answer.why, MAX_CHARACTERS) : `ended by ${endedBy}`,
    ...(findings.length > 0 && { findings: findings.slice(0, MAX_FINDINGS) }),
    ...(escalated && { escalated }),
    ...(selfReviewed.length > 0 && { self_reviewed: selfReviewed }),
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
