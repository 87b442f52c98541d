/**
 * Trees of tests: names below those of their groups, and a result behind the ones that failed. The others have passed,
 * although nothing says so.
 */

import { classificationOf, severityOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { indentOf } from '../lines/structure.ts';
import type { Line } from './failure.ts';
import { withoutVarying } from './varying.ts';

/** Below the name of a group: `  reads a line FAILED [3]`, `  reads a line (FAILED - 3)`. */
const FAILED = /^\s+\S.* (?:FAILED \[\d+\]|\(FAILED - \d+\))$/;

/** What a test may log. */
const LOGGED: ReadonlySet<string> = new Set(['chatter', 'warning', 'tagged']);

/** Whether a line is a test of a tree, and has failed. */
export function isFailedInTree(text: string): boolean {
  return FAILED.test(text);
}

/**
 * The positions of the tests that have passed, of what they have logged right above their names, and of the groups in which
 * no test has failed.
 *
 * @param all an output's lines
 */
export function passedInTreesIn(all: readonly Line[]): ReadonlySet<number> {
  const trees = treesIn(all).map((tree) => tree.filter(({ text }) => text !== ''));
  const passed = new Set(trees.flatMap(passedIn).map(({ at }) => at));
  const tests = new Set(trees.flatMap(testsIn).map(({ at }) => at));
  let logged: Line[] = [];
  for (const line of all)
    if (isOfLog(line)) logged.push(line);
    else {
      if (passed.has(line.at) && tests.has(line.at)) for (const { at } of logged) passed.add(at);
      logged = [];
    }
  return passed;
}

function passedIn(members: readonly Line[]): Line[] {
  const passed = members.filter((member, index) => {
    const end = members.findIndex((next, at) => at > index && indentOf(next.text) <= indentOf(member.text));
    const below = members.slice(index, end === -1 ? members.length : end);
    return !below.some(({ text }) => isFailedInTree(text)) && !isDetail(members, index);
  });
  // The name of a test may have words of an error.
  return passed.filter(({ text }) => severityOf(classificationOf(text)) <= SEVERITY.mentioned);
}

/** Those that have nothing below them. */
function testsIn(members: readonly Line[]): Line[] {
  return members.filter(({ text }, index) => indentOf(members[index + 1]?.text ?? '') <= indentOf(text));
}

/** The positions of the titles of groups whose tests are right below, and have all passed. @param all an output's lines */
export function passedGroupsIn(all: readonly Line[]): number[] {
  const printed = withoutLogs(all);
  return printed.flatMap((title, index) => {
    const isBelow = ({ text }: Line) => text !== '' && indentOf(text) > indentOf(title.text);
    const hasPassed = ({ text }: Line) => classificationOf(text) === 'passed';
    const first = printed[index + 1];
    if (!first || first.prefix !== title.prefix || !isBelow(first) || !hasPassed(first)) return [];
    if (title.text === '' || classificationOf(title.text) !== 'plain') return [];
    const below = printed.slice(index + 1);
    const end = below.findIndex((line) => !isBelow(line));
    return below.slice(0, end === -1 ? below.length : end).every(hasPassed) ? title.at : [];
  });
}

/** The title of a test in TAP, and its result, which is as deep. */
const SUBTEST = /^(\s*)# Subtest: (.*)$/;
const RESULT = /^(\s*)(not )?ok \d+ - (.*?)(?: # (?:SKIP|TODO)\b.*)?$/;

/** The positions of the titles of tests in TAP that have passed. @param all an output's lines */
export function passedSubtestsIn(all: readonly Line[]): number[] {
  const results = all.flatMap(({ text }) => {
    const [, indent = '', not, name] = RESULT.exec(text) ?? [];
    return name === undefined ? [] : { test: indent + name, hasPassed: not === undefined };
  });
  const failed = new Set(results.flatMap(({ test, hasPassed }) => (hasPassed ? [] : test)));
  const passed = new Set(results.flatMap(({ test, hasPassed }) => (hasPassed ? test : [])));
  return all.flatMap(({ at, text }) => {
    const [, indent = '', name = ''] = SUBTEST.exec(text) ?? [];
    return passed.has(indent + name) && !failed.has(indent + name) ? at : [];
  });
}

/** What a test says of itself in TAP, and its result. */
const COMMENT = /^# (?!Subtest: )\S/;
const PASSED = /^ok \d+ /;
/** Tests that have passed may have one name. */
const MIN_SET_UP = 2;

/**
 * The positions of what several tests that have passed have said right above their results: how they were set up.
 *
 * @param all an output's lines
 */
export function setUpCommentsIn(all: readonly Line[]): number[] {
  const counts = new Map<string, number>();
  for (const [index, { text }] of all.entries()) {
    if (!COMMENT.test(text) || !PASSED.test(all[index + 1]?.text ?? '')) continue;
    const said = withoutVarying(text);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const isSetUp = ({ text }: Line) =>
    COMMENT.test(text) && (counts.get(withoutVarying(text)) ?? 0) >= MIN_SET_UP;
  return all.filter(isSetUp).map(({ at }) => at);
}

/** A test of Ant, and how long it took. How one ended that has not passed is below it, indented. */
export const TESTCASE = /^Testcase: \S+ took [\d.,]+ sec$/;

/** The positions of the tests of Ant that have passed. @param all an output's lines */
export function passedTestcasesIn(all: readonly Line[]): number[] {
  const lines = all.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  return lines.flatMap(({ at, text }, index) =>
    TESTCASE.test(text) && !isIndented(lines[index + 1]) ? at : [],
  );
}

/** Above what the tests of a program of Rust have printed that have passed, where that is shown, and what comes next. */
const OF_PASSED = /^successes:$/;
const AFTER_PASSED = /^(?:failures:$|test result: )/;

/** Where no two tests run at the same time, what one prints is between its name and its result. */
const BEGUN_TEST = /^test \S+(?: - should panic)? \.\.\.(?! (?:ok|FAILED|ignored)\b)/;
const PASSED_ALONE = 'ok';
const FAILED_ALONE = 'FAILED';

/** The positions of what tests of Rust have printed that have passed. @param all an output's lines */
export function passedOutputsIn(all: readonly Line[]): number[] {
  let isOfPassed = false;
  let begun: number[] | undefined;
  return all.flatMap(({ at, text }) => {
    const said = withoutPrefix(text);
    isOfPassed = OF_PASSED.test(said) || (isOfPassed && !AFTER_PASSED.test(said));
    if (BEGUN_TEST.test(said)) begun = [];
    else if (said === FAILED_ALONE) begun = undefined;
    begun?.push(at);
    if (said !== PASSED_ALONE || !begun) return isOfPassed ? at : [];
    const passed = begun;
    begun = undefined;
    return passed;
  });
}

/** Whether a line is below a test that has failed. */
function isDetail(members: readonly Line[], index: number): boolean {
  const { text = '' } = members[index] ?? {};
  const parent = members.slice(0, index).findLast((above) => indentOf(above.text) < indentOf(text));
  return parent !== undefined && isFailedInTree(parent.text);
}

/** The trees in which a test has failed: lines in a row that are indented, and those right above one. A test may log something. */
function treesIn(all: readonly Line[]): Line[][] {
  const trees: Line[][] = [[]];
  const printed = withoutLogs(all);
  for (const [index, line] of printed.entries()) {
    const isMember = line.text === '' || isIndented(line) || isIndented(printed[index + 1]);
    if (isMember) trees.at(-1)?.push(line);
    else trees.push([]);
  }
  return trees.filter((tree) => tree.some(({ text }) => isFailedInTree(text)));
}

function withoutLogs(lines: readonly Line[]): Line[] {
  return lines.filter((line) => !isOfLog(line));
}

function isOfLog(line: Line): boolean {
  return !isIndented(line) && LOGGED.has(classificationOf(line.text));
}

function isIndented(line: Line | undefined): boolean {
  return line !== undefined && indentOf(line.text) > 0;
}
