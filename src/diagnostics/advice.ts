import { classificationOf } from './classify.ts';
import type { Line } from './failure.ts';
import { isExternalFrame } from './stack-frames.ts';
import { indentOf, isCode } from './structure.ts';

/** What to do about an error, without a place. */
const ADVICE = /^\W*(?:hint|note|help|tip)\b:? .*[\p{L}\d).!]$/iu;

/**
 * Without what is the same for all failures, and was shown before: the frames of packages and runtimes, and advice, unless
 * it goes on below.
 */
export function withoutRepeatedAdvice(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  const goesOn = (next: Line | undefined) => next !== undefined && isCode(next.text);
  return lines.filter(({ text }, index) => {
    const isSame = isExternalFrame(text) || (ADVICE.test(text) && !goesOn(lines[index + 1]));
    return !isSame || (!seen.has(text) && seen.add(text));
  });
}

/** What may cause an error of this sort, and what to write in the place of what is missing. */
const CAUSES = /^\W*(?:potential|possible|common|likely|typical) (?:causes|reasons)\b[^:]*:$/i;
const SNIPPETS = /\bsnippets?:$/i;
const ITEM = /^\s*(?:[-*•]|\d+[.)]) ?\S/;

/** Without what would be said of any error of this sort: its possible causes, and the code that somebody may write. */
export function withoutGeneralAdvice(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  let heading: Line | undefined;
  for (const line of lines) {
    if (heading && isAdvice(line, heading)) continue;
    const isCauses = CAUSES.test(line.text);
    heading = isCauses || SNIPPETS.test(line.text) ? line : undefined;
    if (!isCauses) kept.push(line);
  }
  return kept;
}

function isAdvice({ text }: Line, heading: Line): boolean {
  if (text === '') return true;
  if (CAUSES.test(heading.text)) return ITEM.test(text);
  const isApart = ['failedTest', 'summary', 'passed'].includes(classificationOf(text));
  return !isApart && (indentOf(heading.text) === 0 || indentOf(text) > indentOf(heading.text));
}
