/** What was printed of tests that have not failed, in blocks that say so only at their end, or elsewhere. */

import { withoutPrefix } from '../lines/prefix.ts';
import { endsBlockInTap } from '../lines/structure.ts';
import type { Line } from './failure.ts';

/** How a runner prints what belongs to one test. */
interface BlockForm {
  readonly start: RegExp;
  /** The last line of the block; undefined if it ends above the next one. */
  readonly last?: RegExp;
  /** What follows the last block. */
  readonly after?: RegExp;
  /**
   * @param block its texts
   * @param next the text below it
   * @param all the texts of the output
   */
  readonly hasPassed: (block: readonly string[], next: string, all: readonly string[]) => boolean;
}

/** The heading of tests that passed when they were run again, and a test below it: another list has those that failed. */
export const FLAKY = /^\s*\d+ flaky$/;
const NAMED = /^ {4}\S/;
/** The number before the name of a test, and the ruler behind it. */
const AROUND_NAME = /^ {2}\d+\) | ─+$/g;

const has = (pattern: RegExp) => (block: readonly string[]) => block.some((text) => pattern.test(text));

const FORMS: Readonly<Record<string, BlockForm>> = {
  'JUnit XML': {
    start: /^\s*<testcase .*[^/]>$/,
    last: /^\s*<\/testcase>$/,
    hasPassed: has(/^\s*<skipped\b/),
  },
  'Cucumber, an attempt before the last one': {
    start: /^\d+\) Scenario: /,
    after: /^(?:Failures|Warnings):$|^\d+ scenarios? \(/,
    hasPassed: ([title = '']) => /\(attempt \d+, retried\)/.test(title),
  },
  'Playwright, a test that passed in the end': {
    start: /^ {2}\d+\) .* ─+$/,
    after: /^ {2}\d+ (?:failed|flaky|skipped|passed)\b/,
    hasPassed: ([title = ''], _next, all) => flakyIn(all).has(title.replace(AROUND_NAME, '')),
  },
  'Deno, what a test has logged': {
    start: /^-+ (?:\w+-test )?output -+$/,
    last: /^-+ (?:\w+-test )?output end -+$/,
    hasPassed: (_block, next) => / \.\.\. ok \(/.test(next),
  },
  'doctest of C++, a test that should fail': {
    start: /^={30,}$/,
    after: /^\[doctest\] /,
    hasPassed: has(/^Failed as expected so marking it as not failed$/),
  },
  // Without YAML, what is said of a failed test is in comments below it.
  'TAP, a test with its title': {
    start: /^# \S/,
    after: /^\d+\.\.\d+$/,
    // A run that ends in a test has crashed in it.
    hasPassed: (block, next, all) =>
      next !== '' &&
      block.some((text) => /^ok \d/.test(text)) &&
      !block.some((text) => /^\s*not ok \d/.test(text)) &&
      all.some(endsBlockInTap),
  },
  'pytest, what tests have logged that have passed': {
    start: /^=+ PASSES =+$/,
    after: /^=+ (?!PASSES )\S.* =+$/,
    hasPassed: () => true,
  },
  'publint, what fails no run': {
    start: /^Suggestions:$/,
    after: /^(?:Errors|Warnings):$|^$/,
    hasPassed: (_block, _next, all) => all.includes('Errors:'),
  },
  'SRFI 64': {
    start: /^Test begin:$/,
    after: /^(?:Group (?:begin|end)|# of )/,
    hasPassed: has(/^\s+result-kind: (?:pass|xfail|skip)$/),
  },
};

/**
 * The positions of what was printed of tests that have passed, were skipped, or have failed as they should.
 *
 * @param all an output's lines
 */
export function passedBlocksIn(all: readonly Line[]): number[] {
  const texts = all.map(({ text }) => withoutPrefix(text));
  return Object.values(FORMS).flatMap((form) =>
    blocksIn(texts, form).flatMap(({ start, end }) =>
      form.hasPassed(texts.slice(start, end), texts[end] ?? '', texts)
        ? all.slice(start, end).map(({ at }) => at)
        : [],
    ),
  );
}

/** From the first line of each block to the line below it. */
function blocksIn(
  texts: readonly string[],
  { start, last, after }: BlockForm,
): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let from: number | undefined;
  for (const [index, text] of texts.entries()) {
    const isLast = last?.test(text) ?? false;
    const starts = start.test(text);
    if (from !== undefined && (isLast || starts || after?.test(text))) {
      blocks.push({ start: from, end: isLast ? index + 1 : index });
      from = undefined;
    }
    if (starts) from = index;
  }
  if (from !== undefined && !last) blocks.push({ start: from, end: texts.length });
  return blocks;
}

function flakyIn(all: readonly string[]): ReadonlySet<string> {
  const start = all.findIndex((text) => FLAKY.test(text)) + 1;
  if (start === 0) return new Set();
  const end = all.findIndex((text, index) => index >= start && !NAMED.test(text));
  const names = all.slice(start, end === -1 ? undefined : end);
  return new Set(names.map((text) => text.trim().replace(AROUND_NAME, '')));
}
