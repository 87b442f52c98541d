import { describe, expect, test } from 'vitest';
import { meaningOf, WEIGHT } from '../../../src/diagnostics/line-meaning.ts';

type Told = 'passed' | 'summary' | 'chatter' | 'plain' | keyof typeof WEIGHT;

const NAMES = Object.fromEntries(Object.entries(WEIGHT).map(([name, weight]) => [weight, name]));

function told(text: string): string | undefined {
  const meaning = meaningOf(text);
  return meaning.kind === 'failure' ? NAMES[meaning.weight] : meaning.kind;
}

const LINES: Readonly<Record<Told, readonly string[]>> = {
  passed: [
    '✓ throws an error',
    '  ✔ handles failure (2ms)',
    '  √ fails on bad input',
    'ok 3 - fails',
    'ok 2 - x # TODO',
    '--- PASS: TestError (0.00s)',
    '    --- SKIP: TestFail (0.00s)',
    'test parse::error_is_told ... ok',
    'test fails ... ignored',
    'test_error (tests.T.test_error) ... ok',
    'tests/test_a.py::test_error PASSED [ 4%]',
    '[       OK ] Error.Throws (0 ms)',
    '[ RUN      ] Error.Throws',
    'PASSED',
    'PASS src/error.test.ts',
    '1/3 Test #1: error_test ................   Passed    0.01 sec',
    '  ○ skipped fails',
  ],
  summary: [
    '3 errors, 2 warnings',
    'Tests: 1 failed, 2 passed, 3 total',
    '  1 failing',
    '# fail 1',
    'ℹ fail 1',
    'FAILED (failures=1)',
    'BUILD FAILURE',
    '✖ 5 problems (5 errors, 0 warnings)',
    '3 warnings generated.',
    'test result: FAILED. 1 passed; 1 failed; 0 ignored',
  ],
  chatter: [
    '=== RUN   TestError',
    'Downloading error-1.0.tgz',
    'Fetching failed-jobs',
    '[==========>        ] 50% failed jobs',
    'npm notice New major version of npm available!',
    '[debug] fatal: x',
    '3 packages are looking for funding',
  ],
  plain: [
    'compiling a.c',
    'hello world',
    '0',
    'errors=0',
    'errors: []',
    '"errors": 0,',
    'no problems found',
    'without errors',
    'Failures: 0',
    'not ok 2 - x # TODO',
    'not ok 2 - x # SKIP no db',
    'Process exited with code 0',
    'src/a.ts:3:5',
  ],
  verdict: [
    '✗ adds two numbers',
    '  ✖ adds two numbers (3ms)',
    '● math › adds',
    'not ok 2 - adds',
    '--- FAIL: TestAdd (0.00s)',
    '    --- FAIL: TestAdd/zero (0.00s)',
    ' FAIL  tests/a.test.ts > adds',
    'FAIL\texample.com/calc\t0.003s',
    'FAILED tests/test_a.py::test_add - assert 3 == 4',
    'tests/test_a.py::test_add FAILED [ 50%]',
    'test tests::adds ... FAILED',
    '[  FAILED  ] Math.Adds (0 ms)',
    'ERROR: test_add (tests.T.test_add)',
    'ERROR collecting tests/test_a.py',
    '  1) math adds:',
    "#   Failed test 'adds'",
  ],
  located: [
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable",
    "src/a.c:3:5: error: expected ';' before 'return'",
    'src/a.c:3:5: fatal error: x.h: No such file or directory',
    'src/a.c:3:5: Fehler: »x« nicht deklariert',
    'src/a.c:3:5: erreur: « x » non déclaré',
    'src/a.c:3:5: 错误：‘x’未声明',
    'src/a.c:3:5: 錯誤：‘x’ 未宣告',
    'src/a.c:3:5: エラー: ‘x’ が宣言されていません',
    'src/a.c:3:5: 오류: x',
    'src/a.c:3:5: ошибка: «x» не описано',
    "src/A.java:3: error: ';' expected",
    "  16:5  error  'x' is not defined  no-undef",
    'error[E0308]: mismatched types',
    'ERROR in ./src/a.js',
    'CMake Error at CMakeLists.txt:5 (find_package):',
    "deploy.sh: line 12: syntax error near unexpected token `fi'",
    '/p/a.py:3: ValueError',
  ],
  thrown: [
    "TypeError: Cannot read properties of undefined (reading 'x')",
    'Caused by: java.lang.IllegalStateException: no',
    'Exception in thread "main" java.lang.NullPointerException',
    "thread 'main' panicked at src/main.rs:3:5:",
    'panic: runtime error: index out of range [5]',
    'Traceback (most recent call last):',
    'E   assert 3 == 4',
    'Segmentation fault (core dumped)',
    'Killed',
    'sh: 1: eslint: not found',
    'fatal: Kein Git-Repository',
    "undefined reference to `foo'",
    'error: could not compile `x`',
    "a.py:3:1: F401 'os' imported but unused",
    'src/A.java:[3,5] cannot find symbol',
  ],
  tagged: [
    'npm error code ELIFECYCLE',
    'npm ERR! code 1',
    '[ERROR] Failed to execute goal',
    '{"level":"error","msg":"boom"}',
    'level=error msg="boom"',
    'ld.lld: error: undefined symbol: foo',
  ],
  mentioned: [
    'handles errors gracefully',
    "    throw new Error('boom')",
    'src/errors.ts',
    'rendering error.html',
  ],
  warning: [
    "src/a.c:3:5: warning: unused variable 'x' [-Wunused-variable]",
    'src/a.c:3:5: note: declared here',
    'src/a.c:3:5: Warnung: unbenutzte Variable »x«',
    'src/a.c:3:5: avertissement: variable inutilisée',
    'src/a.c:3:5: 警告: 使われていない',
    '  16:5  warning  Unexpected console statement  no-console',
    'WARN something',
    '(node:12) DeprecationWarning: x is deprecated',
    'npm warn deprecated glob@7.2.3: no longer supported',
  ],
};

describe.each(Object.entries(LINES))('%s', (meaning, lines) => {
  test.each(lines)('%j', (line) => {
    expect(told(line)).toBe(meaning);
  });
});

describe('counts in a message, or in the name of a test, make no summary', () => {
  test.each([
    ['✗ shows 2 errors', 'verdict'],
    ['  ✕ warns about 2 problems (3 ms)', 'verdict'],
    ['not ok 4 - returns 3 failures', 'verdict'],
    [' FAIL  tests/a.test.ts > shows 2 errors', 'verdict'],
    ['--- FAIL: TestAdd/2_errors (0.00s)', 'verdict'],
    ['2/3 Test #2: adds .........................***Failed    0.01 sec', 'verdict'],
    ['AssertionError: expected 2 warnings, got 3', 'thrown'],
    ['E   AssertionError: 2 errors', 'thrown'],
  ])('%j: %s', (line, meaning) => {
    expect(told(line)).toBe(meaning);
  });
});

describe('counts of what passed say of no single test that it passed', () => {
  test.each([
    ['Passed: 3, Failed: 1'],
    ['      Tests  1 failed | 2 passed (3)'],
    ['      Tests  2 passed (2)'],
    [' Test Files  1 passed (1)'],
  ])('%j', (line) => {
    expect(told(line)).not.toBe('passed');
  });
});

test.each([
  ['src/a.c:3:5: 警告：未使用的变量‘x’', 'warning'],
  ['E       assert 3 == 4', 'thrown'],
  ['E       ValueError: boom', 'thrown'],
  ['10:30:00 ERROR boom', 'tagged'],
])('in its usual form too: %j: %s', (line, meaning) => {
  expect(told(line)).toBe(meaning);
});
