import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const of = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const lines = (...texts: readonly string[]) => texts.join('\n');

const passed = Array.from({ length: 300 }, (_, i) => `✓ adds ${i} (${i % 7} ms)`).join('\n');

/** What looks like noise, and is not: an output, and the parts of it that are shown. */
const KEPT: readonly (readonly [string, output: string, ...parts: string[]])[] = [
  [
    'the letters of tests where nothing else says which failed',
    lines('Started', '..........F......', 'the runner ended with an unexpected message'),
    '..........F......',
  ],
  [
    'places among others that look alike',
    lines(
      'lint: use the style',
      '  src/a.js:3:3: Parsing error: Unexpected token b',
      '  src/b.js:2:1: Unexpected var. (no-var) (warning)',
      '  src/b.js:2:22: Extra semicolon. (semi)',
      "  src/b.js:4:23: Use '===' here. (eqeqeq)",
      '  src/b.js:4:54: Extra semicolon. (semi)',
      '  src/c.js:1:29: Add a space here. (space)',
    ),
    'src/b.js:2:22',
    'src/b.js:4:23',
    'src/c.js:1:29',
  ],
  [
    'the hosts and suites in which something failed',
    lines(
      'web1 : ok=4    changed=3    unreachable=1    failed=0    skipped=1',
      'web2 : ok=4    changed=3    unreachable=0    failed=2    skipped=1',
      'Tests run: 5, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.03 sec',
      'Error: the play has failed',
    ),
    'web1 :',
    'web2 :',
    'Errors: 1',
  ],
  [
    'lines of a file that is named above',
    lines(
      'config.yaml:',
      ...[3, 7, 12, 15, 19].map((n) => `  line ${n}: the key is doubled`),
      'Error: the file is not valid',
    ),
    'line 7',
    'line 12',
  ],
  [
    'numbers behind a name',
    lines(
      ...['search: 120 ms', 'browse: 110 ms', 'buy: 340 ms', 'login: 90 ms', 'logout: 80 ms'],
      'Error: a page is slower than 300 ms',
    ),
    'buy: 340 ms',
  ],
  [
    'sizes',
    lines(
      ...[340, 120, 310, 10, 20].map((n, i) => `part${i}.js ${n} kB`),
      'Error: a bundle is larger than 300 kB',
    ),
    'part2.js 310 kB',
  ],
  [
    'warnings that say in other words what the error counts',
    lines(
      '(!) Found dead link ./setup in file index.md',
      '(!) Found dead link /intro in file index.md',
      'error: 2 dead link(s) found.',
    ),
    './setup',
    '/intro',
  ],
  [
    'warnings without a place that share a word with the error',
    lines(
      ...['title', 'tax', 'total'].map((key) => `warning: no translation for cart.${key}`),
      'Error: translations are incomplete',
    ),
    'cart.tax',
  ],
  [
    'the command that repairs, also below a warning',
    lines(
      'lint: Some warnings are errors in the next version',
      'lint: Run `lint --fix` to fix some problems.',
      'src/a.js:3:3: error: Unexpected token b',
    ),
    'lint --fix',
  ],
  [
    'what conflicts or remains',
    lines(
      'Remaining handles of the server',
      'a',
      'b',
      'c',
      'd',
      'Conflicting peer of react',
      'a',
      'b',
      'c',
      'd',
      'Error: boom',
    ),
    'Remaining handles',
    'Conflicting peer',
  ],
  [
    'the heading of a task, signs behind it, far above what failed',
    lines(
      `TASK [create] ${'*'.repeat(60)}`,
      'changed: [web1]',
      `TASK [check the port] ${'*'.repeat(60)}`,
      ...Array.from({ length: 300 }, (_, i) => `ok: [web${i}]`),
      'failed: [web2] => { "msg": "port 8443 is not free" }',
    ),
    'TASK [check the port]',
  ],
  [
    'each file with the same problem, below a heading that counts them',
    lines(
      ...['api', 'web', 'core'].flatMap((name) => [
        `1 issue found in packages/${name}/package.json:`,
        '',
        ' ⨯ error dependencies should be ordered alphabetically. unordered-dependencies',
        '  │   "dependencies": {',
        "  ~     ...   ← keys aren't sorted.",
        '',
      ]),
      passed,
    ),
    'packages/api/package.json',
    'packages/web/package.json',
    'packages/core/package.json',
  ],
  [
    'source behind bullets, above the error that is about it',
    lines(
      '・ New issues in "/proj/src/half.ts"!',
      '・',
      '・ > 5 | export function quarter(n, m) {',
      "・     |                         ^ Parameter 'n' implicitly has an 'any' type.",
      '・   6 |   // TODO: round',
      '・   7 |   return n.value / m;',
      '・   8 | }',
      '',
      'Error: "stricter compilation" got worse. (2 new issues, 3 total)',
      '    at task (src/tasks.ts:66:13)',
    ),
    '> 5 | export function quarter(n, m) {',
  ],
  [
    'what the project has called in a package, where the stack is cut off',
    lines(
      'PathError: Missing parameter name at index 1: *',
      '    at parse (/proj/node_modules/path-to-regexp/src/index.ts:262:24)',
      ...Array.from(
        { length: 8 },
        (_, i) => `    at matcher (/proj/node_modules/router/lib/layer.js:${i}7:23)`,
      ),
      '    at app.get (/proj/node_modules/express/lib/application.js:478:22)',
    ),
    'path-to-regexp/src/index.ts:262:24',
    'express/lib/application.js:478:22',
  ],
  [
    'each place of an error, behind the mark of its task',
    lines(
      '[STARTED] Generate',
      '[FAILED] Error 0: Variable "$id" of type "String!" used in position expecting type "ID!".',
      '[FAILED]     at /proj/src/cart.graphql:1:20',
      '[FAILED]     at /proj/src/cart.graphql:2:24',
      '[FAILED]',
      '[FAILED] Error 1: Unknown fragment "ProductCard".',
      '[FAILED]     at /proj/src/list.graphql:3:8',
    ),
    'cart.graphql:1:20',
    'cart.graphql:2:24',
    'list.graphql:3:8',
  ],
  [
    'each thing that is wrong below the same question',
    lines(
      ...['run y', 'late message'].flatMap((text) => [
        '  ● Cannot log after tests are done. Did you forget to wait for something async in your test?',
        '',
        `    Attempted to log "${text}".`,
        '',
        '      at Queue.log (queue.js:4:63)',
        '',
      ]),
      passed,
    ),
    'Attempted to log "run y"',
    'Attempted to log "late message"',
  ],
  [
    'how often the same attempt has failed',
    lines(
      ...[0, 1, 2].map(
        (i) =>
          `{"level":"ERROR","message":"Failed to connect to 127.0.0.1:9092","retryCount":${i},"retryTime":4${i}}`,
      ),
      passed,
    ),
    '"retryCount":0,"retryTime":40} (×3)',
  ],
  [
    'the step that an error without a place belongs to',
    lines('[1/3] lint packages/api', '[2/3] lint packages/web', 'error: no such rule: no-foo'),
    '[2/3] lint packages/web',
  ],
  [
    'the migration in which an error was thrown',
    lines(
      ...Array.from({ length: 200 }, (_, i) => `${'a'.repeat(i % 9)}${i} is checked`),
      ...['== create-orders: migrating ===', '', ''],
      'ERROR: no such column: customer_id',
      ...Array.from({ length: 200 }, (_, i) => `${'b'.repeat(i % 9)}${i} is checked`),
    ),
    'create-orders: migrating',
  ],
  [
    'what is mentioned of a name that ends like what is being done',
    lines('greeting: Missing name', 'a', 'b', 'c', 'd', 'Error: boom'),
    'greeting: Missing name',
  ],
  [
    'the step that began some lines above an error',
    lines('Checking packages/a', 'Checking packages/b', 'a', 'b', 'c', 'd', 'e', 'Error: duplicate id 7'),
    'Checking packages/b',
  ],
  [
    'a numbered step that went wrong in words of its own',
    lines('[1/3] cart.test.ts timed out', '[2/3] https://example.com/a 404', 'Error: some have not passed'),
    'cart.test.ts timed out',
    '404',
  ],
  [
    'versions that a sentence is about',
    lines('engine: needs Node 20.1.0 or newer', 'found Node 18.0.0', 'Error: boom'),
    'needs Node 20.1.0',
  ],
  [
    'a file above an error',
    lines('src/a.ts', '  1:3  warning  Unused x', '', 'src/b.ts', '  1:3  error  Undefined y'),
    'src/b.ts',
  ],
  [
    'the option that repairs',
    lines(
      'SyntaxError: Cannot use import here',
      '    at load (src/a.js:3:5)',
      'Use --experimental-modules to enable ES modules.',
    ),
    '--experimental-modules',
  ],
  [
    'the lines that a diff adds, however many',
    lines('Error: the schema has changed:', ...[...'abcdefghijklm'].map((name) => `+ ${name}: Int`)),
    '+ c: Int',
    '+ h: Int',
  ],
  [
    'names below a line that says what they lack',
    lines(
      'shop.desktop: error: the type is not registered',
      '',
      '# LICENSES',
      '',
      'The following files have no license:',
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => `* f${n}.c`),
      '',
      'The project is not compliant.',
    ),
    'f2.c',
    'f4.c',
  ],
  [
    'names above and below an error',
    lines(
      'Checking licenses',
      ...[...'abcd'].map((name) => `src/${name}.ts`),
      'Error: the files above have none',
    ),
    'src/b.ts',
    'src/c.ts',
  ],
  [
    'what a script says that failed without a known error, among other scripts with theirs',
    lines(
      '> @shop/cart@1.0.0 test',
      '> mocha',
      passed,
      '✗ adds the shipping costs',
      'AssertionError: expected 3 to equal 4',
      'npm error Lifecycle script `test` failed with error:',
      'npm error path /p/cart',
      '',
      '> @shop/schema@1.0.0 test',
      '> node check.js',
      'Type "Order" lost the field "discount".',
      'Run `npm run schema:accept` if that is intended.',
      'npm error Lifecycle script `test` failed with error:',
      'npm error path /p/schema',
    ),
    'AssertionError: expected 3 to equal 4',
    'Type "Order" lost the field "discount".',
    'Run `npm run schema:accept` if that is intended.',
  ],
  [
    'a diff in TAP with dots in it',
    lines(
      'not ok 2 - multiplies by the quantity',
      '  ---',
      '  error: |-',
      '    Expected values to be strictly deep-equal:',
      '',
      '      {',
      "        id: 'o-1',",
      '    ...',
      '    +   total: 3',
      '    -   total: 10',
      '      }',
      '  ...',
      passed,
    ),
    '+   total: 3',
    '-   total: 10',
  ],
  [
    'the error that a logger printed, as a comment in TAP',
    lines(
      passed,
      'not ok 2 - answers with 404',
      '  ---',
      '  error: 500 !== 404',
      '  ...',
      '# {"level":50,"time":1795422327374,"pid":7,"err":{"type":"TypeError"},"msg":"orders is not iterable"}',
    ),
    'orders is not iterable',
  ],
  [
    'a file that is not formatted, below tasks that failed',
    lines(
      '[FAILED] eslint --fix [SIGKILL]',
      '',
      '✖ prettier --check:',
      'Checking formatting...',
      '[warn] README.md',
      '[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
    ),
    '[warn] README.md',
  ],
];

/** The same at the end of a long output. */
const KEPT_AT_END: typeof KEPT = [
  ...KEPT,
  [
    'the warning right above an error',
    lines('[app] Converting report.md', '[app] WARNING | Kernel py cannot be found', 'Error: boom'),
    'Kernel py cannot be found',
  ],
  [
    'the step above that warning',
    lines('[app] Converting report.md', '[app] WARNING | Kernel py cannot be found', 'Error: boom'),
    'report.md',
  ],
  [
    'each name of which something is mentioned, beside an error',
    lines(
      ...['a', 'b', 'c', 'd'].map((key) => `missing text: cart.${key}`),
      'Error: the texts are not complete',
    ),
    'cart.b',
    'cart.c',
  ],
  [
    'each name that has a fault, beside an error',
    lines(...['a', 'b', 'c', 'd'].map((key) => `unknown key cart.${key}`), 'Error: the config is not valid'),
    'cart.b',
    'cart.c',
  ],
  [
    'what a server has logged right above the name of a failed test',
    lines(
      ...Array.from({ length: 90 }, (_, i) => `[server] GET /rates/${i}`),
      '[server] GET /rates/SEK',
      '[server] the table of 2023 has 3 rows',
      '',
      '[server] GET /rates/SEK',
      '[server] the table of 2023 has 3 rows',
      '',
      '  1) rates › SEK is known',
      '     Error: expected 500 to be 200',
      ...Array.from({ length: 90 }, (_, i) => `[server] GET /rates/${i}`),
    ),
    'the table of 2023 has 3 rows',
  ],
  [
    'all of a message of which only the first line has a prefix',
    lines(
      '[bundle] ✖ Invalid configuration.',
      ...[...'abcdefghij'].map(
        (key) => ` - config.${key} should match a pattern\n   It was changed in ${key}2.`,
      ),
    ),
    ...[...'abcdefghij'].map((key) => `config.${key}`),
  ],
  [
    'the values that differ, far below the errors, rather than the lines around them',
    ['humidity', 'pressure', 'rainfall', 'visibility']
      .map((name) =>
        lines(
          `E   AssertionError: the reports of ${name} differ`,
          ...Array.from({ length: 40 }, (_, i) => `E     ${name} of station ${i} is as it should be`),
          `E   - ${name} of station t-17 is stale`,
          `E   + ${name} of station t-17 is fine`,
          ...Array.from({ length: 20 }, (_, i) => `E     ${name} of station ${i} is as it should be`),
          `tests/test_${name}.py:3: AssertionError`,
        ),
      )
      .join('\n\n'),
    'humidity of station t-17 is stale',
    'pressure of station t-17 is stale',
    'rainfall of station t-17 is stale',
    'visibility of station t-17 is stale',
  ],
  [
    'the values of each failure, also if its message is long',
    [...'abcdefgh']
      .map((name) =>
        lines(
          `TypeError: ${name} ${'is no part of it, '.repeat(22)}failed, ${'is no part of it, '.repeat(40)}`,
          ...Array.from({ length: 9 }, (_, i) => `    ${i} of ${name}`),
          `  expected: ${name}1`,
          `  received: ${name}2`,
        ),
      )
      .join('\n\n'),
    ...[...'abcdefgh'].map((name) => `received: ${name}2`),
  ],
  [
    'what each of a few failures says, before all that is said of the first',
    [...'abcdefghij']
      .map((name) =>
        lines(
          `src/${name}.c:3:5: error: the file is not closed [CWE-775]`,
          ...Array.from({ length: 9 }, (_, i) => `src/${name}.c:${i + 4}:5: note: ${'then '.repeat(24)}`),
        ),
      )
      .join('\n'),
    ...[...'abcdefghij'].map((name) => `src/${name}.c:3:5: error`),
  ],
  [
    'as many different failures as there is space for',
    [...'abcdefghijklm']
      .map((name) =>
        lines(
          `TypeError: ${name} is ${name.repeat(230)}`,
          `    at src/${name}.js:3:5`,
          `    at lib/${name}.js:7:5`,
          ...Array.from({ length: 9 }, (_, i) => `\nreading part ${i}`),
        ),
      )
      .join('\n\n'),
    ...[...'abcdefghijklm'].map((name) => `lib/${name}.js:7:5`),
  ],
  [
    'what is wrong, in the line above a pointer to its place',
    lines(
      'loading the plan',
      ...['os', 're', 'io'].flatMap((name, i) => [
        `F401 [*] \`${name}\` imported but unused`,
        ` --> shop/${name}.py:${i + 1}:8`,
        '  |',
        `${i + 1} | import ${name}`,
        '  |        ^^',
        '',
      ]),
      ...Array.from({ length: 300 }, (_, i) => `row ${i} of ${'the list '.repeat(i % 7)}`),
      'error: the build has failed',
    ),
    ...['os', 're', 'io'].flatMap((name) => [
      `F401 [*] \`${name}\` imported but unused`,
      ` --> shop/${name}.py`,
    ]),
  ],
  [
    'what is wrong, as a text in YAML below its key',
    lines(
      'TAP version 13',
      ...['label', 'title', 'price'].flatMap((name, i) => [
        `not ok ${i + 1} - matches the ${name}`,
        '  ---',
        `  location: '/proj/${name}.test.js:4:3'`,
        '  error: |-',
        `    The ${name} did not match the regular expression /^Lamp/.`,
        "  code: 'ERR_ASSERTION'",
        ...Array.from({ length: 30 }, (_, row) => `  actual: '${name} ${row} ${'of a lamp '.repeat(9)}'`),
        '  ...',
      ]),
    ),
    'The label did not match',
    'The title did not match',
    'The price did not match',
  ],
  [
    'what a test has logged as a comment, right above its name',
    lines(
      ...['stock', 'price', 'order'].flatMap((name, i) => [
        `# the migration of ${name} failed: column "sku" already exists`,
        `# Subtest: /proj/${name}.test.js`,
        `not ok ${i + 1} - /proj/${name}.test.js`,
        '  ---',
        "  error: 'test failed'",
        '  ...',
      ]),
      ...Array.from({ length: 99 }, (_, i) => `ok ${i + 4} - counts shelf ${i}`),
    ),
    'the migration of stock failed: column "sku" already exists',
    'the migration of price failed: column "sku" already exists',
  ],
  [
    'what a test says between code that is left out',
    [3, 4, 5]
      .map((line) =>
        lines(
          `  ● renders page ${line}`,
          '',
          '    expect(received).toMatchSnapshot()',
          '',
          `    Snapshot ${line} was not written, because the command runs in CI.`,
          '',
          ...[line - 1, line + 1].map((n) => `      ${n} | ${`render(${n}); `.repeat(20)}`),
          `    > ${line} | expect(page).toMatchSnapshot();`,
          '        |              ^',
          ...[line + 1, line + 2].map((n) => `      ${n} | ${`render(${n}); `.repeat(20)}`),
          '',
          `      at Object.toMatchSnapshot (src/page${line}.test.js:${line}:14)`,
          '',
        ),
      )
      .join('\n'),
    'Snapshot 3 was not written',
    'Snapshot 4 was not written',
    'Snapshot 5 was not written',
  ],
  [
    'each file with the same message, below a title',
    ['cart', 'list', 'page']
      .map((name) =>
        lines(
          `src/${name}.ts format ━━━━━━━━━━━━━━━━━━━━`,
          '',
          '  ✖ File content differs from formatting output',
          '',
          `    1   │ - const ${name}=1`,
          `      1 │ + const ${name} = 1;`,
          '',
        ),
      )
      .join('\n'),
    'src/cart.ts format',
    'src/list.ts format',
    'src/page.ts format',
  ],
  [
    'warnings that made a command fail before tests have failed',
    lines(
      'warning: sum/1 is undefined',
      '  lib/shop.ex:7: Shop.total/2',
      '',
      'Compilation failed due to warnings while using the --warnings-as-errors option',
      '  1) test adds (ShopTest)',
      '     test/shop_test.exs:6',
      '     Assertion with == failed',
    ),
    'warning: sum/1 is undefined',
    'lib/shop.ex:7: Shop.total/2',
    'Compilation failed due to warnings',
  ],
  [
    'of many files of which too little is covered, those with the least',
    lines(
      ...[...'abcdefgh'].flatMap((first, i) =>
        [...'klmno'].map(
          (second, j) => `etl/${first}${second}.py         19      1    ${94 - 5 * i - j}%   3`,
        ),
      ),
      ...Array.from({ length: 80 }, (_, i) => `saved the report of ${'all '.repeat(i)}files`),
      'FAIL Required test coverage of 95% not reached. Total coverage: 76.64%',
    ),
    'etl/ho.py',
    'etl/ek.py',
  ],
  [
    'the rule that each finding breaks, above its place',
    lines(
      ...['gold', 'silk', 'iron', 'wool', 'lead', 'zinc', 'salt', 'sand'].flatMap((name) => [
        `${name}-free: Tasks should have no ${name}.`,
        'site.yml:6 Task: install',
        '',
      ]),
      ...Array.from({ length: 80 }, (_, i) => `loaded ${'all '.repeat(i)}roles`),
      'Failed after min profile: 8 failure(s).',
    ),
    'gold-free: Tasks',
    'wool-free: Tasks',
    'sand-free: Tasks',
  ],
  [
    'warnings that a command counts with its errors',
    lines(
      'docs/index.rst:4: WARNING: toctree contains reference to no document',
      'docs/uploads.rst:15: ERROR: Error parsing content block',
      ...Array.from({ length: 60 }, (_, i) => `writing output... page ${'of '.repeat(i)}docs`),
      'build finished with problems, 2 warnings.',
    ),
    'docs/index.rst:4',
    'docs/uploads.rst:15',
  ],
  [
    'how many tests have failed, among counts on lines of their own',
    lines('# tests 16', '# suites 4', '# pass 14', '# fail 2', '# cancelled 0', '# skipped 0', '# todo 0'),
    '# fail 2',
  ],
  [
    'where a server listens, if one did not answer at another place',
    lines(
      'smoke: starting the server',
      ...Array.from(
        { length: 30 },
        (_, i) => `2026-11-23T18:44:09.805Z DEBUG loaded ${'many '.repeat(i)}readings`,
      ),
      '2026-11-23T18:44:09.810Z INFO  server ready on http://127.0.0.1:5178 (station 1)',
      ...Array.from({ length: 60 }, (_, i) => `2026-11-23T18:44:1${i % 10}.000Z DEBUG poll ${i}: none`),
      "curl: (7) Failed to connect to 127.0.0.1 port 5187 after 0 ms: Couldn't connect to server",
    ),
    'http://127.0.0.1:5178',
    'port 5187',
  ],
  [
    'the files of which too little is covered',
    lines(
      'Name                    Stmts   Miss  Cover   Missing',
      '-----------------------------------------------------',
      ...Array.from({ length: 12 }, (_, i) => `etl/source_${i}.py         19      0   100%`),
      'etl/legacy.py              26     26     0%   1-26',
      'etl/retry.py               20      3    85%   23-25',
      ...Array.from({ length: 12 }, (_, i) => `etl/target_${i}.py         19      0   100%`),
      '-----------------------------------------------------',
      'TOTAL                     274     64    77%',
      ...Array.from({ length: 80 }, (_, i) => `saved the report of ${'all '.repeat(i)}files`),
      'FAIL Required test coverage of 90% not reached. Total coverage: 76.64%',
    ),
    'etl/legacy.py',
    'etl/retry.py',
  ],
  [
    'the files of which too little is covered, where a script compares that',
    lines(
      'cart.js                    26     26     0%   1-26',
      ...Array.from({ length: 80 }, (_, i) => `saved the report of ${'all '.repeat(i)}files`),
      'Error: coverage 71.2% < 80%',
    ),
    'cart.js',
  ],
  [
    'warnings that made a command fail, below the statement on the other stream',
    lines(
      'ESLint found too many warnings (maximum: 0).',
      '> shop@1.0.0 lint',
      '> eslint src --max-warnings 0',
      '',
      '/proj/src/Cart.tsx',
      "  1:31  warning  'total' is defined but never used  no-unused-vars",
      '',
      '/proj/src/Page.tsx',
      '  3:83  warning  Unexpected any                     no-explicit-any',
      '',
      '✖ 2 problems (0 errors, 2 warnings)',
    ),
    "1:31  warning  'total'",
    '3:83  warning  Unexpected any',
  ],
  [
    'what a command said that failed among others',
    lines(
      '> shop@1.0.0 test',
      '> run-tests',
      ...Array.from({ length: 10 }, (_, i) => `✗ adds ${i}\n  Error: expected ${'a value '.repeat(35)}${i}`),
      '',
      '> shop@1.0.0 check',
      '> check tokens.json',
      '',
      'tokens.json invalid',
      ...['brand', 'text', 'edge', 'link', 'focus', 'note', 'mark', 'page', 'row', 'hover'].flatMap(
        (name) => [`  path: '/color/${name}/value of the theme'`, "  message: 'must match ^#[0-9a-f]{6}$'"],
      ),
      'ERROR: "check" exited with 1.',
    ),
    'tokens.json invalid',
    '/color/brand/value',
    '/color/note/value',
  ],
  [
    'the error of a command before one whose tests have passed',
    lines(
      '> shop@1.0.0 types',
      '> check-types',
      '',
      'Error: total is no number',
      ...Array.from({ length: 9 }, (_, i) => `  ${i}: the type of entry ${i} is ${'a union of '.repeat(5)}`),
      '',
      '> shop@1.0.0 test',
      '> run-tests',
      '',
      passed,
      '✗ shuffles',
      '  Error: expected 3 to be 4',
    ),
    'Error: total is no number',
    '8: the type of entry 8',
  ],
  [
    'where an error is, below much advice',
    ['cart', 'list', 'page', 'row']
      .map((name) =>
        lines(
          `  ● ${name} fails to load`,
          '',
          '    The file could not be parsed',
          '',
          ...Array.from(
            { length: 24 },
            (_, i) => `     • If ${i} is used, set an option: ${'of many '.repeat(16)}`,
          ),
          '',
          '    Details:',
          '',
          `    src/${name}.test.js:1`,
          `    import logo from './${name}.svg';`,
          '    ^^^^^^',
          '',
          '    SyntaxError: Cannot use import outside a module',
          '',
        ),
      )
      .join('\n'),
    'src/list.test.js:1',
    'src/page.test.js:1',
    'src/row.test.js:1',
  ],
  [
    'each failure in XML, with its file',
    lines(
      '<testsuites tests="12" failures="12" errors="7">',
      ...[...'abcdefghijkl'].flatMap((name, i) => [
        `    <testsuite name="src/${name}.ts" failures="1" errors="0">`,
        `        <testcase name="style.${name}" line="${i}" column="15">`,
        `            <failure message="Avoid ${name} ${'in a list '.repeat(12)}">line ${i}, col 15</failure>`,
        '        </testcase>',
        '    </testsuite>',
      ]),
      '</testsuites>',
      '✗ Some errors were emitted.',
    ),
    ...[...'abcdefghijkl'].flatMap((name) => [`src/${name}.ts`, `Avoid ${name} `]),
  ],
  [
    'each file with the same error at the same line',
    lines(
      ...['cart', 'list', 'page'].flatMap((name) => [
        `/proj/src/${name}.js`,
        '  1:1  error  Unexpected var, use let or const instead  no-var',
        '',
      ]),
      '✖ 3 problems (3 errors, 0 warnings)',
    ),
    'src/cart.js\n  1:1  error',
    'src/list.js\n  1:1  error',
    'src/page.js\n  1:1  error',
  ],
  [
    "the file of a package that cannot be parsed, beside the project's own frames",
    lines(
      'FAIL test/api.test.ts',
      '  ● api › creates',
      '',
      '    Details:',
      '',
      '    /proj/node_modules/cookie/dist/index.js:80',
      '    export function parseCookie(str, options) {',
      '    ^^^^^^',
      '',
      "    SyntaxError: Unexpected token 'export'",
      '',
      '      at post (test/helpers.ts:8:59)',
    ),
    'node_modules/cookie/dist/index.js:80',
    'test/helpers.ts:8:59',
  ],
  [
    'the file of the tests above those that failed',
    lines(
      'build/t/flux.t ..... ',
      ...Array.from({ length: 40 }, (_, i) => `ok ${i + 1} - step ${i}`),
      'not ok 41 - sums up',
      "#   Failed test 'sums up'",
      '#          got: 3',
    ),
    'build/t/flux.t',
  ],
  [
    'two sizes that a linker reports for two regions',
    lines(
      "arm-none-eabi/bin/ld: build/app.elf section `.text' will not fit in region `FLASH'",
      "arm-none-eabi/bin/ld: region `FLASH' overflowed by 4692 bytes",
      "arm-none-eabi/bin/ld: region `RAM' overflowed by 1648 bytes",
      'drivers/sht31.c:8: undefined reference to `reset`',
      'make: *** [Makefile:25: app.elf] Error 1',
    ),
    "region `FLASH' overflowed by 4692 bytes",
    "region `RAM' overflowed by 1648 bytes",
  ],
  [
    'two checks of a test bench that failed, between those that passed',
    lines(
      '[110] FAIL level: got 0x7, expected 0x8 (tb.check)',
      ...Array.from({ length: 9 }, (_, i) => `[${i + 1}20] ok   head = 0x4${i}`),
      '[980] FAIL head: got 0xxx, expected 0x47 (tb.check)',
      '20 checks, 2 errors',
    ),
    'FAIL level: got 0x7, expected 0x8',
    'FAIL head: got 0xxx, expected 0x47',
  ],
  [
    'what Valgrind reports between the results of tests, and what is at an address',
    lines(
      '1/3 session      FAIL             2.53s   exit status 9',
      '――――――――――――――――――――――――― ✀  ――――――――――――――――――――――――――',
      '==21407== Invalid write of size 1',
      '==21407==    at 0x10BB5F: mq_decode (packet.c:38)',
      '==21407==    by 0x10ACD9: decode_publish (test_packet.c:52)',
      "==21407==  Address 0x4b3d135 is 0 bytes after a block of size 5 alloc'd",
      '==21407==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)',
      '==21407==    by 0x10BB25: mq_decode (packet.c:36)',
      '==21407== ',
      '==21407== 28 bytes in 1 blocks are definitely lost in loss record 1 of 1',
      '==21407==    by 0x10B239: mq_subscribe (session.c:28)',
      '――――――――――――――――――――――――――――――――――――――――――――――――――――――',
      '2/3 retain       OK               2.74s',
    ),
    'Invalid write of size 1',
    'is 0 bytes after a block of size 5',
    'packet.c:36',
    'definitely lost',
    'session.c:28',
  ],
  [
    'the place of an assertion of testify, before the test that failed',
    lines(
      ...Array.from({ length: 60 }, (_, i) => `    rates_test.go:51: quote ${i} is there`),
      '    rates_test.go:52: ',
      '        \tError Trace:\t/p/rates_test.go:52',
      '        \tError:      \tNot equal: ',
      '        \t            \texpected: 285',
      '        \t            \tactual  : 190',
      '        \tTest:       \tTestFor/national',
      ...Array.from({ length: 20 }, (_, i) => `    rates_test.go:51: quote ${i} is there`),
      '--- FAIL: TestFor (0.02s)',
      '    --- FAIL: TestFor/national (0.02s)',
      'FAIL\texample.com/rates\t0.144s',
    ),
    '/p/rates_test.go:52',
    'expected: 285',
    'actual  : 190',
  ],
  [
    'the innermost frame of the project in a logged traceback, of many',
    lines(
      '2026-11-27 02:28:39,789 ERROR aiohttp.server: Error handling request',
      'Traceback (most recent call last):',
      ...['access', 'items', 'rows', 'page', 'item'].flatMap((name, i) => [
        `  File "/home/dev/feed/feed/server.py", line ${38 - i}, in ${name}`,
        `    return await handler${i}(request, with_some_more_arguments_than_needed)`,
      ]),
      'IndexError: No item with that key',
      '======================================================================',
      'FAIL: test_items (tests.test_server.ServerTest)',
      '----------------------------------------------------------------------',
      'AssertionError: 500 != 200',
    ),
    'line 34, in item',
  ],
  [
    'what a program has logged right before it crashed',
    lines(
      ...Array.from(
        { length: 30 },
        (_, i) =>
          `2026-11-27 02:34:16,303 [7] INFO tariffs - costs of part ${'abcdefghij'[i % 10]?.repeat(i + 1)}`,
      ),
      '2026-11-27 02:34:16,403 [7] INFO tariffs - Budget: flattening 10 nodes',
      'Fatal Python error: Segmentation fault',
      '',
      'Current thread 0x00007f2c51068040 (most recent call first):',
      '  File "/p/tariffs.py", line 20 in price',
    ),
    'Budget: flattening 10 nodes',
  ],
  [
    'the only warning of the log of a program that crashed',
    lines(
      'ci.sh: line 14: 26308 Floating point exception(core dumped) ./gatewayd',
      '--- gatewayd.log',
      '2026-11-27T02:34:13.225Z INFO  main     gatewayd 4.1.0',
      '2026-11-27T02:34:13.225Z WARN  config   ring.size: "64k" is not a number, using 0',
      ...Array.from({ length: 60 }, (_, i) => `2026-11-27T02:34:13.2${i}Z DEBUG worker   worker ${i} ready`),
      '#0  0x000055cefa4f2d24 in ring_push (r=0x55) at src/ring.c:18',
    ),
    'ring.size: "64k" is not a number, using 0',
  ],
  [
    'what a server has warned of right above the test that failed',
    lines(
      ...Array.from(
        { length: 30 },
        (_, i) =>
          `[WebServer] {"level":30,"time":${i},"msg":"request ${i}"}\n  ✓  ${i} [vessels] › tests/v.spec.ts:${i}:3 › lists`,
      ),
      '[WebServer] {"level":40,"time":31,"issues":["eta: Invalid datetime"],"msg":"vessel refused"}',
      '  ✘  31 [vessels] › tests/v.spec.ts:10:3 › registers (99ms)',
      '  1) [vessels] › tests/v.spec.ts:10:3 › registers ────',
      '    Error: expect(response).toBeOK() failed',
      '        at /p/tests/v.spec.ts:13:23',
    ),
    'eta: Invalid datetime',
  ],
  [
    'the error of a log that a script has indented, with its place',
    lines(
      '  FAIL book: POST /bookings answered 500 instead of 201',
      '1 check(s) failed; log of the server:',
      ...Array.from(
        { length: 20 },
        (_, i) => `    {"level":30,"time":${i},"reqId":"r${i}","msg":"incoming request"}`,
      ),
      '    {"level":50,"time":21,"err":{"type":"TypeError","message":"no plan","stack":"TypeError: no plan\\n    at price (/p/src/prices.ts:15:11)"},"msg":"no plan"}',
      ...Array.from(
        { length: 20 },
        (_, i) => `    {"level":30,"time":${i},"reqId":"s${i}","msg":"request completed"}`,
      ),
    ),
    'src/prices.ts:15:11',
  ],
  [
    'the directory of a file that is named without one, if make is in it',
    lines(
      "make[1]: Entering directory '/p/lib'",
      'cc -c ring.c',
      "make[1]: Leaving directory '/p/lib'",
      "make[1]: Entering directory '/p/tools'",
      'cc -c bench.c',
      'bench.c:1:10: fatal error: benchmark.h: No such file or directory',
      'make[1]: *** [Makefile:10: bench.o] Error 1',
    ),
    "Entering directory '/p/tools'",
  ],
  [
    'what TeX was reading when it found an error',
    lines(
      'Runaway argument?',
      '{\\Delta e \\end {equation} and shall not be less than ten. ',
      './manual.tex:24: File ended while scanning use of \\frac .',
      '<inserted text> ',
      'l.24 \\include{chapters/commissioning}',
    ),
    '{\\Delta e \\end {equation}',
  ],
  [
    'the steps before the one that failed in a scenario',
    lines(
      '  Scenario: last day  # features/vouchers.feature:40',
      '    Given it is 2024-05-31  # features/steps/basket.py:32',
      '    And a basket with 2 books  # features/steps/basket.py:9',
      '    When the voucher is used  # features/steps/basket.py:37',
      '    Then the discount is 5.00  # features/steps/basket.py:45',
      '      Assertion Failed: discount is 0.00, expected 5.00',
      '',
      'Failing scenarios:',
      '  features/vouchers.feature:40  last day',
    ),
    'Given it is 2024-05-31',
    'Then the discount is 5.00',
  ],
  [
    'the test that failed below a time and the name of its script',
    lines(
      '[02:28:03.267] unit > shop@2.3.0 unit',
      '[02:28:03.267] unit > jest',
      '[02:28:03.336] lint > shop@2.3.0 lint',
      '[02:28:03.336] lint > eslint src',
      '[02:28:19.399] lint   7:29  warning  Forbidden assertion  no-assertion',
      '[02:28:19.399] unit   ● alerts › fires',
      '[02:28:19.399] unit ',
      '[02:28:19.399] unit     expect(received).toBe(expected)',
      '[02:28:19.399] unit     Expected: true',
      '[02:28:19.399] unit     Received: false',
      '[02:28:19.399] unit       at Object.toBe (test/alerts.test.ts:16:127)',
    ),
    '● alerts › fires',
    'test/alerts.test.ts:16:127',
  ],
  [
    'what a server warned of right above the name of a test that failed',
    lines(
      '09:37:10.524Z INFO [clinic] booked',
      '2026-11-27T02:37:10.546Z WARN [clinic] POST /visits refused {"reason":"no property email"}',
      '2026-11-27T02:37:10.547Z HTTP [clinic] POST /visits 400',
      '      1) books with an address',
      '2026-11-27T02:37:10.561Z WARN [clinic] POST /visits refused {"reason":"taken"}',
      '      ✔ 409 for a taken one',
      '  1) books with an address:',
      '     Error: expected 201, got 400',
      '      at Context.<anonymous> (test/visits.spec.js:19:66)',
    ),
    'no property email',
  ],
  [
    'what is wrong at each of the places that have a number',
    lines(
      ...Array.from(
        { length: 3 },
        (_, i) =>
          `[${i + 1}] api.yaml:${i + 1}5:5 at #/paths/p${i}\n\nThe operation needs a name of its own, not ${'abcdefghijkl'[i]}.\n\n${i + 1}5 |   get:\n    |   ^^^\n${i + 1}6 |     id: ${'x'.repeat(400)}\n`,
      ),
    ),
    'not a.',
    'not b.',
    'not c.',
  ],
];

const KEPT_AT_START: typeof KEPT = [
  ['the seed of the run', 'Random seed: 48213', '48213'],
  ['the settings of the run', 'Settings of ci/settings.toml', 'ci/settings.toml'],
  ['the command that repairs', 'Run `npm run format` to fix the style.', 'npm run format'],
];

describe.each([
  ['an excerpt has', KEPT, (output: string) => output],
  ['the excerpt of a long output has', KEPT_AT_END, (output: string) => `${passed}\n${output}`],
  [
    'the excerpt of a long output has, far from the failure,',
    KEPT_AT_START,
    (output: string) => `${output}\n${passed}\n✗ shuffles\n  Error: expected 3 to be 4\n`,
  ],
])('%s', (_, kept, outputOf) => {
  test.each(kept)('%s', (_, output, ...parts) => {
    const shown = of(outputOf(output));

    for (const part of parts) expect(shown).toContain(part);
  });
});

test('an excerpt has what a script says on one stream that failed, if the other one says that it did', () => {
  const findings = condensed([
    ['stdout', `> @shop/cart@1.0.0 test\n> mocha\n${passed}\n✗ adds\nError: no cart\n`],
    ['stderr', 'npm error Lifecycle script `test` failed with error:\nnpm error path /p/cart\n'],
    ['stdout', '\n> @shop/web@1.0.0 test\n> node routes.js\n/about is a duplicate of /about-us\n'],
    ['stderr', 'npm error Lifecycle script `test` failed with error:\nnpm error path /p/web\n'],
  ]);

  expect(excerptText(excerptOf(findings, 5300, { hung: false }))).toContain(
    '/about is a duplicate of /about-us',
  );
});
