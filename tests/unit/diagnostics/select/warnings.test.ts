import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const of = (output: string) => excerptText(excerptOf(condensed(output), 6000, { hung: false }));
const ERROR = "src/cart.c:9:5: error: 'total' undeclared";

describe('a warning beside an error', () => {
  test.each([
    ['is left out', "src/list.c:3:5: warning: unused variable 'x'\n   3 |   int x;\n     |       ^", ''],
    ['is left out if it is about the same file', "src/cart.c:3:5: warning: unused variable 'x'", ''],
    ['is left out if it is the package manager that warns', 'npm warn Unknown user config "nodedir".', ''],
    [
      'is left out if something is missing at its place',
      'src/list.c:3:5: warning: missing braces [-Wmissing-braces]',
      '',
    ],
    ['is left out below its file, too', '  9:6  Warning: useEffect has a missing dependency  hooks/deps', ''],
    ['is shown if it breaks no rule', 'conf/app.yml:7: warning: invalid value', undefined],
    ['is shown if it names what the error names', "src/cart.h:3:5: warning: 'total' is static", undefined],
    ['is shown if it is about the same place', 'src/cart.c:9:5: warning: x is expanded here', undefined],
    ['is shown if what it names does not exist', 'pkg/run.c:3:5: warning: undefined label: x', undefined],
    ['is shown if it says that something failed', "WARNING - Initialization failed for 'db'", undefined],
  ])('%s', (_, warning, shown = `${warning}\n`) => {
    expect(of(`${warning}\n${ERROR}`).replace(/^… \d+ lines …\n/, '')).toBe(`${shown}${ERROR}`);
  });

  test('is left out without the finding at another place below it, which is called a note', () => {
    const note = 'bin/deploy.sh:8:1: note: read without -r will mangle backslashes. [SC2162]';

    expect(of(`bin/deploy.sh:7:7: warning: x appears unused. [SC2034]\n${note}\n\n${ERROR}`)).toBe(
      `${note}\n\n${ERROR}`,
    );
  });

  test.each([
    '{"level":40,"time":1795365699599,"pid":4711,"msg":"refused the basket"}',
    '{"severity":"WARNING","message":"refused the basket"}',
    'warn: refused the basket',
    '2026-11-23T18:39:33.127Z warn: [shop] refused the basket',
    '2026-11-23 18:39:33,127 WARNING shop.basket refused the basket',
    '2026/11/23 20:12:04 level=warn msg="refused the basket"',
  ])('that was logged is left out beside a failed test that says why: %s', (record) => {
    const failed = '✗ empties the basket\n  AssertionError: expected 3 to be 4\n      at a (src/a.js:3:5)';

    expect(of(`${record}\n${failed}`)).not.toContain('refused');
    expect(of(`${record}\nError: boom`)).toContain('refused');
  });

  test('is left out if it shares only the name of the logger with the error', () => {
    const record = (said: string) => `2026-11-23 19:19:22.304 UTC [12716] postgres@shop_check ${said}`;
    const error = record('ERROR:  could not create unique index "article_sku"');

    expect(
      of(`${record('WARNING:  only 41 of 500 reserved')}\n${'ok 1\n'.repeat(9)}${error}\n${ERROR}`),
    ).not.toContain('reserved');
  });

  test('is left out with the paragraphs below it', () => {
    const below = 'Recommended are cart.divide or\n\n1 | .a { b: 10/2 }\n\nsrc/a.scss 2:19  root stylesheet';
    const first = Array.from({ length: 70 }, (_, i) => `built ${'a '.repeat(i)}page`).join('\n');

    const shown = of(`${first}\nWARNING in ./src/a.scss\nDivision is outdated.\n\n${below}\n\n${ERROR}`);
    expect(shown).not.toContain('scss');
    expect(shown).toContain(ERROR);
  });

  test('is left out if others say the same, also that something is missing', () => {
    const warnings = ['xml', 'svg', 'pdf'].map((name) => `[warning] jing: Unable to locate ${name}-apis`);

    expect(of(`${warnings.join('\n')}\n${ERROR}`)).toBe(ERROR);
    expect(of(`${warnings.join('\n')}\nError: boom`)).toBe(`${warnings.join('\n')}\nError: boom`);
  });

  test('is left out if it shares a word with the error, and a later one that looks alike does too', () => {
    const warnings = ['7', '14', '21'].map((batch) => `warn: batch ${batch} has duplicates, last one wins`);

    expect(of(`${warnings.join('\n')}\nError: row S-3 of batch 21 was not stored`)).toBe(
      `${warnings.at(-1)}\nError: row S-3 of batch 21 was not stored`,
    );
  });

  test('is left out if it is long, and shares a word with the error by chance', () => {
    const prose =
      'warning: selfdestruct was deprecated, since the opcode no longer deletes the undeclared code';

    expect(of(`${prose}, data and balance of accounts after later network upgrades\n${ERROR}`)).toBe(ERROR);
  });

  test('is left out if it shares a word with the error that says nothing', () => {
    const warning = 'warning: a counter does not need to be changed';

    expect(of(`${warning}\n${ERROR}, which does not exist here`)).not.toContain(warning);
  });

  test('is left out if it is a list', () => {
    const warnings = ['Language', 'Project', 'Team', 'Mail'].map(
      (name) => `po/de.po:2: warning: header field '${name}' missing in header`,
    );

    expect(of(`${warnings.join('\n')}\n${ERROR}\n${'ok\n'.repeat(900)}`)).not.toContain('header');
  });

  test('is left out beside the records of a log that are errors, unless it says what did not work', () => {
    const record = (level: string, said: string) => `2026-11-22 10:00:00 ${level} shop.db - ${said}`;
    const requests = Array.from({ length: 90 }, (_, i) => record('INFO', `request ${i}`));
    const output = [
      ...requests,
      record('WARN', 'slow query: 305 ms'),
      ...requests,
      record('WARN', 'slow query: 395 ms'),
      ...requests,
      record('WARN', 'certificate is missing'),
      ...requests,
      record('ERROR', 'payment was refused'),
    ].join('\n');

    expect(of(output)).toContain('payment was refused');
    expect(of(output)).toContain('certificate is missing');
    expect(of(output)).not.toContain('slow query');
  });

  test('is left out at a line of the file above, if it shares only one word with the error', () => {
    const output = 'a.css\n  2:15  ⚠  Disallowed declaration\n  4:21  ✖  Unknown declaration of colr\n';

    expect(of(output)).not.toContain('Disallowed');
  });

  test('is shown if it is an addition to the error above', () => {
    const output = `${ERROR}\nsrc/list.c:3:5: info: macro used here`;

    expect(of(output)).toBe(output);
  });

  test('is shown right above an error without a place', () => {
    const output = `Warning in load(p) : NAs introduced\nError in monthly(d) : eur must be known`;

    expect(of(output)).toBe(output);
  });

  test('leaves no mark of its own in a small gap', () => {
    const warning = 'src/list.c:3:5: warning: unused x\n';

    expect(of(`${ERROR}\n${warning}${warning}${ERROR} again`)).toBe(`${ERROR}\n${ERROR} again`);
  });
});

describe('in the log of several tasks, a warning above an error', () => {
  const log = (n: number) =>
    Array.from({ length: n }, (_, i) => `2026-10-03T08:00:00.0${10 + i}Z [web] INFO  handled message ${i}`);
  const shown = (warnings: readonly string[]) =>
    of(
      [
        ...log(80),
        ...warnings.map((warning) => `2026-10-03T08:00:01.000Z ${warning}`),
        ...log(20),
        '2026-10-03T08:00:02.000Z [stock] ERROR relation pallets does not exist',
        '    at read (src/stock.ts:3:5)',
        ...log(60),
      ].join('\n'),
    );

  test('is shown if the same task has logged it', () => {
    expect(shown(['[stock] WARN  migration 42 skipped'])).toContain('migration 42 skipped');
  });

  test.each([
    ['another task has logged it', ['[mail] WARN  migration 42 skipped']],
    ['the task has logged others like it', [42, 43].map((n) => `[stock] WARN  migration ${n} skipped`)],
    ['it is about a place', ['[stock] WARN  src/list.c:3:5: migration 42 skipped']],
  ])('is left out if %s', (_, warnings) => {
    expect(shown(warnings)).not.toContain('skipped');
  });
});

test('warnings are shown where nothing is surely an error', () => {
  const output = 'src/list.c:3:5: warning: unused x\nsrc/cart.c:3:5: warning: unused y\nerrors may follow';

  expect(of(output)).toBe(output);
});

test('where a run that finished with problems has warnings only, they are what is wrong', () => {
  const warning = "docs/install.rst:4: WARNING: undefined label: 'upgrade-notes'";
  const end = 'build finished with problems, 1 warning.';

  expect(of(`Running Sphinx v5.3.0\n\n${warning}\n${end}`)).toBe(`${warning}\n${end}`);
});

test('a list of warnings is left out below a list of errors', () => {
  const warnings = 'Warnings:\n1. The type of the entry is not exported.\n2. The license has no year.\n';
  const output = `> check\n\nErrors:\n1. The entry is dist/index.cjs and does not exist.\n${warnings}`;

  expect(of(output)).toContain('dist/index.cjs');
  expect(of(output)).not.toContain('license');
  expect(of(`> check\n\n${warnings}`)).toContain('license');
});

describe('what a program has warned of at a place', () => {
  const stamp = '[Fri Nov 27 21:32:25 2026]';
  const warning = `${stamp} PHP Warning:  Undefined array key "price" in /p/src/Tour.php on line 29`;
  const error = `${stamp} PHP Fatal error:  Uncaught TypeError: Argument #5 must be of type int, null given, called in /p/src/Cart.php:24`;
  const requests = Array.from({ length: 60 }, (_, i) => `${stamp} 127.0.0.1:5${100 + i} Accepted`).join('\n');

  test('is shown right above the error that it threw, without its connections', () => {
    const said = [warning, error].map((line) => line.slice(stamp.length + 1));

    expect(of(`${requests}\n${warning}\n${error}`)).toBe(`… 60 lines …\n${said.join('\n')}`);
  });

  test('is left out above something else', () => {
    expect(of(`${requests}\n${warning}\nGET /tours\n${requests}\n${error}`)).not.toContain('Undefined');
  });
});

describe('a warning beside the errors of a linter or a compiler', () => {
  const SVELTE =
    "src/Row.svelte:7:42\nError: Argument of type 'Order' is not assignable. (ts)\n    <a on:click={selected}>selected order: {order.id}</a>\n";

  test.each([
    ['it shares names with the source that the error quotes', 'Warn: selected order is no state'],
    ['it shares one word with the error', 'Warn: this argument is no state'],
  ])('is left out below its place, though %s', (_, said) => {
    expect(of(`src/List.svelte:5:7\n${said}\n  let x = 1;\n\n${SVELTE}`)).not.toContain('is no state');
  });

  test('is left out with the notes of its option', () => {
    const warning =
      "src/a.cob:20: warning: value exceeds size [-Wtruncate]\nsrc/a.cob:20: note: value is 123456 [-Wtruncate]\nsrc/a.cob:11: note: 'QTY' defined here [-Wtruncate]\n";

    expect(of(`${warning}src/a.cob:21: error: 'PRINT' is not defined\n`)).not.toContain('note');
  });

  test('is left out if it has a title of its own', () => {
    const fault = (title: string, place: string, message: string) =>
      `  ${title}\n  /p/src/Order.res:${place}\n\n  6 │ let label = status =>\n  7 │   switch status {\n\n  ${message}\n\n`;
    const shown = of(
      fault(
        'Warning number 8 (configured as error)',
        '7:3-11:3',
        'You forgot to handle a possible case here: Cancelled',
      ) + fault('Warning number 26', '14:7-11', 'unused variable debug.'),
    );

    expect(shown).not.toMatch(/number 26|debug/);
  });

  test('is shown if the next line says that something was not found', () => {
    const warning = "WARNING in ./src/card.tsx 7:290\nexport 'metres' was not found in '../lib/format'\n";

    expect(of(`${warning}\nERROR in ./src/a.scss 9:21\nSassError: Undefined variable.\n`)).toContain(warning);
  });
});

test('of the warnings in a row that say what the error counts, all are shown', () => {
  const links = 'changelog install users billing terms tour faq team'
    .split(' ')
    .map((page) => `(!) Found dead link /${page} in file guide/${page}.md\n`);
  const output = `transforming...\n${links.join('')}\nbuilding the pages\nx Build failed in 7.01s\n✖ building the bundles...\nbuild error:\n[site] 8 dead link(s) found.\n    at Object.render (file:///p/node_modules/site/index.js:45:15)\n`;

  expect(of(output)).toContain(links.join(''));
});

describe('a warning of a compiler', () => {
  const warning = (file: string) =>
    `${file}: In function ‘int rate(Rate)’:\n${file}:3:12: warning: enumeration value ‘None’ not handled in switch [-Wswitch]\n    3 |     switch (r) {\n      |            ^\n`;
  const error =
    'tax.cpp:7:1: error: control reaches end of non-void function [-Werror=return-type]\n    7 | }\n      | ^\n';

  test('is shown if the error below it is in the same function', () => {
    expect(of(`${warning('tax.cpp')}${error}`)).toContain('not handled in switch');
  });

  test('is left out if the error is in another one', () => {
    const other = `tax.cpp: In function ‘int total()’:\n${error}`;

    expect(of(`${warning('tax.cpp')}${other}`)).not.toContain('not handled in switch');
  });
});

describe('a warning of memory', () => {
  const warning =
    'src/parse.c:3:5: warning: strncpy writing 16 bytes into a region of size 8 [-Wstringop-overflow=]';
  const others = "src/list.c:3:5: warning: unused variable 'x' [-Wunused-variable]";

  test('is shown where a program has crashed', () => {
    const shown = of(`${warning}\n${others}\n*** buffer overflow detected ***: terminated\nFAIL: adds\n`);

    expect(shown).toContain(warning);
    expect(shown).not.toContain(others);
  });

  test('is left out where none has', () => {
    expect(of(`${warning}\n${others}\n${ERROR}`)).not.toContain(warning);
  });
});
