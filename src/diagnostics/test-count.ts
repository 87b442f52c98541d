import { stripAnsi } from '../base/text.ts';
import type { Recording } from '../process/output.ts';

/** How many tests a piece of output says that ran; `some`: at least one, but it does not say how many. */
type Ran = number | 'some';

interface CountRule {
  /** What prints it. */
  readonly runner: string;
  /** Matched anywhere in the lines of one task. Flags: `gm`. */
  readonly pattern: RegExp;
  /** @returns how many tests ran: those that were skipped did not; negative for a line that corrects another */
  readonly ran: (...groups: string[]) => Ran;
  readonly example: string;
  /** Of a report for programs. It may repeat what the same runner prints for people. */
  readonly isReport?: true;
}

const RAN = /(?<!\d)(\d+) (?:passed|failed|errors?|xfailed|xpassed|expected fail|flaky)\b/g;
const NOT_RUN = /\b(\d+) (?:skip(?:s|ped)?|pending(?:s| specs?)?|omissions?|excluded|invalid)\b/g;
const NOT_RUN_BEFORE = /\b(?:Skipped|Incomplete): (\d+)/g;

function summed(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0);
}

const none = () => 0;
const all = (number: string) => Number(number);
const sumOf = (...numbers: string[]) => numbers.reduce((sum, number) => sum + Number(number), 0);
/** The tests of a list such as `2 passed, 1 skipped`. */
const listed = (list: string) => summed(list, RAN);
/** A number of tests, without those that the rest of the line names as not run. */
const without = (tests: string, rest: string) =>
  Number(tests) - summed(rest, NOT_RUN) - summed(rest, NOT_RUN_BEFORE);

const TIME = String.raw`[\d.]+ ?m?s`;

/** Messages that a runner found no test to run, and can fail because of that. */
const NOTHING_FOUND = [
  {
    runner: 'vitest',
    pattern: /^No test files found, exiting with code \d/gm,
    example: 'No test files found, exiting with code 0',
  },
  {
    runner: 'jest',
    pattern: /^No tests found(?:, exiting with code \d| related to files changed since )/gm,
    example: 'No tests found, exiting with code 0',
  },
  { runner: 'mocha', pattern: /^Error: No test files found/gm, example: 'Error: No test files found' },
  {
    runner: 'ava',
    pattern:
      /^[ \t]*✘ (?:Couldn[’']t find any (?:matching tests|files to test)|Based on your configuration, )/gm,
    example: '  ✘ Couldn’t find any matching tests',
  },
  {
    runner: 'pytest',
    pattern:
      /^(?:=+ )?(?:no tests ran|\d+ tests? collected|no tests collected\b.*|\d+\/\d+ tests collected\b.*) in [\d.]+s\b/gm,
    example: '============================ no tests ran in 1.26s =============================',
  },
  {
    runner: 'pytest',
    pattern: /^(?:=+ )?(?:\d+ (?:skipped|deselected|warnings?)(?:, )?)+ in [\d.]+s\b/gm,
    example: '============================ 3 deselected in 1.29s =============================',
  },
  { runner: 'cargo nextest', pattern: /^error: no tests to run$/gm, example: 'error: no tests to run' },
  { runner: 'phpunit', pattern: /^No tests executed!$/gm, example: 'No tests executed!' },
  { runner: 'ctest', pattern: /^No tests were found!!!$/gm, example: 'No tests were found!!!' },
  { runner: 'deno', pattern: /^error: No test modules found/gm, example: 'error: No test modules found' },
  {
    runner: 'bun',
    pattern:
      /^(?:error: regex .* matched 0 tests\.|The following filters did not match any test files:|No tests found!)/gm,
    example: 'error: regex "nothing" matched 0 tests. Searched 1 file (skipping 3 tests) [6.00ms]',
  },
  { runner: 'playwright', pattern: /^Error: No tests found/gm, example: 'Error: No tests found' },
  {
    runner: 'maven',
    pattern: /: No tests (?:matching pattern .* )?were executed!/gm,
    example:
      'Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test: No tests were executed!',
  },
].map((rule): CountRule => ({ ...rule, ran: none }));

/** The one table of what test runners print about the number of tests. `test-count.test.ts` proves each example. */
export const COUNT_RULES: readonly CountRule[] = [
  ...NOTHING_FOUND,
  {
    runner: 'go test',
    pattern:
      /^(?:\?[ \t]+\S+[ \t]+\[no test files\]|ok[ \t]+\S+[ \t].*\[no tests to run\]|no packages to test)$/gm,
    ran: none,
    example: '?   \texample.com/adder\t[no test files]',
  },
  {
    runner: 'gradle',
    pattern: /^> Task (?:\S*:)?(?:test|\w+Test|test\w*UnitTest) NO-SOURCE$/gm,
    ran: none,
    example: '> Task :test NO-SOURCE',
  },
  {
    runner: 'dotnet',
    pattern:
      /^[ \t]*(?:No test matches the given testcase filter |No test is available in |Test run summary: Zero tests ran)/gm,
    ran: none,
    example: 'No test matches the given testcase filter `Name=nothing` in /src/bin/Tests.dll',
  },
  { runner: 'maven', pattern: /^No tests to run\.$/gm, ran: none, example: '[INFO] No tests to run.' },
  {
    runner: 'vitest',
    pattern: /^[ \t]*Tests {2,}(no tests|\d.*)$/gm,
    ran: listed,
    example: '      Tests  2 passed | 1 skipped (3)',
  },
  {
    runner: 'jest',
    pattern: /^Tests: +(?:(\d.*), )?\d+ total$/gm,
    ran: (list = '') => listed(list),
    example: 'Tests:       1 skipped, 2 passed, 3 total',
  },
  {
    runner: 'pest',
    pattern: /^[ \t]*Tests: +(\d.*) \(\d+ assertions?\)$/gm,
    ran: listed,
    example: '  Tests:    2 passed (2 assertions)',
  },
  {
    runner: 'jest and vitest, as JSON',
    pattern: /"num(?:Passed|Failed)Tests": ?(\d+)/gm,
    ran: all,
    isReport: true,
    example: '{"numFailedTests":0,"numPassedTests":2}',
  },
  {
    runner: 'mocha',
    pattern: /^[ \t]*(\d+) (?:passing \(\d+\w+\)|failing)$/gm,
    ran: all,
    example: '  2 passing (3ms)',
  },
  {
    runner: 'mocha, as JSON',
    pattern: /"stats": ?\{[^}]{0,500}?"passes": ?(\d+),[^}]{0,500}?"failures": ?(\d+)/gm,
    ran: sumOf,
    isReport: true,
    example: '{"stats": {"suites": 0, "tests": 3, "passes": 2, "pending": 1, "failures": 0}}',
  },
  { runner: 'ava', pattern: /^[ \t]*(\d+) tests? (?:passed|failed)$/gm, ran: all, example: '2 tests passed' },
  { runner: 'ava', pattern: /^[ \t]*\d+ tests? (?:skipped|todo)$/gm, ran: none, example: '1 test skipped' },
  {
    runner: 'node:test, and the TAP of mocha, ava, tape',
    pattern: /^[ \t]*(?:ℹ|#|<!--) (?:pass|fail) +(\d+)(?: -->)?$/gm,
    ran: all,
    example: '# pass 2',
  },
  {
    runner: 'pytest',
    pattern:
      /^(?:=+ )?((?=.*\b(?:passed|failed|errors?|xfailed|xpassed)\b)(?:\d+ (?:subtests )?[a-z]+(?:, )?)+) in [\d.]+s\b/gm,
    ran: listed,
    example: '======================= 1 passed, 2 deselected in 1.25s ========================',
  },
  {
    runner: 'unittest',
    pattern:
      /^Ran (\d+) tests? in [\d.]+s$(?:\n\n?(?:OK|FAILED|NO TESTS RAN)(?: \((?:.*\b)?skipped=(\d+).*\))?$)?/gm,
    ran: (tests, skipped = '0') => Number(tests) - Number(skipped),
    example: 'Ran 1 test in 0.000s\n\nOK (skipped=1)',
  },
  {
    runner: 'go test -v',
    pattern: /^--- (PASS|FAIL|SKIP): \S/gm,
    ran: (how) => (how === 'SKIP' ? 0 : 1),
    example: '--- PASS: TestAdds (0.00s)',
  },
  {
    runner: 'go test -json',
    pattern: /^\{"Time":.*"Action":"(?:pass|fail)","Package":"[^"]*"(,"Test":"[^"/]+")?[,}]/gm,
    ran: (test) => (test === undefined ? 0 : 1),
    example:
      '{"Time":"2026-01-31T10:30:00Z","Action":"pass","Package":"adder","Test":"TestAdds","Elapsed":0}',
  },
  {
    runner: 'gotestsum',
    pattern: /^DONE (\d+) tests?\b(.*) in [\d.]+s$/gm,
    ran: without,
    example: 'DONE 3 tests, 1 skipped in 0.512s',
  },
  {
    runner: 'cargo test',
    pattern: /^test result: \w+\. (\d+) passed; (\d+) failed; \d+ ignored; (\d+) measured;/gm,
    ran: sumOf,
    example: 'test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  },
  {
    runner: 'cargo nextest',
    pattern: /^[ \t]*Summary \[ *[\d.]+s\] (\d+)(?:\/\d+)? tests? run:/gm,
    ran: all,
    example: '     Summary [   0.021s] 3 tests run: 3 passed, 1 skipped',
  },
  {
    runner: 'rspec',
    pattern: /^(\d+) examples?, \d+ failures?(.*)$/gm,
    ran: without,
    example: '3 examples, 0 failures, 1 pending',
  },
  {
    runner: 'jasmine',
    pattern: /^(\d+) specs?, \d+ failures?(.*)$/gm,
    ran: without,
    example: '3 specs, 0 failures, 1 pending spec',
  },
  {
    runner: 'minitest and test-unit',
    pattern: /^(\d+) (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors(.*)$/gm,
    ran: without,
    example: '3 runs, 3 assertions, 0 failures, 0 errors, 1 skips',
  },
  {
    runner: 'phpunit',
    pattern: /^OK \((\d+) tests?, \d+ assertions?\)$/gm,
    ran: all,
    example: 'OK (3 tests, 5 assertions)',
  },
  {
    runner: 'phpunit',
    pattern: /^Tests: (\d+), Assertions: \d+(.*)\.$/gm,
    ran: without,
    example: 'Tests: 3, Assertions: 2, Skipped: 1.',
  },
  {
    runner: 'maven',
    // A line with a time is about one class; the sum follows.
    pattern: /^Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+)$/gm,
    ran: (tests, skipped) => Number(tests) - Number(skipped),
    example: '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1',
  },
  {
    runner: 'gradle',
    pattern: /^> Task (?:\S*:)?(?:test|\w+Test|test\w*UnitTest)(?: (?:UP-TO-DATE|FROM-CACHE|FAILED))?$/gm,
    ran: () => 'some',
    example: '> Task :app:test',
  },
  {
    runner: 'turborepo',
    pattern: /^cache hit, suppressing logs /gm,
    ran: () => 'some',
    example: 'web:test: cache hit, suppressing logs 4f1c2e8a9b3d5f60',
  },
  {
    runner: 'dotnet',
    pattern: /^(?:Passed!|Failed!|Skipped!) +- Failed: +(\d+), Passed: +(\d+), Skipped: +\d+, Total: +\d+/gm,
    ran: sumOf,
    example:
      'Passed!  - Failed:     0, Passed:     2, Skipped:     1, Total:     3, Duration: 4 ms - Tests.dll',
  },
  {
    runner: 'dotnet, in detail',
    pattern: /^Total tests: (\d+)$(?:\n +Passed: \d+$)?(?:\n +Failed: \d+$)?(?:\n +Skipped: (\d+)$)?/gm,
    ran: (tests, skipped = '0') => Number(tests) - Number(skipped),
    example: 'Total tests: 3\n     Passed: 2\n    Skipped: 1',
  },
  {
    runner: 'dotnet, terminal logger',
    pattern: /^Test summary: total: \d+, failed: (\d+), succeeded: (\d+), skipped: \d+/gm,
    ran: sumOf,
    example: 'Test summary: total: 3, failed: 0, succeeded: 2, skipped: 1, duration: 1.2s',
  },
  {
    runner: 'dotnet, Microsoft.Testing.Platform',
    pattern: /^ +total: \d+\n +failed: (\d+)\n +succeeded: (\d+)\n +skipped: \d+$/gm,
    ran: sumOf,
    example: '  total: 3\n  failed: 0\n  succeeded: 2\n  skipped: 1',
  },
  {
    runner: 'ctest',
    pattern: /^\d+% tests passed, \d+ tests? failed out of (\d+)$/gm,
    ran: all,
    example: '100% tests passed, 0 tests failed out of 2',
  },
  {
    runner: 'ctest',
    pattern: /^[ \t]+\d+ - \S.* \(Skipped\)$/gm,
    ran: () => -1,
    example: '\t  3 - slow (Skipped)',
  },
  {
    runner: 'bats, ExUnit',
    pattern: /^(?:(\d+) doctests?, )?(?:(\d+) propert(?:y|ies), )?(\d+) tests?, \d+ failures?\b(.*)$/gm,
    ran: (doctests = '0', properties = '0', tests = '0', rest = '') =>
      Number(doctests) + Number(properties) + without(tests, rest),
    example: '2 tests, 0 failures, 1 skipped',
  },
  {
    runner: 'deno',
    pattern: /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm,
    ran: sumOf,
    example: 'ok | 2 passed | 0 failed | 1 ignored (53ms)',
  },
  {
    runner: 'bun',
    pattern:
      /^[ \t]*(\d+) pass\n(?:.*\n){0,6}?[ \t]*(\d+) fail\n(?:.*\n){0,6}?Ran \d+ tests? across \d+ files?\b/gm,
    ran: sumOf,
    example: ' 2 pass\n 1 skip\n 0 fail\nRan 3 tests across 1 file. [30.00ms]',
  },
  {
    runner: 'playwright',
    pattern: new RegExp(String.raw`^ {2}(\d+) passed \(${TIME}\)$`, 'gm'),
    ran: all,
    example: '  3 passed (2.0s)',
  },
  {
    runner: 'googletest',
    pattern: /^\[={10}\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\b/gm,
    ran: all,
    example: '[==========] 3 tests from 1 test suite ran. (0 ms total)',
  },
  {
    runner: 'googletest',
    pattern: /^\[ {2}SKIPPED \] (\d+) tests?\b/gm,
    ran: (skipped) => -Number(skipped),
    example: '[  SKIPPED ] 1 test, listed below:',
  },
  {
    runner: 'XCTest',
    // Printed for each suite and for those around it.
    pattern: /^[ \t]*Executed (\d+) tests?, with /gm,
    ran: (tests) => (Number(tests) > 0 ? 'some' : 0),
    example: '\t Executed 3 tests, with 0 failures (0 unexpected) in 0.002 (0.003) seconds',
  },
  {
    runner: 'JUnit XML',
    pattern: /^[ \t]*<testsuites?\b/gm,
    ran: none,
    isReport: true,
    example: '<testsuites name="vitest tests" tests="3">',
  },
  {
    runner: 'JUnit XML',
    pattern: /<(testcase|skipped)\b/gm,
    ran: (element) => (element === 'testcase' ? 1 : -1),
    isReport: true,
    example: '<testcase classname="a" name="adds" time="0.1">',
  },
];

/** A package that passed without `-v`: Go does not say how many tests it ran. */
const GO_PACKAGE = /^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\]).*$/m;
const GO_TEST = /^--- (?:PASS|FAIL|SKIP): \S/m;

/** TAP of other tools: its plan, and a test that was neither skipped nor left to do. A line with `{` is a suite. */
const TAP_PLAN = /^1\.\.\d+/m;
const TAP_POINT = /^[ \t]*(?:not )?ok \d+\b(?!.*# ?(?:skip|todo)\b)(?!.*\{$)/gim;
const TAP_SUMMARY = /^# (?:pass|fail) +\d+$/m;

/** The summary of a tool that is not in the table, whatever its form. */
const OTHER_SUMMARY = [
  /(?<![\w./])[1-9]\d* (?:\w+ )?(?:tests?|specs?|examples?|scenarios?|features?|assertions?|test cases?|checks?)\b.*\b(?:pass(?:ed|es|ing)?|succeeded|successful|success|ok|run)\b/i,
  /\b(?:tests?|specs?|examples?|scenarios?|passed|succeeded|executed|total)\b ?[:=]? *[1-9]\d*\b.*\b(?:pass(?:ed|es|ing)?|succeeded|success|ok|total)\b/i,
  /\b(?:passed|succeeded|ran|executed)[:=]? +[1-9]\d*(?![\w.])/i,
  /\ball (?:\d+ )?(?:tests|specs|examples|scenarios)\b.*\bpass/i,
  /^\W*[1-9]\d* (?:passed|passing|succeeded)\b/i,
];
/** Longer lines are data. */
const MAX_SUMMARY_CHARACTERS = 500;
/** Lines of known runners about files, not tests. */
const NOT_ABOUT_TESTS = /^[ \t]*(?:Test Suites:|Test Files |Snapshots:|Ran \d+ tests? (?:in|across) )/;

/** Whether an output can be about tests at all; a lint's or a build's mostly is not. */
const HINT = /test|pass|skipped|deselected|succeeded|\bran\b|examples?,|specs?,|runs,|1\.\.\d/i;

/** What one text says about the tests that ran. */
interface Count {
  readonly printed: number;
  readonly reported: number;
  /** Tests ran of which it does not say how many. */
  readonly hasMore: boolean;
}

/**
 * How many tests a command ran, by the summaries in its output. Those of several runners are added up. Tests that were
 * skipped, filtered out or left to do did not run.
 *
 * @returns 0 only where the output says so; undefined if it does not say how many, or is not whole
 */
export function testsIn(output: Recording): number | undefined {
  if (output.omittedBytes > 0 || !output.head.some(({ text }) => HINT.test(text))) return undefined;
  const texts = textsOf(output);
  const counts = texts.flatMap((text) => countIn(text) ?? []);
  if (counts.length === 0 || counts.some(({ hasMore }) => hasMore)) return undefined;
  const sumOf = (kind: 'printed' | 'reported') => counts.reduce((sum, count) => sum + count[kind], 0);
  const tests = Math.max(0, sumOf('printed'), sumOf('reported'));
  return tests === 0 && texts.some(hasOtherSummary) ? undefined : tests;
}

/** Whether a command that failed says that it found no test to run. */
export function foundNoTest(output: Recording): boolean {
  const isSaid = (text: string) => NOTHING_FOUND.some(({ pattern }) => text.search(pattern) !== -1);
  return testsIn(output) === 0 && textsOf(output).some(isSaid);
}

/** @returns undefined if the text is not about tests */
function countIn(text: string): Count | undefined {
  const sums = { printed: 0, reported: 0 };
  let hasMore = GO_PACKAGE.test(text) && !GO_TEST.test(text);
  let isAboutTests = hasMore;
  for (const { pattern, ran, isReport } of COUNT_RULES)
    for (const [, ...groups] of text.matchAll(pattern)) {
      isAboutTests = true;
      const count = ran(...groups);
      if (count === 'some') hasMore = true;
      else sums[isReport ? 'reported' : 'printed'] += count;
    }
  if (TAP_PLAN.test(text) && !TAP_SUMMARY.test(text)) {
    isAboutTests = true;
    sums.printed += text.match(TAP_POINT)?.length ?? 0;
  }
  return isAboutTests ? { ...sums, hasMore } : undefined;
}

/** Whether a text has a summary that no rule reads. */
function hasOtherSummary(text: string): boolean {
  const rest = COUNT_RULES.reduce((left, { pattern }) => left.replace(pattern, ''), text);
  return rest
    .split('\n')
    .map((line) => line.slice(0, MAX_SUMMARY_CHARACTERS))
    .some((line) => !NOT_ABOUT_TESTS.test(line) && OTHER_SUMMARY.some((pattern) => pattern.test(line)));
}

/** What a log level, a time or the tool around several tasks puts before a line. */
const PREFIX =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\]?\s+)?(?:\[[\w@][\w@:./-]{0,40}\]:? |(?!ok |FAILED )[\w@][\w@./-]{0,40} *\| |@?[\w./-]*\w[:#][a-z][\w:-]*: |[@a-z./][\w@./-]* [\w:-]*(?:test|check|unit|spec|e2e|verify|ci)[\w:-]*: )?/;
const LEVEL = /^\[(?:INFO|WARNING|ERROR)\] $/;

/** The output of each task, a stream of its own, without colours and prefixes. */
function textsOf({ head }: Recording): string[] {
  const tasks = new Map<string, string[]>();
  for (const stream of ['stdout', 'stderr'] as const) {
    const text = head.map((piece) => (piece.stream === stream ? piece.text : '')).join('');
    for (const raw of stripAnsi(text).split('\n')) {
      // Of a line that was redrawn, the last state.
      const line = raw.replace(/\r+$/, '').replace(/^.*\r/, '');
      const prefix = PREFIX.exec(line)?.[0] ?? '';
      const task = `${stream} ${LEVEL.test(prefix) ? '' : prefix.replace(/^\[?\d{4}-\S+\s+/, '')}`;
      const lines = tasks.get(task);
      if (lines) lines.push(line.slice(prefix.length));
      else tasks.set(task, [line.slice(prefix.length)]);
    }
  }
  return [...tasks.values()].map((lines) => lines.join('\n'));
}
