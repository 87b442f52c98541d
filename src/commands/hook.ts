import { writeSync } from 'node:fs';
import type { JudgedStop } from '../answer-stop.ts';
import { findProject } from '../config/find-project.ts';
import { readStopEvent, writeAnswer } from '../hosts/claude-code.ts';
import { writeTrellisAnswer } from '../hosts/trellis.ts';
import type { StopEvent } from '../loop/stop-event.ts';
import { type GuardedStop, triageStop } from '../triage-stop.ts';
import type { GuardedOutcome } from './hook-guarded.ts';
import { recordOf, writeLog } from './hook-log.ts';
import { type HookOptions, parseHookOptions } from './hook-options.ts';
import { readStdin } from './hook-stdin.ts';

/**
 * `ralph-loop hook`: one event on stdin, one answer on stdout, one line in the execution log, exit 0. Ends the
 * process. What a guarded stop needs is loaded once it is known to be one.
 */
export async function hook(args: readonly string[]): Promise<never> {
  try {
    return await answerHost(args);
  } catch (error) {
    // Never an exit code that a host could take for an answer, never a stack trace that it could take for one.
    const answer = { decision: 'allow', why: 'internal-error' } as const;
    const notes = [(error as Error).stack ?? String(error)];
    await conclude(undefined, { answer, root: undefined, notes }, undefined, args.includes('--verbose'));
    process.exit(0);
  }
}

async function answerHost(args: readonly string[]): Promise<never> {
  const cwd = workingDirectory();
  const input = readInput();
  if (!('event' in input)) return ignore(undefined, rootAround(cwd), input.why, args);
  const { event } = input;
  const triage = triageStop(event, event.cwd ?? cwd);
  if (!triage.guarded) return ignore(event, triage.root, triage.why, args);
  return guard(event, triage, args);
}

async function ignore(
  event: StopEvent | undefined,
  root: string | undefined,
  why: string,
  args: readonly string[],
): Promise<never> {
  await conclude(event, { answer: { decision: 'ignore', why }, root }, undefined, args.includes('--verbose'));
  process.exit(0);
}

async function guard(event: StopEvent, triage: GuardedStop, args: readonly string[]): Promise<never> {
  const { judgeGuardedStop, exitCodeAfter } = await import('./hook-guarded.ts');
  const options = parseHookOptions(args);
  const { judged, endedBy, mask } = await judgeGuardedStop(event, triage, options.deadlineSeconds);
  if (endedBy === undefined) write(1, textOf({ ...judged, answer: mask(judged.answer) }, event, options));
  const notes = [...options.notes, ...(judged.notes ?? [])];
  await conclude(event, { ...judged, notes }, endedBy, options.verbose, mask);
  process.exit(endedBy === undefined ? 0 : exitCodeAfter(endedBy));
}

function textOf({ answer, attempt }: JudgedStop, event: StopEvent, { format }: HookOptions): string {
  if (format === 'trellis') return writeTrellisAnswer(answer, attempt?.maxIterations ?? 0);
  return writeAnswer(answer, event.host);
}

/**
 * One line in the log, whatever the answer was; with `--verbose`, on stderr too.
 *
 * @param mask of a stop that is guarded; of another nothing is said that any gate or config could have a secret in
 */
async function conclude(
  event: StopEvent | undefined,
  judged: JudgedStop,
  endedBy: NodeJS.Signals | undefined,
  verbose: boolean,
  mask: GuardedOutcome['mask'] = (said) => said,
): Promise<void> {
  const record = mask(recordOf(event, judged, endedBy, new Date()));
  if (verbose) write(2, `${JSON.stringify(record, null, 2)}\n`);
  // A log that cannot be written anywhere must not change the answer, which is out already.
  await writeLog(judged.root, record).catch(() => {});
}

function readInput(): { readonly event: StopEvent } | { readonly why: string } {
  try {
    return readStopEvent(JSON.parse(readStdin()), process.env);
  } catch (error) {
    return { why: `stdin is not JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}

/** The project, or the repository, that the hook was called in: its log tells of input that names none. */
function rootAround(cwd: string): string | undefined {
  const found = findProject(cwd);
  return found.found ? found.project.root : found.repository;
}

/** A process whose directory was removed has none; the root of the file system is nobody's project. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** Writes past Node's streams, which cost time to set up; the descriptor may be a pipe that is full for a moment. */
function write(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // EPIPE: the host is gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
