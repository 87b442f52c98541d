import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/diagnostics/classify.ts';
import { type Classification, hasHint, RULES } from '../../../src/diagnostics/rules.ts';

/** Lookarounds, which may contain character classes and one level of groups. */
const LOOKAROUND = /\(\?<?[=!](?:\[(?:\\.|[^\]\\])*\]|\([^()]*\)|\\.|[^()[\]\\])*\)/g;

/** The pattern without assertions, which fast-check generates no text for: it matches more lines. */
function withoutAssertions({ source }: RegExp): RegExp {
  return new RegExp(source.replace(LOOKAROUND, '').replaceAll('\\b', ''));
}

describe.each(RULES)('the rule $id', ({ id, is, pattern, example }) => {
  test('is the first that matches its example', () => {
    expect(RULES.find((rule) => rule.pattern.test(example))?.id).toBe(id);
  });

  test('classifies its example', () => {
    expect(classify(example)).toBe(is);
  });

  test('has a hint in every line that its pattern matches', () => {
    const lines = fc.stringMatching(withoutAssertions(pattern)).filter((line) => pattern.test(line));
    fc.assert(
      fc.property(lines, (line) => hasHint(line)),
      { numRuns: 1000 },
    );
  });
});

test('a line without a word for a failure or a result has no hint', () => {
  expect(['compiling a.c', 'hello world', '', 'a'].filter(hasHint)).toEqual([]);
});

test('no two rules have the same id', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
});

const LINES: Readonly<Record<Classification, readonly string[]>> = {
  passed: [
    '│  │     ├─ repetition 7 of 8 of the error ✔',
    '["pass",{"title":"refuses an error"}]',
    '[==========] 3 tests from ErrorTest ran. (0 ms total)',
    '[----------] Global test environment tear-down of FailureTest',
    '[RUN ] cart::refuses_an_error',
    'error.xml validates',
    '0.00 s = .',
    '++++ error-1.40 PASSED',
    '  ✔ handles failure (2ms)',
    '  √ fails on bad input',
    'ok 2 - x # TODO',
    '    --- SKIP: TestFail (0.00s)',
    'test parse::error_is_told ... ok',
    'test_error (tests.T.test_error) ... ok',
    '[       OK ] Error.Throws (0 ms)',
    '[ RUN      ] Error.Throws',
    'PASSED',
    '(pass) cart > rule 1 rejects an error (fail) [0.40ms]',
    '(skip) cart > fails',
    'tests.cpp:8: PASSED:',
    '<testcase classname="Store" name="refuses an error" time="0.001"/>',
    '  - [todo] cart › an error is shown',
    '{"test":"reaches the last level","level":50,"status":"passed"}',
    '1/3 Test #1: error_test ................   Passed    0.01 sec',
    '  ○ skipped fails',
    '  -  14 [canary] › e2e/cart.spec.ts:10:3 › cart › shows an error (retry #1)',
    '  -   3 e2e/cart.spec.ts:10:3 › cart › shows an error',
    '   passed   3/43  refuses an error (0.00 sec)',
    "Test Suite 'ErrorTests' started at 2026-11-22 16:22:27.775",
    "Test Suite 'ErrorTests' passed at 2026-11-22 16:22:27.833.",
    '◇ Test "shows an error" started.',
  ],
  summary: [
    'Chrome 120 (Linux): Executed 64 of 64 (1 FAILED) (0.2 secs / 0.086 secs)',
    '3 errors, 2 warnings',
    '  1 failing',
    '# fail 1',
    'ℹ fail 1',
    'FAILED (failures=1)',
    'BUILD FAILED',
    '3 warnings generated.',
    'test result: FAILED. 1 passed; 1 failed; 0 ignored',
    '[10:30:01.349] INFO (20275): scenarios: 41 passed, 1 failed',
    '{"level":"info","msg":"1 failed, 41 passed"}',
  ],
  chatter: [
    '============================= test session starts ==============================',
    '     Running tests/errors.rs (target/debug/deps/errors-90adf2c0d143)',
    '    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.11s',
    '..                                              [100%]',
    'data/error.json valid',
    '[New Thread 0x7ffff7dca6c0 (LWP 2864)]',
    'npm warn Unknown user config "error". This will stop working in the next major version of npm.',
    '  ./src/a.js 39 bytes [built] [code generated] [1 error]',
    ' RUNS  tests/errors.test.ts',
    '⠙ Checking errors',
    '<s> [webpack.Progress] 91% sealing errors',
    'note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.',
    '4 errors have detailed information that is not shown.',
    'lib/Error.pm source OK',
    'Checking spec/errors_spec.lua                  OK',
    'No syntax errors detected in lib/Errors.php',
    '[STARTED] Reverting to original state because of errors...',
    '[7:58:28 PM] [semantic-release] › ✔  Loaded plugin "fail" from "@semantic-release/github"',
    '26609  - 11/22/2026, 7:51:49 PM     LOG [InstanceLoader] ErrorModule dependencies initialized +31ms',
    '  3733 MainThread INFO no error yet',
    '{"level":30,"msg":"GET /errors/17"}',
    'Note: Google Test filter = ErrorTest.Failed',
    'Snapshots:   0 total',
    'Time:        1.699 s, estimated 2 s',
    '   Duration  4.36s (transform 289ms, setup 0ms)',
    'Elapsed time =    0.000 seconds',
    "4:57:44 PM - Building project '/p/errors/tsconfig.json'...",
    'orphan modules 11.2 KiB [orphan] 399 modules',
    '  ./src/app.ts + 33 modules 27.6 KiB [built] [code generated]',
    'CLI Using tsconfig: errors.json',
    '[         0 containers failed     ]',
    '{"filePath":"/p/eslint.config.js","messages":[],"errorCount":0}',
    'A new major version of npm is available! 10.8.2 -> 11.0.0, which fixes errors',
    'To disable tracking, set ERROR_TRACKING=0',
    '      [Symbol(errors)]: { a: 1 },',
    '            listener: [ [Function: errorListener], [Function] ],',
    '10:30:01 INFO 3 failed attempts ignored, 0 failed',
    '20680:M 22 Nov 2026 18:14:37.925 * Ready to accept connections, no error',
    'checking for error_at_line... no',
    '......................',
    '[NOTICE]   (9124) : no error so far',
    'npm verbose stack Error: command failed',
    '-- Performing Test HAVE_ERROR - Failed',
    '> Run with --stacktrace option to get the stack trace of the error.',
    'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
    'Fetching failed-jobs',
    'npm notice New major version of npm available!',
    '{"level":20,"time":1795365699599,"pid":4711,"msg":"query error_log"}',
    '{"name":"importer","pid":4711,"level":30,"errors":3,"msg":"imported","v":0}',
    '{"level":"info","ts":1795365699.6,"caller":"a/main.go:3","msg":"error handler attached"}',
    '{"@timestamp":"2026-11-22T16:41:40Z","log.level":"debug","message":"error handled"}',
    '{"@t":"2026-11-22T16:41:40Z","@l":"Debug","@m":"error handled"}',
    'time=2026-11-22T16:41:40Z level=debug msg="error handled"',
    '[INFO] Tests run: 9, Failures: 0, Errors: 0 -- in loan.CopyTest',
    '\t Executed 3 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.004 (0.005) seconds',
    '2026-11-22T17:14:15.230Z INFO  [5] leaving after an error',
    '10:30:00.123 [main] DEBUG c.e.Relay - error handled',
    '17:11:43 (30259) INFO Reporter error handled',
    '22 11 2026 17:16:59.498:INFO [server]: error handled',
    'INFO: error handler attached',
    'info => Loading error handlers',
    '[17/18] tests/error.spec.js:4:3 › shows an error page',
    'All files | 100.00 | 100.00 |',
    'TAP version 13',
    'To rerun use: --match "/title/refuses an error/"',
    'usage: sync [-h] [--fail-on-error]',
    '  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0* Trying to get an error',
    'I20261122 22:53:33.536420 21351 s.cc:4] 3 errors handled',
    'D, [2026-11-22T22:56:40.395641 #25317] DEBUG -- : no error',
    'note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace of the error.',
  ],
  plain: [
    '  -   3 lamps › 2 desks',
    'E1 is the first',
    '     Running the queue (job 3)',
    '   Compiling the templates',
    '.F.',
    'EE',
    '[----] test_geo.c:12: values below',
    '20680:M 22 Nov 2026 18:14:37.925 # Server initialized',
    'x',
    'x marks the place',
    'data/host.json not ok',
    'status: ok',
    'the reply is ok',
    '1 of 5 hosts succeeded',
    'part1.js 310 kB',
    'Received:  0',
    'Time: 12:30',
    'CLI options of the tool',
    'two LOG files',
    '[COMPLETED 3 of 5]',
    "Project 'web' has no tsconfig.json",
    'compiling a.c',
    'alert mail',
    '....',
    '......F..........',
    'a.cpp(16): Entering the part "b"',
    '{"level":50,"name":"the last level"}',
    'hello world',
    '0',
    'errors=0',
    'Asserts:  14 pass  0 fail  14 of 14 complete',
    'errors so far: 0',
    'errors: []',
    '"errors": 0,',
    'no problems found',
    'without errors',
    'Failures: 0',
    'not ok 2 - x # TODO',
    'not ok 2 - x # SKIP no db',
    'Process exited with code 0',
    'src/a.ts:3:5',
    'e: src/a.ts:3:5',
    'the test server has started on port 3000',
  ],
  failedTest: [
    '2026-02-03T10:30:01Z INFO scenario "buys the last lamp": FAILED',
    '["fail",{"title":"adds"}]',
    '  ✖ adds two numbers (3ms)',
    '    --- FAIL: TestAdd/zero (0.00s)',
    'FAIL\texample.com/calc\t0.003s',
    'FAILED tests/test_a.py::test_add - assert 3 == 4',
    'test tests::adds ... FAILED',
    'ERROR collecting tests/test_a.py',
    '(fail) cart > adds [0.43ms]',
    'tests.cpp:22: FAILED:',
    '  [FAILED] adds',
    '4/8 height   FAIL           0.05s   exit status 1',
    '[3/4] adds numbers: FAILED',
  ],
  located: [
    "E3012 'abc' is not of type 'integer'",
    "<class 'shop.A'>: (admin.E108) The value of 'list_display[1]' refers to 'total'",
    '?: (urls.E007) The custom view is no callable.',
    'line 11 column 1 - Error: <pricing-card> is not recognized!',
    '[error] /p/src/Cart.scala:[9,14] value total is not a member of Cart',
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable",
    'src/a.c:3:5: fatal error: x.h: No such file or directory',
    'src/a.c:3:5: Fehler: »x« nicht deklariert',
    'src/a.c:3:5: erreur: « x » non déclaré',
    'src/a.c:3:5: 错误：‘x’未声明',
    'src/a.c:3:5: 錯誤：‘x’ 未宣告',
    'src/a.c:3:5: エラー: ‘x’ が宣言されていません',
    'src/a.c:3:5: 오류: x',
    'src/a.c:3:5: ошибка: «x» не описано',
    "src/A.java:3: error: ';' expected",
    'CMake Error at CMakeLists.txt:5 (find_package):',
    "deploy.sh: line 12: syntax error near unexpected token `fi'",
    '/p/a.py:3: ValueError',
    '  ✖  1:20  Missing semicolon.  @stylistic/semi',
    '3:5-3:33     error   Cannot find file `a.md`  missing-file',
    'Hunk #1 FAILED at 1.',
    '1 out of 1 hunk ignored',
    '::error::no place',
    '##[error]Process completed with exit code 1.',
    '##vso[task.logissue type=error;sourcepath=src/a.cs;linenumber=3]unused variable',
    "##teamcity[buildProblem description='no tests']",
    '[error] /p/src/main/scala/Cart.scala:6: missing argument list',
    'e: /p/src/Cart.kt: (6, 34): Unresolved reference: total',
  ],
  thrown: [
    'thrown: "Exceeded timeout of 300 ms for a hook.',
    'scons: *** [version.h] Source `VERSION` is gone',
    'Undefined symbols for architecture arm64:',
    'duplicate symbol _main in:',
    "a.c:(.text+0x0): multiple definition of `main'; b.o:b.c:(.text+0x0): first defined here",
    "! LaTeX Error: File `gone.sty' not found.",
    '! Missing $ inserted.',
    '! Illegal unit of measure (pt inserted).',
    'AH00526: Syntax error on line 5 of /etc/site.conf:',
    'curl: (22) The requested URL returned error: 422',
    'Failed: DID NOT RAISE ValueError',
    'E       ValueError: boom',
    'Caused by: java.lang.IllegalStateException: no',
    'Exception in thread "main" java.lang.NullPointerException',
    "thread 'main' panicked at src/main.rs:3:5:",
    'panic: runtime error: index out of range [5]',
    'Traceback (most recent call last):',
    '    exception error: bad key: water',
    'Segmentation fault (core dumped)',
    'Killed',
    "undefined reference to `foo'",
    'error: could not compile `x`',
    'src/A.java:[3,5] cannot find symbol',
    'mkdoc: docs/manual.md:12: unclosed code block',
    '*** [manual.html] Error code 2',
    '[23] case_23 died with status 139',
  ],
  tagged: [
    '{"ruleId":"no-undef","severity":2,"message":"x"}',
    '[ERROR] relay.py:12 request refused',
    '[ALERT]    (9124) : config : parsing',
    'npm ERR! code 1',
    '{"level":"error","msg":"boom"}',
    'level=error msg="boom"',
    'time=2026-11-22T16:41:40Z level=fatal msg=boom',
    't=2026-11-22T16:41:40Z lvl=eror msg=boom',
    '{"level":50,"time":1795365699599,"pid":4711,"msg":"boom"}',
    '{"name":"importer","hostname":"ci","pid":4711,"level":60,"msg":"boom"}',
    '{"@timestamp":"2026-11-22T16:41:40Z","log.level":"ERROR","message":"boom"}',
    '{"@t":"2026-11-22T16:41:40Z","@l":"Fatal","@m":"boom"}',
    '{"severity":"CRITICAL","time":"2026-11-22T16:41:40Z","message":"boom"}',
    '{"asctime":"2026-11-22 16:41:40","levelname":"ERROR","message":"boom"}',
    '{"level":"dpanic","ts":1795365699.6,"msg":"boom"}',
    'ld.lld: error: undefined symbol: foo',
  ],
  mentioned: [
    '3 missing INFO fields',
    "    throw new Error('boom')",
    'src/errors.ts',
    'rendering error.html',
  ],
  warning: [
    'shop.Order: (models.W042) Auto-created primary key used when not defining one, an error later',
    'a.vhd:15:7:@6ns:(assertion warning): the error flag is set',
    'line 8 column 1 - Warning: <img> lacks "alt" attribute, as in error pages',
    "playlist.nim(12, 6) Hint: 'error' is declared but not used",
    '(!) Errors of source maps are off',
    'src/a.c:3:5: note: declared here',
    'src/a.c:3:5: performance: pass it by reference',
    'src/a.c:3:5: INFO: declared here',
    '[2/29] warning: unused variable',
    'src/a.c:3:5: Warnung: unbenutzte Variable »x«',
    'src/a.c:3:5: avertissement: variable inutilisée',
    'src/a.c:3:5: 警告: 使われていない',
    'src/a.c:3:5: 警告：未使用的变量‘x’',
    '::warning file=src/a.ts,line=3::unused variable',
    '(node:12) DeprecationWarning: x is deprecated',
    'npm warn deprecated glob@7.2.3: no longer supported',
    'i: file:///p/src/Cart.kt:7:9 Errors are off.',
  ],
};

test('the number of issues is no issue', () => {
  expect(classify('Issues: 10')).not.toBe('thrown');
});

describe.each(Object.entries(LINES))('the classification %s', (classification, lines) => {
  test.each(lines)('is that of %j', (line) => {
    expect(classify(line)).toBe(classification);
  });
});

describe('a count in a message, or in the name of a test, is not a summary:', () => {
  test.each([
    ['✗ shows 2 errors', 'failedTest'],
    ['  ✕ warns about 2 problems (3 ms)', 'failedTest'],
    ['not ok 4 - returns 3 failures', 'failedTest'],
    [' FAIL  tests/a.test.ts > shows 2 errors', 'failedTest'],
    ['--- FAIL: TestAdd/2_errors (0.00s)', 'failedTest'],
    ['2/3 Test #2: adds .........................***Failed    0.01 sec', 'failedTest'],
    ['AssertionError: expected 2 warnings, got 3', 'thrown'],
    ['E   AssertionError: 2 errors', 'thrown'],
  ])('%j is %s', (line, classification) => {
    expect(classify(line)).toBe(classification);
  });
});

describe('a count of passed tests is not a passed test:', () => {
  test.each([
    ['Passed: 3, Failed: 1'],
    ['      Tests  1 failed | 2 passed (3)'],
    ['      Tests  2 passed (2)'],
    ['Passed 3/43'],
    [' Test Files  1 passed (1)'],
  ])('%j', (line) => {
    expect(classify(line)).not.toBe('passed');
  });
});
