import { count, oneLine } from '../base/text.ts';
import { BASELINE_FILE } from '../gates/known-failures.ts';
import type { RunResult } from '../gates/types.ts';

/** `3 known failures` */
export function knownFailures(n: number): string {
  return count(n, 'known failure');
}

/** The failures of the baseline that a run does not have any more, one line for each gate. */
export function fixedLines({ results }: RunResult): string[] {
  return results.flatMap(({ gate, fixed = 0 }) =>
    fixed > 0
      ? [
          `${knownFailures(fixed)} of \`${oneLine(gate.name, 60)}\` ${fixed === 1 ? 'is' : 'are'} fixed: run \`ralph-loop baseline --update\``,
        ]
      : [],
  );
}

/** For a baseline with failures that the commit does not know. */
export function baselineGrewMessage(n: number): string {
  return `ralph-loop: ${BASELINE_FILE} has ${knownFailures(n)} that ${n === 1 ? 'is' : 'are'} not committed`;
}

/** For an attempt to make failures known without a person. @param by as in `Caller` */
export function baselineRefusedMessage(by: string): string {
  return `ralph-loop: \`ralph-loop baseline\` was run ${oneLine(by)}, and refused`;
}
