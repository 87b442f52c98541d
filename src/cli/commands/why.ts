import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { jsonText } from '../../base/text.ts';
import { findProject, rootAround } from '../../config/discover.ts';
import { didYouMean } from '../../config/validate.ts';
import { exitCodeOf } from '../../gates/report.ts';
import { escalationText } from '../../messages/escalation.ts';
import { failureLines } from '../../messages/results.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { allFailures, type FailedGate, type PreviousFailures } from '../../state/failures.ts';
import { EXIT, fail, LiveOutput, print, stdoutColumns, stdoutPaint } from '../terminal.ts';

interface WhyOptions {
  /** Name of a gate; undefined: all gates that failed last. */
  readonly gate: string | undefined;
  /** The full output instead of the excerpt. */
  readonly full?: boolean;
  readonly json?: boolean;
}

/**
 * `ralph-loop why`: shows the last failure, of a stop or of `verify`, whichever was later.
 *
 * @returns the exit code: 0 shown, 2 no such gate or no such log
 */
export async function why({ gate, full, json = false }: WhyOptions): Promise<number> {
  const found = findProject(process.cwd(), { needsRepository: false, orAround: true });
  // Without a config, failures are kept where the state of typed gates is.
  const root = found.ok ? found.value.root : (rootAround(process.cwd()) ?? process.cwd());
  const runs = allFailures(root);
  const run = runs.find(({ gates }) => gates.some(({ name }) => gate === undefined || name === gate));
  if (!run) return failWithoutFailure(gate, runs, json);
  const gates = run.gates.filter(({ name }) => gate === undefined || name === gate).map(withPresentLog);
  if (full) return showLogs(gates);
  if (json) {
    print(
      jsonText({
        loop: run.task,
        iteration: run.iteration,
        ...(run.escalated && { escalated: run.escalated }),
        gates: gates.map((failed) => gateAsJson(failed, root)),
      }),
    );
    return EXIT.ok;
  }
  const layout = {
    from: process.cwd(),
    now: new Date(),
    paint: stdoutPaint(),
    columns: stdoutColumns(),
  };
  if (run.escalated) print(`Escalated: ${escalationText(run.escalated)}\n`);
  print(failureLines(gates, run, layout));
  return EXIT.ok;
}

/** A later run that was interrupted has removed the log. */
function withPresentLog(gate: FailedGate): FailedGate {
  return gate.log === null || existsSync(gate.log) ? gate : { ...gate, log: null };
}

function gateAsJson({ outcome, since, log, ...gate }: FailedGate, root: string): object {
  return {
    ...gate,
    outcome: outcome.reason,
    exit: exitCodeOf(outcome),
    ...('signal' in outcome && { signal: outcome.signal }),
    since_iteration: since,
    log: log === null ? null : relative(root, log),
  };
}

function failWithoutFailure(
  gate: string | undefined,
  runs: readonly PreviousFailures[],
  json: boolean,
): number {
  const names = [...new Set(runs.flatMap(({ gates }) => gates.map(({ name }) => name)))];
  if (json && (gate === undefined || names.length === 0)) {
    print(jsonText({ loop: null, iteration: null, gates: [] }));
    return EXIT.ok;
  }
  if (gate === undefined || names.length === 0) {
    print('No failure is recorded: no gate has failed, or all gates have passed since.');
    return EXIT.ok;
  }
  const hint = didYouMean(gate, names) || `; gates that failed: ${names.join(', ')}`;
  return fail(`No failure of "${gate}" is recorded${hint}`, EXIT.usage);
}

async function showLogs(gates: readonly FailedGate[]): Promise<number> {
  const logs = gates.flatMap(({ log }) => log ?? []);
  if (logs.length === 0)
    return fail('No full output: the gate printed nothing, or its log was removed.', EXIT.usage);
  if (process.stdout.isTTY && showInPager(logs)) return EXIT.ok;
  for (const log of logs) {
    if (logs.length > 1) print(`==> ${relative(process.cwd(), log)} <==`);
    // The reader of a pipe may leave before the end of the output, as `head` does.
    const bytes = createReadStream(log);
    await pipeline(process.stdout.isTTY ? liveText(bytes) : bytes, process.stdout, { end: false }).catch(
      () => {},
    );
  }
  return EXIT.ok;
}

async function* liveText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const output = new LiveOutput();
  for await (const chunk of chunks) yield output.write(chunk);
  yield output.end();
}

/** Shows files in the user's pager, as git does. @returns false without a pager */
function showInPager(files: readonly string[]): boolean {
  const pager = process.env.PAGER || 'less -R';
  const { status, error } = spawnSync(DEFAULT_SHELL, ['-c', `${pager} "$@"`, 'pager', ...files], {
    stdio: 'inherit',
  });
  // 127: the shell does not find the program.
  return error === undefined && status !== 127;
}
