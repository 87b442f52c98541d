import type { ExcerptLine } from '../state/failures.ts';
import { excerptOf } from './excerpt.ts';
import {
  bestLines,
  charactersIn,
  type FailureBlock,
  type FailureLine,
  hasDetails,
  type Line,
  PRIORITY,
} from './failures/failure.ts';
import { statementOf } from './failures/statement.ts';
import { comparableError, severeFailures } from './fold/errors.ts';
import { namedOnce } from './fold/failure-names.ts';
import { isCode, namesPlace, separatorIn } from './lines/structure.ts';
import type { Findings } from './output/condenser.ts';

/** About a third of a full excerpt. */
const SHORT_CHARACTERS = 1500;
/** What one failure has at least: its error, what was expected and received, and its place. */
const FAILURE_CHARACTERS = 220;
const LINE_CHARACTERS = 160;

/**
 * The excerpt of an output that the agent has read before. Of several failures with details, each has as many characters
 * as another; otherwise it is as any excerpt, but shorter.
 */
export function shortExcerptOf(
  findings: Findings,
  maxCharacters: number,
  ended: { readonly hung: boolean },
): ExcerptLine[] {
  const limit = Math.min(maxCharacters, SHORT_CHARACTERS);
  const blocks = namedOnce(severeFailures(findings).map(({ block }) => block));
  const detailed = blocks.filter(hasDetails);
  if (ended.hung || detailed.length === 0) return excerptOf(findings, limit, ended);
  const shown = new Map<number, FailureLine>();
  let left = limit;
  let isWhole = true;
  for (const [index, block] of [...detailed, ...blocks.filter((each) => !hasDetails(each))].entries()) {
    const share = Math.min(left, Math.max(FAILURE_CHARACTERS, Math.floor(left / (blocks.length - index))));
    const lines = bestLines({ ...block, lines: block.lines.filter(isWorthRepeating).map(cropped) }, share);
    left -= charactersIn(lines.filter(({ at }) => !shown.has(at)));
    for (const line of lines) shown.set(line.at, line);
    if (!lines.some(({ at }) => at >= block.headline.at)) isWhole = false;
  }
  const errors = new Set(blocks.map(({ headline }) => headline.at));
  const lines = [...shown.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }): ExcerptLine => ({ kind: errors.has(at) ? 'error' : 'plain', text }));
  return isWhole ? lines : [...lines, { kind: 'note', text: '… more failures …' }];
}

/**
 * The findings of an output of which the agent has read some failures before: these have only what they say, and their
 * place, so that an excerpt has the new ones in full.
 *
 * @param read the errors of the last run, as `comparableErrors` returns them
 */
export function withReadInShort(findings: Findings, read: readonly string[]): Findings {
  const errors = new Set(read);
  const failures = findings.failures.map((stored) =>
    errors.has(comparableError(stored.block)) ? { ...stored, block: inShort(stored.block) } : stored,
  );
  return { ...findings, failures, outline: { ...findings.outline, all: undefined } };
}

function inShort(block: FailureBlock): FailureBlock {
  const kept = new Set<Line>(statementOf(block));
  // Its place may have moved.
  const place = block.lines.find(({ at, text }) => at >= block.headline.at && namesPlace(text));
  if (place) kept.add(place);
  return { ...block, lines: block.lines.filter((line) => kept.has(line) || line.at < block.headline.at) };
}

function cropped(line: FailureLine): FailureLine {
  if (line.text.length <= LINE_CHARACTERS) return line;
  return { ...line, text: `${line.text.slice(0, LINE_CHARACTERS - 1)}…`.toWellFormed() };
}

/** The code has been read, and a rule separates nothing here. */
function isWorthRepeating({ text, priority }: FailureLine): boolean {
  return (priority >= PRIORITY.detail || !isCode(text)) && text !== '' && !separatorIn(text);
}
