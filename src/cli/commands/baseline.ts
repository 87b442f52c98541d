import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../base/files.ts';
import { count } from '../../base/text.ts';
import { type Baseline, baselineText, readBaseline } from '../../config/baseline.ts';
import { BASELINE_FILE } from '../../gates/known-failures.ts';
import { environmentOfGates, isStartedByGateOf } from '../../gates/nesting.ts';
import { RunningGates } from '../../gates/running-gates.ts';
import { baselineRefusedMessage, knownFailures } from '../../messages/known-failures.ts';
import { nestedText } from '../../messages/results.ts';
import { readCaller } from '../../process/caller.ts';
import { runCommand } from '../../process/run-command.ts';
import { leaveNotice } from '../../state/notices.ts';
import { planVerification } from '../../verification/plan.ts';
import {
  type BaselineChange,
  recordedBaseline,
  tracked,
  updatedBaseline,
} from '../../verification/record-baseline.ts';
import { runAndRecord } from '../../verification/run-and-record.ts';
import type { VerificationRequest } from '../../verification/types.ts';
import { logCommand, reportCommand } from '../record-command.ts';
import { EXIT, fail, liveLine, onInterrupt, print, stdoutPaint, warn } from '../terminal.ts';

interface BaselineOptions {
  /** Only remove what is fixed. */
  readonly update?: boolean;
  /** Asked before something is written. @param lines what would be known */
  readonly confirm?: (lines: readonly string[]) => Promise<boolean>;
}

const NO_PERSON =
  'Only a person in a terminal can make failures known: run "ralph-loop baseline" yourself, or fix them. --update, which removes the fixed ones, is allowed.';

/**
 * `ralph-loop baseline`: runs the gates, and records the failures that exist now as known. With `--update` it removes
 * those that are fixed, and adds none.
 *
 * @returns the exit code: 0 done, 1 refused, or a gate could not be recorded, 2 usage or configuration error, 130
 * interrupted
 */
export async function baseline({ update = false, confirm }: BaselineOptions): Promise<number> {
  const planned = await planVerification(process.cwd(), { only: [], failFast: false });
  if (!planned.ok) return fail([...planned.failure.problems], EXIT.usage);
  const { request, config, nothing } = planned.value;
  const { root } = request;
  if (nothing !== undefined) return fail(nothing, EXIT.usage);
  if (isStartedByGateOf(root, process.env))
    return fail(nestedText('ralph-loop baseline', config), EXIT.usage);
  const caller = readCaller(process.env);
  if (!update && !caller.isPerson) {
    await logCommand(root, 'baseline refused', caller);
    leaveNotice(root, baselineRefusedMessage(caller.by));
    return fail(NO_PERSON);
  }
  const { baseline: before } = await readBaseline(root);
  if (update && before.size === 0) {
    print('No failure is known: there is nothing to update.');
    return EXIT.ok;
  }
  const gates = update ? request.gates : request.gates.map((gate) => tracked(gate, root));
  const run = await runShown({ ...request, gates, reuse: false });
  if (run === undefined) return EXIT.interrupted;
  const change = update ? updatedBaseline(run, before) : recordedBaseline(run, before);
  const isChanged = baselineText(change.baseline) !== baselineText(before);
  const lines = changeLines(change, update);
  if (isChanged && confirm && !(await confirm(lines))) return EXIT.interrupted;
  if (isChanged) {
    writeBaseline(root, change.baseline);
    const command = update ? 'baseline --update' : 'baseline';
    await logCommand(root, command, caller);
    reportCommand(root, command, caller);
  }
  print([...lines, resultLine(change, isChanged)]);
  if (change.problems.length > 0) warn(change.problems);
  return change.problems.length > 0 && !update ? EXIT.failed : EXIT.ok;
}

/** Runs the gates with a live line. @returns undefined if the run was interrupted */
async function runShown(request: VerificationRequest) {
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const live = liveLine(process.stderr, stdoutPaint());
  const running = new RunningGates();
  const run = await runAndRecord(
    {
      ...request,
      onEvent: (event) => {
        if (event.type === 'output') return;
        running.take(event);
        live?.stop();
        if (running.since !== undefined) live?.start(running.names, running.since);
      },
    },
    {
      runCommand,
      env: environmentOfGates(request.root, process.env),
      now: () => new Date(),
      signal: interrupted.signal,
    },
  );
  return interrupted.signal.aborted || run.running ? undefined : run;
}

function writeBaseline(root: string, baseline: Baseline): void {
  const path = join(root, BASELINE_FILE);
  if (baseline.size === 0) rmSync(path, { force: true });
  else writeFileAtomic(path, baselineText(baseline));
}

function changeLines({ gates }: BaselineChange, update: boolean): string[] {
  return gates
    .filter(({ added, removed }) => !update || added + removed > 0)
    .map(({ name, known, added, removed }) => {
      const parts = [added > 0 && `${added} added`, removed > 0 && `${removed} removed`].filter(Boolean);
      return `${name}: ${knownFailures(known)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
    });
}

function resultLine({ baseline, problems }: BaselineChange, isChanged: boolean): string {
  if (!isChanged && baseline.size === 0)
    return problems.length > 0 ? 'Nothing was recorded.' : 'All gates pass: there is nothing to record.';
  if (!isChanged) return `${BASELINE_FILE} is up to date.`;
  if (baseline.size === 0) return `Removed ${BASELINE_FILE}: no failure is known any more.`;
  return `Wrote ${BASELINE_FILE}, with the failures of ${count(baseline.size, 'gate')}. Commit it: it lets these failures pass, and no others.`;
}
