import { relative } from 'node:path';
import { duration, oneLine } from '../base/text.ts';
import type { FailedGate, PreviousFailures } from '../state/failures.ts';
import { describeOutcome } from './describe-outcome.ts';
import { ago } from './loop-lines.ts';
import type { Paint } from './paint.ts';
import { fitted, wrapped } from './report.ts';

interface Look {
  /** Absolute directory that the person is in: log paths are given from there. */
  readonly from: string;
  readonly now: Date;
  readonly paint: Paint;
  /** Width of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
}

/** Failed gates as `why` tells them: how each ended and when, its excerpt, its log. */
export function rememberedLines(
  gates: readonly FailedGate[],
  { task, iteration }: PreviousFailures,
  { from, now, paint, columns }: Look,
): string[] {
  const where = task === null ? 'in verify' : `at iteration ${iteration} of ${oneLine(task, 80)}`;
  return gates.flatMap(({ time, name, command, outcome, duration_ms: ms, excerpt, log, since }, index) => {
    const when = ago(Math.round((now.getTime() - Date.parse(time)) / 1000));
    const title = `${paint('red', '✗')} ${paint('bold', oneLine(name, 80))} ${oneLine(describeOutcome(outcome), 200)}, after ${duration(ms)}`;
    const same = since !== null && since !== iteration ? `, the same since iteration ${since}` : '';
    const lines = excerpt.length > 0 ? excerpt : [{ kind: 'note' as const, text: 'It printed nothing.' }];
    const head = [
      title,
      paint('dim', `  ${when}, ${where}${same}`),
      ...(command === name ? [] : [paint('dim', `  $ ${oneLine(command, 300)}`)]),
    ];
    const full = log === null ? [] : [{ kind: 'note' as const, text: `Full output: ${relative(from, log)}` }];
    return [
      ...(index > 0 ? [''] : []),
      ...head.flatMap((line) => wrapped(line, columns)),
      '',
      ...fitted(lines, paint, columns),
      ...(full.length > 0 ? ['', ...fitted(full, paint, columns)] : []),
    ];
  });
}
