import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const LONG = Array.from({ length: 800 }, (_, i) => `step ${i} of 800 is done`).join('\n');
const ERROR = "src/a.c:3:5: error: 'x' undeclared";

const MAKE = `make[2]: *** [Makefile:7: a.o] Error 1
make[2]: Target 'all' not remade because of errors.
make[2]: Leaving directory '/p/src'
make[1]: *** [Makefile:9: all] Error 2
make[1]: Leaving directory '/p'
make: *** [Makefile:2: build] Error 2`;

test.each([
  ['a chain of makes', MAKE, ['make[2]: *** [Makefile:7: a.o] Error 1']],
  [
    'the script that a package manager has run',
    'npm error Lifecycle script `test` failed with error:\nnpm error code 1\nnpm error path /p/billing\nnpm error location /p/billing\nnpm error command failed\nnpm error command sh -c mocha\n\u2009ELIFECYCLE\u2009 Test failed. See above for more details.',
    ['npm error path /p/billing'],
  ],
  [
    'what runs the tasks of a monorepo',
    '@a/docs#test:  WARNING  command finished with error, but continuing...\n::error::command (/p/docs) npm run test exited (1)\n@a/docs#test:  ERROR  command (/p/docs) npm run test exited (1)',
    ['@a/docs#test:  WARNING  command finished with error, but continuing...'],
  ],
  [
    'the statements of a failed transaction',
    'psql:a.sql:2: ERROR:  current transaction is aborted, commands ignored until end of transaction block\npsql:b.sql:1: ERROR:  current transaction is aborted, commands ignored until end of transaction block',
    ['psql:a.sql:2: ERROR:  current transaction is aborted, commands ignored until end of transaction block'],
  ],
  ['a linker that a compiler has started', 'collect2: error: ld returned 1 exit status', []],
  ['how Rails runs one test again', 'rails test test/cart_test.rb:6', []],
  ['a compiler that gives up', 'compilation terminated.', []],
  [
    'a sanitizer that has found its own code',
    'SUMMARY: AddressSanitizer: heap-use-after-free ../../src/libsanitizer/format.inc:553 in printf_common\nSUMMARY: AddressSanitizer: heap-use-after-free src/bucket.c:57 in limiter_drop',
    ['SUMMARY: AddressSanitizer: heap-use-after-free src/bucket.c:57 in limiter_drop'],
  ],
  [
    'a test of Node.js that is a file',
    "  exitCode: 1\n  signal: ~\n  error: 'test failed'\n# Node.js v20.20.2",
    [],
  ],
  [
    'what an analyzer, or a compiler, counts',
    '11377 warnings generated.\nwarning: `shop` (lib) generated 2 warnings\nSuppressed 11371 warnings (11371 in non-user code).\n2 warnings treated as errors',
    ['2 warnings treated as errors'],
  ],
  [
    'what a runner of examples adds to the one that failed',
    "E   You can reproduce this example by temporarily adding @reproduce_failure('6.67.1', b'AAEAAA==') as a decorator on your test case\n\tsuccesses: 212\n\tlocal rejects: 0\n\tglobal rejects: 0",
    [],
  ],
  [
    'where a runner has written it',
    'File "/p/_build/oUnit-shelf#01.log", line 9, characters 1-1:\nError: shelf:3:full (in the log).',
    [],
  ],
  [
    'a task that ran a command',
    'rake aborted!\nCommand failed with status (1): [ruby cart_test.rb]\n\nTasks: TOP => test',
    ['Command failed with status (1): [ruby cart_test.rb]'],
  ],
  ['the time that a failed test took', ' - 12 ms', []],
  [
    'what gcc adds to the first name that is not declared',
    'src/a.c:3:5: note: each undeclared identifier is reported only once for each function it appears in',
    [],
  ],
  [
    'what a runner explains of each error that no test has caught',
    'This might cause false positive tests. Resolve unhandled errors to make sure your tests are not affected.\nThe latest test is "resolves".\n- The error was thrown, while Vitest was running this test.',
    ['The latest test is "resolves".'],
  ],
  [
    'how a test may take longer',
    'If this is a long-running test, pass a timeout value as the last argument.\nAdd a timeout value to this test to increase the timeout, if this is a long-running test. See https://jestjs.io/docs/api',
    [],
  ],
  [
    'how many have passed',
    '  Tests  7 passed (7)\n16 passing (36ms)\n# pass 31\n# todo 0\n# duration_ms 5268.7',
    [],
  ],
  ['how go test ends', 'FAIL\nFAIL\texample.com/x\t0.3s', ['FAIL\texample.com/x\t0.3s']],
  [
    'a compiler of shaders that gives up',
    "ERROR: a.frag:8: '' : compilation terminated\nERROR: 2 compilation errors.  No code generated.\nSPIR-V is not generated for failed compile or link",
    [],
  ],
  [
    'what tests were not run',
    "- Not run because a beforeAll function failed.\n'test did not finish before its parent and was cancelled'\n- Not run because a beforeAll function failed.",
    [
      '- Not run because a beforeAll function failed.',
      "'test did not finish before its parent and was cancelled'",
    ],
  ],
  [
    'what Node prints of each error',
    "  generatedMessage: true,\n  code: 'ERR_ASSERTION',\n  operator: '==',\n  isCanceled: false,\n  errno: -24,\n  stdout: null,\nNode.js v20.20.2",
    [],
  ],
  [
    'what a builder of addons says of the machine',
    'gyp ERR! System Linux 6.18.44\ngyp ERR! command "/usr/bin/node" "rebuild"\ngyp ERR! cwd /proj\ngyp ERR! node -v v20.20.2\ngyp ERR! not ok',
    [],
  ],
  [
    'the class and the method of a test',
    "    MethodSource [className = 'shop.CartTest', methodName = 'adds', methodParameterTypes = '']",
    [],
  ],
  [
    'what a build tool says of each task and of the build',
    "FAILURE: Build failed with an exception.\n* What went wrong:\nExecution failed for task ':compileJava'.\n> Compilation failed; see the compiler output below.\n2 actionable tasks: 1 executed, 1 up-to-date\nTarget //cart:cart failed to build\nFAILED: Build did NOT complete successfully (9 packages loaded)",
    ['* What went wrong:', "Execution failed for task ':compileJava'."],
  ],
  [
    'what a framework adds to each assertion, and a runner to each test',
    '  Test failed. See exception logs above.\n  The test description was: shows the sheet\nIn either case, please report this assertion by filing a bug on GitHub:\n  https://x.dev/a/issues/new?template=2_bug.md',
    [],
  ],
  [
    'what a sanitizer adds to each report',
    'HINT: this may be a false positive if your program uses some custom stack unwind mechanism, swapcontext or vfork\n      (longjmp and C++ exceptions *are* supported)\n==16186==ABORTING',
    [],
  ],
  [
    'what Erlang prints of each process',
    '    ancestors: [<0.83.0>]\n    message_queue_len: 0\n    trap_exit: false\n    status: running\n    reductions: 10601',
    [],
  ],
])('below an error, %s is shown with its first line at most', (_, consequences, kept) => {
  for (const output of [`${ERROR}\n${consequences}\n`, `${LONG}\n${ERROR}\n${consequences}\n`]) {
    const lines = excerpt(output).split('\n');

    expect(lines).toContain(ERROR);
    expect(lines.filter((line) => consequences.split('\n').includes(line))).toEqual(kept);
  }
});

test.each([
  ['a line above names them', 'npm error path /p/billing\nnpm error workspace @shop/billing@1.0.0', []],
  [
    'no other line does',
    'npm error path /p/cart\nnpm error workspace @shop/cart@1.0.0',
    ['npm error workspace @shop/cart@1.0.0'],
  ],
  ['no other line does, without a package', 'npm error path /p/cart', ['npm error path /p/cart']],
])('the place of a script that failed is shown unless %s', (_, lines, kept) => {
  const above = `> @shop/api@1.0.0 build\n> tsc\n\n> @shop/billing@1.0.0 build\n> tsc\n\n/p/billing/${ERROR}\n\n`;
  const shown = excerpt(`${above}npm error code 1\n${lines}\n`).split('\n');

  expect(shown.filter((line) => line.startsWith('npm error'))).toEqual(kept);
});

test('what Node prints of each error is left out where a test of the same task passes later', () => {
  const error = 'AssertionError [ERR_ASSERTION]: 8 !== 10';
  const task = (text: string) => text.replace(/^/gm, '[web] ');

  expect(
    excerpt(task(`${error}\n    at f (/p/a.js:3:8) {\n  generatedMessage: true,\n}\nok 1 - adds\n`)),
  ).not.toContain('generatedMessage');
});

test('what only says that something has failed is shown where nothing says what', () => {
  const output = `cc -c a.c\n${MAKE}`;

  expect(excerpt(output)).toBe(output);
});

test.each([
  ['code', "  code: 'ECONNREFUSED',"],
  ['value', '  actual: undefined,'],
  ['time that was exceeded', '  timedOut: true,'],
  ['signal', "  signal: 'SIGTERM',"],
  ['exit code', '  status: 1,'],
  ['output', "  stderr: 'fatal: no such ref',"],
  ['kind of failure', "  failureType: 'testTimeoutFailure',"],
  ['member of a value', '  operator: null,'],
])('the %s of an error is shown', (_, line) => {
  expect(excerpt(`Error: boom\n    at run (src/a.js:3:5) {\n${line}\n}`)).toContain(line);
});

test('what says of each of many tasks that it failed takes no space of what says why', () => {
  const task = (n: number) =>
    [
      ...[1, 2, 3].map(
        (i) => `a${n}:test: ✗ adds ${n}.${i}\na${n}:test:   expected ${n}.${i} to be ${'9'.repeat(240)}`,
      ),
      `a${n}:test: npm error Lifecycle script \`test\` failed with error:`,
      `a${n}:test: npm error command failed`,
      `a${n}:test: ERROR  command (/proj/a${n}) npm run test exited (1)`,
    ].join('\n');
  const shown = excerpt([1, 2, 3, 4, 5].map(task).join('\n'));

  for (const n of [1, 2, 3, 4, 5])
    for (const i of [1, 2, 3]) expect(shown).toContain(`expected ${n}.${i} to be`);
});

test('a target of the same make, that no error above it explains, is shown', () => {
  const other = 'make[2]: *** [Makefile:7: check] Error 3';
  const output = `${ERROR}\n${MAKE}\nmake[2]: *** [Makefile:8: b.o] Error 1\nledger: total 119.00, not 119.01\n${other}\nmake: *** [Makefile:3: all] Error 2\n`;
  const lines = excerpt(output).split('\n');

  expect(lines).toContain('make[2]: *** [Makefile:7: a.o] Error 1');
  expect(lines).toContain(other);
  expect(lines).not.toContain('make: *** [Makefile:2: build] Error 2');
});

test('a target is not shown below the error that explains it, if another one is', () => {
  const error = "src/b.c:9:1: error: 'y' undeclared";
  const output = `${ERROR}\nmake[1]: *** [Makefile:7: a.o] Error 1\n${error}\nmake[1]: *** [Makefile:7: b.o] Error 1\n`;

  expect(excerpt(output)).toBe(`${ERROR}\nmake[1]: *** [Makefile:7: a.o] Error 1\n${error}`);
});
