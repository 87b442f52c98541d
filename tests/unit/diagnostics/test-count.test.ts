import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COUNT_RULES, foundNoTest, testsIn } from '../../../src/diagnostics/test-count.ts';
import { feedbackCases, outputOf } from '../../helpers/feedback-cases.ts';
import { printed } from '../../helpers/gate-results.ts';

const FIXTURES = new URL('../../fixtures/test-counts/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(`${name}.txt`, FIXTURES), 'utf8');

/** How many tests ran; undefined where the output does not say it. */
const COUNTS: Readonly<Record<string, number | undefined>> = {
  'ava-pass': 2,
  'ava-skip': 0,
  'ava-tap': 2,
  'bats-junit': 1,
  'bats-junit-none': 0,
  'bats-pretty': 1,
  'bats-pretty-none': 0,
  'bats-tap': 1,
  'bats-tap-none': 0,
  'bats-tap13-skip': 0,
  'bun-dots': 2,
  'bun-empty': 0,
  'bun-pass': 2,
  'bun-skip': 0,
  'cargo-filtered': 0,
  // A gate that only compiles the tests.
  'cargo-norun': undefined,
  'cargo-pass': 3,
  'cargo-quiet': 3,
  'ctest-filtered': 0,
  'ctest-off': 0,
  'ctest-pass': 2,
  'deno-dot-none': 0,
  'deno-junit-none': 0,
  'deno-pass': 2,
  'deno-skip': 0,
  'deno-tap': 2,
  'deno-tap-none': 0,
  'dotnet-detailed': 1,
  'dotnet-filtered': 0,
  'dotnet-german': undefined,
  'dotnet-pass': 2,
  'dotnet-skip': 0,
  'dotnet-terminal': 2,
  'go-cached': undefined,
  'go-filtered': 0,
  'go-json': 1,
  'go-json-none': 0,
  'go-none': 0,
  'go-pass': undefined,
  'go-skip': 0,
  'go-verbose': 1,
  'gradle-modules': undefined,
  'gradle-none': 0,
  'gradle-pass': undefined,
  'gradle-quiet': undefined,
  'jest-filtered': 0,
  'jest-json': 2,
  'jest-only-changed': 0,
  'jest-pass': 2,
  'jest-pwnt': 0,
  'jest-skip': 0,
  'maven-modules': 2,
  'maven-none': 0,
  'maven-pass': 3,
  // A build without tests is mostly wanted: `mvn package -DskipTests`.
  'maven-skip-tests': undefined,
  'minitest-none': 0,
  'minitest-pass': 2,
  'mocha-color': 0,
  'mocha-filtered': 0,
  'mocha-json': 2,
  'mocha-json-none': 0,
  'mocha-pass': 2,
  'mocha-skip': 0,
  'mocha-tap': 2,
  'mocha-tap-none': 0,
  'mocha-xunit': 2,
  'mocha-xunit-none': 0,
  'node-dot': undefined,
  'node-filtered': 0,
  'node-junit': 2,
  'node-nothing': 0,
  'node-skip-spec': 0,
  'node-spec': 2,
  'node-tap': 2,
  'pest-pass': 1,
  'phpunit-none': 0,
  'phpunit-pass': 3,
  'phpunit-skip': 0,
  'pytest-collect': 0,
  'pytest-color': 3,
  'pytest-pass': 3,
  'pytest-qq': undefined,
  'pytest-skip': 0,
  'pytest-some-deselected': 1,
  'rspec-none': 0,
  'rspec-pass': 2,
  'rspec-skip': 0,
  'test-unit-pass': 2,
  'unittest-none': 0,
  'unittest-pass': 1,
  'unittest-skip': 0,
  'vitest-color': 2,
  'vitest-filtered': 0,
  'vitest-json': 2,
  'vitest-json-pwnt': 0,
  'vitest-junit': 2,
  'vitest-junit-pwnt': 0,
  'vitest-nofile-pwnt': 0,
  'vitest-pass': 2,
  'vitest-skip': 0,
  'vitest-skip-tap': 0,
  'vitest-tap': 2,
  'vitest-tap-pwnt': 0,
};

test.each(Object.entries(COUNTS))('of the output %s, the number of tests is %s', (name, tests) => {
  expect(testsIn(printed(fixture(name)))).toBe(tests);
});

test('every recorded output has a row', () => {
  const recorded = readdirSync(FIXTURES).filter((name) => name.endsWith('.txt'));

  expect(recorded.map((name) => name.replace('.txt', '')).sort()).toEqual(Object.keys(COUNTS).sort());
});

test.each(COUNT_RULES)('the rule of $runner reads its example "$example"', ({ pattern, ran, example }) => {
  const [[, ...groups] = []] = [...example.replace(/^\[INFO\] |^web:test: /, '').matchAll(pattern)];

  expect(testsIn(printed(example))).toBeTypeOf(ran(...groups) === 'some' ? 'undefined' : 'number');
});

const prefixed = (prefix: string, name: string) => fixture(name).replace(/^/gm, prefix);

describe('testsIn', () => {
  test.each<[string, string, number | undefined]>([
    ['adds up the workspaces of a project', fixture('vitest-pass') + fixture('jest-pass'), 4],
    ['is not 0 if one workspace is empty', fixture('vitest-nofile-pwnt') + fixture('mocha-pass'), 2],
    ['is 0 if all workspaces are empty', fixture('vitest-nofile-pwnt') + fixture('mocha-filtered'), 0],
    ['reads lines with the prefix of Turborepo', prefixed('web:test: ', 'vitest-nofile-pwnt'), 0],
    ['reads lines with the prefix of pnpm', prefixed('packages/web test: ', 'unittest-skip'), 0],
    ['reads lines with the prefix of pnpm for a package at the top', prefixed('web test: ', 'jest-skip'), 0],
    ['reads lines with the prefix of concurrently', prefixed('[0] ', 'bun-empty'), 0],
    ['reads lines with the time of a runner', prefixed('2026-01-31T10:30:00.123Z ', 'cargo-filtered'), 0],
    [
      'adds up tasks whose lines alternate',
      'a:test: Ran 2 tests in 0.1s\nb:test: Ran 3 tests in 0.1s\na:test: \nb:test: \na:test: OK\nb:test: OK (skipped=1)\n',
      4,
    ],
    [
      'is not 0 if a tool that it does not know ran tests',
      `${fixture('mocha-filtered')}Chrome 120: Executed 3 of 3 SUCCESS (0.01 secs)\n`,
      undefined,
    ],
    [
      'is not 0 if a test printed the empty summary of another run',
      '  0 passing (1ms)\nAll 12 tests passed\n',
      undefined,
    ],
    [
      'is not 0 if Turborepo hides what a task printed',
      `a:test: cache hit, suppressing logs 4f1c2e8a9b3d5f60\n${prefixed('b:test: ', 'mocha-filtered')}`,
      undefined,
    ],
    ['is unknown for a banner of a script', '=== 0 tests ===\n0 tests\nno tests yet\n', undefined],
    [
      'is unknown for a lint that names tests',
      'src/a.test.ts: no tests found in this file\n✖ 0 problems\n',
      undefined,
    ],
    ['is unknown for a type check', 'Found 0 errors. Watching for file changes.\n', undefined],
    ['reads the last state of a line that was redrawn', 'Tests: 1\rTests:       2 passed, 2 total\n', 2],
    ['reads lines that end with CR LF', fixture('vitest-skip').replaceAll('\n', '\r\n'), 0],
    ['adds up the runs of a watch mode', fixture('vitest-nofile-pwnt') + fixture('vitest-pass'), 2],
  ])('%s', (_, text, tests) => {
    expect(testsIn(printed(text))).toBe(tests);
  });

  test('takes the same run once that is printed on both streams, for people and as JSON', () => {
    const [text = '', json = ''] = fixture('jest-json').split(/^(?=\{)/m);
    const head = [
      { stream: 'stderr' as const, text },
      { stream: 'stdout' as const, text: json },
    ];

    expect(testsIn(printed('', { head }))).toBe(2);
  });

  test('is unknown for an output of which the middle is missing', () => {
    expect(testsIn(printed(fixture('mocha-filtered'), { omittedBytes: 1 }))).toBeUndefined();
  });

  test.each([
    ['blank lines', '\n'.repeat(100_000)],
    ['blanks', ' '.repeat(300_000)],
    ['words', 'a a '.repeat(75_000)],
    ['counts', '1 test '.repeat(40_000)],
    ['objects', '{"Time":'.repeat(35_000)],
  ])('reads many %s in a moment', (_, text) => {
    expect(testsIn(printed(`${text}\n1..0\n`))).toBe(0);
  });
});

// A crash before the first test.
const withTests = feedbackCases().filter(({ name }) => name !== 'vitest-setup-file-crash');

test.each(withTests)('the output of $name is not that of a run without tests', (recorded) => {
  expect(testsIn(printed(outputOf(recorded)))).not.toBe(0);
});

test.each([
  ['vitest', 'No test files found, exiting with code 1\n', true],
  ['jest', 'No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n', true],
  ['pytest', '============================ no tests ran in 1.26s =============================\n', true],
  ['a suite that does not compile', 'Test Suites: 1 failed, 1 total\nTests:       0 total\n', false],
  ['a collection error of pytest', '=== 1 error in 0.12s ===\n', false],
  ['a package that does not build', '?   \ta\t[no test files]\nFAIL\tb [build failed]\n', false],
])('foundNoTest recognizes why %s failed', (_, text, expected) => {
  expect(foundNoTest(printed(text))).toBe(expected);
});

test.each([
  ['of digits', `Tests   1${'1'.repeat(300_000)}`, 0],
  ['of members', `test "stats": {${'"passes": 1,'.repeat(25_000)}`, undefined],
])('a line %s does not hang the count', (_, text, tests) => {
  expect(testsIn(printed(text))).toBe(tests);
});
