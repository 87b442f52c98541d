import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const ERROR = "src/b.c:3:5: error: 'x' undeclared";
const NEAR = 'tick\ntock\ntack';

test.each([
  ['a title', 'Stock of the depot'],
  ['a title with a possessive', "The depot's stock"],
  ['the answer of a database', 'INSERT 0 20'],
  ['a task that ended', "[22:57:24] Finished 'clean' after 15 ms"],
  ['a step of a part of the program', '02:08:31 [content] Syncing content'],
  ['a request that was answered', 'req0 (200 OK) - 34 ms'],
  ['a step with a mark', '❯ Load schemas'],

  ['a step of a named program', "make[1]: Entering directory '/proj'"],
  ['what a server has logged of something else', "2026/11/22 20:01:58| Startup: Initialized scheme 'basic'"],
  ['a step with a level', '[info] Resolving org/total#1.2 ...'],
])('long before a sure failure, %s is left out', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${NEAR}\n${ERROR}`);
});

test.each([
  ['names a file', 'entry is src/index.ts'],
  ['names an address', 'GET http://127.0.0.1:4872/profile'],
  ['has a value', 'seed: 4711'],
  ['has a text in quotation marks', "set name to 'Ada'"],
  ['has a size', 'indexed 180 documents, 49 MB'],
  ['names a fault', 'the cache is stale'],
  ['is a part of a diff', '-beta'],
  ['is a command', '$ deploy it'],
  ['repairs', 'run the installer to update'],
])('long before a sure failure, a line that %s is kept', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${line}\n${NEAR}\n${ERROR}`);
});

test('what was done between a warning that may explain the failure and the failure is left out', () => {
  const warning = 'warning: the units of src/b.c cannot be found\n';

  expect(excerpt(`${warning}\nStock of the depot\n${NEAR}\n${ERROR}`)).toBe(`${warning}\n${NEAR}\n${ERROR}`);
});

test.each([
  ['names what the failure names', '2026/11/22 20:01:58| Loaded the rules of src/b.c'],
  ['is about the same', '2026/11/22 20:01:58| undeclared units: 3'],
])('long before a sure failure, a line that a server has logged is kept if it %s', (_, line) => {
  expect(excerpt(`${line}\n${NEAR}\n${ERROR}`)).toBe(`${line}\n${NEAR}\n${ERROR}`);
});

test.each([
  ['black', 'All done! ✨ 🍰 ✨'],
  ['pylint', 'Your code has been rated at 10.00/10'],
  ['mypy', 'Success: no issues found in 2 source files'],
  ['ruff', 'All checks passed!'],
  ['Prettier', 'All matched files use Prettier code style!'],
  ['PHPUnit', 'OK (5 tests, 9 assertions)'],
  ['pytest', '===== 5 passed in 0.12s ====='],
])('what a step has printed that passed by the result of %s is left out', (_, result) => {
  expect(excerpt(`src/a.c was not modified\nseed: 4711\n${result}\nlint src\n${ERROR}`)).toBe(
    `lint src\n${ERROR}`,
  );
});

const INITIALIZED = 'Terraform has been successfully initialized!';

test('what a step has printed that ended well is left out, with its advice and its warnings', () => {
  const step = `The backend is "local"\n│ Warning: Unable to open the file ~/.terraformrc\n${INITIALIZED}`;

  expect(excerpt(`${step}\n\nYou may now begin to work.\n\n${NEAR}\n${ERROR}`)).toBe(`${NEAR}\n${ERROR}`);
});

test.each([
  ['names what the failure names', 'The unit is "src/b.c"', INITIALIZED],
  ['is a value', 'seed: 4711', 'The seed was not found successfully'],
])('above the end of a step, a line that %s is kept', (_, line, end) => {
  expect(excerpt(`${line}\n${end}\n${NEAR}\n${ERROR}`)).toContain(line);
});

const SETTINGS = ['Build dir: /p/out', 'Host cpu family: x86_64', 'Git: /opt/git (2.39)'];

test('several settings in a row above a failure are left out', () => {
  expect(excerpt(`${SETTINGS.join('\n')}\n${NEAR}\n${ERROR}`)).toBe(`${NEAR}\n${ERROR}`);
});

test.each([
  ['names what the failure names', 'Unit found: src/b.c NO'],
  ['is a seed', 'Random seed: 4711'],
])('one of several settings is kept if it %s', (_, line) => {
  expect(excerpt(`${[...SETTINGS, line].join('\n')}\n${NEAR}\n${ERROR}`)).toContain(line);
});

test('several values of one name above a failure are kept', () => {
  const rows = 'row 0: lamp;20\nrow 1: desk;120\nrow 2: chair;7';

  expect(excerpt(`${rows}\n${NEAR}\n${ERROR}`)).toBe(`${rows}\n${NEAR}\n${ERROR}`);
});

test('the files that a step has not changed are left out if the step has passed', () => {
  const files = ['a', 'b', 'c'].map((name) => `/p/src/${name}.py wasn't modified on disk.`).join('\n');

  expect(excerpt(`${files}\nAll done! ✨ 🍰 ✨\n3 files would be left unchanged.\nlint src\n${ERROR}`)).toBe(
    `3 files would be left unchanged.\nlint src\n${ERROR}`,
  );
});

test('above a failure in a long output, a title is left out', () => {
  const passed = Array.from({ length: 400 }, (_, at) => `✓ stores the value of the order ${at}`).join('\n');

  const failed = 'Error: the fees differ\n    at add (src/fees.js:3:5)';

  expect(excerpt(`${passed}\nStock of the depot\n${NEAR}\n${failed}`)).not.toContain('Stock of the depot');
});

test('what a step has printed that failed is kept', () => {
  const output = `src/a.c was not modified\n===== 5 passed, 1 failed in 0.12s =====\n${ERROR}`;

  expect(excerpt(output)).toBe(output);
});

test('long before a failed test that says more than its name, a step is left out', () => {
  const failed = 'tests/level-95.sh ... FAIL\nlevel 95: expected lamp 95%, got lamp 90%';

  expect(excerpt(`dh clean\n${NEAR}\n${failed}`)).toBe(`${NEAR}\n${failed}`);
});

test.each(['xx......................', 'xx······················'])(
  'shortly before a sure failure, a letter or a dot for each test is left out: %s',
  (letters) => {
    expect(excerpt(`tick\n${letters}\n\n${ERROR}`)).toBe(`tick\n\n${ERROR}`);
  },
);

test('shortly before a sure failure, a step is left out, unless it is the last line', () => {
  expect(excerpt(`Compiling a.c\nCompiling b.c\n${ERROR}`)).toBe(`Compiling b.c\n${ERROR}`);
});

test.each([
  ['no failure is sure', 'without success'],
  ['the failure does not say why, or where', 'fatal: rejected'],
])('where %s, the steps before are shown', (_, last) => {
  expect(excerpt(`Stock of the depot\n${NEAR}\n${last}`)).toBe(`Stock of the depot\n${NEAR}\n${last}`);
});

test.each([
  ['a mark', '✓ Compiled successfully in 3.5s'],
  ['what was written', 'created dist/a.js in 116ms'],
])('what was done before a step ended well, with %s, is left out', (_, done) => {
  expect(excerpt(`entry is src/index.ts\n${done}\n${NEAR}\n${ERROR}`)).toBe(`${NEAR}\n${ERROR}`);
});

describe('what a step has printed that began and ended with the same path', () => {
  const step = (n: number, end: string) =>
    `-- applying db/00${n}.sql\nCREATE TABLE carts_${n} (id INTEGER PRIMARY KEY);\nrows\n0\n${end}`;
  const error = 'Runtime error near line 4: CHECK constraint failed: cents > 0 (19)';

  test('is left out, also where no failure names a place', () => {
    const steps = step(1, '-- applied db/001.sql in 1 ms\n') + step(2, '');

    expect(excerpt(`${steps}${error}\n`)).not.toContain('carts_1');
    expect(excerpt(`${steps}${error}\n`)).toContain('carts_2');
  });

  test('is shown if it names what the failure names', () => {
    const steps = step(1, '-- applied db/001.sql in 1 ms\n') + step(2, '');

    expect(excerpt(`${steps}Runtime error near line 4: CHECK failed: carts_1 has rows\n`)).toContain(
      'CREATE TABLE carts_1',
    );
  });

  test('is shown if another path ended', () => {
    expect(excerpt(`${step(1, '-- applied db/007.sql\n')}${step(2, '')}${error}\n`)).toContain('carts_1');
  });
});

describe('of steps that say with a path that they begin, and that they have ended', () => {
  const checks = Array.from({ length: 12 }, (_, i) => `DEBUG lock check ${i + 1}/12 ok`).join('\n');
  const begun = (n: number) => `INFO applying db/00${n}.sql\n${checks}\n`;
  const error = 'Runtime error near line 3: UNIQUE constraint failed: customers.email (19)';

  test.each([0, 40])('the one that has not ended is shown, where %i more lines are before it', (more) => {
    const steps = `${begun(1)}INFO done db/001.sql\n${begun(2)}INFO done db/002.sql\n`.repeat(1 + more);
    const shown = excerpt(`${steps}${begun(3)}${error}\n`);

    expect(shown).toContain('INFO applying db/003.sql');
    expect(shown).not.toContain('applying db/002.sql');
  });

  test('none is shown if the last one has ended, though one before says nothing of its end', () => {
    const steps = `${begun(1)}${begun(2)}INFO done db/002.sql\n`;

    expect(excerpt(`${steps.repeat(1)}${error}\n`)).not.toContain('applying');
  });
});

const STEP = '=== build ===';

test('what earlier steps of a script have printed is left out, whatever values it has', () => {
  const earlier =
    '=== versions ===\nnode 22.1.0 at /usr/bin/node\nThe files will be owned by user "postgres".';

  expect(excerpt(`${earlier}\n${STEP}\n${ERROR}`)).toBe(`${STEP}\n${ERROR}`);
});

test('what an earlier step of a script has printed is kept if it has a name of the failure', () => {
  const earlier = '=== generate ===\nwrote src/b.c';

  expect(excerpt(`${earlier}\n${STEP}\n${ERROR}`)).toContain('wrote src/b.c');
});

test('where several steps of a script have failures, each is shown below the title of its step', () => {
  const ran = Array.from({ length: 60 }, (_, i) => `tests/test_cart.py::test_${i} PASSED [ ${i}%]\n`).join(
    '',
  );
  const failed = `${'='.repeat(30)} FAILURES ${'='.repeat(30)}\n${'_'.repeat(30)} test_lamps ${'_'.repeat(30)}\n\n    def test_lamps():\n>       assert count() == 3\nE       assert 2 == 3\n\ntests/test_cart.py:23: AssertionError\n`;
  const shown = excerpt(
    `=== [0/2] versions ===\nflask 2.2.2 for python 3.11.2\n=== [1/2] lint ===\n${ERROR}\nYour code has been rated at 7.83/10\n\n=== [2/2] tests ===\n${ran}${failed}`,
  );
  const at = (text: string) => shown.indexOf(text);

  expect([at('=== [1/2] lint'), at(ERROR), at('=== [2/2] tests'), at('assert 2 == 3')]).toEqual(
    [at('=== [1/2] lint'), at(ERROR), at('=== [2/2] tests'), at('assert 2 == 3')].toSorted((a, b) => a - b),
  );
  expect(shown).toContain('=== [2/2] tests ===');
});
