import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import {
  passedStepsIn,
  withoutBuilds,
  withoutSameBelow,
} from '../../../../src/diagnostics/failures/steps.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const many = (count: number, of: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join('\n');
const TRACED =
  '+ umask 022\n++ cat VERSION\n+ version=2.4.0\n+ for part in core api\n+ mkdir -p dist/core\n+ for part in core api\n+ mkdir -p dist/api\n+ tar czf dist.tgz dist\n+ sha256sum dist.tgz\n+ git describe --exact-match';

test('of the commands that a shell has traced, those right before a failure and at the end are shown', () => {
  expect(excerpt(`${TRACED}\nfatal: no tag matches\n+ tag=\n+ exit 1\n`)).toBe(
    '… 8 lines …\n+ sha256sum dist.tgz\n+ git describe --exact-match\nfatal: no tag matches\n+ tag=\n+ exit 1',
  );
});

test('of few commands that a shell has traced with their places, those are left out that no program runs', () => {
  const shown = excerpt(
    "+ run.sh:9: python3 -m shop\nError: no port\n+ run.sh:26: echo 'step smoke: failed with 1'\nstep smoke: failed with 1\n+ run.sh:27: failed+=(smoke)\n+ run.sh:67: set +x\nfailed steps: smoke\n",
  );

  expect(shown).toBe(
    '+ run.sh:9: python3 -m shop\nError: no port\nstep smoke: failed with 1\n+ run.sh:67: set +x\nfailed steps: smoke',
  );
});

test('what a diff adds is no traced command', () => {
  const diff = `error: the snapshot differs\n- Snapshot - 0\n+ Received + 10\n\n${TRACED}`;

  expect(excerpt(diff)).toBe(diff);
});

test('what a diff adds is no traced command, though it begins with a place', () => {
  const diff = `error: the report differs\n\n+ src/cart.ts:3: no total\n+ src/cart.ts:9: no name\n+ 2 problems\ndone\n`;

  expect(excerpt(diff)).toContain('+ src/cart.ts:3: no total\n+ src/cart.ts:9: no name\n+ 2 problems');
});

test('of the commands that a shell has traced, none is shown because another part of the output is a diff', () => {
  const shown = excerpt(`${TRACED}\nerror: the snapshot differs\n- a cart\n+ two carts\ndone\n`);

  expect(shown).not.toContain('+ mkdir');
  expect(shown).toContain('- a cart\n+ two carts');
});

const ERROR = "src/b.c:3:5: error: 'x' undeclared";

test.each([
  [
    'a script of another package',
    '> @shop/api@1.0.0 test\n> node --test\n\n......\n\n> @shop/cart@1.0.0 test\n> mocha',
    ['> @shop/cart@1.0.0 test', '> mocha'],
  ],
  [
    'a script of another package, behind the prefix of a runner',
    'api:test: > @shop/api@1.0.0 test\napi:test: > node --test\ncart:test: > @shop/cart@1.0.0 test\ncart:test: > mocha',
    ['cart:test: > @shop/cart@1.0.0 test', 'cart:test: > mocha'],
  ],
  [
    'a target of another package',
    '> @shop/api:build\n\n> @shop/api@1.0.0 build\n> tsc\n\n....\n\n> @shop/cart:build\n\n> @shop/cart@1.0.0 build\n> tsc',
    ['> @shop/cart@1.0.0 build', '> tsc'],
  ],
  ['a task', '> Task :compileJava\n> Task :compileTestJava', ['> Task :compileTestJava']],
  [
    'a task, without a mark',
    ':core:compileJava\n:core:processResources NO-SOURCE\n:core:jar UP-TO-DATE\n:app:compileJava',
    [':app:compileJava'],
  ],
  ['a command', '$ git fetch\n$ git rebase main', ['$ git rebase main']],
  [
    'what the same compiler does with another file',
    'cc -Wall -c -o a.o a.c\ncc -Wall -c -o b.o b.c',
    ['cc -Wall -c -o b.o b.c'],
  ],
])('of steps with nothing in between, the last is shown: %s', (_, steps, kept) => {
  expect(
    excerpt(`${steps}\n${ERROR}`)
      .replace(/^… .* lines …\n+/gm, '')
      .split('\n'),
  ).toEqual([...kept, ERROR]);
});

test.each([
  ['with an error', `cc -c -o a.o a.c\na.c:1:1: error: no x\ncc -c -o b.o b.c\n${ERROR}`],
  ['with words', `> Task :compileJava\nno sources\n> Task :compileTestJava\n${ERROR}`],
  ['where no error is sure', 'cc -c -o a.o a.c\ncc -c -o b.o b.c\nwithout success'],
  ['of two programs', `cc -c -o a.o a.c\nas -o b.o b.s\n${ERROR}`],
  ['that are commands to type', `npm install --save-dev a\nnpm install --save-dev b\n${ERROR}`],
  ['that are quoted', `> one\n> two\n${ERROR}`],
  ['that are source', `> 1 | one\n> 2 | two\n${ERROR}`],
  ['that are items', `- one\n- two\n* three\n* four\n${ERROR}`],
])('lines %s are shown', (_, output) => {
  expect(excerpt(output)).toBe(output);
});

test('blank lines between two gaps are no lines of an excerpt', () => {
  const passed = '✓ adds\n✓ subtracts\n✓ divides\n✓ multiplies';

  expect(excerpt(`${passed}\n\n${passed}\n\n${passed}\n✗ rounds`)).toBe('… 14 lines …\n✗ rounds');
});

const STRANGE = 'backup.ksh[13]: LIMIT: must be set';

test.each([
  ['a line each', many(9, (i) => `keep a${i}.tgz`), 'keep a0.tgz\n… 7 lines …\nkeep a8.tgz'],
  [
    'two lines each',
    many(9, (i) => `patching file src/m${i}.c\nHunk #1 at ${i} with fuzz 1.`),
    'patching file src/m0.c\nHunk #1 at 0 with fuzz 1.\n… 14 lines …\npatching file src/m8.c\nHunk #1 at 8 with fuzz 1.',
  ],
  [
    'a hash each',
    'dangling blob 01563223102ed054830ed09cb2c70bbd4b10c7e8\ndangling blob 3d6dd7ff01acf4e9776c5546120345656b72271f\ndangling blob 56eb29e9ad46199482e3a9e16aa6e4d5da93ed40\ndangling blob d1f0a572a0b503d5c823484e70354b953c7bcfa5\ndangling blob e4705d7ee91280bac0d58341f577f6dc0ed74ab8',
    'dangling blob 01563223102ed054830ed09cb2c70bbd4b10c7e8\n… 3 lines …\ndangling blob e4705d7ee91280bac0d58341f577f6dc0ed74ab8',
  ],
])('of steps that print %s, the first and the last are shown', (_, steps, shown) => {
  expect(excerpt(`${steps}\n${STRANGE}\n`)).toBe(`${shown}\n${STRANGE}`);
});

test('of steps within a failure, the first and the last are shown', () => {
  const output = `error: failed to run the build script\n${many(9, (i) => `  probing lib/codec.so.${i}`)}\n  cannot read codec.h\n`;

  expect(excerpt(output)).toBe(
    'error: failed to run the build script\n  probing lib/codec.so.0\n… 7 lines …\n  probing lib/codec.so.8\n  cannot read codec.h',
  );
});

test('of steps before an error that is sure, the last is shown', () => {
  expect(excerpt(`${many(9, (i) => `keep a${i}.tgz`)}\nError: no rate\n`)).toBe(
    '… 8 lines …\nkeep a8.tgz\nError: no rate',
  );
});

test.each([
  ['errors', many(9, (i) => `src/a.c:${i}:5: error: x is not declared`)],
  ['values', many(9, (i) => `+ item ${i}`)],
  ['code', `Error: boom\n${many(9, (i) => `  ${i} | call(${i})`)}`],
  ['members', `Error: boom\n${many(9, (i) => `  "part${i}": ${i} of 9,`)}`],
  ['files that have a fault', many(9, (i) => `would reformat src/f${i}.py`)],
  ['names', many(9, (i) => `src/f${i}.py`)],
  ['headings', many(4, (i) => `src/f${i}.ts format ━━━\n  × Formatter would have printed`)],
  ['four lines', many(4, (i) => `keep a${i}.tgz`)],
])('%s that differ in numbers only are shown', (_, lines) => {
  expect(excerpt(`${lines}\n`)).toBe(lines);
});

test('many results that differ in numbers only say nothing beside an error that is sure', () => {
  const results = (n: number) => many(n, (i) => `read day ${i}: ${3 * i} rows`);

  expect(excerpt(`${results(40)}\nError: no rate\n`)).toBe(
    '… 39 lines …\nread day 39: 117 rows\nError: no rate',
  );
  expect(excerpt(`${results(8)}\nError: no rate\n`)).toContain('read day 4: 12 rows');
  expect(excerpt(`${results(40)}\nthe rate is gone\n`)).toContain('read day 4: 12 rows');
});

test('the command of a script is shown without its name if no other package has a script', () => {
  const output = `> shop@1.0.0 pretest\n> node env.js\nno env\n\n> shop@1.0.0 test\n> tsc\n${ERROR}`;

  expect(excerpt(output)).toBe(`… 5 lines …\n> tsc\n${ERROR}`);
});

test.each([
  ['that another one follows at once', '> node env.js\n\n> tsc\n', '> tsc\n'],
  ['that is the only one', '> shop@1.0.0 test\n> vitest run\n\n', ''],
])('the command of a script is left out where an error is sure, if it is one %s', (_, echo, shown) => {
  expect(excerpt(`${echo}${ERROR}`)).toBe(`${shown}${ERROR}`);
});

test.each([
  ['that still has something to run', '> npm run build && node dist/main.js\n\n> tsc\n'],
  ['with options', '> tsc --noEmit\n\n'],
  ['whose step is below another one', '> node env.js\nno env\n\n> tsc\n'],
])('the command of a script is shown if it is one %s', (_, echo) => {
  expect(excerpt(`${echo}${ERROR}`)).toBe(`${echo}${ERROR}`);
});

test('of many results with other lines in between, those far above an error that is sure say nothing', () => {
  const batches = many(
    14,
    (i) => `batch ${i}: 500 rows${i % 3 === 2 ? `\nskipped the table of ${'abcde'[(i / 3) | 0]}` : ''}`,
  );
  const shown = excerpt(`${batches}\n\nError: no rate\n    at load (src/load.ts:3:5)\n`);

  expect(shown.match(/batch \d+/g)).toEqual(['batch 13']);
  expect(excerpt(`${batches}\nno rate\n`).match(/batch \d+/g)).toHaveLength(14);
});

test('what a program has logged is not the step that its error belongs to', () => {
  const passed = (from: number) => many(300, (i) => `  ✓ adds ${'a'.repeat(i % 9)}${from + i}`);
  const log = '[server] INFO  booking room 5 for Ann\n[server] ERROR booking without a customer refused';
  const failed = '  ✗ subtracts\n    Error: no customer was refused\n        at a (src/a.js:3:5)';
  const shown = excerpt(`${passed(0)}\n${log}\n${passed(300)}\n${failed}\n`);

  expect(shown).toContain('without a customer');
  expect(shown).not.toContain('room 5');
});

test('what a program has logged right before it crashed is the step that the crash belongs to', () => {
  const crash = 'TypeError: x is undefined\n    at go (node_modules/x/y.js:3:1)';

  expect(excerpt(`2026-11-24T10:30:01Z INFO  Processing order 17\n${crash}\n`)).toContain('order 17');
});

describe('of the scripts of several workspaces', () => {
  const api =
    '> @shop/api@1.0.0 build\n> tsc\n\nsrc/a.ts(1,2): error TS2322: no\nnpm error workspace @shop/api@1.0.0\n\n';
  const web = (printed: string) => `> @shop/web@1.0.0 build\n> bundle\n\n${printed}\n`;

  test('what one prints is left out if npm says that another has failed', () => {
    expect(excerpt(`${api}${web('web: 12.4 kB')}`)).not.toContain('12.4 kB');
  });

  test('what one prints is shown if it has failed too', () => {
    const failed = `${web('web: 52.4 kB')}npm error workspace @shop/web@1.0.0\n`;

    expect(excerpt(`${api}${failed}`)).toContain('52.4 kB');
    expect(excerpt(`${api}${web('src/b.ts(3,4): error TS2322: no')}`)).toContain('src/b.ts(3,4)');
  });
});

describe('of several commands, the one in which a test has failed is shown above it', () => {
  const tests = `${many(400, (i) => `ok ${i} adds`)}\nnot ok 400 - sums\n  error: 3 is not 4\n  at a.js:3:5`;

  test.each([
    ['a step of a script', '==> Build\ndone\n\n==> Tests\n', ['==> Tests']],
    ['a script of a package', '> a@1.0.0 build\n> tsc\n\n\n> a@1.0.0 test\n> tape t.js\n\n', ['> tape t.js']],
    ['one that runs others', '\n> a@1.0.0 check\n> tsc && tape t.js\n\n', ['> tsc && tape t.js']],
    [
      'a script below what was run without one',
      'a\nb\nc\nd\n> a@1.0.0 test\n> tape t.js\n\n',
      ['> tape t.js'],
    ],
  ])('%s', (_, above, announced) => {
    const shown = excerpt(`${above}${tests}\n`);
    for (const line of announced) expect(shown).toContain(`${line}\n`);
    expect(shown).not.toContain('> tsc\n');
  });

  test('a request is no command', () => {
    const shown = excerpt(`> a@1.0.0 build\n> tsc\n\n> POST /carts HTTP/1.1\n> Host: a.test\n${tests}\n`);
    expect(shown).not.toContain('Host:');
  });
});

test.each([
  ['five times', 5, '  cabin: 90 kg do not fit', [0]],
  ['four times', 4, '  cabin: 90 kg do not fit', [0, 1, 2, 3]],
  ['in a diff', 5, '-   null,', [0, 1, 2, 3, 4]],
  ['as a bracket', 5, '  }', [0, 1, 2, 3, 4]],
])('of a line that was printed again right below itself, the first is enough: %s', (_, times, text, kept) => {
  const lines = Array.from({ length: times }, (_, at) => ({ at, text }));

  expect(withoutSameBelow(lines).map(({ at }) => at)).toEqual(kept);
});

test('equal lines between which others were left out are all shown', () => {
  const lines = Array.from({ length: 6 }, (_, i) => ({ at: 2 * i, text: 'cabin: 90 kg do not fit' }));

  expect(withoutSameBelow(lines)).toEqual(lines);
});

describe('of scripts that run one after another', () => {
  const built =
    '> shop@1.0.0 build\n> esbuild src/cart.ts\n\n  dist/cart.js  8.1kb\n[WARNING] "rate" is undefined\n\n';
  const tooLarge = '> shop@1.0.0 size\n> size-limit\n\n  ERROR: dist/cart.js is larger than 2 kB\n';

  test('those before the one that failed are left out, with their warnings', () => {
    expect(excerpt(built + tooLarge)).toBe(
      '… 7 lines …\n> size-limit\n\n  ERROR: dist/cart.js is larger than 2 kB',
    );
  });

  test.each(['./scripts/smoke.sh', 'bash smoke', 'start-server-and-test start http://127.0.0.1:1/ test'])(
    'one is shown that has begun the one that failed: %s',
    (command) => {
      const outer = `> shop@1.0.0 smoke\n> ${command}\n\nsmoke: waits for the server\n\n`;

      expect(excerpt(outer + tooLarge)).toContain('smoke: waits for the server');
    },
  );

  test('the title above the one that failed is shown', () => {
    expect(excerpt(`${built}==> Size of the bundle\n${tooLarge}`)).toContain('==> Size of the bundle');
  });

  test('those are shown that a runner may have gone on after', () => {
    const runner = '> shop@1.0.0 ci\n> run-s --continue-on-error build size\n\n';

    expect(excerpt(runner + built + tooLarge)).toContain('"rate" is undefined');
  });
});

test('of the same items of a numbered list, the first is shown', () => {
  const queries = many(6, (i) => `${i + 1}. SELECT id, name, email FROM customers WHERE id = 1`);
  const shown = excerpt(
    `FAIL: test_list (orders.tests.OrderTest.test_list)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "/p/orders/tests.py", line 20, in test_list\n    with self.assertNumQueries(1):\nAssertionError: 6 != 1 : 6 queries executed, 1 expected\nCaptured queries were:\n${queries}\n\nFAILED (failures=1)\n`,
  );

  expect(shown.match(/SELECT/g)).toHaveLength(1);
});

test('the program that a shell has run right before an error is shown with it', () => {
  const traced = Array.from({ length: 30 }, (_, i) => `+ local body=${i}\n++ check ${i}\nok ${i}\n`).join('');
  const call = "++ curl -sS 'http://127.0.0.1:4310/quotes?kilos=12'";
  const crash = 'TypeError: x is undefined\n    at quote (/p/src/quote.js:5:29)';

  expect(excerpt(`${traced}${call}\n${crash}\n`)).toContain(`${call}\n${crash}`);
  expect(excerpt(`${traced}+ local body\n${crash}\n`)).not.toContain('local body\n');
  expect(excerpt(`${traced}${call}\n120 quotes\n+ local body\n${crash}\n`)).not.toContain(call);
});

test('the record of a step is not shown with the record of an error, which may be about anything', () => {
  const records = Array.from({ length: 60 }, (_, i) => `{"level":20,"row":${i},"msg":"heartbeat"}\n`).join(
    '',
  );
  const step = '{"level":20,"row":61,"msg":"importing row"}\n';
  const error = '{"level":50,"time":1795,"msg":"no such order"}\n';

  expect(excerpt(`${records}${step}${error}${records}`)).not.toContain('importing');
});

test.each([
  ['that is run', 'cc -Wall -o build/check tests/check.c', './build/check', true],
  ['that another program runs', 'iverilog -g2012 -o build/fifo tb/fifo.v', 'vvp -n build/fifo', true],
  ['that is linked', 'g++ -o build/main.o -c src/main.cpp', 'g++ -o build/main build/main.o', true],
  ['that is not used', 'cc -Wall -o build/check tests/check.c', './build/other', false],
  ['that an error is about', 'cc -o build/check tests/check.c', 'ld: error: cannot open build/check', false],
  ['that is built again', 'cc -o build/check a.c', 'cc -o build/check b.c', false],
])('the command that has built a program %s', (_, command, next, isLeftOut) => {
  const lines = [command, next, 'FAIL: adds'].map((text, at) => ({ at, text }));

  expect(withoutBuilds(lines).some(({ text }) => text === command)).toBe(!isLeftOut);
});

const linesOf = (output: string) => output.split('\n').map((text, at) => ({ at, text }));
/** The texts of the steps that have passed. */
const passedIn = (output: string) => {
  const passed = passedStepsIn(linesOf(output), condensed(output).failures);
  return linesOf(output).flatMap(({ at, text }) => (passed.has(at) ? text : []));
};
const UNDECLARED = "src/a.c:3:5: error: 'x' undeclared";
const WARNING = 'src/b.c:3:5: warning: unused variable';

test.each([
  [
    'those in which nothing is wrong',
    `==> style\n${WARNING}\n==> types\n${UNDECLARED}`,
    ['==> style', WARNING],
  ],
  ['none that has an error', `==> style\nsrc/b.c:3:5: error: 'y' undeclared\n==> types\n${UNDECLARED}`, []],
  ['none below the last error', `==> types\n${UNDECLARED}\n==> style\n${WARNING}`, []],
  ['none where no error is sure', `==> style\n${WARNING}\n==> types\nthe types are out of date`, []],
  [
    'scripts of a package without a name, but not the one that runs them',
    `> test\n> npm run style && npm run types\n\n> style\n> lint src\n${WARNING}\n\n> types\n> tsc\n${UNDECLARED}`,
    ['> style', '> lint src', WARNING, ''],
  ],
])('of the steps above an error, %s have passed', (_, output, passed) => {
  expect(passedIn(output)).toEqual(passed);
});

test('a failure in one of several packages has the name of its script, also where its test was named before', () => {
  const workspace = (name: string, result: string) => `\n> @shop/${name}@1.0.0 test\n> mocha\n\n${result}`;
  const failed =
    '  render\n    1) leaves names empty\n\n  0 passing\n  1 failing\n\n  1) render\n       leaves names empty:\n     TypeError: Cannot read properties of undefined\n      at render (src/index.js:5:33)\n\n';
  const passed = `${Array.from({ length: 300 }, (_, i) => `    ✔ has the price of line ${i}`).join('\n')}\n`;

  const shown = excerpt(
    `> test\n> npm test --workspaces\n${workspace('catalog', passed)}${workspace('mailer', failed)}${workspace('money', passed)}`,
  );
  expect(shown).toContain('> @shop/mailer@1.0.0 test\n> mocha');
  expect(shown).not.toMatch(/@shop\/(?:catalog|money)/);
});
