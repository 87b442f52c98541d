import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import {
  stacksOfOthersIn,
  withoutAnnotations,
  withoutInnerMessages,
  withoutPlacesOfErrors,
  withoutRuleCounts,
  withoutSaidBefore,
  withoutSaidReasons,
  withoutSameNotes,
  withoutSecondPrints,
} from '../../../../src/diagnostics/fold/said-twice.ts';

import { condensed } from '../../../helpers/condensed.ts';

const linesOf = (output: string) => output.split('\n').map((text, at) => ({ at, text }));
const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const shown = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text).join('\n');

test.each([
  [
    'above it',
    '  connect EACCES 127.0.0.1:1\n  Error: connect EACCES 127.0.0.1:1',
    '  Error: connect EACCES 127.0.0.1:1',
  ],
  [
    'below it',
    'panic: assignment to a nil map [recovered]\n\tpanic: assignment to a nil map',
    'panic: assignment to a nil map [recovered]',
  ],
  [
    'with the prefix of a tool',
    '    [junit] the cart is empty: 0\n    [junit] shop.CartError: the cart is empty: 0',
    '    [junit] shop.CartError: the cart is empty: 0',
  ],
])('a message is not shown beside the exception that has it, %s', (_, output, kept) => {
  expect(shown(withoutInnerMessages(linesOf(output)))).toBe(kept);
});

test.each([
  ['ends earlier', 'RuntimeError: gave up on stock after 3 attempts\nRuntimeError: gave up on stock'],
  ['is one of two that are equal', 'Error: the cart is empty: 0\nError: the cart is empty: 0'],
  ['is a value', '  expected: { qty: 3, sku: "a" }\n  AssertionError: expected: { qty: 3, sku: "a" }'],
  ['is the name of a test', '✗ throws an error if empty\n  Error: throws an error if empty'],
  [
    'is a line of source',
    '  3 | throw new Error("the cart is empty")\n  AssertionError: 3 | throw new Error("the cart is empty")',
  ],
  ['is far from the other', 'the cart is empty: 0\nb\nc\nd\nError: the cart is empty: 0'],
])('a message that %s is shown', (_, output) => {
  expect(shown(withoutInnerMessages(linesOf(output)))).toBe(output);
});

const INLINE = ' × a.test.js > cart > adds 6ms\n   → expected 999 to be 1000';
const DETAILS = ' FAIL  a.test.js > cart > adds\nAssertionError: expected 999 to be 1000\n ❯ a.test.js:3:5';

test.each([
  ['that says less', `${INLINE}\n\n1 failing\n${DETAILS}`, `1 failing\n${DETAILS}`],
  [
    'that says less but the whole name',
    `✗ adds\n  Error: expected 3 to be 4\n    at a.js:3:5\n1 failing\n✗ cart adds\n  Error: expected 3 to be 4`,
    '✗ adds\n  Error: expected 3 to be 4\n    at a.js:3:5\n1 failing\n✗ cart adds',
  ],
])('of two prints of a failed test, the one %s is left out', (_, output, kept) => {
  expect(shown(withoutSecondPrints(linesOf(output)))).toBe(kept);
});

test.each([
  ['of two tests', `${INLINE}\n\n1 failing\n${DETAILS.replace('cart > adds', 'tax > adds')}`],
  [
    'of two tests and a third with the same end of its name',
    `✗ adds\n  Error: expected 3\n✗ adds\n  Error: expected 3\n✗ cart adds\n  Error: expected 3`,
  ],
  ['that each say something new', `${INLINE}\n   at b.js:7:3\n\n1 failing\n${DETAILS}`],
])('prints %s are shown', (_, output) => {
  expect(shown(withoutSecondPrints(linesOf(output)))).toBe(output);
});

const ANNOTATION =
  '::error file=/proj/test/a.test.js,title=adds,line=3,column=7::Error: boom%0A%0AExpected: 1%0A';

test('an error that is said for a CI service too is shown once', () => {
  const failure = [' FAIL  test/a.test.js > adds', 'Error: boom', 'Expected: 1', ' ❯ test/a.test.js:3:7'];
  const lines = [...failure, ANNOTATION].map((text, at) => ({ at, text }));

  expect(withoutAnnotations(lines).map(({ text }) => text)).toEqual(failure);
});

test('what is said for a CI service with the source around it, and of a further attempt, is said once', () => {
  const cut = `${ANNOTATION}      2 | boom();%0A%0A    Retry #1%0A    Expec … /test/a.test.js:3:7`;
  const failure = ['Error: boom', 'Expected: 1', ' ❯ test/a.test.js:3:7'];
  const lines = [...failure, cut].map((text, at) => ({ at, text }));

  expect(withoutAnnotations(lines).map(({ text }) => text)).toEqual(failure);
});

test.each(['─────%0A%0A    Expected: 1%0A', '─────% … });%0A17 | });'])(
  'the title of an annotation is that of a failure, whatever fills its line: %s',
  (rest) => {
    const failure = ['1) cart › adds 19 % VAT ───', 'Expected: 1', ' ❯ test/a.test.js:3:7'];
    const annotation = `::error file=/proj/test/a.test.js,line=3::  1) cart › adds 19 %25 VAT ${rest}`;
    const lines = [...failure, annotation].map((text, at) => ({ at, text }));

    expect(withoutAnnotations(lines).map(({ text }) => text)).toEqual(failure);
  },
);

test.each([
  ['the value', ['Error: boom', ' ❯ test/a.test.js:3:7']],
  ['the place', ['Error: boom', 'Expected: 1', ' ❯ test/a.test.js:33:7']],
  ['the message', ['Expected: 1', ' ❯ test/a.test.js:3:7']],
])('what is said for a CI service is shown if only it has %s', (_, others) => {
  const lines = [...others, ANNOTATION].map((text, at) => ({ at, text }));

  expect(withoutAnnotations(lines)).toEqual(lines);
});

const LONG = 'insert into orders failed: orders.customer_id is NULL';

test.each([
  [
    'with another prefix',
    `migration failed with error: ${LONG}\nError: ${LONG}`,
    `migration failed with error: ${LONG}`,
  ],
  ['as it was', `d.img: ${LONG}\n\ne2fsck: aborted\n\nd.img: ${LONG}`, `d.img: ${LONG}\n\ne2fsck: aborted\n`],
])('an error that was shown before is not shown again, %s', (_, output, kept) => {
  expect(shown(withoutSaidBefore(linesOf(output), []))).toBe(kept);
});

const PLACED = "src/cart.dart:267:15: Error: 'fields' is declared already.";

test('an error with its place is not shown again, wherever it was shown', () => {
  const tests = Array.from({ length: 12 }, (_, at) => `✗ loads the page ${at}`).join('\n');

  expect(
    shown(withoutSaidBefore(linesOf(`${PLACED}\n${tests}\n  It does not load:\n\n  ${PLACED}`), [])),
  ).toBe(`${PLACED}\n${tests}\n  It does not load:\n`);
});

test('an error with its place is shown again where it is the place of another one', () => {
  const place = 'roles/web/tasks/main.yml:7 Task/Handler: configure the site';
  const findings = `name[casing]: All names should start with an uppercase letter.\n${place}\n\nrisky-file-permissions: File permissions unset or incorrect.\n${place}\n`;

  expect(excerpt(findings)).toBe(findings.trim());
});

test.each([
  ['introduces what is wrong', 'CMake Error at src/CMakeLists.txt:10 (target_link_libraries):'],
  ['is a note', "src/pool.cpp:13:82: note: Calling 'risky' with the third argument"],
])('a place is shown again if it %s', (_, line) => {
  const between = Array.from({ length: 12 }, (_, at) => `  reason ${at}`).join('\n');
  const output = `${line}\n\n${between}\n\n${line}\n\n  another reason`;

  expect(shown(withoutSaidBefore(linesOf(output), []))).toBe(output);
});

test.each([
  ['is short', 'Error: the cart is empty\nError: the cart is empty'],
  ['says more', `Error: ${LONG}\nError: ${LONG} in row 3`],
  ['has a stack of its own', `Error: ${LONG}\nasked again\nError: ${LONG}\n    at save (src/db.js:3:4)`],
  ['follows a stack', `Error: ${LONG}\n  at save (src/db.js:3:4)\nError: ${LONG}`],
  ['is of another file', `src/a.sql\n  ${LONG}\nsrc/b.sql\n  ${LONG}`],
  ['is of another test', `✗ saves\n  ${LONG}\n\n✗ saves again\n\n  ${LONG}`],
  ['was source', `raise Error('${LONG}')\nError: ${LONG}`],
])('an error that was shown before is shown again if it %s', (_, output) => {
  expect(shown(withoutSaidBefore(linesOf(output), []))).toBe(output);
});

test('a list of failed tests has only the names of those whose failure is shown above', () => {
  const shownAbove = [
    '___ test_slug ___',
    "E       AssertionError: assert 'a--b' == 'a-b'",
    'E         - a-b',
    'E         + a--b',
  ].join('\n');
  const list =
    "FAILED tests/test_price.py::test_slug - AssertionError: assert 'a--b' == 'a-b'\n  - a-b\n  + a--b";
  const end = '=== 1 failed, 3 passed in 0.98s ===';

  expect(shown(withoutSaidReasons(linesOf(`${shownAbove}\n${list}\n${end}`)))).toBe(
    `${shownAbove}\nFAILED tests/test_price.py::test_slug\n${end}`,
  );
});

test.each(["AssertionError: assert 'a--b'...", "AssertionError: assert 'a … -b' == 'a-b'"])(
  'a list of failed tests has no reason that was cut and is shown above: %s',
  (reason) => {
    const failure = "___ test_slug ___\nE       AssertionError: assert 'a--b' == 'a-b'";

    expect(shown(withoutSaidReasons(linesOf(`${failure}\n\nFAILED a.py::test_slug - ${reason}`)))).toBe(
      `${failure}\n\nFAILED a.py::test_slug`,
    );
  },
);

test.each([
  [
    'why a test failed that is not shown above, and is cut',
    'E       ValueError: it is not a number\nFAILED a.py::b - ValueError: it is negat...',
  ],
  [
    'why a test failed that is not shown above',
    'FAILED test_a.py::test_b - OSError: no space left on device',
  ],
  [
    'what is not said above',
    'E       ValueError: it is not a number\nFAILED a.py::b - ValueError: it is not a number\n  in row 3',
  ],
  ['the rest of a name', '✗ adds - the first of the numbers'],
])('a list of failed tests says %s', (_, output) => {
  expect(shown(withoutSaidReasons(linesOf(output)))).toContain(output.split('\n').at(-1) ?? '');
});

test('a line above the end of a command is not shown twice', () => {
  const error = "ld: address 0x807630 of fw.elf section `.data' is not within region `data'";
  const output = `cc -o fw.elf main.o\n${error}\n${error}\ncollect2: error: ld returned 1 exit status\nmake: *** [fw.elf] Error 1\n`;
  const excerpt = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(excerpt.split(error)).toHaveLength(2);
});

test.each([
  [
    'its details are shown',
    ' FAIL  |core| src/cart.test.ts > cart > adds up\nAssertionError: expected 3 to be 4 // Object.is equality',
    [],
  ],
  [
    'they are not',
    ' FAIL  |core| src/list.test.ts > list > sorts\nError: boom',
    ['   × cart > adds up 4ms', '     → expected 3 to be 4 // Object.is equality'],
  ],
])('a list of tests has the reason of one that failed unless %s', (_, details, kept) => {
  const listed = '   × cart > adds up 4ms\n     → expected 3 to be 4 // Object.is equality\n';
  const found = condensed(`${listed}\n${details}\n`);
  const shownLines = excerptText(excerptOf(found, 5300, { hung: false })).split('\n');

  expect(shownLines.filter((line) => listed.includes(`${line}\n`) && line !== '')).toEqual(kept);
});

test('a list of tests has no reason of one whose details are shown, behind the prefix of its task', () => {
  const listed = ['   × cart > adds up 4ms', '     → expected 3 to be 4'];
  const details = [' FAIL  src/cart.test.ts > cart > adds up', 'AssertionError: expected 3 to be 4'];
  const output = [...listed, ...details].map((line) => `@shop/cart:test: ${line}`).join('\n');

  expect(excerptText(excerptOf(condensed(output), 5300, { hung: false }))).toBe(details.join('\n'));
});

const VALUES = "  expected:\n    role: 'guest'\n  actual:\n    role: 'admin'";

test.each([
  ['has a diff', "    + role: 'admin'\n    - role: 'guest'", false],
  ['has no diff', '    the roles differ', true],
])('the values of an assertion in TAP are shown unless the message %s', (_, message, isShown) => {
  const output = `not ok 3 - reads\n  ---\n  error: |-\n    Roles:\n${message}\n${VALUES}\n  ...`;
  const excerpt = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(excerpt.includes('expected:')).toBe(isShown);
  expect(excerpt.includes("    role: 'admin'")).toBe(isShown);
  expect(excerpt).toContain(message);
});

test('a list of tests has no reason of several lines, if it is shown below', () => {
  const reason = "Type 'a' is not assignable to type 'b'.\n  Types of 'c' are incompatible.";
  const output = `   × adds up 4ms\n     → ${reason}\n\n FAIL  src/cart.test-d.ts > adds up\nTypeCheckError: ${reason}\n ❯ src/cart.test-d.ts:3:5`;
  const excerpt = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(excerpt.split('\n').filter((line) => line === "  Types of 'c' are incompatible.")).toHaveLength(1);
});

const item = (page: string, link: string) =>
  `  - Broken link on page /${page}:\n     -> linking to /docs/${link}`;
const LINKS = `Error: the site has broken links\n${['home', 'blog', 'tags', 'docs']
  .map((page) => item(page, 'getting-started'))
  .join('\n')}`;

test('what is below several items of a list is shown once', () => {
  expect(excerpt(LINKS).match(/getting-started/g)).toHaveLength(1);
  for (const page of ['home', 'blog', 'tags', 'docs']) expect(excerpt(LINKS)).toContain(`page /${page}:`);
});

test('of many items with the same below them, the first few are shown, and those with something else', () => {
  const pages = Array.from({ length: 40 }, (_, i) => item(`p${i}`, 'getting-started'));
  const shownItems = excerpt(
    `Error: the site has broken links\n${[...pages, item('last', 'gone'), item('p40', 'getting-started')].join('\n')}`,
  );

  expect(shownItems.match(/getting-started/g)).toHaveLength(3);
  expect(shownItems).toContain(item('last', 'gone'));
  expect(shownItems).not.toContain('/p7:');
});

/** More than is shown whole. */
const FILLER = Array.from({ length: 300 }, (_, i) => `compiling part ${i} of the library\n`).join('');

describe('the diff of one line in another one', () => {
  const mocha = (message: string, added: string) =>
    `${FILLER}  1) cart\n       adds:\n\n      AssertionError: ${message}\n      + expected - actual\n\n      -300n\n      +${added}\n\n      at Context.<anonymous> (test/cart.spec.ts:23:73)\n`;

  test.each([
    ['Mocha', mocha('expected 300n to equal 310n', '310n')],
    [
      'Vitest',
      `${FILLER} FAIL  cart.test.ts > adds\nAssertionError: expected 2.49 to be 2.5 // Object.is equality\n\n- Expected\n+ Received\n\n- 2.5\n+ 2.49\n\n ❯ cart.test.ts:6:33\n`,
    ],
    [
      'unittest',
      `${FILLER}FAIL: test_adds (tests.Cart.test_adds)\n${'-'.repeat(70)}\nTraceback (most recent call last):\n  File "/p/tests.py", line 20, in test_adds\n    self.assertEqual(total, '42')\nAssertionError: '41' != '42'\n- 41\n?  ^\n+ 42\n?  ^\n\n${'-'.repeat(70)}\nRan 1 test\n`,
    ],
  ])('of %s is left out below a message that has both', (_, output) => {
    expect(excerpt(output)).toContain('AssertionError: ');
    expect(excerpt(output)).not.toMatch(/^\s*[-+?] ?(?:expected|Expected|Received|\d|\^)/m);
  });

  test('is shown below a message that has one of them', () => {
    expect(excerpt(mocha('expected 300n to be another', '310n'))).toMatch(/-300n\n\s+\+310n/);
  });
});

test('of a module that was not found, the files of the project that require it are shown, with the first place', () => {
  const output = excerpt(
    `${FILLER}Error: Cannot find module './query.js'\nRequire stack:\n- /p/src/router.ts\n- /p/src/index.ts\n- /p/node_modules/mocha/lib/cli.js\n    at <anonymous> (/p/src/router.ts:2:23)\n    at Object.<anonymous> (/p/src/index.ts:1:1) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [\n    '/p/src/router.ts',\n    '/p/src/index.ts'\n  ]\n}\n`,
  );

  expect(output).toContain('- /p/src/router.ts\n- /p/src/index.ts\n');
  expect(output).toContain('router.ts:2:23');
  expect(output).not.toMatch(/mocha|index\.ts:1|requireStack/);
});

test.each([
  ['all are', '1', 'a.py:3:1: E231 missing blank\n'],
  ['one is missing', '2', 'a.py:3:1: E231 missing blank\n2     E231 missing blank\n'],
])('the count of a rule is left out only if each finding of it is shown: %s', (_, count, kept) => {
  const lines = linesOf(`a.py:3:1: E231 missing blank\n${count}     E231 missing blank\n1     E501 long`);
  expect(shown(withoutRuleCounts(lines))).toBe(`${kept}1     E501 long`);
});

describe('an exception of Python that another one was raised from', () => {
  const chain = (first: string, last: string) =>
    `ERROR: test_adds (tests.test_cart.CartTest.test_adds)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "/usr/lib/python3/dist-packages/django/db/utils.py", line 89, in execute\n    return self.cursor.execute(sql)\n           ^^^^^^^^^^^^^^^^^^^^^^^^\n${first}\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/p/tests/test_cart.py", line 18, in test_adds\n    cart.add("lamp")\n${last}\n`;
  const of = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  test('is left out if it says the same, in a package', () => {
    const shown = of(
      chain('sqlite3.IntegrityError: UNIQUE failed: slug', 'django.db.IntegrityError: UNIQUE failed: slug'),
    );

    expect(shown).not.toMatch(/sqlite3|direct cause/);
    expect(shown).toContain('django.db.IntegrityError: UNIQUE failed: slug');
  });

  test('is left out if it says nothing', () => {
    expect(of(chain('anyio.WouldBlock', "KeyError: 'lamp'"))).not.toMatch(/WouldBlock|direct cause/);
  });

  test('is shown if it says something else', () => {
    expect(of(chain('sqlite3.OperationalError: no such table: carts', "KeyError: 'lamp'"))).toContain(
      'no such table: carts',
    );
  });

  test('is shown if it is from the project', () => {
    const own = chain('shop.Sold', "KeyError: 'lamp'").replace('/usr/lib/python3/dist-packages', '/p');

    expect(of(own)).toContain('shop.Sold');
  });
});

test('why a test failed is not shown in a tree of tests, if it is shown below with its stack', () => {
  const shown = excerptText(
    excerptOf(
      condensed(
        'Thanks for using JUnit!\n├─ JUnit Jupiter\n│  ├─ CartTest\n│  │  ├─ adds() ✔\n│  │  └─ total keeps two digits ✘ expected: <12.50> but was: <12.5>\n\nFailures (1):\n  JUnit Jupiter:CartTest:total keeps two digits\n    => org.opentest4j.AssertionFailedError: expected: <12.50> but was: <12.5>\n       shop.CartTest.total(CartTest.java:14)\n       [...]\n\n[         1 tests failed          ]\n',
      ),
      5300,
      { hung: false },
    ),
  );

  expect(shown).not.toMatch(/✘|\[\.{3}\]/);
  expect(shown.match(/but was: <12\.5>/g)).toHaveLength(1);
});

describe('the diff that a runner adds to an assertion of Node.js', () => {
  const failed = (message: string, diff: string) =>
    `  1) carts\n       adds:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n${message}\n      + expected - actual\n\n${diff}\n      at World.<anonymous> (steps/carts.js:8:57)\n`;
  const shown = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  test.each([
    ['two values', '\n      17.991 !== 17.99\n', '      -17.991\n      +17.99\n'],
    [
      'a diff',
      "      + actual - expected\n\n      + 'accepted'\n      - 'rejected'\n",
      '      -accepted\n      +rejected\n',
    ],
  ])('is left out if the message has %s', (_, message, diff) => {
    expect(shown(failed(message, diff))).not.toContain('+ expected - actual');
  });

  test.each([
    ['has other values', '\n      17.991 !== 17.99\n', '      -17.991\n      +19.5\n'],
    [
      'has a value with other members',
      '\n      17.991 !== 17.99\n',
      '       {\n      -  "total": 1\n      +  "total": 2\n       }\n',
    ],
  ])('is shown if it %s', (_, message, diff) => {
    expect(shown(failed(message, diff))).toContain('+ expected - actual');
  });
});

test('an error that is printed again with its stack is shown once, and so is one with the frames of packages below', () => {
  const error = 'migration failed with error: alter table customers - could not create the index';
  const shown = excerptText(
    excerptOf(
      condensed(
        `${error}\nerror: alter table customers - could not create the index\n    at Ie.bn (/p/node_modules/pglite/index.cjs:4:31082)\n    at wasm://wasm/022c915e:wasm-function[3628]:0x21a29a\nFatal error: no index\nFatal error: no index\n    at migrate (/p/src/db.js:4:3)\n`,
      ),
      5300,
      { hung: false },
    ),
  );

  expect(shown.match(/could not create/g)).toHaveLength(1);
  expect(shown.match(/no index/g)).toHaveLength(1);
  expect(shown).not.toContain('wasm');
});

test.each([
  [
    'below it, in the form of webpack',
    'modules by path ./src\n./src/admin.ts 1:17-23\n[tsl] ERROR in /p/src/admin.ts(1,18)\n      TS2305: no such member',
    './src/admin.ts 1:17-23\n',
  ],
  [
    'below it, in the file that is named above',
    'modules by path ./src\n4:76-79\n[tsl] ERROR in /p/src/admin.ts(4,77)\n      TS2322: no',
    '4:76-79\n',
  ],
  [
    'above it, in the form of Rollup',
    'src/pages/cart.tsx (2:22): "total" is not exported by "src/cart.js".\nfile: /p/src/pages/cart.tsx:2:22',
    '\nfile: /p/src/pages/cart.tsx:2:22',
  ],
])('a place is left out if the error has it %s', (_, output, place) => {
  expect(shown(withoutPlacesOfErrors(linesOf(output)))).toBe(output.replace(place, ''));
  const elsewhere = output.replace(/(?<=admin\.ts\(|cart\.tsx \()\d/, '9');

  expect(shown(withoutPlacesOfErrors(linesOf(elsewhere)))).toBe(elsewhere);
});

test('an error that was logged with its stack is left out if a failed test has all of it', () => {
  const stack = (lead: string) =>
    ["Couldn't connect to host", 'Mailer.send(Mailer.java:11)', 'InvoiceTest.sends(InvoiceTest.java:37)']
      .map((text, index) =>
        index === 0 ? `java.lang.RuntimeException: ${text}` : `\t${lead}ch.shop.${text}`,
      )
      .join('\n');
  const log = `${'10:30:00 INFO sent\n'.repeat(40)}${stack('at ')}\n${'10:30:00 INFO sent\n'.repeat(40)}`;
  const failed = (said: string) =>
    `Failures (1):\n  JUnit Jupiter:InvoiceTest:sends()\n    => java.lang.IllegalStateException: not sent\n       ch.shop.InvoiceTest.sends(InvoiceTest.java:37)\n     Caused by: ${said}\n`;

  expect(
    excerpt(`${log}${failed(stack('').replaceAll('\t', '       '))}`).split("Couldn't connect"),
  ).toHaveLength(2);
  expect(excerpt(`${log}${failed('java.lang.Error: no host')}`)).toContain("Couldn't connect");
});

test('the file of an error is left out if the error below it has it with a place', () => {
  const error = '[tsl] ERROR in /p/src/admin.ts(1,18)\n      TS2305: no such member';
  const of = (output: string) => shown(withoutPlacesOfErrors(linesOf(output)));

  expect(of(`ERROR in /p/src/admin.ts\n./src/admin.ts 1:17-23\n${error}`)).toBe(error);
  expect(of(`ERROR in /p/src/cart.ts\n./src/admin.ts 1:17-23\n${error}`)).toBe(
    `ERROR in /p/src/cart.ts\n${error}`,
  );
});

test('a place without a file is shown if lines are left out below it', () => {
  const lines = linesOf('modules by path ./src\n4:76-79\n\n[tsl] ERROR in /p/src/admin.ts(4,77)').filter(
    ({ text }) => text !== '',
  );

  expect(withoutPlacesOfErrors(lines)).toEqual(lines);
});

test('a finding that is there twice is shown once, with its place', () => {
  const finding =
    'risky-file-permissions: File permissions unset or incorrect.\nroles/web/main.yml:7 Task/Handler: configure the site';
  const failures = condensed(`${finding}\n\n${finding}\n`).failures;

  expect(
    shown(withoutSaidBefore(linesOf(`${finding}\n${finding}`), failures)).split('main.yml:7'),
  ).toHaveLength(2);
});

test('of two stacks that say the same, the first one is shown', () => {
  const stack = (lead: string) =>
    `${lead}java.lang.RuntimeException: no host\n\tat shop.Mailer.send(Mailer.java:11)\n\tat shop.Invoice.pay(Invoice.java:37)\n`;
  const failures = condensed(
    `${stack('')}${'10:30:00 INFO sent\n'.repeat(60)}${stack('Caused by: ')}`,
  ).failures;
  const left = stacksOfOthersIn(failures);

  expect([...left].map(({ block }) => block.headline.at)).toEqual(
    failures.length > 1 ? [failures[1]?.block.headline.at] : [],
  );
});

test('an error that is printed again with its stack is shown once across a blank line, but not further below', () => {
  const error = '  Error: Promise returned by test never resolved';
  const printed = (between: string) =>
    excerptText(
      excerptOf(
        condensed(`  agent › stops\n\n${error}\n${between}${error}\n      at stop (/p/src/agent.js:4:3)\n`),
        5300,
        { hung: false },
      ),
    ).split(error).length - 1;

  expect(printed('\n')).toBe(1);
  expect(printed('\n  agent › starts\n\n')).toBe(2);
});

test('a note is left out with its source if it says at the place of an error what that says', () => {
  const lines = [
    'a.c:9:3: error: x is null [analyzer-core]',
    '  *x = 1;',
    'a.c:3:3: note: x is null',
    '  int *x = 0;',
    'a.c:9:3: note: x is null',
    '  *x = 1;',
    '   ^',
    '  y = 2;',
    'a.c:9:3: note: x is read here',
    '  *x = 1;',
  ].map((text, at) => ({ at, text }));

  expect(withoutSameNotes(lines).map(({ at }) => at)).toEqual([0, 1, 2, 3, 7, 8, 9]);
});

test('an error that is printed again with its stack stays if other lines were between', () => {
  const error = 'Error: the lamp is not in this cart';
  const lines = [error, error, '    at add (/p/src/cart.js:4:3)'].map((text, index) => ({
    at: index * 9,
    text,
  }));

  expect(withoutSaidBefore(lines, [])).toEqual(lines);
});
