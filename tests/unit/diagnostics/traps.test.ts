import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { bestLines, PRIORITY } from '../../../src/diagnostics/failures/failure.ts';
import { SEVERITY } from '../../../src/diagnostics/lines/rules.ts';
import { failureText } from '../../../src/messages/agent.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';
import { printed, resultOf } from '../../helpers/gate-results.ts';

const of = (output: string | readonly Piece[], maxCharacters = 6000) =>
  excerptText(excerptOf(condensed(output), maxCharacters, { hung: false }));
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
/** More than is shown whole, without a word for an error. */
const LONG = many(600, (i) => `compiling part ${i} of the library`);
/** A different word for each number. */
const word = (i: number) => 'abcdefghij'[i % 10]?.repeat(3 + i);
/** The severities of failures, by their headlines. */
const severities = (output: string) =>
  Object.fromEntries(
    condensed(output).failures.map(({ block, severity }) => [block.headline.text, severity]),
  );

describe('an error that a passing test logged', () => {
  const logged = (i: number) =>
    `Error: expected refusal ${i}\n    at refuse (/p/src/refuse.ts:${i}:5)\n    at run (/p/src/run.ts:7:5)`;
  test.each([
    ['✓', (i: number) => `✓ refuses ${i}`, '✗ adds two numbers\n  AssertionError: expected 3 to be 4'],
    ['ok', (i: number) => `ok ${i} - refuses`, 'not ok 500 - adds two numbers\n  expected 3 to be 4'],
    [
      'PASS',
      (i: number) => `--- PASS: TestRefuses${i}`,
      '--- FAIL: adds two numbers\n    expected 3 to be 4',
    ],
  ])('is not a failure before the result %s', (_, passed, failed) => {
    const tests = (n: number) => many(n, (i) => `${logged(i)}\n${passed(i)}`);
    const output = `${tests(200)}\n${failed}\n${tests(200)}`;
    const shown = of(output);
    const logs = Object.entries(severities(output)).filter(([text]) => text.includes('expected refusal'));

    expect(shown).toContain('adds two numbers');
    expect(shown).toContain('expected 3 to be 4');
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.filter(([, severity]) => severity > SEVERITY.mentioned)).toEqual([]);
  });

  test('is not a failure if its stack has no prefix of the logger', () => {
    const log = (name: string) =>
      `[${name}] will retry, HttpError: status 503\n    at send (/p/src/${name}.ts:3:5)\n    at run (/p/src/run.ts:7:5)\n`;
    const { failures } = condensed([
      ['stderr', log('mails')],
      ['stdout', '✓ retries mails\n'],
      ['stderr', log('orders')],
      ['stdout', '✓ retries orders\n'],
    ]);
    const found = failures.map(({ block, severity }) => [block.lines.length, severity]);

    expect(found).toEqual([
      [3, SEVERITY.mentioned],
      [3, SEVERITY.mentioned],
    ]);
  });

  test('is a failure if no result follows', () => {
    expect(severities('Error: a\n✓ refuses\nError: b\n')).toEqual({
      'Error: a': SEVERITY.mentioned,
      'Error: b': SEVERITY.thrown,
    });
  });

  test.each(['Passed: 3, Failed: 1', '      Tests  2 passed (2)'])(
    'nor is one before the summary %j',
    (line) => {
      expect(severities(`Error: boom\n\n\n\n${line}\n`)).toEqual({ 'Error: boom': SEVERITY.thrown });
    },
  );
});

describe('an error is found', () => {
  const warnings = many(500, (i) => `src/w${i}.c:${i}:1: warning: unused variable`);
  const error = 'src/a.c:3:5: error: x is not declared\n    3 |   x';
  test.each([
    ['stdout', 'stderr'],
    ['stderr', 'stdout'],
  ] as const)('on %s, with warnings on %s', (own, other) => {
    const shown = of([
      [other, `${warnings}\n`],
      [own, `${error}\n      |   ^\n`],
      [other, `${warnings}\n`],
    ]);

    expect(shown).toContain(error);
  });

  test.each(['stdout', 'stderr'] as const)('on %s, between lines of the other stream', (own) => {
    const other = own === 'stdout' ? 'stderr' : 'stdout';
    const [head, ...rest] = error.split('\n');
    const { failures } = condensed([
      [own, `${head}\n`],
      [other, 'compiling\n'],
      [own, `${rest.join('\n')}\n`],
    ]);

    expect(
      failures.map(({ block }) => excerptText(block.lines.map(({ text }) => ({ kind: 'plain', text })))),
    ).toEqual([error]);
  });
});

test.each([0, 1000, 1999])('one error among 2,000 warnings is shown at position %d', (at) => {
  const output = many(2000, (i) =>
    i === at ? 'src/a.c:3:5: error: x is not declared' : `src/w${i}.c:${i}:1: warning: unused variable v${i}`,
  );

  expect(of(output)).toContain('src/a.c:3:5: error: x is not declared');
});

test.each([0, 150, 299])('one error of another kind among 300 alike is shown at position %d', (at) => {
  const output = many(300, (i) =>
    i === at
      ? `src/b.ts(${i},5): error TS1005: ';' expected.`
      : `src/a${i}.ts(${i},5): error TS2339: Property 'p${i}' does not exist on type 'T'.`,
  );

  expect(of(output)).toContain("error TS1005: ';' expected.");
});

describe('one failure that differs is shown', () => {
  const uuid = (i: number) => `3f2b9c1e-7d1a-4b5e-9f00-${String(i).padStart(12, '0')}`;
  test.each([
    [1_000_000, 'numbers', (i: number) => `src/a${i}.ts(${i},5): error TS2339: Property 'p${i}' is missing.`],
    [100_000, 'UUIDs', (i: number) => `src/${uuid(i)}/a.ts:${i}:5: error: no member ${uuid(i + 1)}`],
    [100_000, 'names', (i: number) => `src/${letters(i)}.ts:3:5: error: no member '${letters(i * 7)}' here`],
    [
      100_000,
      'ids in JSON',
      (i: number) => `{"level":"error","id":"${uuid(i)}","msg":"no answer in ${i} ms"}`,
    ],
  ])(
    'among %d that differ in %s',
    (count, _, alike) => {
      const part = many(10_000, alike);
      const parts = Array.from({ length: count / 10_000 }, (_, i): Piece => {
        const differing = i === 6 ? 'src/b.ts:3:5: error: cannot open the lock of the store\n' : '';
        return ['stdout', `${part}\n${differing}`];
      });

      expect(of(parts)).toContain('cannot open the lock of the store');
    },
    60_000,
  );
});

test('one error among thousands of one form is shown if it has another word', () => {
  const output = many(5000, (i) => `src/a.ts:${i}:5: error: no ${i === 4000 ? 'price' : 'total'} in basket`);

  expect(of(output)).toContain('no price in basket');
});

test('of many failed tests that all differ, with their reasons, no more are kept than an excerpt may show', () => {
  const { failures } = condensed(
    many(20_000, (i) => `Error: no ${letters(i)} in store\n--- FAIL: Test${letters(i)} (0.00s)`),
  );

  expect(failures.length).toBeLessThan(1500);
});

/** A number in letters. */
function letters(i: number): string {
  return i < 26 ? String.fromCharCode(97 + i) : letters(Math.floor(i / 26)) + letters(i % 26);
}

test('a reason that is printed before the name of the failed test is shown with it', () => {
  const passing = (from: number) =>
    many(300, (i) => `=== RUN   TestPass${from + i}\n--- PASS: TestPass${from + i} (0.00s)`);
  const shown = of(
    `${passing(0)}\n=== RUN   TestAdd\n    add_test.go:7: got 3, want 4\n--- FAIL: TestAdd (0.00s)\n${passing(300)}\nFAIL\n`,
  );

  expect(shown).toContain('    add_test.go:7: got 3, want 4\n--- FAIL: TestAdd (0.00s)');
});

test.each([
  ['[web] ', '[api] '],
  ['web | ', 'api | '],
  ['web:build: ', 'api:build: '],
  ['packages/web build: ', 'packages/api build: '],
  ['[@shop/web]: ', '[@shop/api]: '],
  ['  web:build | ', 'store:build | '],
])('the lines of parallel tasks are distinguished by their prefixes: %j, %j', (web, api) => {
  const { failures } = condensed(
    [
      `${web}src/a.ts(3,5): error TS2322: no`,
      `${api}starting`,
      `${web}  Types are not alike.`,
      `${api}TypeError: boom`,
      `${web}    at w (/p/web/w.ts:3:5)`,
      `${api}    at b (/p/api/b.ts:3:5)`,
    ].join('\n'),
  );

  expect(failures.map(({ block }) => block.lines.map(({ at }) => at))).toEqual([
    [0, 2, 4],
    [3, 5],
  ]);
});

test('a word for a failure in brackets is no prefix of a task', () => {
  const { failures } = condensed('✗ parses an empty list\n[exception] End_of_file\n    Raised at a.ml\n');

  expect(failures.map(({ block }) => block.lines.map(({ at }) => at))).toEqual([[0, 1, 2]]);
});

test("a task's result does not apply to another task's errors", () => {
  expect(severities('[web] Error: boom\n[api] ✓ refuses\n')).toEqual({
    '[web] Error: boom': SEVERITY.thrown,
  });
});

test('the line above a caret is shown before what else is in the failure', () => {
  const error = 'tests/div.toy:5:11: error: not found\n// CHECK: udiv %a, %b\n          ^\n';
  const { failures } = condensed(`${error}  | Input was:\n`);
  const shown = failures.flatMap(({ block }) => bestLines(block, 75));

  expect(shown.map(({ text }) => text)).toContain('// CHECK: udiv %a, %b');
});

test('two assertions with one message are two failures if their values differ', () => {
  const assertion = (expected: number) =>
    `error: expect(received).toBe(expected)\n\nExpected: ${expected}\nReceived: 4\n\n`;
  const { failures } = condensed(
    `${assertion(3)}(fail) adds\n${assertion(5)}(fail) subtracts\n${assertion(5)}`,
  );
  const thrown = failures.filter(({ block }) => block.headline.text.startsWith('error'));

  expect(thrown.map(({ times }) => times)).toEqual([1, 2]);
});

test('two failures below a result without a name are two, also if the first lines below it are the same', () => {
  const failure = (name: string, got: number) =>
    `------------------------------\nShelf\n  ${name}\n  /p/shelf_test.go:39\nDEBUG filled\n\n• Failure [0.000 seconds]\nShelf\n/p/shelf_test.go:12\n  ${name} [It]\n  /p/shelf_test.go:39\n\n  Expected\n      <int>: ${got}\n`;
  const { failures } = condensed(failure('adds', 3) + failure('subtracts', 4));
  const failed = failures.filter(({ block }) => block.headline.text.startsWith('•'));

  expect(failed.map(({ times }) => times)).toEqual([1, 1]);
});

test('what a compared expression is, on a line of its own, is a value', () => {
  const { failures } = condensed(
    'cart_test.cc:9: Failure\nExpected equality of these values:\n  items\n    Which is: { 1, 2 }\n',
  );
  const value = failures[0]?.block.lines.find(({ text }) => text.includes('Which is'));

  expect(value?.priority).toBe(PRIORITY.detail);
});

test('what was expected and received is shown before what else is in the failure, also behind the prefix of a task', () => {
  const members = ['location: a.js', '---', 'name: Error', 'code: E1', 'expected: 32', 'actual: 30'];
  const text = ['not ok 1 - adds', ...members.map((member) => `  ${member}`)];
  const { failures } = condensed(text.map((line) => `web:test: ${line}`).join('\n'));
  const shown = failures.flatMap(({ block }) => bestLines(block, 85)).map((line) => line.text);

  expect(shown.join('\n')).toMatch(/expected: 32\n.*actual: 30/);
});

test('a line that names a test is shown with its failure, also before a blank line, but not with that of another test', () => {
  const separator = '='.repeat(20);
  const block = (name: string, error: string) =>
    `${separator}\n${name}\na.cc:7:\n\na.cc:7: ERROR: ${error}\n\n`;
  const { failures } = condensed(`${block('TEST CASE:  adds', 'not 3')}${block('a.cc', 'not 4')}`);
  const shown = failures.map(({ block: { lines } }) => lines.map(({ text }) => text));

  expect(shown[0]).toContain('TEST CASE:  adds');
  expect(shown[1]).not.toContain('TEST CASE:  adds');
});

test('of a few failures that say the same, each is shown with its values', () => {
  const failure = (i: number) =>
    `src/p${i}.toy:5:1: error: not found\n  expected: ${word(i)}${'.'.repeat(300)}\n`;

  expect(of(`${LONG}\n${many(12, failure)}${LONG}`).match(/expected: /g)).toHaveLength(12);
});

test('each failed test is named, even if the first has many details', () => {
  const details = (n: number) =>
    many(30, (i) => `    - expected line ${i} of ${n}\n    + received line ${i}`);
  const shown = of(many(8, (n) => `✗ test number ${n}\n  Error: wrong\n${details(n)}\n${LONG}`));

  for (let n = 0; n < 8; n++) expect(shown).toContain(`✗ test number ${n}\n`);
});

test('one failure of each kind is named with its place, even if others have many details', () => {
  const names = Array.from({ length: 34 }, (_, i) => `error: ${word(i)} is wrong\n --> src/a.rs:${i}:5`);
  const details = many(9, (i) => `  = note: see the long chapter ${word(i)} of the manual about it`);
  const shown = of(names.map((name) => `${name}\n${details}\n`).join('\n'));

  for (const name of names) expect(shown).toContain(name);
});

test('an output in which no line is sure to say what is wrong is shown without noise and repetition', () => {
  const survivors = Array.from(
    { length: 9 },
    (_, i) =>
      `[Survived] ${word(i)}\nsrc/fee.js:${i}:7\n-   if (days <= ${i}) return;\n+   if (false) return;\n`,
  );
  const shown = of(
    `${many(60, (i) => `✓ passes ${i}`)}\n${survivors.join('\n')}\nran ${'all '.repeat(200)}\n10:30:00 ERROR Final score 33 under threshold 75\n`,
  );

  for (const line of survivors.flatMap((survivor) => survivor.trim().split('\n')))
    expect(shown).toContain(line);
  expect(shown).not.toContain('passes');
});

test('each file is named where all failures say the same', () => {
  const failure = (i: number) =>
    `src/part${i}.ts format ━━━━━━━━━━\n\n  × Formatter would have printed the following content:\n\n${many(12, (n) => `    ${n} │ - part ${i} ${'x'.repeat(20)} ${n}`)}\n`;
  const shown = of(many(40, failure));

  for (let i = 0; i < 30; i++) expect(shown).toContain(`src/part${i}.ts`);
});

test('of errors that say the same, each is shown with its place, also below a blank line', () => {
  const files = ['cart', 'stock', 'order', 'voucher', 'invoice'];
  const error = (file: string) =>
    `✘ [ERROR] Type 'string' is not assignable to type 'number'.\n\n    src/${file}.ts:3:12:\n      3 │ total = text\n        ╵ ~~~~\n\n`;
  const output = `${LONG}\n${files.map(error).join('\n')}\n${LONG}`;

  expect(files.filter((file) => !of(output).includes(`src/${file}.ts:3:12`))).toEqual([]);
});

test('a warning above an error with a mark and a level is no reason of a failed test', () => {
  const output = '▲ [WARNING] unused\n\n    a.ts:1:2:\n\n✘ [ERROR] Cannot find b\n\n    a.ts:3:4:\n';

  expect(Object.values(severities(output))).toEqual([SEVERITY.warning, SEVERITY.located]);
});

test("the logs of a failed file's tests are not part of its failure", () => {
  const log = `  ● Console\n\n    console.log\n${many(40, (i) => `      <row number="${i}">`)}\n`;
  const shown = of(`${LONG}\nFAIL a.test.js\n${log}\n  ● sums › adds\n\n    expected 3, got 4\n${LONG}`);

  expect(shown).toContain('  ● sums › adds\n\n    expected 3, got 4\n');
  expect(shown).not.toContain('<row number="20"');
});

test('each hunk of a diff belongs to the failure above it', () => {
  const diff = '- Expected\n+ Received\n\n@@ -4,2 +4,2 @@\n     <td>\n-      1\n+      2';
  const [error] = condensed(`Error: not the same\n\n${diff}\n`).failures;

  expect(error?.block.lines.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['-      1', '+      2']),
  );
});

test('a crash report goes on after a blank line, with as many lines of words as before', () => {
  const words = 'one\ntwo\nthree\n    #0 a (/p/a.c:1:1)\n';
  const { failures } = condensed(`Error: use after free\n${words}\n${words}`);

  expect(failures).toHaveLength(1);
  expect(failures[0]?.block.lines.filter(({ text }) => text === 'three')).toHaveLength(2);
});

test('a frame with an address is part of the failure above it', () => {
  const frames = many(12, (i) => `app.d:${i} [0x560ce7ef0a${i}]`);

  expect(of(`${LONG}\nRangeError@app.d(7): Range violation\n----------------\n${frames}\n${LONG}`)).toContain(
    frames,
  );
});

test('an error is followed by as many lines of words as the heading above it', () => {
  const failure = '[ERROR]\nTraceback (most recent call last):\nReactorError: unclean\none\ntwo';

  expect(condensed(failure).failures[0]?.block.lines.map(({ text }) => text)).toEqual(failure.split('\n'));
});

test('what another task printed right before a crash is not shown', () => {
  const ofOther = many(4, (i) => `db | page ${i} written\ndb | lock of page ${i} released`);
  const ended = many(8, (i) => `api | ${'and '.repeat(i)}ended`);
  const shown = of(`${LONG}\n${ofOther}\napi | TypeError: boom\n${ended}\n`);

  expect(shown).toContain('api | TypeError: boom');
  expect(shown).not.toContain('page 2 written');
});

test('what was printed right before a crash at the end is shown', () => {
  const crash = `FATAL ERROR: heap out of memory\n${many(12, (i) => ` ${i}: 0xee8${i} v8::Heap::Collect [node]`)}`;

  expect(of(`${LONG}\nreading the table of orders\n${crash}\n`)).toContain('reading the table of orders\n');
});

test.each([
  ['errors: 0', 'errors: 3'],
  ['{"errors":0}', '{"errors":3}'],
  ['Found 0 errors', 'Found 3 errors'],
])('a count of no errors does not hide a count of errors: %s, then %s', (none, some) => {
  const failuresIn = (text: string) => condensed(text).failures.length + condensed(text).tallies.size;

  expect(condensed(`${none}\n${some}\n`).failures.map(({ block }) => block.headline.text)).toEqual(
    condensed(`${some}\n`).failures.map(({ block }) => block.headline.text),
  );
  expect(failuresIn(none)).toBe(0);
});

describe('the name of a failed test that is printed again, without a mark,', () => {
  const output = [
    '  ✘ [fail]: cart › counts each item',
    '  ✘ [fail]: cart › refuses an error Rejected promise returned by test',
    '  ✔ cart › is empty',
    '',
    '  cart › counts each item',
    '',
    '  test/cart.js:8',
    '',
    '  Difference (- actual, + expected):',
    '',
    '  - 12',
    '  + 16',
    '',
    '',
    '',
    '  cart › refuses an error',
    '',
    '  TypeError: x is undefined',
    '      at rate (/p/src/rate.js:3:5)',
    '',
    '  2 tests failed',
  ].join('\n');
  const blocks = condensed(output).failures.map(({ block }) => block.lines.map(({ text }) => text.trim()));

  test('has the details below it, and replaces the line of the list', () => {
    expect(blocks.map((lines) => lines.filter((text) => text !== ''))).toEqual([
      ['cart › counts each item', 'test/cart.js:8', 'Difference (- actual, + expected):', '- 12', '+ 16'],
      ['cart › refuses an error', 'TypeError: x is undefined', 'at rate (/p/src/rate.js:3:5)'],
    ]);
  });

  test('is no name if it is only the start of one', () => {
    const { failures } = condensed('✗ cart adds two › items\n\ncart adds two\n\n  at home\n');

    expect(failures).toHaveLength(1);
  });

  test('is shown once if nothing is below it', () => {
    const names = many(3, (i) => `(fail) cart > adds ${word(i)}`);

    expect(of(`${LONG}\n${names}\n${LONG}\n3 tests failed:\n${names}\n`).match(/adds/g)).toHaveLength(3);
  });
});

describe('a comment of TAP', () => {
  const yaml = (i: number) => `  ---\n    expected: ${i}\n    actual: 3\n  ...`;
  const output = `# adds an error\nok 1 - a\nnot ok 2 - b\n${yaml(2)}\n# subtracts\nok 3 - c\nnot ok 4 - d\n${yaml(4)}\n# fail  2`;
  const blocks = condensed(output).failures.map(({ block }) => block.lines.map(({ text }) => text));

  test('is the heading of the results below it, and no part of the failure above it', () => {
    expect(blocks).toEqual([
      ['# adds an error', 'not ok 2 - b', ...yaml(2).split('\n')],
      ['# subtracts', 'not ok 4 - d', ...yaml(4).split('\n')],
    ]);
  });
});

describe('an exception below a line of a log', () => {
  const log = 'ERROR [orders] could not load the rate';
  const stack = 'TypeError: x is undefined\n    at rate (/p/src/rate.ts:3:5)';
  const debug = many(100, (i) => `10:30:${i % 60} INFO [orders] order ${i} accepted`);

  test('is one failure with it, which was thrown', () => {
    const { failures } = condensed(`${log}\n${stack}\n`);

    expect(failures.map(({ block, severity }) => [block.lines.length, severity])).toEqual([
      [3, SEVERITY.thrown],
    ]);
  });

  test('is not surrounded by what else was logged', () => {
    expect(of(`${debug}\n${log}\n${stack}\n${debug}\n`)).not.toContain('accepted');
  });

  test('is the same failure at another time', () => {
    const { failures } = condensed(
      many(3, (i) => `2026-11-22T17:14:1${i}.122Z ${log}\n    at rate (/p/src/rate.ts:3:5)`),
    );

    expect(failures.map(({ times }) => times)).toEqual([3]);
  });
});

test('what a compiler notes about an error at places of their own is part of the error', () => {
  const output = [
    "a.cpp:23:29: error: no matching function for call to 'sum'",
    '    return sum(feet);',
    '           ^~~',
    "a.cpp:10:11: note: because 'Foot' does not satisfy 'Unit'",
    'template <Unit U> double sum(const std::vector<U> &items);',
    '          ^',
    "a.cpp:7:76: note: because the constraint 'convertible_to<double>' was not satisfied:",
    'template <typename T> concept Unit = requires(T t) { t.value(); };',
    '                                                     ^',
  ];
  const { failures } = condensed(output.join('\n'));

  expect(failures.map(({ block }) => block.lines.map(({ text }) => text))).toEqual([output]);
});

test('the options of a program are no part of its error', () => {
  const usage = many(90, (i) => `npm error   --option-${word(i % 10)} <value>`);

  expect(
    of(`npm error code EUSAGE\nnpm error Missing: a@1.1.1 from lock file\nnpm error Usage:\n${usage}\n`),
  ).toBe('npm error code EUSAGE\nnpm error Missing: a@1.1.1 from lock file');
});

test('the files that were recorded of a failed test are no part of its failure, but a text is', () => {
  const ruler = `    ${'─'.repeat(60)}`;
  const attached = (name: string, type: string, content: string) =>
    `    attachment #1: ${name} (${type}) ${'─'.repeat(20)}\n    ${content}\n${ruler}\n`;
  const output = [
    '  1) a.spec.js:6:3 › shows the cart ─────',
    '',
    '    Error: expect(locator).toHaveText(expected) failed',
    '        at a.spec.js:7:99',
    '',
    attached('picture', 'image/png', 'results/trace.png'),
    attached(
      'trace',
      'application/zip',
      'results/trace.zip\n    Usage:\n\n        npx show-trace results/trace.zip\n',
    ),
    attached('page', 'text/plain', 'The cart is empty'),
    '    Error Context: results/error-context.md',
  ].join('\n');
  const [failure] = condensed(output).failures;
  const texts = failure?.block.lines.map(({ text }) => text.trim());

  expect(texts).toEqual(
    expect.arrayContaining(['The cart is empty', 'Error Context: results/error-context.md']),
  );
  expect(texts?.join('\n')).not.toMatch(/trace|Usage/);
  for (const shown of [of(output), of(`${LONG}\n${output}`)])
    expect(shown.slice(shown.indexOf('a.spec.js:7:99'))).not.toMatch(/trace|…/);
});

test('the name of an external frame is omitted with its place', () => {
  const stack =
    'runtime error: boom\nmain.parse()\n\t/p/main.go:3 +0x1\ntesting.tRunner()\n\t/usr/lib/go/src/testing/testing.go:3 +0x1\n';
  const { failures } = condensed(stack);

  expect(of(stack)).not.toContain('tRunner');
  expect(failures.map(({ block }) => block.lines.map(({ text }) => text))).toEqual([
    ['runtime error: boom', 'main.parse()', '\t/p/main.go:3 +0x1'],
  ]);
});

test('what is indented below a passed test does not surround an error', () => {
  const passed = many(200, (i) => `ok ${i} - adds ${i}\n  ---\n  duration_ms: 0.${i}\n  ...`);

  expect(of(`${passed}\nERROR: Coverage for lines (46%) does not meet threshold (90%)\n`)).not.toContain(
    'duration',
  );
});

const LOGGED_BY_TESTS = `${many(300, (i) => `..ERROR: ${'a'.repeat(i % 7)}${String.fromCharCode(97 + (i % 26))} is only a fixture`)}\n..\n\n  600 passing (14ms)\n\n`;

test('what passed tests have logged is no reason that too little is covered', () => {
  const shown = of(
    `${LOGGED_BY_TESTS}ERROR: Coverage for lines (46%) does not meet global threshold (90%)\n`,
  );

  expect(shown).toContain('46%');
  expect(shown).not.toContain('fixture');
});

test('the error of a command that has failed before too little was covered is shown', () => {
  const format =
    '[error] No parser could be inferred for file "/p/src/x.foo".\nERROR: "format" exited with 1.\n';

  expect(
    of(`${format}${LOGGED_BY_TESTS}ERROR: Coverage for lines (46%) does not meet global threshold (90%)\n`),
  ).toContain('No parser');
});

test('what tests have logged is shown where something else has failed than coverage', () => {
  const error = 'TypeError: a is not a function\n    at run (src/run.js:3:5)\n';

  expect(
    of(`${LOGGED_BY_TESTS}${error}ERROR: Coverage for lines (46%) does not meet global threshold (90%)\n`),
  ).toContain('fixture');
});

test.each([
  [
    'source that is quoted below a blank line, without a border',
    "src/a.ts:6:16 - error TS2551: Property 'email' does not exist.\n\n6   <h2>{{ email }}</h2>\n            ~~~~~\n\n  src/types.ts:1:39\n    'mail' is declared here.",
  ],
  [
    'what is below a numbered place',
    '[1] openapi.yaml:6:11 at #/get\n\n`in` is not one of these: query.\n\n6 |     in: querry\n  |         ^^^^^^\n\nError was generated by the struct rule.',
  ],
])('a failure has %s', (_, text) => {
  const { failures } = condensed(`${text}\n`);

  expect(failures.map(({ block }) => block.lines.map((line) => line.text).join('\n'))).toEqual([text]);
});

test('each numbered place is a failure', () => {
  const { failures } = condensed('[1] a.yaml:6:11 at #/get\n\nwrong\n\n\n[2] a.yaml:9:1 at #/put\n\nwrong\n');

  expect(failures).toHaveLength(2);
});

test('the lines that a second attempt repeats are the first that a failure leaves out', () => {
  const ending = many(20, (i) => `${'finished '.repeat(i + 1)}all`);
  const attempt = many(22, (i) => `    + received ${word(i)} instead of what was expected`);
  const output = `${LONG}\n1) adds\n    Error: wrong\n${attempt}\n    Retry #1\n    Error: wrong\n${attempt}\n    + received four instead of what was expected\n${ending}`;

  expect(of(output)).toContain('+ received four instead');
});

test('the members of a record that is no failure do not surround an error', () => {
  const record = (i: number) => `[10:30:0${i}] DEBUG (7): handled\n    service: "s${i}"\n    ms: ${i}`;
  const output = `${LONG}\n${many(9, record)}\n[10:30:09] ERROR (7): boom\n    service: "stock"\n${many(9, record)}`;

  expect(of(output)).toContain('ERROR (7): boom\n    service: "stock"');
  expect(of(output)).not.toContain('ms:');
});

describe('the records of a JSON logger', () => {
  const record = (level: number, more: string) =>
    `{"level":${level},"time":1795365699599,"pid":4711,${more}}`;
  const chatter = many(80, (i) => record(i % 2 ? 20 : 30, `"rows":${i},"msg":"query ${i} of error_log"`));
  const error = record(
    50,
    '"err":{"type":"TypeError","stack":"TypeError: x is undefined\\n    at rate (/p/src/rate.ts:3:5)"},"msg":"no rate"',
  );
  const shown = of(`${chatter}\n${error}\n${chatter}\n`);

  test('are shown if they are errors, with the stack as its author wrote it', () => {
    expect(shown).toContain('TypeError: x is undefined\n        at rate (/p/src/rate.ts:3:5)\n');
    expect(shown).toContain('"msg":"no rate"}');
  });

  test('are no failures below a warning, and do not surround an error', () => {
    expect(shown).not.toContain('error_log');
  });

  test('are no headings of a failure that is indented', () => {
    const { failures } = condensed(`cart\n${record(40, '"msg":"slow query"')}\n  1) adds\n`);

    expect(failures.at(-1)?.block.lines.map(({ text }) => text)).toEqual(['cart', '  1) adds']);
  });

  test('are shown if nothing else is', () => {
    expect(of(chatter)).toContain('error_log');
  });
});

describe('in a failure, a line that points elsewhere', () => {
  const around = (line: string) => `src/a.ts:3:5: error: boom\n${line}\n  expected: 3\n  received: 4`;
  test.each([
    ['to a manual', '  = help: for further information visit https://x.dev/index.html#boom'],
    ['to the page of a rule', '  docs: https://docs.x.dev/lint/boom'],
    ['to a page by its address', '  https://x.dev/docs/messages/boom'],
    ['to a page of a reference by its address', '  https://x.dev/en/reference/boom'],
    ['to a page, and what it is about', '  See https://x.dev/schemas for more information on schemas.'],
    [
      'to a page, and the line that introduces it',
      '  You can find more about it here:\n  https://x.dev/docs/boom',
    ],
    ['to an option that prints more', '  (See full trace by running task with --trace)'],
    ['to a switch of the rule', '  = help: to override `-D warnings` add `#[allow(boom)]`'],
    ['to a log', '  See also "/p/build/CMakeFiles/CMakeError.log".'],
    ['to an explanation', '  (Background on this error at: https://x.dev/e/14/e3q8)'],
    ['to a manual, at a place', 'src/a.ts:3: note: See https://docs.x.dev/en/stable/running.html#imports'],
    ['to a manual for an explanation', 'See the x.def package documentation for explanation.'],
    ['to a variable that prints more', '  set X_FULL_TRACE=true to see the full stack trace'],
    [
      'to an option that prints what was left out',
      '  note: some arguments are omitted. use `--verbose` to show all arguments',
    ],
    ['to a command that repeats one test', "  Use -p '/boom/' to rerun this test only."],
    ['to a command that explains a code', 'For more information about an error, try `x --explain E0277`.'],
    ['to the way to allow it', '  If this is expected, you can disable this check via config.'],
    ['to the way to suppress it', '  To suppress or handle this error, implement `handleError`.'],
    [
      'to the way to leave it out',
      '  You can mark the path "pad" as external to exclude it, which will remove this error.',
    ],
    ['to an option that does not check', '  hint: Re-run with --no-check to skip type-checking.'],
  ])('%s is omitted', (_, line) => {
    const expected = around('').split('\n').filter(Boolean);
    for (const output of [around(line), `${LONG}\n${around(line)}\n${LONG}`])
      expect(
        of(output)
          .split('\n')
          .filter((shown) => shown !== '' && !LONG.includes(shown) && !shown.startsWith('…')),
      ).toEqual(expected);
  });

  test.each([
    ['the command that fixes it', '  Run `x --write` to fix the style.'],
    ['an address that the failure is about', '  https://x.dev/sitemap'],
    ['what a page said', '  https://x.dev/docs/a answered 404'],
    ['a heading', '  See the following errors:'],
    ['what to change', '  help: use `--allow-read` in the task'],
    [
      'that there are more',
      '  The number of errors exceeds the limit allowed. Use --max-errors to increase it.',
    ],
  ])('%s is shown', (_, line) => {
    expect(of(around(line))).toContain(line.trim());
  });
});

test('the stack below a pointer to a manual is that of the error above it', () => {
  const pointer = 'You can find more about it here:\nhttps://x.dev/rules/name?of=api\n';
  const { failures } = condensed(`Error: no name\n\n${pointer} ❯ src/a.test.ts:12:34\n`);

  expect(failures.map(({ block }) => block.lines.map(({ text }) => text))).toEqual([
    ['Error: no name', '', ' ❯ src/a.test.ts:12:34'],
  ]);
});

test('a failure has the indented lines of a task with an indented tag', () => {
  const lines = [
    '/p/A.java:22: error: incompatible types',
    '    return x;',
    '           ^',
    '    equality constraints: Long',
    '    lower bounds: Double',
  ];
  const { failures } = condensed(`${lines.map((line) => `    [javac] ${line}`).join('\n')}\n`);

  expect(failures.map(({ block }) => block.lines.map(({ text }) => text))).toEqual([lines]);
});

test('external frames are left out of a short output too if a runner has put a prefix before them', () => {
  const crash = [
    'TypeError: Invalid URL',
    '    at new URL (node:internal/url:806:29)',
    '    at Object.<anonymous> (/p/server.js:3:1)',
    '    at Module._compile (node:internal/modules/cjs/loader:1521:14)',
    '    at Module.load (node:internal/modules/cjs/loader:1266:32)',
  ];
  const shown = of(`${crash.map((line) => `[WebServer] ${line}`).join('\n')}\n`);

  expect(shown).toContain('    at Object.<anonymous> (/p/server.js:3:1)');
  expect(shown).not.toContain('node:internal');
});

test('an indented traceback is one failure with its exception, also with blank lines between the frames', () => {
  const traceback = [
    '    Traceback (most recent call last):',
    '',
    '      File "/p/tests/test_cart.py", line 20, in test_total',
    '    self.assertThat(cart.total(), Equals(3))',
    '',
    '      File "/usr/lib/python3/dist-packages/testtools/testcase.py", line 480, in assertThat',
    '    raise mismatch_error',
    '',
    '    testtools.MismatchError: 3 != 4',
  ];
  const [failure, ...others] = condensed(traceback.join('\n')).failures;
  const shown = failure?.block.lines.map(({ text }) => text) ?? [];
  expect(others).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining([traceback[2], traceback[3], traceback[8]]));
});

test('an exception and its stack are read behind the bars of a tree', () => {
  const shown = of(
    [
      LONG,
      '│  ├─ keeps a room',
      '│  │       tags: []',
      '│  │     parent: [engine:jupiter]/[class:shop.RoomTest]',
      '│  │     caught: java.lang.NullPointerException: no such room',
      '│  │               \tat shop.Rooms.keep(Rooms.java:17)',
      '│  │               \tat java.base/java.lang.reflect.Method.invoke(Method.java:569)',
      '│  │               \tat shop.RoomTest.keeps(RoomTest.java:30)',
      '│  │   duration: 62 ms',
      '│  │     status: ✘ FAILED',
      LONG,
    ].join('\n'),
  );

  expect(shown).toContain(
    '│  │     caught: java.lang.NullPointerException: no such room\n│  │               \tat shop.Rooms.keep(Rooms.java:17)\n│  │               \tat shop.RoomTest.keeps(RoomTest.java:30)\n',
  );
  expect(shown).not.toMatch(/parent:|duration:/);
});

describe('external frames', () => {
  test.each([
    ['of packages', '    at run (/p/node_modules/vitest/dist/run.js:1:1)'],
    ['of Node', '    at node:internal/process/task_queues:95:5'],
    ['of Python', '  File "/p/.venv/lib/python3.11/site-packages/x.py", line 3, in run'],
    ['of Java', '\tat java.base/java.lang.Thread.run(Thread.java:833)'],
    ['of Groovy', '\tat org.codehaus.groovy.runtime.InvokerHelper.assertFailed(InvokerHelper.java:420)'],
    ['of Erlang', 'in call from eunit_test:run_testfun/1 (eunit_test.erl, line 71)'],
    ['of the C library', '#2  0x00007ffff7e5e1f5 in start_thread (arg=0x0) at ./nptl/pthread_create.c:442'],
    ['of Rust', '             at /rustc/90b35a6/library/core/src/panicking.rs:72:14'],
    ['of the C library, where it prints', '    by 0x48DD993: puts (ioputs.c:35)'],
    ['of the C library, by its file', '    at 0x48F41F4: start_thread (pthread_create.c:442)'],
    ['of the C++ library, by a sanitizer', '    #7 <null> <null> (libstdc++.so.6+0xd44a2)'],
    [
      'of a header of the compiler',
      '    #1 lock(int*) /usr/bin/../lib/gcc/x86_64-linux-gnu/12/gthr.h:749:12',
    ],
    ['of pytest', '/usr/lib/python3.11/importlib/__init__.py:126: in import_module'],
    ['of Deno', '    at innerWrapped (ext:cli/40_test.js:300:11)'],
    [
      'of Mono',
      '  at (wrapper managed-to-native) System.Reflection.RuntimeMethodInfo.InternalInvoke(object)',
    ],
    ['of OCaml', 'Called from Alcotest_engine__Monad.catch in file "src/core.ml", line 24, characters 31-35'],
    ['of V8', ' 5: 0x1113088 v8::internal::Heap::CollectGarbage(v8::internal::AllocationSpace) [node]'],
    ['behind a tag', '🦋  error     at run (/p/node_modules/cli/cli.cjs.js:1604:11)'],
    ['of built-in functions', '    at Array.forEach (<anonymous>)'],
    ['of built-in functions, before what an error has', '    at Array.forEach (<anonymous>) {'],
    ['of promises', '    at async Promise.all (index 3)'],
    ['of Jasmine', '    at <Jasmine>'],
    [
      'with the address of a manual as its place',
      '    at <unknown> (https://docs.example/messages/not-found)',
    ],
    ['of Node, without a word before it', '    async Test.run (node:internal/test_runner/test:797:9)'],
    ['of Tcl', '    ("uplevel" body line 1)'],
    ['of Tcl, as a command', '    "source tests/cart.tcl"'],
    ['of a macro in Lisp', "    (let ((value-202 'ert-form-evaluation-aborted-203)) (let (form"],
    ['with an address, of a library', '/usr/lib/ldc/include/d/std/conv.d:2524 [0x560ce7ef3d98]'],
    [
      'of a test runner in Java, without a word before it',
      '       org.junit.jupiter.api.Assertions.assertThrows(Assertions.java:3083)',
    ],
    [
      'of Java, with the version of its module',
      '       java.base@17.0.15/java.lang.Thread.sleep(Native Method)',
    ],
    ['of Clojure', '    clojure.test$test_var$fn__9856.invoke (test.clj:717)'],
    ['of Clojure, around the function', '    app.stock$parse_line.invoke (stock.clj:5)'],
    ['of Clojure, where it was loaded', '  [app.stock_test$eval197 invokeStatic "stock_test.clj" 9]'],
    ['of Clojure, as data', '  [clojure.lang.RT boundedLength "RT.java" 1790]'],
    [
      'of Julia',
      ' [2] wait_connected(::Sockets.TCPSocket) at /opt/julia/stdlib/v1.4/Sockets/src/Sockets.jl:520',
    ],
    ['of Julia, inlined', ' [2] connect at /opt/julia/stdlib/v1.4/Sockets/src/Sockets.jl:555 [inlined]'],
    ['of Julia, without a path', ' [8] include(::String) at ./client.jl:439'],
    ['of Julia, with a module', '   @ Base ./client.jl:489'],
    ['of AssertJ', '\tat org.assertj.core.api.ThrowableAssert.catchThrowable(ThrowableAssert.java:62)'],
    ['of sbt', '\tat sbt.std.Transform$$anon$4.work(System.scala:64)'],
    ['of ScalaTest', '\tat org.scalatest.Transformer.apply(Transformer.scala:22)'],
    ['of a test runner of Dart', '#2      expect (package:test_api/src/expect.dart:149:31)'],
    ['of Flutter', '#5      testWidgets.<anonymous closure> (package:flutter_test/src/tester.dart:192:15)'],
    ['of Dart', '#7      _rootRunUnary (dart:async/zone.dart:1407:47)'],
    [
      'of Lisp, with a whole form',
      `  (or (package-installed-p package) (let ((known ${'(assoc package contents) '.repeat(5)})) known))`,
    ],
    ['of Lisp, with a closure', '  apply((closure (t) (package) "Install it." (install package)) shop)'],
    ['without a name', '   3: <unknown>'],
    ['with an address, without a place', '??:? runModuleUnitTests [0x7f5d7a7f02f4]'],
    ['of glog', '    @     0x7f0a7a9911ed  google::LogMessage::Fail()'],
    ['of the start of a program', '    @     0x7f0a7a445305  __libc_start_main'],
    ['of what a sanitizer replaces', '    #0 pthread_create <null> (cache+0x534cd) (BuildId: ac823ba0)'],
    ['of Crystal', "         from /tmp/cache/crystal-run-spec.tmp in '_start'"],
    ['of Lua', "\t[C]: in function 'xpcall'"],
    ['of Go', 'panic({0x5a5ca0, 0x5fff40})'],
    ['of Go, in a directory of its own', 'internal/poll.(*FD).Read(0xc000012345)'],
    ['of Go, where CI services install it', '\t/opt/toolcache/go/1.22.1/x64/src/internal/poll/fd.go:9 +0x2b'],
    ['of an older Node', '    at load (internal/modules/cjs/loader.js:638:32)'],
    ['of Emacs', '  signal(wrong-number-of-arguments (#<subr max> 0))'],
    ['of Racket', '   /usr/share/racket/collects/contract/private/blame.rkt:346:0: raise-blame-error'],
    ['of a program that is installed', '  File "/usr/bin/alembic", line 33, in <module>'],
    ['of Erlang, as a term', '    {gen_server,handle_msg,6,[{file,"gen_server.erl"},{line,1178}]},'],
    ['of Erlang, as the end of a term', '    [{file,"proc_lib.erl"},{line,240}]}]}'],
    ['of generated code', '  File "<string>", line 8, in create_index'],
  ])('are omitted: %s', (_, frame) => {
    const stack = `TypeError: boom\n    at own (/p/src/own.ts:3:5)\n${frame}\n    at last (/p/src/last.ts:7:5)\n`;
    const shown = of(`${LONG}\n${stack}${LONG}`);

    expect(shown).toContain(
      'TypeError: boom\n    at own (/p/src/own.ts:3:5)\n    at last (/p/src/last.ts:7:5)\n',
    );
    expect(of(stack)).not.toContain(frame.trim());
  });

  test('are omitted with the code below them, also if that is a call', () => {
    const frame = (file: string, code: string) => `  File "${file}", line 3, in run\n    ${code}\n`;
    const frames = `${frame('/p/own.py', 'send(orders)')}${frame('/usr/lib/python3/x.py', 'self.start(orders)')}`;
    const shown = of(`${LONG}\nTraceback (most recent call last):\n${frames}ValueError: boom\n${LONG}`);

    expect(shown).toContain('send(orders)');
    expect(shown).not.toContain('self.start(orders)');
  });

  test.each([
    ['Lisp', '    (let ((total 3)) (should (= total 4)))'],
    ['Tcl', '    (procedure "route::length" line 1)'],
    ['a quoted text', '    "source of the order is missing"'],
    ['an internal package of a project in Go', '\t/p/internal/cart/cart.go:35 +0x173'],
    ['an internal module of a project', '    at total (/p/src/internal/cart.js:35:7)'],
    ['a function within another one in Clojure', '    app.stock$totals$fn__157.invoke (stock.clj:10)'],
    ['a script in an argument', '  File "<string>", line 1, in <module>'],
  ])('are not lines of %s', (_, line) => {
    expect(of(`Error: boom\n    at own (/p/src/own.ts:3:5)\n${line}\n`)).toContain(line);
  });

  test('are not those with the message of what was thrown there', () => {
    const frame = "/usr/share/gems/record/validations.rb:80:in `fail': Validation of cents has failed";

    expect(of(`${LONG}\n${frame}\n\tfrom app.rb:9:in \`<main>'\n${LONG}`)).toContain(frame);
  });

  test("are not those of the project's functions that take types of a library", () => {
    const frame = '    #0 Cache::put(std::string const&, std::vector<int>) /p/cache.cpp:9:12';

    expect(of(`${LONG}\nWARNING: data race\n${frame}\n${LONG}`)).toContain(frame);
  });

  describe('with an offset in a program, and without a place,', () => {
    const error = '==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602';
    const inner = '    #0 0x562fe in copy (/p/prog+0x432a1)';
    const placed = '    #1 0x562fe in checksum(Chunk const&) /p/parse.cc:8:56';
    const outer = '    #2 0x562fe in fuzzer::Fuzzer::Loop() (/p/prog+0x432a3) (BuildId: 0cb5a662)';
    test.each([
      [
        'are omitted outside of one with a place',
        [inner, `${placed} (/p/prog+0x432a2)`, outer],
        [inner, placed],
      ],
      ['are shown if none has a place', [inner, outer], [inner, outer]],
    ])('%s', (_, stack, shown) => {
      expect(of(`${error}\n${stack.join('\n')}\nSUMMARY: overflow\n`)).toBe(
        `${error}\n${shown.join('\n')}\nSUMMARY: overflow`,
      );
    });
  });

  describe('that threw are shown', () => {
    const thrower = '    at connect (/p/node_modules/tcp/socket.js:421:36)';
    const others =
      '    at request (/p/node_modules/http/agent.js:9:2)\n    at node:internal/process/task:95:5';
    const error = 'TypeError: not a function';
    test.each([
      ['in a short output', `${error}\n${thrower}\n${others}\n`],
      ['in a long output', `${LONG}\n${error}\n${thrower}\n${others}\n${LONG}`],
    ])("if no frame is the project's, %s", (_, output) => {
      expect(of(output)).toContain(`${error}\n${thrower}`);
      expect(of(output)).not.toContain('/http/agent.js');
    });

    test.each([
      ['', thrower, '    at own (/p/src/own.ts:3:5)'],
      [
        ', in Python',
        '  File "/usr/lib/python3/dist-packages/x.py", line 3, in run',
        '  File "/p/own.py", line 5, in own',
      ],
    ])("but not beside the project's%s", (_, external, own) => {
      expect(of(`Traceback (most recent call last):\n${external}\n${own}\n${error}\n`)).not.toContain(
        external,
      );
    });
  });
});

describe('a repeated failure', () => {
  test.each([
    ['differs', 'missing', 2],
    ['is the same', 'late', 1],
  ])('whose headline begins a value is another one if the value %s', (_, reason, count) => {
    const failure = (name: string) =>
      `Error: {\n  code: 3,\n  order: [\n    7\n  ],\n  reason: '${name}'\n}\n`;
    const { failures } = condensed(`${failure('late')}${LONG}\n${failure(reason)}`);

    expect(failures.filter(({ block }) => block.headline.text === 'Error: {')).toHaveLength(count);
  });

  /** So many other lines that the end of the output shows nothing of what was before. */
  const ending = many(20, (i) => `${'finished '.repeat(i + 1)}all`);
  test('is shown once, with a count', () => {
    const failures = many(50, () => `${LONG}\nError: boom\n    at a (/p/src/a.ts:3:5)`);
    const shown = of(`${failures}\n${ending}`);

    expect(shown).toContain('Error: boom (×50)\n    at a (/p/src/a.ts:3:5)');
    expect(shown.match(/Error: boom/g)).toHaveLength(1);
  });

  test('is shown once if only times and addresses differ', () => {
    const late = (i: number) => `step ${i}\nError: no answer after ${i} ms from 0x${i + 1000}`;
    const shown = of(`${many(1200, late)}\n${ending}`);

    expect(shown.match(/no answer/g)).toHaveLength(1);
    expect(shown).toContain('(×1,200)');
  });

  test.each([
    ['two places that lines below point to', (place: number) => `error: unused\n --> src/a.rs:${place}:5\n`],
    [
      'two examples, with one heading',
      (place: number) => `Failed example:\n    to_roman(${place})\nExpected:\n    1\n*****\n`,
    ],
  ])('is not one at %s', (_, failure) => {
    const shown = of(`${LONG}\n${failure(3)}\n${failure(41)}\n${failure(41)}\n${LONG}`);

    expect(shown).toContain(failure(3).replace(/\**\n$/, ''));
    expect(shown).toContain('(×2)');
  });

  test('is shown once with its count in a short output, unless it was printed with more', () => {
    expect(of('Error: boom\nError: boom\n')).toBe('Error: boom (×2)');
    expect(of('Error: boom\nError: boom\n    at a (src/a.js:3:5)\n')).toContain('src/a.js:3:5');
    const placed = (line: number) => `Error: boom\n    at a (src/a.js:${line}:5)\n`;
    expect(of(placed(3) + placed(41))).toContain('src/a.js:41:5');
  });
});

test.each([
  '✗ shows 2 errors',
  'AssertionError: expected 2 warnings, got 3',
  '2/3 Test #2: adds .........................***Failed    0.01 sec',
])('a failure with a number in it is shown: %s', (line) => {
  expect(
    of(`${many(3000, (i) => `✓ adds ${i}`)}\n${line}\n${many(3000, (i) => `✓ subtracts ${i}`)}`),
  ).toContain(line);
});

test.each([
  ['nothing', ''],
  ['blank lines', '\n \n\u001b[0m\n'],
])('the text of a failure says so if the command printed %s', (_, text) => {
  const result = resultOf('a', 'failed', { output: printed(text) });
  const context = { findings: condensed(text), same: undefined, note: undefined };

  expect(failureText(result, context, '/p', 1000)).toMatch(/\nIt printed nothing\.$/);
});

test.each([
  ['quoted source', '   12 | throw new Error("not found")'],
  ['quoted source of a diff', '   12 13 │   throw new Error("not found")'],
  ['a line that a diff adds', '    1 │ + expect(found).toBe(missing)'],
  ['a line that a compiler suggests', '12 +     return Err("not found")'],
  ['a line that a compiler would remove', '12 -     return Err("not found")'],
  ['a line of a diff that is removed', '-expected: 3'],
  ['a suggestion', 'help: the following trait is not found in scope'],
  ['a suggestion in a frame', '  = help: the missing item is `next`'],
  ['an option of a compiler', 'cc -O2 -Werror=format-security -c a.c'],
  ['an option', 'valgrind --error-exitcode=9 ./convert'],
])('the words of %s are no failure', (_, line) => {
  expect(severities(line)).toEqual({});
});

test.each([
  '\t  3 - slow (Failed)',
  '- missing key: name',
  'the option --watch was not found',
  'pre-commit failed',
])('a line that looks quoted may be a failure: %j', (line) => {
  expect(Object.keys(severities(line))).toEqual([line]);
});

test('a failed test below a warning is a failure of its own', () => {
  const { failures } = condensed(
    'npm warn deprecated glob@7.2.3: not supported\n\n RUN  v4.1.12 /p\n\n ❯ tests/a.test.js (2 tests | 2 failed) 9ms\n   × adds 1ms\n',
  );
  expect(failures.map(({ block }) => [block.headline.text, block.severity])).toEqual([
    ['npm warn deprecated glob@7.2.3: not supported', SEVERITY.warning],
    ['   × adds 1ms', SEVERITY.failedTest],
  ]);
});

test('a file that is announced below a warning is the heading of the next error', () => {
  const { failures, tallies } = condensed(
    'a.c:1:2: warning: unused variable\n    1 | int x;\n      |     ^\nb.c: In function ‘f’:\nb.c:3:4: error: no member named ‘len’\n',
  );

  expect(failures.map(({ block }) => block.headline.text)).toEqual([
    'a.c:1:2: warning: unused variable',
    'b.c:3:4: error: no member named ‘len’',
  ]);
  expect(failures[1]?.block.lines[0]?.text).toBe('b.c: In function ‘f’:');
  expect([...(tallies.get(SEVERITY.located)?.files ?? [])]).toEqual([['b.c', 1]]);
});

test.each([
  [
    'by RSpec',
    "Pending: (Failures listed here are expected and do not affect your suite's status)\n\n  1) Cart adds the tax\n     Failure/Error: pending { expect(tax).to eq 20 }\n\n       expected: 20\n\nFailures:\n\n  1) Cart is empty\n     Failure/Error: expect(size).to eq 0\n",
    'Cart is empty',
  ],
  [
    'by Jasmine',
    'Failures:\n1) Cart is empty\n  Message:\n    Expected 1 to be 0.\n\nPending:\n\n1) Cart adds the tax\n  Temporarily disabled with xit\n',
    'Cart is empty',
  ],
  [
    'by PHPUnit',
    'There was 1 skipped test:\n\n1) CartTest::testTax\nadds the tax, when there is a clock\n\n/p/CartTest.php:8\n\n--\n\nThere was 1 failure:\n\n1) CartTest::testSize\nFailed asserting that 3 is 4.\n',
    'CartTest::testSize',
  ],
  [
    'by Minitest',
    '  1) Skipped:\nCartTest#test_tax [/p/cart_test.rb:20]:\nadds the tax, when there is a clock\n\n  2) Failure:\nCartTest#test_size [/p/cart_test.rb:8]:\nExpected: 3\n  Actual: 4\n',
    'CartTest#test_size',
  ],
])('tests that did not have to pass are left out where they are listed %s', (_, output, failed) => {
  const shown = of(`${many(200, (i) => `built page ${i}`)}\n${output}`);
  expect(shown).toContain(failed);
  expect(shown).not.toContain('adds the tax');
});

test('what was printed before a failed test is not shown as what led to it', () => {
  const steps = many(60, (i) => `built ${'a '.repeat(i)}page`);
  const printed = 'Batch 1 run\nApplied 20240110_carts.js\nApplied all';

  expect(of(`${steps}\n${printed}\n✗ adds\n  expected 3, got 4\n1 failed\n`)).not.toContain('Applied');
  expect(of(`${steps}\n${printed}\nFATAL: no carts\n`)).toContain('Applied');
});

test('the files through which a compiler has come to a warning are no failure', () => {
  const inclusion =
    'In file included from /usr/include/a.h:59,\n                 from /usr/include/b.h:3,\n                 from /p/src/a.cc:2:';
  const { failures } = condensed(`${inclusion}\n/usr/include/c.h:4:5: warning: unused\n`);

  expect(failures.map(({ severity }) => severity)).toEqual([SEVERITY.warning]);
});

test('a function that a library of Go has called is left out with its place, far from other lines too', () => {
  const stack = [
    'panic: no map [recovered]',
    'goroutine 6 [running]:',
    'panic({0x5e8880, 0x67c8f0})',
    '\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212',
    'example.com/shop/api.(*server).quote(0xc000014078)',
    '\t/p/api/api.go:39 +0x205',
    'net/http.HandlerFunc.ServeHTTP(0x67d240?)',
    '\t/usr/lib/go-1.19/src/net/http/server.go:2109 +0x2f',
    'net/http.(*ServeMux).ServeHTTP(0x61a374?)',
    '\t/usr/lib/go-1.19/src/net/http/server.go:2487 +0x149',
    'example.com/shop/api.TestQuote(0xc00014ab60)',
    '\t/p/api/api_test.go:28 +0x117',
  ].join('\n');
  const logs = many(90, (i) => `--- PASS: TestItem${i} (0.00s)`);

  const shown = of(`--- FAIL: TestQuote (0.00s)\n${stack}\nFAIL\tapi\t0.008s\n${logs}\n`);
  expect(shown).toContain('api_test.go:28');
  expect(shown).not.toContain('ServeHTTP');
});

test('the place of a warning, on a line above it, is no part of the error before it', () => {
  const error =
    "/p/src/Row.svelte:5:25\nError: 'run' is possibly 'undefined'. (ts)\n  let { run } = $props();\n";
  const warning =
    '/p/src/Chart.svelte:7:1\nWarn: `<img>` element should have an alt attribute\n<img src="/a.svg">\n';

  const shown = of(`${error}\n${warning}\n${error.replace('Row', 'Cell')}\n${many(20, () => warning)}`);
  expect(shown).toContain('Cell.svelte:5:25');
  expect(shown).not.toContain('Chart');
});

test('the members of an error are left out with its first print, also below the frames of a runner', () => {
  const frames = many(8, (i) => `      at runner${i} (node:internal/test_runner/test:${i}:9)`);
  const print = `✖ adds (4.17ms)\n  AssertionError [ERR_ASSERTION]: the sum is wrong\n      at a (/p/a.test.js:2:9)\n${frames} {\n    actual: 2,\n    expected: 3,\n  }\n`;

  const shown = of(
    `${print}\n✔ subtracts (1ms)\nℹ tests 2\n✖ failing tests:\n\ntest at a.test.js:2:1\n${print}`,
  );
  expect(shown.match(/actual: 2/g)).toHaveLength(1);
  expect(shown.match(/the sum is wrong/g)).toHaveLength(1);
});

test.each([
  ['a diff', '  + actual - expected\n  \n  + 2\n  - 3\n'],
  ['both values', '  2 !== 3\n  \n'],
])('the members of an error with its values are left out below %s', (_, compared) => {
  const print = `✖ adds (4.17ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be equal:\n${compared}      at a (/p/a.test.js:2:9) {\n    code: 'E_SUM',\n    actual: 2,\n    expected: 3,\n  }\n`;

  const shown = of(`${LONG}\n${print}\n${LONG}\n✖ failing tests:\n\n${print}`);
  expect(shown).toContain(compared.trim().split('\n').at(-1));
  expect(shown).not.toMatch(/(?:actual|expected): \d/);
});

test('a failed test has the name of its suite above it, and its place where that is printed at the end only', () => {
  const passed = many(40, (i) => `  ✔ passes ${i} (1.5ms)`);
  const failed = "✖ collects files (28.4ms)\n  'the event loop has already resolved'\n";

  const shown = of(
    `▶ Debouncer\n${passed}\n  ${failed.replace('\n', '\n  ')}\n✖ Debouncer (25.7ms)\n${passed}\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/watch.test.js:7:3\n${failed}`,
  );
  expect(shown).toContain(`test at test/watch.test.js:7:3\n${failed}`.trim());
  expect(shown.match(/collects files/g)).toHaveLength(1);
  expect(
    of(`▶ Debouncer\n${passed}\n  ✖ waits (2ms)\n    Error: late\n✖ Debouncer (25.7ms)\n${passed}`),
  ).toMatch(/▶ Debouncer\n… 40 lines …\n {2}✖ waits \(2ms\)\n {4}Error: late(?!.*✖ Debouncer)/s);
});

test('the titles of suites are left out where the failed tests below them are shown with their details', () => {
  const tree = '  cart\n    ✓ is empty\n    ✕ adds (3 ms)\n  <Total>\n    ✕ rounds\n';
  const details = (name: string) =>
    `  ● ${name}\n\n    expect(1).toBe(2)\n\n      at a (test/a.test.js:3:5)\n`;

  const shown = of(
    `${LONG}\nFAIL test/a.test.js\n${tree}\n${details('cart › adds')}\n${details('<Total> › rounds')}`,
  );
  expect(shown).not.toMatch(/^ {2}(?:cart|<Total>)$/m);
  expect(shown).toContain('● <Total> › rounds');
});

test('what a browser does before it acts on an element is left out', () => {
  const steps = many(
    9,
    () =>
      '      - waiting for element\n      - element is visible, enabled and stable\n      - done scrolling\n      - <div class="banner">Cookies</div> intercepts pointer events\n    - retrying click action\n    - waiting 500ms',
  );
  const shown = of(
    `${LONG}\n  1) shop.spec.js:8:3 › opens the cart\n\n    TimeoutError: locator.click: Timeout 2000ms exceeded.\n    Call log:\n${steps}\n        at shop.spec.js:9:52\n\n  1 failed\n`,
  );

  expect(shown).toContain('intercepts pointer events');
  expect(shown).not.toMatch(/scrolling|retrying|waiting 500ms/);
});

test('what failed in one run of tests is not excused by what passes in the next one', () => {
  const run = (name: string, isOk: boolean) =>
    `running 2 tests\ntest ${name} ... ${isOk ? 'ok' : 'FAILED'}\ntest ${name}::twice ... ok\n\n${isOk ? '' : `failures:\n\n---- ${name} stdout ----\n\nthread '${name}' (17) panicked at src/lib.rs:9:5:\nno cart for ${name}\n\n\nfailures:\n    ${name}\n\n`}test result: ${isOk ? 'ok. 1 passed; 0 failed' : 'FAILED. 0 passed; 1 failed'}\n`;

  const output = `${LONG}\n${run('adds', false)}${many(60, (i) => run(`pays${i}`, true))}`;
  expect(severities(output)["thread 'adds' (17) panicked at src/lib.rs:9:5:"]).toBe(SEVERITY.thrown);
});

test('the stack of an exception that a program has logged is shown below the name of the failed test only', () => {
  const stack = (frame: string) =>
    `Traceback (most recent call last):\n  File "/p/shop/${frame}.py", line 32, in ${frame}\n    book.full_name\nAttributeError: 'Author' object has no attribute 'full_name'\n`;
  const shown = of(
    `${LONG}\ntest_api (shop.tests.ViewTest.test_api) ... Internal Server Error: /api/\n${stack('views')}ERROR\n${LONG}\n${'='.repeat(70)}\nERROR: test_api (shop.tests.ViewTest.test_api)\n${'-'.repeat(70)}\n${stack('tests')}\n${'-'.repeat(70)}\nRan 40 tests in 0.4s\n\nFAILED (errors=1)\n`,
  );

  expect(shown).toMatch(
    /ERROR: test_api .*\n(?:Traceback.*\n)? {2}File "\/p\/shop\/tests\.py".*\n.*\nAttributeError/,
  );
  expect(shown.match(/AttributeError/g)).toHaveLength(1);
});

test('a test that passed when it was run again is named as flaky, below how many have failed', () => {
  const failed = (n: number, name: string) =>
    `  ${n}) tests/shop.spec.ts:${n}:3 › ${name} ────\n\n    Error: expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n\n        at /p/tests/shop.spec.ts:${n}:9\n\n`;
  const shown = of(
    `Running 9 tests\n${LONG}\n${failed(1, 'adds')}${failed(2, 'exports')}  1 failed\n    tests/shop.spec.ts:1:3 › adds ────\n  1 flaky\n    tests/shop.spec.ts:2:3 › exports ────\n  7 passed (2.1s)\n`,
  );

  expect(shown).toMatch(/^ {2}1 failed\n.*\n {2}1 flaky\n {4}tests\/shop\.spec\.ts:2:3 › exports/m);
});

test('two tests that fail with one message at other places have it both', () => {
  const failed = (file: string) =>
    ` FAIL  src/${file}.spec.ts > ${file} > shows all\nTypeError: Cannot read properties of undefined (reading 'map')\n ❯ src/${file}.spec.ts:50:24\n     50|     expect(store.items.map((i) => i.id)).toEqual([12])\n       |                        ^\n\n`;
  const shown = of(`${LONG}\n${failed('card')}${failed('store')}`);

  for (const file of ['card', 'store'])
    expect(shown).toMatch(
      new RegExp(`${file} > shows all\\nTypeError: .*map'\\)\\n ❯ src/${file}\\.spec\\.ts:50`),
    );
});

test('what a compiler says twice of one place, for the library and for its tests, is shown once', () => {
  const error = (type: string) =>
    `error[E0277]: the trait bound \`${type}: Ord\` is not satisfied\n --> src/stats.rs:7:12\n  |\n7 |     by.entry(diet);\n  |        ^^^^^ the trait is not implemented\n\n`;
  const shown = of(
    `${LONG}\n${error('Diet')}error[E0308]: mismatched types\n --> src/plan.rs:3:1\n\n${error('guest::Diet')}`,
  );

  expect(shown.match(/stats\.rs:7:12/g)).toHaveLength(1);
  expect(shown).toContain('E0308');
});

test('a table of text that is a value has its borders', () => {
  const table = (word: string) =>
    `        +----------+\n        | ${word.padEnd(8)} |\n        +----------+\n`;
  const value = `        --- got ---\n${table('de')}        --- want ---\n${table('DE')}`;
  const shown = of(
    `${LONG}\n--- FAIL: TestLabel (0.00s)\n    label_test.go:41: other label\n${value}FAIL\nFAIL\tshop/label\t0.006s\n`,
  );

  expect(shown).toContain(value.trimEnd());
});

test('the records of requests have no headers, and one whose exception is another one is left out', () => {
  const record = (n: number, stack: string) =>
    `{"level":50,"time":17957956591${n},"pid":${n},"hostname":"vm","req":{"id":${n},"method":"POST","url":"/label","query":{},"params":{},"headers":{"host":"127.0.0.1:361${n}","accept-encoding":"gzip, deflate"},"remoteAddress":"127.0.0.1","remotePort":40${n}},"err":{"type":"TypeError","message":"cannot read 'reserve'","stack":"TypeError: cannot read 'reserve'\\n    at create (/p/src/label.js:33:49)\\n${stack}"},"msg":"unhandled error"}`;
  const packages = many(9, (i) => `    at next${i} (/p/node_modules/router/index.js:${i}:9)`).replaceAll(
    '\n',
    '\\n',
  );
  const shown = of(
    `${LONG}\n${[11, 12, 13].map((n) => record(n, packages)).join('\n')}\n${LONG}\n  1 failing\n\n  1) labels\n       reserves:\n     Error: expected 201, got 500\n      at Context.<anonymous> (test/label.test.js:7:3)\n`,
  );

  expect(shown).toContain('"req":{"id":11,"method":"POST","url":"/label"}');
  expect(shown.match(/"method":"POST"/g)).toHaveLength(1);
  expect(shown).toContain('src/label.js:33:49');
});

test('the slowest tests are left out beside a failed one', () => {
  const shown = of(
    `Failures:\n\n  1) Cart adds\n     Failure/Error: expect(sum).to eq(3)\n\n       expected: 3\n            got: 4\n     # ./spec/cart_spec.rb:9\n\nTop 2 slowest examples (0.10 seconds, 45.7% of total time):\n  Cart adds\n    0.04671 seconds ./spec/cart_spec.rb:8\n  Cart is empty\n    0.02247 seconds ./spec/cart_spec.rb:3\n\nFinished in 0.2 seconds\n44 examples, 1 failure\n`,
  );

  expect(shown).toContain('got: 4');
  expect(shown).not.toMatch(/slowest|is empty/);
});

test('of the diff of two values that RSpec has printed, the members that differ are shown', () => {
  const values = (key: string) => `{:${key}=>"Ines", :id=>1, :priority=>:normal}`;
  const output = (diff: string) =>
    `${LONG}\nFailures:\n\n  1) Ticket shows\n     Failure/Error: expect(ticket).to eq(other)\n\n       expected: ${values('agent')}\n            got: ${values('assignee')}\n\n       (compared using ==)\n\n       Diff:\n${diff}     # ./spec/ticket_spec.rb:43\n\n44 examples, 1 failure\n`;

  const members = of(
    output(
      '       @@ -1,3 +1,3 @@\n       -:agent => "Ines",\n       +:assignee => "Ines",\n        :id => 1,\n        :priority => :normal,\n',
    ),
  );
  expect(members).toContain('-:agent => "Ines",\n       +:assignee => "Ines",\n     # ./spec');
  const whole = of(
    output(`       @@ -1 +1 @@\n       -[${values('agent')}]\n       +[${values('assignee')}]\n`),
  );
  expect(whole).toContain('got: ');
  expect(whole).not.toMatch(/Diff:|^\s+[-+]\[/m);
});

describe('of tests that CTest runs', () => {
  const result = (n: number, name: string, end: string) =>
    `      Start ${n}: ${name}\n${n}/70 Test #${n}: ${name} ${'.'.repeat(30)}${end}    0.02 sec`;
  const passed = many(60, (i) => result(i, `Cart.Adds${i}`, '   Passed'));
  const of70 = (n: number, printed: string) =>
    of(
      `${passed}\n${result(n, 'Cache.Evicts', '***Failed')}\nRunning main() from gtest_main.cc\n[==========] Running 1 test from 1 test suite.\n[----------] 1 test from Cache\n[ RUN      ] Cache.Evicts\n${printed}\n${result(n + 1, 'Cache.Fills', '   Passed')}\n\nThe following tests FAILED:\n\t ${n} - Cache.Evicts (Failed)\nErrors while running CTest\n`,
    );

  test('the name of a failed one is shown once', () => {
    const shown = of70(
      61,
      'cache_test.cpp:22: Failure\nExpected: 3\n  Actual: 4\n[  FAILED  ] Cache.Evicts (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Cache.Evicts\n',
    );
    expect(shown.match(/Cache\.Evicts/g)).toHaveLength(1);
    expect(shown).toContain('Actual: 4');
  });

  test('one that crashed while it ran has not logged what it expected', () => {
    const type = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >';
    const shown = of70(
      61,
      `=================================================================\n==30==ERROR: AddressSanitizer: heap-use-after-free on address 0x607 at pc 0x55\nREAD of size 8 at 0x607 thread T0\n    #4 0x55 in Cache::put(${type} const&) /p/src/cache.cpp:16\n\nfreed by thread T0 here:\n    #7 0x55 in Cache::drop(${type}) /p/src/cache.cpp:15\n\nSUMMARY: AddressSanitizer: heap-use-after-free /p/src/cache.cpp:16 in Cache::put\n==30==ABORTING\n`,
    );
    expect(shown).toContain('Cache::put(std::string const&) /p/src/cache.cpp:16');
    expect(shown).toContain(
      'freed by thread T0 here:\n    #7 0x55 in Cache::drop(std::string) /p/src/cache.cpp:15',
    );
  });
});

test('how often a rule was broken is left out below the places', () => {
  const place = "shop/a.py:3:1: F401 'os' imported but unused";
  const shown = of(
    `${LONG}\n${place}\n2     E302 expected 2 blank lines, found 1\n1     F401 'os' imported but unused\n3\n`,
  );

  expect(shown).toContain(`${place}\n2     E302`);
  expect(shown).not.toMatch(/^(?:1 +F401|3$)/m);
});

test('the end of a task that has not failed is left out', () => {
  const steps = many(60, (i) => `web:build: built ${'a '.repeat(i)}page`);
  const failed = 'api:build: src/a.ts(3,5): error TS2339: x does not exist';

  const ended = many(9, (i) => `web:test: saved ${'a '.repeat(i)}page`);

  expect(of(`${steps}\n${failed}\n${ended}\nweb:test: ℹ tests 3\n${ended}\n`)).not.toContain('tests 3');
});

test('the step of a script above an error is shown with it', () => {
  const steps = many(60, (i) => `built ${'a '.repeat(i)}page`);

  expect(of(`${steps}\n==> migrating\nError: no database\n    at connect (src/db.js:3:5)\n`)).toContain(
    '==> migrating',
  );
});

test('the file that a linker names below a warning is the heading of the next error', () => {
  const heading = "/usr/bin/ld: /tmp/cc1.o: in function `main':";
  const { failures } = condensed(
    `a.c:1:2: warning: unused variable\n    1 | int x;\n      |     ^\n${heading}\n/p/a.c:31: undefined reference to \`len'\n`,
  );

  expect(failures.map(({ severity }) => severity)).toEqual([SEVERITY.warning, SEVERITY.thrown]);
  expect(failures[1]?.block.lines[0]?.text).toBe(heading);
});

test.each(['Nothing was exported by a.ts', 'Expecting property name at (char 8)', 'Something went wrong'])(
  'a line of a rare shape that says what is wrong is shown: %j',
  (line) => {
    expect(of(`${line}\n${LONG}\n[ERROR] the build ended early\n`)).toContain(line);
  },
);

test('what is logged below an error is no detail of it', () => {
  const { failures } = condensed('[ERROR] no route\nINFO relay: waiting\nINFO relay: waiting\n'.repeat(9));

  for (const { block } of failures) expect(block.lines).toHaveLength(1);
});

test('what a second attempt printed again is shown once', () => {
  const attempt = `\n    Error: expected 3 to be 4\n    > 12 | expect(sum(1, 2)).toBe(4)\n         |   ^\n        at /p/test/sum.spec.ts:12:21\n`;
  const shown = of(
    `${LONG}\n  1) sum.spec.ts:9:3 › adds ────\n${attempt}\n    Retry #1 ────\n${attempt}\n  1 failed\n    sum.spec.ts:9:3 › adds ───\n`,
  );

  expect(shown.match(/expected 3 to be 4/g)).toHaveLength(1);
  expect(shown.match(/› adds/g)).toHaveLength(1);
});

test('a failed test is shown once if a list names it before its details', () => {
  const shown = of(`${LONG}\n✗ adds two numbers\n${LONG}\n1) cart adds two numbers\n   expected 3 to be 4\n`);

  expect(shown).not.toContain('✗');
  expect(shown).toContain('1) cart adds two numbers\n   expected 3 to be 4');
});

describe('an excerpt does not show', () => {
  /** Lines of many shapes, so that none is folded. */
  const shapes = (n: number, line: (words: string) => string) =>
    many(n, (i) => line(`${'a '.repeat(i % 9)}${'b-'.repeat(i % 5)}c ${'('.repeat(i % 7)}${i}`));
  const error = 'src/a.c:3:5: error: x is not declared';
  const warning = (i: number) =>
    `src/w.c:${i}:1: warning: unused variable\n  ${i} | int unused_${i};\n    |     ^`;
  test.each([
    ['passed tests with rare names', `${shapes(12, (words) => `✓ ${words}`)}\n${LONG}\n${error}`, '✓'],
    ['passed tests where nothing is recognized', `${shapes(90, (words) => `✓ ${words}`)}\n${LONG}`, '✓'],
    [
      'the tool that finds libraries, as a configuration of the run',
      `Found pkg-config: /usr/bin/pkg-config (1.8.1)\n${LONG}\n${error}\n`,
      'pkg-config',
    ],
    ['code that a warning is about', `${error}\n${many(300, warning)}`, 'int unused_'],
    [
      'commands that were run long before the end',
      `${error}\n${many(6, (i) => `cc -o part${i}\n${many(100, warning)}`)}`,
      'cc -o part4',
    ],
    [
      'warnings beside errors, although it says that warnings are errors',
      `${many(300, warning)}\n${error}\ncc1: some warnings being treated as errors\n`,
      'src/w.c:7:',
    ],
    [
      'the frame of a GoogleTest run, next to a failure',
      `${LONG}\n[----------] 1 test from CartTest\ncart_test.cc:9: Failure\n  which is: 3\n[  FAILED  ] CartTest.Adds (0 ms)\n[----------] Global test environment tear-down\n`,
      '[---',
    ],
    [
      'the headings of warnings',
      `${error}\n${many(90, (i) => `src/w.c: In function ‘f${i}’:\n${warning(i)}`)}`,
      'In function',
    ],
    [
      'what was done on the way',
      `${shapes(12, (words) => `checking ${words}... yes`)}\n${LONG}\nconfigure: error: no compiler\n`,
      'checking a',
    ],
    [
      'the heading of a table of coverage, where nothing is wrong with that',
      `✗ adds\n  Error: expected 3 to be 4\n${LONG}\nFile      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s\nTests: 1 failed`,
      'File      | % Stmts ',
    ],
    [
      'the sum of one, where nothing is wrong with that',
      `✗ adds\n  Error: expected 3 to be 4\n${LONG}\nAll files |   97.26 |       94 |   97.91 |    92.3 |\nTests: 1 failed`,
      'All files |   97.26 ',
    ],
    [
      'a row of one, where nothing is wrong with that',
      `✗ adds\n  Error: expected 3 to be 4\n${LONG}\nFile      | % Stmts | % Branch | % Funcs | % Lines |\n cart.ts  |   97.26 |       94 |   97.91 |    92.3 | 4-10\nTests: 1 failed`,
      'cart.ts  |   97.26 |',
    ],
    [
      'how much is covered in Go, where nothing is wrong with that',
      `✗ adds\n  Error: expected 3 to be 4\n${LONG}\ncoverage: 92.3% of statements\nTests: 1 failed`,
      'coverage: 92.3% of s',
    ],
    [
      'how a command is used, below its error',
      `${LONG}\nnpm error the lock file is out of sync\nnpm error\nnpm error Usage:\n${many(90, (i) => `npm error   --option-${i}\nnpm error     Makes a warning an error`)}`,
      '--option',
    ],
    [
      'that a property holds',
      `${LONG}\nthe fee grows with the weight\n  +++ OK, passed 100 tests.\n${error}`,
      '+++ OK',
    ],
    [
      'the next test in a tree of results below one that failed',
      `${LONG}\n  hour 4 is Night FAILED [1]\n  hour 5 is Late\n\n1) hour 4 is Night\n  expected Night\n   but got Day\n`,
      'hour 5',
    ],
    [
      'what a server has answered, below the level HTTP',
      `${LONG}\n09:37:10.547 HTTP [clinic] POST /visits 400 19 - 2.632 ms\n  1) books a visit\n     Error: expected 201, got 400\n`,
      'HTTP [clinic]',
    ],
    [
      'information of a logger with its level in brackets',
      `${LONG}\n09:37:10.547 request_id=F1 [info] POST /visits\n  1) books a visit\n     Error: expected 201, got 400\n[info] GET /visits/3\n`,
      '[info]',
    ],
    [
      'headers of a request that say nothing of its answer',
      `${LONG}\n  1) books a visit\n    Error: expect(response).toBeOK() failed\n    → POST http://127.0.0.1:4817/visits\n      user-agent: Playwright/1.65.1\n      accept: */*\n      content-length: 117\n    ← 422 Unprocessable Entity\n      date: Fri, 27 Nov 2026 02:38:39 GMT\n`,
      'user-agent',
    ],
    [
      'what a debugger says of the threads',
      `${LONG}\n[New LWP 26315]\n[Current thread is 1 (LWP 26315)]\n  Id   Target Id                         Frame\nProgram terminated with signal SIGSEGV, Segmentation fault.\n#0  push (ring=0x0) at src/ring.c:18\nNo locals.\n`,
      'LWP',
    ],
    [
      'the steps of an analyzer through the code',
      `${LONG}\nsrc/a.c:9:10: error: use of memory after it is released\nsrc/a.c:3:7: note: Assuming 'n' is 3\n    3 |   if (n == 3)\n      |       ^~~~~~\nsrc/a.c:5:3: note: Memory is released\n`,
      'Assuming',
    ],
    [
      'which way an operator with a condition goes on such a path',
      `${LONG}\nsrc/a.c:9:10: error: use of memory after it is released\nsrc/a.c:3:7: note: '?' condition is false\n    3 |   n ? 1 : 2;\n      |   ^\nsrc/a.c:5:3: note: Memory is released\n`,
      'condition is',
    ],
    [
      'what a compiler finds in a library for the same use of a template after the first error',
      `${LONG}\n${many(3, (i) => `/usr/include/c++/12/sort.h: In instantiation of ‘T${i}’:\nsrc/cart.cc:5:43:   required from here\n/usr/include/c++/12/sort.h:${i}:50: error: no type T${i}`)}`,
      'no type T1',
    ],
    [
      'what a compiler finds in the headers of a library for an error of the project',
      `${LONG}\nsrc/cart.cc:5:43: error: use of deleted function ‘T’\n${many(3, (i) => `/usr/include/c++/12/hash.h:${i}:50: error: use of deleted function ‘U${i}’`)}`,
      'U1',
    ],
    [
      'the command that a package manager has run for each package',
      `${LONG}\n ERROR  cart@1.0.0 test: \`node --test\`\nExit status 1\nError: boom\n`,
      'Exit status',
    ],
    [
      'warnings of a linter beside its errors, also with the words of these',
      `${LONG}\n/p/openapi.yaml\n   50:9  warning  operation-description  Operation "description" must be present.  paths./orders.get\n   75:9    error  path-params            Operation "description" must define parameter "{id}".  paths./orders.get\n  102:9  warning  operation-description  Operation "description" must be present.  paths./orders.put\n`,
      'must be present',
    ],
    [
      'warnings with their source that say below it that they are none of the errors',
      `${LONG}\n[1] openapi.yaml:75:5 at #/paths/get\n\nThe path does not define the parameter.\n\n75 |   get:\n   |   ^^^\n\nError was generated by the path-parameters rule.\n\n[2] openapi.yaml:94:5 at #/paths/put\n\nEvery operation should have security.\n\n94 |   put:\n   |   ^^^\n\nWarning was generated by the security rule.\n\n`,
      'Every operation',
    ],
    [
      'the result of a test behind what it has logged, without its name',
      `${LONG}\ntest_quote (tests.Quote.test_quote) ... DEBUG engine 120 units\nERROR\ntest_ok (tests.Quote.test_ok) ... ok\n\n======\nERROR: test_quote (tests.Quote.test_quote)\n------\nTraceback (most recent call last):\n  File "/p/tests.py", line 20, in test_quote\n    quote()\nTypeError: no units\n`,
      'ERROR\n',
    ],
    ...[
      ['the names of failed tests on the way', '[gw1] [ 53%] FAILED tests/test_cart.py::test_adds[1]', '53%'],
      [
        'the list of failed tests at the end',
        'FAILED tests/test_cart.py::test_adds[2] - assert 3 == 4',
        '::',
      ],
    ].map(([title, line, text]): [string, string, string] => [
      `${title}, beside their sections`,
      `${LONG}\n${line}\n${[1, 2].map((n) => `_______ test_adds[${n}] _______\n\n>   assert adds(${n}) == 4\nE   assert 3 == 4\n\ntests/test_cart.py:26: AssertionError\n`).join('')}${line}\n=== 2 failed in 12.71s ===\n`,
      text ?? '',
    ]),
    [
      'the decorators of a failed test',
      `${LONG}\n_______ test_adds[3-4] _______\n\n    @pytest.mark.parametrize(\n        ("n", "sum"),\n        [\n            (1, 2),\n            (3, 4),\n        ],\n    )\n    def test_adds(n, sum):\n>       assert adds(n) == sum\nE       assert 3 == 4\n\ntests/test_cart.py:26: AssertionError\n`,
      '(1, 2)',
    ],
    [
      'what a runner says again below a heading, without the group',
      `${LONG}\n    Then it is accepted\n    ✖ failed\n      AssertionError: got unwanted exception: no amount\n          at World.<anonymous> (/p/steps/ledger.ts:54:10)\n\nFailures:\n\n1) Scenario: An account can be closed # a.feature:3\n   ✔ When I try # steps/ledger.ts:48\n   ✖ Then it is accepted # steps/ledger.ts:53\n       AssertionError: got unwanted exception: no amount\n           at World.<anonymous> (/p/steps/ledger.ts:54:10)\n`,
      '       AssertionError',
    ],
    [
      'what a builder does for each file, and where it has put the results',
      `${LONG}\n      ocamlc test/errors/test_errors.bc\nTesting \`errors'.\nThis run has ID \`P3C25JZK'.\n\n  [FAIL]        total             5   rollover.\n\nASSERT kWh\nFAIL kWh\n\n   Expected: \`250'\n   Received: \`99750'\n\nLogs saved to \`/p/_build/_tests/errors/total.005.output'.\n`,
      'ocamlc',
    ],
    [
      'warnings of a linter above their places, beside its errors',
      `${LONG}\n  ⚠ eslint(no-console): Unexpected console statement.\n    ╭─[src/api.ts:15:3]\n 15 │   console.debug('created');\n    ╰────\n  help: Delete this console statement.\n\n  × eslint(eqeqeq): Expected === and instead saw ==\n    ╭─[src/validate.ts:11:20]\n 11 │   if (a == b) console.log();\n    ╰────\n\n[warn] src/step.ts\n[warn] Code style issues found in the above file.\n`,
      'no-console',
    ],
    [
      'what tests have logged in Jest, with another log that is an error',
      `${LONG}\nFAIL src/picker.test.tsx\n  ● Console\n\n    console.error\n      Warning: An update to Picker inside a test was not wrapped in act(...).\n          at label (/p/src/Picker.tsx:14:34)\n\n      > 6 |     const timer = setTimeout(load);\n\n    console.error\n      [options] could not load Error: 503\n          at Object.<anonymous> (/p/src/picker.test.tsx:49:32)\n\n  ● picks › offers to try again\n\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n\n      at Object.toBe (src/picker.test.tsx:53:34)\n`,
      'not wrapped in act',
    ],
    [
      'the files that were built, one of which is called an error',
      `${LONG}\nℹ .nuxt/dist/error-500.I1Dtv2V5.css    1.88 kB │ gzip:  0.72 kB\n ERROR  [report] TypeError: x is undefined\n    at f (/p/src/a.mjs:3:5)\n`,
      'error-500',
    ],
    [
      'the start, where an error was logged at the end',
      `look at a\nlook at b\n${LONG}\n${many(9, (i) => `step ${'a '.repeat(i)}`)}\n[ERROR] no such table\n`,
      'look at a',
    ],
  ])('%s', (_, output, text) => {
    const shown = of(output);

    expect(shown).not.toContain(text);
    if (output.includes(error)) expect(shown).toContain(error);
  });
});

describe('of the functions that a compiler has tried for a call,', () => {
  const own = (i: number) =>
    `src/b.cc:${i}:6: note: candidate: 'void put(int, T${i})'\n  ${i} | void put(int, T${i});`;
  const other = (i: number) =>
    `/usr/include/c++/12/ops.h:${i}:5: note: candidate: 'T operator-(U${i})'\n  ${i} | operator-(U${i});`;
  const error = "src/a.cc:3:5: error: no match for 'operator-'\n    3 |   a - b;\n      |     ^";

  test.each([
    ['those of the project are shown, three at most', own, ['T0', 'T1', 'T2'], ['T3', 'T7']],
    ['one of a library is shown', other, ['U0'], ['U1', 'U7']],
  ])('%s', (_, candidate, shown, hidden) => {
    const lines = of(`${LONG}\n${error}\n${many(8, candidate)}\nsrc/z.cc:9:1: error: boom\n`);

    for (const name of shown) expect(lines).toContain(name);
    for (const name of hidden) expect(lines).not.toContain(name);
    expect(lines).toContain('src/z.cc:9:1: error: boom');
  });
});

test('the lines that say where the project uses a template are part of an error in it', () => {
  const lines = [
    '/usr/include/c++/12/sort.h: In instantiation of ‘void sort(T)’:',
    '/usr/include/c++/12/sort.h:48:18:   required from ‘void sort(U)’',
    'src/cart.cc:5:43:   required from here',
    '/usr/include/c++/12/sort.h:19:50: error: no match for ‘operator-’',
    '   19 | last - first;',
  ];
  const { failures } = condensed(`${lines.join('\n')}\n`);

  expect(failures.map(({ block }) => block.lines.map(({ text }) => text))).toEqual([lines]);
});

test('an error in a package of another language is shown below one of the project', () => {
  const errors = `src/cart.ts(3,5): error TS2322: Type 'string' is not assignable.\nnode_modules/@types/x/index.d.ts(9,1): error TS1005: ';' expected.\n`;

  expect(of(`${LONG}\n${errors}`)).toContain('index.d.ts(9,1): error TS1005');
});

test('the count at the end is shown although a reporter has printed much after it', () => {
  const written = many(30, (i) => `wrote the page ${word(i % 9)} of the report`);
  const shown = of(`${LONG}\nError: boom\nTotal tests run: 9, Failures: 5\n${written}\n`);

  expect(shown).toContain('Total tests run: 9, Failures: 5');
});

describe('a runner that lists failed tests again, with the command for each,', () => {
  const names = ['adds the tax', 'counts the items', 'sends the parcel'];
  const failure = (name: string, i: number) =>
    `  ${i + 1}) Cart ${name}\n     Failure/Error: check(${i})\n\n       expected: ${i}\n            got: ${i + 5}\n     # ./spec/cart_spec.rb:${i}:in 'block'\n`;
  const list = names.map((name, i) => `rspec ./spec/cart_spec.rb:${i} # Cart ${name}`).join('\n');
  const shown = of(`${LONG}\nFailures:\n\n${names.map(failure).join('\n')}\nFailed examples:\n\n${list}\n`);

  test('has each name once', () => {
    for (const name of names) expect(shown.split(name)).toHaveLength(2);
  });

  test('has what was expected and received by each', () => {
    for (const got of [5, 6, 7]) expect(shown).toContain(`got: ${got}`);
  });
});

test('the name of a skipped test in a list at the end is no result: an error above it stays one', () => {
  const output =
    'IOError:\n  closing the socket\n# ./spec/cart_spec.rb:19\n\nPending: (Failures listed here are expected)\n\n  1) Cart is skipped\n     # ./spec/cart_spec.rb:16\n\nFailures:\n\n  1) Cart adds\n     expected: 3\n';

  expect(severities(output)['IOError:']).toBeGreaterThanOrEqual(SEVERITY.thrown);
});

test('an error behind a blank line is another one, also if the one above ends with what it has introduced', () => {
  const error = (name: string) =>
    `src/${name}.hs:3:5: error: no rule\nFound:\n  rest\nInstead:\n  rest of it\n`;

  expect(Object.keys(severities(`${error('a')}\n${error('b')}`))).toEqual([
    'src/a.hs:3:5: error: no rule',
    'src/b.hs:3:5: error: no rule',
  ]);
});

test('two failures with the same expectation, but other values, are two', () => {
  const failure = (name: string, line: number) => [
    '══╡ EXCEPTION CAUGHT BY THE TEST FRAMEWORK ╞═══════════════════════',
    'The following failure was thrown running a test:',
    'Expected: exactly one matching candidate',
    `  Actual: <Found 0 widgets with text "${name}">`,
    '',
    'When the exception was thrown, this was the stack:',
    `#4      main.<anonymous closure> (file:///p/test/cart_test.dart:${line}:9)`,
    '(elided one frame from package:stack_trace)',
    '',
  ];
  const tests = ['Total', 'Name'].flatMap((name, index) => [
    `00:0${index} +${index} -${index}: cart shows the ${name}`,
    ...failure(name, 31 + index),
    `00:0${index} +${index} -${index + 1}: cart shows the ${name} [E]`,
    '  Test failed. See exception logs above.',
    '',
  ]);
  const output = `${LONG}\n${tests.join('\n')}\n00:02 +0 -2: Some tests failed.\n`;
  const shown = of(output);

  for (const part of ['"Total"', '"Name"', ':31:9', ':32:9', 'the Total [E]', 'the Name [E]'])
    expect(shown).toContain(part);
  expect(shown.match(/EXCEPTION CAUGHT/g)).toHaveLength(2);
  expect(Object.keys(severities(output))).not.toContainEqual(expect.stringContaining('this was the stack'));
});

test('what a reporter has written is left out behind the counts of a failed run', () => {
  const written = Array.from(
    { length: 5 },
    (_, i) => `wrote out/report-${'abcde'[i]}.xml with the ${i}th result`,
  );
  const output = `${LONG}\n  ✗ adds\n    Error: boom\nTests: 1 failed, 2 passed\n${written.join('\n')}\nError: cannot upload the reports`;

  expect(of(output)).toContain('Tests: 1 failed, 2 passed');
  expect(of(output)).toContain('Error: cannot upload the reports');
  expect(of(output)).not.toContain('wrote');
});

test('how to see more of an error is no failure of its own', () => {
  const output = `${LONG}\nerror[E0499]: cannot borrow\n  --> src/a.rs:3:5\n\nFor more information about an error, try \`rustc --explain E0499\`.\n`;

  expect(of(output)).not.toContain('--explain');
});

test('a record with a date below a failed test is no part of it', () => {
  const records = many(3, (i) => `2026/11/27 19:16:15 opened the door ${i}`);
  const blockOf = (output: string) =>
    condensed(output)
      .failures[0]?.block.lines.map(({ text }) => text)
      .join('\n');
  const failed = '--- FAIL: TestWeek (0.00s)\n    week_test.go:9: want 5, got 4';

  expect(blockOf(`${failed}\n${records}\nok\n`)).toBe(failed);
  expect(blockOf(`${failed}\nopened the door\nok\n`)).toContain('opened the door');
});

test('what a program prints right below the stack of an error is no part of its message, but for a value', () => {
  const linesOf = (output: string) => condensed(output).failures[0]?.block.lines.map(({ text }) => text);
  const error = ['TypeError: boom', '    at own (/p/src/own.ts:3:5)'];

  expect(linesOf([...error, 'POST /invoices 500 2.009 ms', 'GET /invoices'].join('\n'))).toEqual(error);
  expect(linesOf([...error, 'Last message: {:add, 1}'].join('\n'))).toEqual([
    ...error,
    'Last message: {:add, 1}',
  ]);
});

test('of the functions that TypeScript has tried, what does not fit is shown before their signatures', () => {
  const signature = (n: number) =>
    `  Overload ${n} of 2, '(value: { ${many(20, (i) => `member${i}: string;`).replaceAll('\n', ' ')} }): Lot', gave the following error.`;
  const output = `${LONG}\nsrc/lots.ts(8,32): error TS2769: No overload matches this call.\n${[1, 2]
    .map(
      (n) =>
        `${signature(n)}\n    Argument of type '{ ${'x: number; '.repeat(40)}}' is not assignable to parameter of type 'Lot'.\n      Types of property 'grain${n}' are incompatible.\n        Type '"spelt"' is not assignable to type '"wheat"'.`,
    )
    .join('\n')}\n`;
  const shown = of(output);

  for (const n of [1, 2]) {
    expect(shown).toContain(`      Types of property 'grain${n}' are incompatible.\n        Type '"spelt"'`);
    expect(shown).toMatch(
      new RegExp(`^  Overload ${n} of 2, '.{40,100} … .{20,40}', gave the following error\\.$`, 'm'),
    );
  }
});

test('how the program of a test has ended is no end of the run, which what was printed first might explain', () => {
  const found = many(20, (i) => `Found the tool ${'abcdefghijklmnopqrst'[i]}`);
  const [first] = condensed(`${found}\n3/4 station FAIL            0.11s   exit status 1\n`).failures;

  expect(first?.severity).toBe(SEVERITY.failedTest);
});

test('the counts of a linter that has passed are left out beside an error', () => {
  const counts = '✖ 2 problems (0 errors, 2 warnings)';
  const error = 'TypeError: boom\n    at own (/p/src/own.ts:3:5)';

  const [before, after] = [`${counts}\n\n> shop@1.0.0 test\n> mocha\n`, `${error}\n`];

  expect(of(`${before}${after}`)).not.toContain(counts);
  expect(of(`${before}${many(120, (i) => `    ✔ adds ${i}`)}\n${after}`)).not.toContain(counts);
});

test('the place of a warning that is left out is left out, also in a directory that is named like a route', () => {
  const finding = (path: string, text: string) =>
    `/p/src/routes/${path}\n${text}\n\t<img src="/map.png" />\n\n`;
  const shown = of(
    `${LONG}\n${finding('plots/[id]/+page.server.ts:11:42', "Error: 'month' does not exist in type 'Options'.")}${finding('plots/[id]/+page.svelte:10:1', 'Warn: `<img>` element should have an alt attribute')}svelte-check found 1 error and 1 warning in 2 files\n`,
  );

  expect(shown).toContain('+page.server.ts:11:42');
  expect(shown).not.toContain('+page.svelte:10:1');
});
