import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { judge } from '../../../src/diagnostics/judge.ts';
import { Condenser, type Findings } from '../../../src/diagnostics/output/condenser.ts';
import { NO_OUTPUT } from '../../../src/gates/known-results.ts';
import type { GateBaseline, GateOutcome } from '../../../src/gates/types.ts';
import { feedbackCases, outputOf } from '../../helpers/feedback-cases.ts';
import { shellGate } from '../../helpers/gate-results.ts';

const ROOT = '/home/me/project';

function findingsIn(text: string, baseline: GateBaseline): Findings {
  const condenser = new Condenser({ baseline });
  condenser.write('stdout', Buffer.from(text));
  return condenser.findings();
}

/** The baseline of an output. */
function baselineOf(text: string, { root = ROOT, exitCode = 1 } = {}): GateBaseline {
  const { tracked } = findingsIn(text, { root, exitCode, reported: {}, failures: [] });
  return { root, exitCode, reported: tracked?.reported ?? {}, failures: tracked?.failures ?? [] };
}

/** How a gate is judged that printed one text when the baseline was recorded, and now another one. */
function judged(
  before: string,
  now: string,
  {
    outcome = { reason: 'failed', exitCode: 1 },
    command = 'check',
    baseline = baselineOf(before),
  }: {
    readonly outcome?: GateOutcome;
    readonly command?: string;
    readonly baseline?: GateBaseline;
  } = {},
) {
  const result = { gate: shellGate(command), outcome, durationMs: 1, output: NO_OUTPUT };
  const { result: end, findings } = judge(result, baseline, findingsIn(now, baseline));
  const excerpt = findings ? excerptText(excerptOf(findings, 4000, { hung: false })) : '';
  return { outcome: end.outcome.reason, known: end.known, fixed: end.fixed, excerpt };
}

const TSC = `src/a.ts(3,5): error TS2339: Property 'x' does not exist on type 'User'.
src/b.ts(7,1): error TS2554: Expected 2 arguments, but got 1.
Found 2 errors in 2 files.
`;
const ESLINT = `
${ROOT}/src/a.js
  3:5  error  'x' is not defined  no-undef

${ROOT}/src/b.js
  4:5  error  'x' is not defined  no-undef

✖ 2 problems (2 errors, 0 warnings)
`;
const VITEST = ` ❯ tests/a.test.ts (3 tests | 1 failed) 12ms
   × adds 5ms
 ❯ tests/b.test.ts (1 test | 1 failed) 3ms
   × joins 2ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  tests/a.test.ts > adds
AssertionError: expected 1 to be 2 // Object.is equality
 ❯ tests/a.test.ts:5:13

 FAIL  tests/b.test.ts > joins
TypeError: Cannot read properties of undefined (reading 'x')
 ❯ src/b.ts:9:3

 Test Files  2 failed (2)
      Tests  2 failed | 2 passed (4)
   Duration  1.36s
`;
const JEST = `FAIL tests/a.test.js
  ● math › adds

    expect(received).toBe(expected)

    Expected: 3
    Received: 4

      at Object.<anonymous> (tests/a.test.js:3:20)

  ● math › joins

    TypeError: x is not a function

      at Object.<anonymous> (tests/a.test.js:9:20)

Test Suites: 1 failed, 1 total
Tests:       2 failed, 3 passed, 5 total
Time:        0.5 s
`;
const PYTEST = `=================================== FAILURES ===================================
___________________________________ test_adds ___________________________________

    def test_adds():
>       assert add(1, 2) == 4
E       assert 3 == 4

tests/test_a.py:7: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_adds - assert 3 == 4
========================= 1 failed, 149 passed in 0.15s =========================
`;
const GO = `--- FAIL: TestAdd (0.00s)
    add_test.go:7: Add(1, 2) = 4, want 3
FAIL
FAIL\texample.com/calc\t0.003s
FAIL
`;
const CARGO = `error[E0308]: mismatched types
 --> src/main.rs:2:18
  |
2 |     let x: i32 = "a";
  |            ---   ^^^ expected \`i32\`, found \`&str\`

error: could not compile \`calc\` (bin "calc") due to 1 previous error
`;
const MYPY = `calc/a.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]
Found 1 error in 1 file (checked 2 source files)
`;
const RUFF = `calc/a.py:1:8: F401 [*] \`os\` imported but unused
calc/b.py:1:8: F401 [*] \`os\` imported but unused
Found 2 errors.
[*] 2 fixable with the \`--fix\` option.
`;
const TAP = `TAP version 13
ok 1 - joins
not ok 2 - adds 1 and 2
# tests 2
# fail 1
`;
const TURBO = `web:test: src/a.ts(3,5): error TS2339: Property 'x' does not exist on type 'User'.
api:test: ok
`;

type Row = readonly [title: string, before: string, now: string];

const KNOWN: readonly Row[] = [
  ['lines shifted (tsc)', TSC, TSC.replace('(3,5)', '(300,5)')],
  ['a count in the message differs (tsc)', TSC, TSC.replace('but got 1', 'but got 3')],
  [
    'another order (tsc)',
    TSC,
    TSC.split('\n').slice(0, 2).toReversed().join('\n') + TSC.slice(TSC.indexOf('\nFound')),
  ],
  ['colours (tsc)', TSC, TSC.replaceAll('error', '\x1b[31merror\x1b[39m')],
  ['carriage returns (tsc)', TSC, TSC.replaceAll('\n', '\r\n')],
  ['the other layout of a table (eslint)', ESLINT, ESLINT.replaceAll('  error  ', '    error     ')],
  ['paths relative to the project (eslint)', ESLINT, ESLINT.replaceAll(`${ROOT}/`, '')],
  ['other durations (vitest)', VITEST, VITEST.replaceAll(/\d+ms/g, '123ms').replace('1.36s', '2 min 3.1s')],
  [
    'more tests passed (vitest)',
    VITEST,
    VITEST.replace('2 passed (4)', '12 passed (14)').replace('3 tests', '13 tests'),
  ],
  ['files in another order (jest)', JEST, `PASS tests/c.test.js (5.1 s)\n${JEST}`],
  ['a slow file (jest)', JEST, JEST.replace('a.test.js\n', 'a.test.js (6.1 s)\n')],
  ['other values (jest)', JEST, JEST.replace('Received: 4', 'Received: 5')],
  [
    'another width of the terminal (pytest)',
    PYTEST,
    PYTEST.replace('test_adds - assert 3 == 4', 'test_adds - ass...'),
  ],
  ['the test is further down (pytest)', PYTEST, PYTEST.replace('py:7:', 'py:77:')],
  [
    'another duration and line (go)',
    GO,
    GO.replace('0.00s', '1.20s').replace('0.003s', '1.203s').replace('go:7', 'go:8'),
  ],
  ['another line (cargo)', CARGO, CARGO.replaceAll('2 |', '9 |').replace('rs:2:18', 'rs:9:18')],
  ['another line (mypy)', MYPY, MYPY.replace('py:3', 'py:4')],
  [
    'another order (ruff)',
    RUFF,
    `${RUFF.split('\n').slice(0, 2).toReversed().join('\n')}\nFound 2 errors.\n`,
  ],
  ['another number of the test (TAP)', TAP, TAP.replace('not ok 2', 'ok 2 - is new\nnot ok 3')],
  ['tasks in another order (turbo)', TURBO, TURBO.split('\n').toReversed().join('\n')],
  ['temporary directory', 'Error: cannot read /tmp/a1b2/x.txt\n', 'Error: cannot read /tmp/zz99/x.txt\n'],
  ['process id and port', 'Error: port 3412 of pid 77 is busy\n', 'Error: port 9981 of pid 1234 is busy\n'],
  ['hash', 'Error: no object 3f2a9c81d0\n', 'Error: no object 77aa01bc55\n'],
];

const NEW: readonly Row[] = [
  ['the same in another file (tsc)', TSC, TSC.replace('src/b.ts', 'src/c.ts')],
  ['a renamed file (tsc)', TSC, TSC.replaceAll('src/a.ts', 'src/renamed.ts')],
  ['another message (tsc)', TSC, TSC.replace("'x'", "'y'")],
  ['one more of the same (tsc)', TSC, `${TSC.split('\n')[0]}\n${TSC}`],
  [
    'one more in another file (eslint)',
    ESLINT,
    ESLINT.replace('\n✖ 2', `\n${ROOT}/src/c.js\n  1:1  error  'x' is not defined  no-undef\n\n✖ 3`),
  ],
  ['moved to another file (eslint)', ESLINT, ESLINT.replace('src/b.js', 'src/c.js')],
  ['another rule (eslint)', ESLINT, ESLINT.replace('no-undef\n', 'no-undefined\n')],
  ['another test (vitest)', VITEST, VITEST.replaceAll('adds', 'subtracts')],
  [
    'another error in the same test (vitest)',
    VITEST,
    VITEST.replace('expected 1 to be 2', 'the list is empty'),
  ],
  ['another test (jest)', JEST, JEST.replace('math › adds', 'math › adds 2')],
  ['another error in the same test (jest)', JEST, JEST.replace('x is not a function', 'y is not a function')],
  ['another test (pytest)', PYTEST, PYTEST.replaceAll('test_adds', 'test_joins')],
  [
    'another parameter (pytest)',
    PYTEST.replaceAll('test_adds', 'test_adds[1]'),
    PYTEST.replaceAll('test_adds', 'test_adds[2]'),
  ],
  ['another test (go)', GO, GO.replace('TestAdd', 'TestAdd2')],
  ['the same test in another package (go)', GO, GO.replace('example.com/calc', 'example.com/text')],
  ['another file (cargo)', CARGO, CARGO.replace('src/main.rs', 'src/lib.rs')],
  ['another type (mypy)', MYPY, MYPY.replace('"str"', '"bytes"')],
  ['another file (ruff)', RUFF, RUFF.replace('calc/b.py', 'calc/c.py')],
  ['other numbers in the name of the test (TAP)', TAP, TAP.replace('adds 1 and 2', 'adds 3 and 4')],
  ['the same in another task (turbo)', TURBO, TURBO.replace('web:test: src', 'api:test: src')],
  [
    'a crash after the known failures',
    TSC,
    `${TSC}FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n`,
  ],
  ['a module that is missing', TSC, `${TSC}Error: Cannot find module 'typescript'\n`],
];

describe('a failing gate with a baseline passes if its output differs only in:', () => {
  test.each(KNOWN)('%s', (_, before, now) => {
    const { outcome, known } = judged(before, now);
    expect([outcome, known]).toEqual(['passed', expect.any(Number)]);
  });
});

test('a failing gate with a baseline passes if many durations differ that are not at the end of a line', () => {
  const line = (ms: number) => `Error: ${`${ms} ms `.repeat(60)}late`;

  expect(judged(line(3), line(4)).outcome).toBe('passed');
});

describe('a failing gate with a baseline fails because of:', () => {
  test.each(NEW)('%s', (_, before, now) => {
    expect(judged(before, now).outcome).toBe('failed');
  });
});

describe('an output of a real tool is known again, and is not with a failure of another:', () => {
  const outputs = feedbackCases()
    .map((recorded) => [recorded.name, outputOf(recorded)] as const)
    .filter(([, text]) => baselineOf(text, { root: '/tmp/proj' }).failures.length > 0);

  test.each(outputs)('%s', (_, text) => {
    const baseline = baselineOf(text, { root: '/tmp/proj' });
    const elsewhere = { ...baseline, root: '/srv/checkout' };
    const moved = text.replaceAll('/tmp/proj', '/srv/checkout');
    expect(judged(text, moved, { baseline: elsewhere }).outcome).toBe('passed');
    expect(
      judged(text, `${text}\nsrc/new.ts(1,1): error TS2304: Cannot find name 'y'.\n`, { baseline }),
    ).toMatchObject({
      outcome: 'failed',
      excerpt: expect.stringContaining('src/new.ts(1,1)'),
    });
  });
});

describe('a gate whose failures are all known', () => {
  test.each([
    ['has another exit code', TSC, 2, /but it exited with code 2, and with 1 when/],
    ['reports more failures than it names', TSC.replace('Found 2', 'Found 3'), 1, /it reports more of them/],
    ['does not report its end', TSC.split('\n').slice(0, 2).join('\n'), 1, /it may have ended early/],
  ])('fails if it %s', (_, now, exitCode, why) => {
    const { outcome, excerpt } = judged(TSC, now, { outcome: { reason: 'failed', exitCode } });
    expect([outcome, excerpt]).toEqual(['failed', expect.stringMatching(why)]);
    expect(excerpt).toContain('src/a.ts(3,5)');
  });

  test.each<GateOutcome>([
    { reason: 'timed-out', limitSeconds: 1 },
    { reason: 'killed', signal: 'SIGKILL' },
    { reason: 'not-found' },
    { reason: 'interrupted' },
  ])('fails if it ended with $reason', (outcome) => {
    expect(judged(TSC, TSC, { outcome }).outcome).toBe(outcome.reason);
  });

  test('fails if it prints nothing', () => {
    expect(judged(TSC, '').outcome).toBe('failed');
  });

  test('passes if it exits with the number of its failures, and one is fixed', () => {
    const mocha = (names: readonly string[]) =>
      `  ${names.length} failing\n\n${names.map((name, n) => `  ${n + 1}) math ${name}:\n     Error: ${name}\n`).join('\n')}`;
    const baseline = baselineOf(mocha(['adds', 'joins']), { exitCode: 2 });
    const outcome = { reason: 'failed', exitCode: 1 } as const;
    expect(judged('', mocha(['joins']), { baseline, outcome })).toMatchObject({
      outcome: 'passed',
      known: 1,
      fixed: 1,
    });
  });
});

describe('the excerpt of a gate with new failures', () => {
  const now = TSC.replace("'x'", "'y'").replace('src/b.ts', 'src/a.ts');

  test('shows these alone, and how many are not shown', () => {
    const more = `src/new.ts(1,1): error TS2304: Cannot find name 'y'.\n${TSC}`;
    const { excerpt } = judged(TSC, more);
    expect(excerpt).toContain('src/new.ts(1,1)');
    expect(excerpt).not.toMatch(/src\/[ab]\.ts/);
    expect(excerpt).toMatch(/2 known failures are not shown \(ralph-baseline\.json\)\.$/);
  });

  test('has no such line if no failure is known', () => {
    expect(judged(TSC, now).excerpt).not.toContain('known');
  });

  test('shows the only new failure among 5,000 known ones', () => {
    const count = 5000;
    const lines = Array.from(
      { length: count },
      (_, n) => `src/file${n % 700}.ts(${n},5): error TS2339: Property 'x${n % 9}' does not exist.\n`,
    );
    const before = lines.join('');
    const baseline = baselineOf(before);
    expect(judged('', before, { baseline })).toMatchObject({ outcome: 'passed', known: count });
    lines.splice(
      Math.floor(count / 2),
      1,
      `src/file7.ts(1,1): error TS2339: Property 'new' does not exist.\n`,
    );
    const { outcome, excerpt } = judged('', lines.join(''), { baseline });
    expect(outcome).toBe('failed');
    expect(excerpt).toContain("'new'");
    expect(excerpt).not.toContain("'x1'");
  });

  test('of more failures than are kept apart says so', () => {
    const before = "src/a.ts(1,1): error TS2339: Property 'x' does not exist.\n".repeat(20_001);
    expect(judged('', before, { baseline: baselineOf(before) })).toMatchObject({
      outcome: 'failed',
      excerpt: expect.stringContaining('there are too many to compare all of them'),
    });
  });
});

describe('the fixed failures of a gate', () => {
  const grouped = VITEST.replace(
    'AssertionError: expected 1 to be 2 // Object.is equality\n ❯ tests/a.test.ts:5:13\n\n',
    '',
  );
  test.each<Row>([
    [
      'the first of a file (jest)',
      JEST,
      `${JEST.split('\n')[0]}\n${JEST.slice(JEST.indexOf('  ● math › joins'))}`.replace(
        '2 failed',
        '1 failed',
      ),
    ],
    [
      'the first file (eslint)',
      ESLINT,
      ESLINT.slice(ESLINT.indexOf(`${ROOT}/src/b.js`)).replace('(2 errors', '(1 error'),
    ],
    [
      'one of two with the same error (vitest)',
      grouped,
      grouped.replaceAll(/^.*(?:adds|tests\/a\.test\.ts \().*\n/gm, '').replaceAll('2 failed', '1 failed'),
    ],
    [
      'the first test (vitest)',
      VITEST,
      VITEST.slice(VITEST.indexOf(' ❯ tests/b'))
        .replace(/ FAIL {2}tests\/a[\s\S]*?\n\n/, '')
        .replaceAll('2 failed', '1 failed'),
    ],
  ])('do not make others new: %s', (_, before, now) => {
    expect(judged(before, now)).toMatchObject({ outcome: 'passed', fixed: expect.any(Number) });
  });

  test('are counted if it still fails with known ones', () => {
    const now = TSC.split('\n').slice(1).join('\n').replace('Found 2', 'Found 1');
    expect(judged(TSC, now)).toMatchObject({ outcome: 'passed', known: 1, fixed: 1 });
  });

  test('are all of them if it passes', () => {
    expect(judged(TSC, '', { outcome: { reason: 'passed' } })).toMatchObject({ known: undefined, fixed: 2 });
  });

  test('are not known if it ran for the changed files alone', () => {
    const command = 'eslint {changed_files}';
    expect(judged(TSC, '', { command, outcome: { reason: 'passed' } }).fixed).toBeUndefined();
  });
});

describe('what people count in', () => {
  test.each([
    ['vitest', VITEST, 2],
    ['jest', JEST, 2],
    ['pytest', PYTEST, 1],
    ['eslint', ESLINT, 2],
    ['tsc', TSC, 2],
  ])('%s', (_, text, count) => {
    expect(judged(text, text).known).toBe(count);
  });
});

describe('a warning', () => {
  const withWarning = ESLINT.replace(
    "'x' is not defined",
    "'x' is not defined  no-undef\n  9:1  warning  Unexpected console statement  no-console\n  9:9  error  'z' is not defined",
  );
  test('is not compared', () => {
    const more = withWarning.replace(
      '9:1  warning',
      '8:1  warning  Unexpected alert  no-alert\n  9:1  warning',
    );
    expect(judged(withWarning, more).outcome).toBe('passed');
  });

  test('is compared if warnings made the command fail', () => {
    const strict = `${withWarning}\nESLint found too many warnings (maximum: 0).\n`;
    const more = strict.replace('9:1  warning', '8:1  warning  Unexpected alert  no-alert\n  9:1  warning');
    expect(judged(strict, strict).outcome).toBe('passed');
    expect(judged(strict, more).outcome).toBe('failed');
  });
});

test('an output that reports how many failed in more ways than are kept apart does not pass by its known failures', () => {
  const word = (index: number) =>
    index.toString(36).replace(/\d/g, (digit) => 'klmnopqrst'[Number(digit)] ?? '');
  const summaries = Array.from({ length: 50_000 }, (_, index) => `x${word(index)} tests: 1 failed`).join(
    '\n',
  );
  const output = `Error: x\n${summaries}\n`;
  const { tracked } = findingsIn(output, { root: ROOT, exitCode: 1, reported: {}, failures: [] });
  expect(tracked?.isComplete).toBe(false);
  expect(Object.keys(tracked?.reported ?? {}).length).toBeLessThan(5000);
});
