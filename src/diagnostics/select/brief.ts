/** What the parts of an output leave out first, where there is no space for all of them. */

import type { FailureBlock, Line } from '../failures/failure.ts';
import { outlineWithout } from '../failures/outline.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isCaret, isCode, isPlacePointer } from '../lines/structure.ts';
import type { Material } from './material.ts';

/** The file before and after, in a diff that a formatter prints; that of a test names none, that of git is below a command. */
const BEFORE = /^--- (?!a\/)\S*[./]\S/;
const AFTER = /^\+\+\+ (?!b\/)\S*[./]\S/;
const OF_DIFF = /^(?:[ +@\\-]|$)/;
/** The place of one that rustfmt prints. */
const DIFF_IN = /^Diff in \S.*(?::| at line )\d+:$/;
/** What a formatter says of a file that it would change. */
const WOULD_CHANGE =
  /^(?:would reformat |\S+ would be reformatted|(?:ERROR: )?\S+ .*\bincorrectly (?:sorted|formatted))/i;

/**
 * Without the source that linters and compilers quote of what they found, and without the diffs of formatters, which apply
 * them by themselves.
 */
export function briefly(material: Material): Material {
  const { failures, outline, lists } = material;
  const diffs = diffsIn(outline.all ?? []);
  const sources = new Map(
    failures
      .filter(({ severity }) => severity >= SEVERITY.tagged && severity <= SEVERITY.located)
      .map(({ block }) => [block, sourceIn(block)] as const),
  );
  const removed = new Set([...diffs, ...[...sources.values()].flat()]);
  const isKept = ({ at }: Line) => !removed.has(at);
  return {
    ...material,
    failures: failures.map((stored) => {
      const { block } = stored;
      const dropped = [...(block.dropped ?? []), ...(sources.get(block) ?? [])];
      return { ...stored, block: { ...block, lines: block.lines.filter(isKept), dropped } };
    }),
    outline: outlineWithout(outline, (line) => !isKept(line)),
    lists: lists.map((list) => ({ ...list, lines: list.lines.filter(isKept) })),
  };
}

function sourceIn({ headline, lines }: FailureBlock): number[] {
  return lines
    .filter(({ at, text }, index) => {
      const isUnderlined = isCaret(lines[index + 1]?.text ?? '');
      const isSource = isCode(text) || isCaret(text) || isUnderlined;
      return at > headline.at && isSource && !isPlacePointer(text);
    })
    .map(({ at }) => at);
}

function diffsIn(lines: readonly Line[]): number[] {
  const isReported = lines.some(({ text }) => WOULD_CHANGE.test(text));
  let isInDiff = false;
  return lines.flatMap(({ at, text }, index) => {
    const isHeading = DIFF_IN.test(text);
    const isStart = isReported && BEFORE.test(text) && AFTER.test(lines[index + 1]?.text ?? '');
    if (isHeading || isStart) isInDiff = true;
    else if (!OF_DIFF.test(text)) isInDiff = false;
    return isInDiff && !isHeading ? [at] : [];
  });
}
