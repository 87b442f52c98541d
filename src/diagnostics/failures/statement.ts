import { classify } from '../lines/classify.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  indentOf,
  introducesNext,
  isCode,
  isPlaceOnly,
  isValue,
  opensBracket,
  separatorIn,
} from '../lines/structure.ts';
import { type FailureBlock, type FailureLine, type Line, PRIORITY } from './failure.ts';
import { fileHeading } from './identity.ts';
import { fileOf } from './store.ts';

/** Lines that say what is wrong, and lines of values: a long diff is recognized by its start. */
const MAX_ERRORS = 4;
const MAX_VALUES = 12;
/** Lines of a value below the line that introduces it. */
const INTRODUCED_LINES = 3;

/**
 * What a failure says, in order of arrival: what is wrong, what was expected and received.
 *
 * @returns empty for a heading above failures
 */
export function statementOf({ lines, headline }: FailureBlock): Line[] {
  const errors: FailureLine[] = [];
  const values: FailureLine[] = [];
  let introduced = 0;
  /** The error line that began the value which is being read. */
  let opener: string | undefined;
  for (const line of lines) {
    const { at, text, priority } = line;
    if (at < headline.at || text === '') continue;
    const isNamed = isValue(text);
    if (opener !== undefined && indentOf(text) <= indentOf(opener)) opener = undefined;
    const isPart = introduced > 0 || opener !== undefined;
    if (priority === PRIORITY.error) {
      errors.push(line);
      opener = opensBracket(text) ? text : opener;
    } else if (isNamed || (isPart && !isFrame(text) && !isCode(text))) values.push(line);
    introduced = isNamed && introducesNext(text) ? INTRODUCED_LINES : introduced - 1;
  }
  // In the output of several compilers, warnings of one are between the errors of another.
  const severe = errors.filter(({ text }) => classify(text) !== 'warning');
  const said = (severe.length > 0 ? severe : errors).slice(0, MAX_ERRORS);
  if (values.length === 0 && said.every(({ text }) => separatorIn(text))) return [];
  return [...said, ...values.slice(0, MAX_VALUES)].sort((a, b) => a.at - b.at);
}

/** The file that the headings above a failure name. */
export function fileAbove({ lines, headline }: FailureBlock): string | undefined {
  return lines
    .filter(({ at }) => at < headline.at)
    .map(({ text }) => (isPlaceOnly(text) ? fileOf(text) : fileHeading(text)))
    .findLast((file) => file !== undefined);
}
