import { type FailureBlock, hasDetails, type Line, ruledTitleOf } from '../failures/failure.ts';
import { fileHeading, nameOfTest, withoutTimeAtEnd } from '../failures/identity.ts';
import { FLAKY } from '../failures/passed-blocks.ts';
import { withoutVarying } from '../failures/varying.ts';
import { classificationOf } from '../lines/classify.ts';
import { remembered } from '../lines/remembered.ts';
import { SEVERITY } from '../lines/rules.ts';
import { introducesNext } from '../lines/structure.ts';
import type { Findings } from '../output/condenser.ts';
import { comparableError } from './errors.ts';

const MAX_NAMES = 200;

/**
 * The names of all tests that failed, or all errors with a place where no test failed, without what differs from run to
 * run.
 *
 * @returns undefined if there are none, or not all of them are known
 */
export function failureNames({ failures, tallies }: Findings): string[] | undefined {
  const blocks = failures.map(({ block }) => block);
  const of = (wanted: number) => blocks.filter(({ severity }) => severity === wanted);
  const severity = of(SEVERITY.failedTest).length > 0 ? SEVERITY.failedTest : SEVERITY.located;
  const named = of(severity);
  if (named.length === 0 || named.length !== tallies.get(severity)?.count || named.length > MAX_NAMES)
    return undefined;
  return severity === SEVERITY.failedTest ? testNames(named) : named.map(comparableError);
}

/** Without the files and packages that runners call failed because of a test in them. */
function testNames(blocks: readonly FailureBlock[]): string[] {
  const names = [...new Set(namedOnce(blocks).map((block) => nameOf(block) ?? ''))];
  const tests = names.filter((name) => name !== '' && !isFileOrPackage(name));
  return tests.length > 0 ? tests : names;
}

function isFileOrPackage(name: string): boolean {
  return fileHeading(name) === name || /^[\w.-]+\.[a-z]+(?:\/[\w./-]+)$/.test(name);
}

/**
 * Without the names that a later failure repeats: runners print a list, then the details.
 *
 * @param mayDrop whether nothing is lost with a failure whose name comes again
 */
export function namedOnce<B extends FailureBlock>(
  blocks: readonly B[],
  mayDrop: (block: B) => boolean = () => true,
): B[] {
  const names = blocks.map(nameOf);
  /** Where a name comes last, also as the end of another one. */
  const last = new Map<string, number>();
  for (const [index, name] of names.entries())
    for (const end of name ? endsOf(name) : []) last.set(end, index);
  return blocks.filter((block, index) => {
    const name = names[index];
    return name === undefined || !mayDrop(block) || (last.get(name) ?? index) <= index;
  });
}

/** The heading of the tests inside of a test, or a suite, whose own result follows them. */
const SUBTESTS = /^\s*(?:# Subtest:|▶) (.*)/;

/** That of an error that was thrown, in TAP. */
const STACK = /^\s*stack: [|>]/;

/** The tests that failed because one inside of them failed before. One with a stack, such as that of a hook, did not. */
export function failedByOthers<B extends FailureBlock>(blocks: readonly B[]): B[] {
  const around = new Set<string>();
  return blocks.filter((block) => {
    const [name] = nameOf(block)?.trim().split(' # ', 1) ?? [];
    const hasStack = block.lines.some(({ text }) => STACK.test(text));
    const isAround = name !== undefined && around.has(name) && !hasStack;
    for (const { at, text } of block.lines) {
      const title = at < block.headline.at && SUBTESTS.exec(text)?.[1];
      if (title) around.add(testNameIn(title));
    }
    return isAround;
  });
}

/** The name of a test that failed, which may be below a headline such as `1) Failure:`; undefined for another failure. */
function nameOf(block: FailureBlock): string | undefined {
  const { severity, headline, lines } = block;
  if (severity !== SEVERITY.failedTest || ruledTitleOf(block)) return undefined;
  const below = introducesNext(headline.text)
    ? lines.find(({ at, text }) => at > headline.at && text !== '')
    : undefined;
  return [headline, ...(below ? [below] : [])].map(({ text }) => testNameIn(text)).join(' ');
}

/** What a line names, without what runners print before and after the name of a test. */
export const testNameIn = remembered((text) =>
  withoutTimeAtEnd(withoutVarying(nameOfTest(text)).replace(MARKS, '')),
);

/** The step in which a test of Playwright has failed: the list at the end has the test alone. */
const STEP = / › [^›]* (─+)$/;

/** Whether a line repeats the headline of an earlier failure; of a failed test, the name is enough. */
export function repeatsHeadline(blocks: readonly FailureBlock[]): (line: Line) => boolean {
  const isTest = ({ severity }: FailureBlock) => severity === SEVERITY.failedTest;
  const untitled = blocks.filter((block) => !ruledTitleOf(block));
  const texts = new Map(untitled.map(({ headline: { at, text } }) => [text, at]));
  const names = new Map(
    untitled
      .filter(isTest)
      .flatMap(namesOf)
      .flatMap(({ at, text }) =>
        [text, text.replace(STEP, ' $1')].map((named) => [testNameIn(named), at] as const),
      ),
  );
  const namedAt = (text: string) => names.get(testNameIn(text)) ?? names.get(testNameIn(commentOn(text)));
  return ({ at, text }) => at > (texts.get(text) ?? at) || at > (namedAt(text) ?? at);
}

/** The headline, and the result below it: a runner may say what is wrong first. */
function namesOf({ headline, lines }: FailureBlock): Line[] {
  const isResult = ({ at, text }: Line) => at > headline.at && classificationOf(text) === 'failedTest';
  return [headline, ...lines.filter(isResult)];
}

/** A command that repeats one test may have the name of it as a comment. */
function commentOn(text: string): string {
  return text.slice(text.indexOf(' # ') + 1);
}

/** Whether a heading has nothing below it but what repeats the headlines of other failures. */
export function listsOthers({ headline, lines }: FailureBlock, isRepeated: (line: Line) => boolean): boolean {
  const below = lines.filter(({ at, text }) => at > headline.at && text !== '');
  return introducesNext(headline.text) && below.length > 0 && below.every(isRepeated);
}

/** Without the headlines that are shown above, with nothing below them: runners list failed tests again at the end. */
export function withoutRepeatedHeadlines<L extends Line>(
  lines: readonly L[],
  blocks: readonly FailureBlock[],
): L[] {
  const shown = new Set(lines.map(({ at }) => at));
  const isRepeated = repeatsHeadline(blocks.filter(({ headline }) => shown.has(headline.at)));
  const detailed = new Set(blocks.filter(hasDetails).flatMap((block) => block.lines.map(({ at }) => at)));
  const isHeading = ({ at }: Line, index: number) => {
    const next = lines[index + 1];
    return next?.at === at + 1 && next.text !== '' && !isRepeated(next);
  };
  let isFlaky = false;
  return lines.filter((line, index) => {
    isFlaky = FLAKY.test(line.text) || (isFlaky && lines[index - 1]?.at === line.at - 1);
    return isFlaky || detailed.has(line.at) || !isRepeated(line) || isHeading(line, index);
  });
}

/** How the failures of two runs differ, by their names. */
export interface FailureChange {
  /** Not reported any more: fixed, or not reached. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/**
 * How the failures of two runs differ.
 *
 * @returns undefined if they have none in common: then the second run may have ended before it came to the others
 */
export function changeBetween(before: readonly string[], now: readonly string[]): FailureChange | undefined {
  const [gone, added] = [without(before, now), without(now, before)];
  return gone.length < before.length ? { gone: shortest(gone), added: shortest(added) } : undefined;
}

/** Equal names are as many failures. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

/** Without the names that another one is part of: the same failure in other words. */
function shortest(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => other !== name && name.includes(other)));
}

/** What runners print before and after the name of a test that failed. */
const MARKS =
  /^(?:(?:[^\w\s"'([]+|-* ?(?:FAIL|FAILED|ERROR):?|not ok|\[\s*(?:FAILED|FAIL|fail)\s*\]:?)\s+(?:- )?)+|[ .…]*\b(?:FAILED|FAIL|ERROR)(?: \[\d+\])?$|\s\(FAILED - \d+\)$|\s\[(?:FAILED|SIG[A-Z]+)\]$|\s=\s[\d.]+ s = [EF]$/g;

/** A name, and what is behind each sign in it that separates names. */
function endsOf(name: string): string[] {
  return [name, ...[...name.matchAll(/\W(?=.)/g)].map(({ index }) => name.slice(index + 1))];
}
