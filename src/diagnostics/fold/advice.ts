import type { Line } from '../failures/failure.ts';
import { classificationOf, severityOf } from '../lines/classify.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isFrame } from '../lines/stack-frames.ts';
import { isCode, isDetail, isItem, isValue, namesLine } from '../lines/structure.ts';

/** What to do about an error, without a place. */
const ADVICE = /^\W*(?:hint|note|help|tip)\b:? .*[\p{L}\d).!]$|^>\s+use 'pytest --fixtures /iu;

/** A sentence to the reader. A shorter one may say what is wrong. */
const TO_READER = /\b(?:you|your)\b|^\W*(?:If|Verify|Consider|Make sure|This is)\b/;
const MIN_SENTENCE = 40;
/** Above a stack of Python. */
const TRACEBACK = /^\s*Traceback \(most recent call last\):$/;
/** A ruler may be between the name of a test and its stack. */
const TITLE_REACH = 2;
/** A line and a column. */
const PLACE = /\d:\d/;
const QUOTED = /(["'`])[^"'`]*\1/g;
/** Above the names of all that could be used instead. */
const INSTEAD = /^(>\s+available fixtures:) .*$/;
/** Where a runner has written more about one failure: that of the next one is beside it. */
const RECORDED =
  /^(\s*(?:error context|(?:logs?|output|report|trace|screenshot)(?: (?:saved|written|stored))?(?: (?:to|in|at))?):?) [`'"]?\S+\/\S+$/i;

/**
 * Without what is the same for all failures, and was shown before: the frames of packages and runtimes, and advice, unless
 * it goes on below. Advice to the reader is the same also about another name, with the items below it.
 */
export function withoutRepeatedAdvice(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  /** By what is said, without names: where it was said first. */
  const places = new Map<string, number>();
  /** Where the line is, in the first print, that the next one may repeat. */
  let next: number | undefined;
  return lines.filter((line, index) => {
    const { text } = line;
    if (text === '') return true;
    const labelled = [RECORDED, INSTEAD].find((pattern) => pattern.test(text));
    const said = labelled ? text.replace(labelled, '$1') : text.replace(QUOTED, '¤');
    const place = places.get(said);
    if (place === undefined) places.set(said, index);
    const isAgain =
      place !== undefined &&
      (labelled !== undefined || isToReader(text) || (place === next && mayBeAdvice(text)));
    next = isAgain ? lines.findIndex((line, at) => at > (place ?? at) && line.text !== '') : undefined;
    if (isAgain) return false;
    const below = lines[index + 1]?.text ?? '';
    const isSame =
      isExternalFrame(text) ||
      (TRACEBACK.test(text) && isFrame(below) && isTitleOf(lines[index - 1], line)) ||
      (ADVICE.test(text) && !isCode(below));
    return !isSame || (!seen.has(text) && seen.add(text));
  });
}

/** Whether a line says what failed, right above another one. */
function isTitleOf(above: Line | undefined, { at }: Line): boolean {
  return (
    above !== undefined &&
    at - above.at <= TITLE_REACH &&
    severityOf(classificationOf(above.text)) >= SEVERITY.tagged
  );
}

function isToReader(text: string): boolean {
  return text.length >= MIN_SENTENCE && TO_READER.test(text) && mayBeAdvice(text);
}

/** Whether a line is a sentence or an item of a list, and names no place. */
function mayBeAdvice(text: string): boolean {
  const isPart = [isCode, isFrame, namesLine].some((question) => question(text));
  const isDatum = !isItem(text) && (isDetail(text) || isValue(text));
  const isSure = severityOf(classificationOf(text)) > SEVERITY.mentioned;
  return !isSure && !isPart && !isDatum && !PLACE.test(text);
}

/** What may cause an error of this sort. */
const CAUSES = /^\W*(?:potential|possible|common|likely|typical) (?:causes|reasons)\b[^:]*:$/i;

/** What libraries say of any counterexample, of any two values, and of any error of a database. */
const OF_ANY =
  /^\s*(?:Hint: Enable verbose mode in order to have the list of all failing values\b|\(compared using ==\)$|(?:E +)?\(Background on this error at: \S+\)$|> +use 'pytest --fixtures )/;
/** What Vitest says of any name that a mock does not have, with an example; the last line of that. */
const EXAMPLE = /^If you need to partially mock a module, you can use "importOriginal" helper inside:$/;
const EXAMPLE_END = /^\}\)$/;
/** What a runner says of any error that no test has caught. */
const ORIGIN = /^This error originated in "([^"]+)" test file\. It doesn't mean\b/;

/** Without what would be said of any error of this sort: its possible causes, and in which file it was, if a frame says so. */
export function withoutGeneralAdvice(lines: readonly Line[]): Line[] {
  let isOfCauses = false;
  let isExample = false;
  return lines.filter(({ text }) => {
    const endsExample = isExample && EXAMPLE_END.test(text);
    isExample = EXAMPLE.test(text) || (isExample && !endsExample);
    if (isExample || endsExample) return false;
    isOfCauses = CAUSES.test(text) || (isOfCauses && (text === '' || isItem(text)));
    const file = ORIGIN.exec(text)?.[1];
    const isSaid =
      file !== undefined && lines.some((other) => isFrame(other.text) && other.text.includes(file));
    return !isOfCauses && !isSaid && !OF_ANY.test(text);
  });
}
