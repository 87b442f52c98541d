/** What BuildKit says again when a step of a container's build has failed: its last lines, its command, and its place. */

import type { Line } from '../failures/failure.ts';
import { withoutPrefix } from '../lines/prefix.ts';

/** The step, above its last lines; each has its time, and no longer the number of the step. */
const STEP = /^ > \[.+\] RUN .*:$/;
const LAST_LINE = /^\d+\.\d{3}(?: (.*))?$/;
/** How the step has ended, and the build, which says it again. */
const END_OF_STEP = /^#\d+ ERROR: (.+)$/;
const END = /^ERROR: failed to (?:solve|build): (.+)$/;
/** The instructions around the one that has failed. */
const FAILED_INSTRUCTION = /^ +\d+ \| >>> /;
const INSTRUCTION = /^ +\d+ \| {5}\S/;

/** Without what was shown above, and without the instructions that have not failed. */
export function withoutStepAgain(lines: readonly Line[]): Line[] {
  const step = lines.findIndex(({ text }) => STEP.test(text));
  const end = step === -1 ? -1 : endOfStep(lines, step);
  const hasFailed = lines.some(({ text }) => FAILED_INSTRUCTION.test(text));
  const ends = new Set(lines.flatMap(({ text }) => END_OF_STEP.exec(text)?.[1] ?? []));
  return lines.filter(
    ({ text }, index) =>
      !(index >= step && index < end) &&
      !(hasFailed && INSTRUCTION.test(text)) &&
      !ends.has(END.exec(text)?.[1] ?? ''),
  );
}

/** Where the next line is that is no part of what a step prints again; the step itself, if its last line was not shown above. */
function endOfStep(lines: readonly Line[], step: number): number {
  let end = step + 1;
  while (LAST_LINE.test(lines[end]?.text ?? '')) end++;
  const texts = lines.slice(step + 1, end).flatMap(({ text }) => LAST_LINE.exec(text)?.[1] || []);
  const isShown = lines.slice(0, step).some(({ text }) => withoutPrefix(text) === texts.at(-1));
  return isShown ? end : step;
}
