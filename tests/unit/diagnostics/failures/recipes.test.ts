import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const FAILED =
  "cc -c -o api.o api.c\napi.c:17:3: error: 'rate' undeclared\nmake: *** [Makefile:5: api.o] Error 1\n";

test('what make has run before the command that failed is left out, with its warnings', () => {
  const before =
    "cc -c -o cart.o cart.c\ncart.c:9:7: warning: unused variable 'rate'\nbuilt cart.o for x86\ncc -c -o tax.o tax.c\n";

  expect(excerpt(before + FAILED)).toBe(`… 4 lines …\n${FAILED.trim()}`);
});

test('of commands that make has run, each that failed is shown', () => {
  const before = "flake8 --count cart.py\ncart.py:3:1: F821 undefined name 'rate'\n";

  expect(excerpt(before + FAILED)).toBe((before + FAILED).trim());
});

test.each([
  ['that it has printed', 'shellcheck -x bin/run.sh'],
  ['that is below a title', '==> lint (report only)'],
])('a command %s and that may fail is left out, with its errors', (_, start) => {
  const ignored = `${start}\nbin/run.sh:8:6: error: no such variable [SC2086]\nmake: [Makefile:3: lint] Error 1 (ignored)\n`;

  expect(excerpt(`${ignored}lint done\n${FAILED}`)).toBe(`lint done\n${FAILED.trim()}`);
});

test('an error is shown that is above a command that may fail', () => {
  const above =
    '==> types\nsrc/a.ts(3,5): error TS2322: no\n==> lint\nmake: [Makefile:3: lint] Error 1 (ignored)\n';

  expect(excerpt(above + FAILED)).toContain('TS2322');
});

test('source that a linter quotes is no command of make', () => {
  const ignored =
    'shellcheck -x bin/run.sh\nIn bin/run.sh line 8:\nwhile [ $count -ge $keep ]; do\n        ^----^ SC2086 (info): Double quote it.\nmake: [Makefile:3: lint] Error 1 (ignored)\n';

  expect(excerpt(ignored + FAILED)).toBe(`… 5 lines …\n${FAILED.trim()}`);
});

test('nothing is left out where make runs commands at the same time', () => {
  const before = 'check-carts --all carts/\nthe carts are in "carts/a.yml"\n';

  expect(excerpt(before + FAILED)).not.toContain('the carts are in');
  expect(excerpt(`${before}make[1]: Entering directory 'api'\n${FAILED}`)).toContain('the carts are in');
});

test('a command that make has run is no error because of its options', () => {
  expect(excerpt(`shellcheck -S error bin/run.sh\n${FAILED}`)).toBe(FAILED.trim());
});

test.each(['flake8 --exit-zero cart.py', 'flake8 ./cart.py || true', 'flake8 ./cart.py || echo "not fatal"'])(
  'a command of make that cannot fail is left out, with what it has found: %s',
  (command) => {
    expect(excerpt(`${command}\ncart.py:3:1: F821 undefined name 'rate'\n${FAILED}`)).toBe(FAILED.trim());
  },
);

test('an error below a target that has failed is another one, also if it is in an included file', () => {
  const shown = excerpt(
    `${'cc -c -o tax.o tax.c\n'.repeat(300)}gmake[2]: *** [build.make:76: stock.o] Error 1\nIn file included from src/order.cpp:1:\nsrc/order.h:17:8: error: 'map' is no type\nsrc/order.cpp:5:21: warning: comparison of integers [-Wsign-compare]\ngmake[2]: *** [build.make:90: order.o] Error 1\n`,
  );

  expect(shown).toContain("order.h:17:8: error: 'map' is no type");
  expect(shown).not.toContain('-Wsign-compare');
});
