import { rootAround, workingDirectory } from '../config/root-around.ts';
import type { StopEvent } from '../hosts/stop-event.ts';
import { chainRoots as chainRootsOf } from '../state/chain-location.ts';
import { writeLog } from '../state/write-log.ts';
import type { JudgeableStop } from './answer-any-stop.ts';
import type { StopResult } from './handle-stop.ts';
import type { GuardedOutcome } from './hook-guarded.ts';
import { recordOf } from './hook-log.ts';
import { write } from './hook-write.ts';
import type { GuardedStop, UnguardedStop } from './triage-stop.ts';

/** A hook's command line: what it reads, which stops it guards, and how it answers. */
export interface Hook {
  readonly deadlineSeconds: number | undefined;
  readonly verbose: boolean;
  /** What was not understood of the command line. */
  readonly notes: readonly string[];
  /** @returns why there is no stop event, where there is none */
  readEvent(): { readonly event: StopEvent } | { readonly why: string };
  triage(event: StopEvent, cwd: string): GuardedStop | UnguardedStop;
  /** @returns what goes to stdout: one JSON document, or nothing */
  textOf(judged: StopResult, event: StopEvent): string;
}

/**
 * Answers one event: one line in the execution log, or two where a chain was judged too, exit 0. Ends the process. What
 * a guarded stop needs is loaded once it is known to be one.
 */
export async function answerHook(hook: Hook): Promise<never> {
  try {
    return await answerHost(hook);
  } catch (error) {
    // Never an exit code that a host could take for an answer, never a stack trace that it could take for one.
    const answer = { decision: 'allow', why: 'internal-error' } as const;
    const notes = [(error as Error).stack ?? String(error)];
    await conclude(undefined, { answer, root: undefined, notes }, undefined, hook.verbose);
    process.exit(0);
  }
}

async function answerHost(hook: Hook): Promise<never> {
  const cwd = workingDirectory();
  const input = hook.readEvent();
  if (!('event' in input)) return ignore(undefined, rootAround(cwd), input.why, hook);
  const { event } = input;
  const directory = event.cwd ?? cwd;
  if (event.skipReason !== undefined) return ignore(event, rootAround(directory), event.skipReason, hook);
  const triage = hook.triage(event, directory);
  const root = triage.guarded ? triage.project.root : (triage.root ?? directory);
  // Chains never verify the stops of subagents.
  const chainRoots = event.isMain ? chainRootsOf(root) : [];
  if (!triage.guarded && chainRoots.length === 0) return ignore(event, triage.root, triage.why, hook);
  return guard(event, { triage, root, chainRoots }, hook);
}

async function ignore(
  event: StopEvent | undefined,
  root: string | undefined,
  why: string,
  hook: Hook,
): Promise<never> {
  const judged: StopResult = { answer: { decision: 'ignore', why }, root };
  if (event) write(1, hook.textOf(judged, event));
  await conclude(event, judged, undefined, hook.verbose);
  process.exit(0);
}

async function guard(event: StopEvent, stop: JudgeableStop, hook: Hook): Promise<never> {
  const { judgeGuardedStop, exitCodeAfter } = await import('./hook-guarded.ts');
  const { judged, endedBy, mask } = await judgeGuardedStop(event, stop, hook.deadlineSeconds);
  if (endedBy === undefined) write(1, hook.textOf({ ...judged, answer: mask(judged.answer) }, event));
  const notes = [...hook.notes, ...(judged.notes ?? [])];
  await conclude(event, { ...judged, notes }, endedBy, hook.verbose, mask);
  process.exit(endedBy === undefined ? 0 : exitCodeAfter(endedBy));
}

/**
 * A line in the log for each loop that was judged, whatever the answer was; with `--verbose`, on stderr too.
 *
 * @param mask of a stop that is guarded; of another nothing is said that any gate or config could have a secret in
 */
async function conclude(
  event: StopEvent | undefined,
  judged: StopResult,
  endedBy: NodeJS.Signals | undefined,
  verbose: boolean,
  mask: GuardedOutcome['mask'] = (said) => said,
): Promise<void> {
  // What became of a chain stands, also where the hook was ended after it.
  if (judged.chain) await conclude(event, judged.chain, undefined, verbose, mask);
  const record = mask(recordOf(event, judged, endedBy, new Date()));
  if (verbose) write(2, `${JSON.stringify(record, null, 2)}\n`);
  // A log that cannot be written anywhere must not change the answer, which is out already.
  await writeLog(judged.root, record).catch(() => {});
}
