import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const WORDS = ['order', 'basket', 'invoice', 'label', 'parcel', 'refund', 'voucher', 'wallet'];
/** A different name for each number. */
const name = (i: number) =>
  `${WORDS[i % 8]}-${WORDS[Math.floor(i / 8) % 8]}-${WORDS[Math.floor(i / 64) % 8]}`;
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
const of = (output: string, maxCharacters = 6000) =>
  excerptText(excerptOf(condensed(output), maxCharacters, { hung: false }));
/** How many of the lines are in the excerpt. */
const shownOf = (lines: string, excerpt: string) => {
  const shown = new Set(excerpt.split('\n'));
  return lines.split('\n').filter((line) => shown.has(line)).length;
};
const steps = many(200, (i) => `step ${i}: ${'done '.repeat(i % 9)}`);

describe('a list of names is shown whole', () => {
  test.each([
    ['bare paths', many(80, (i) => `src/${i % 3 ? 'lib/' : ''}${name(i)}.go`)],
    ['what is said of each', many(80, (i) => `would reformat src/${name(i)}.py`)],
    ['paths with the tag of a warning', many(80, (i) => `[warn] src/${name(i)}.ts`)],
    [
      'names between words of an error',
      many(80, (i) => `npm error Missing: ${name(i)}@1.0.0 from lock file`),
    ],
    ['names that could not be resolved', many(80, (i) => `  unresolved import ${name(i)}`)],
    ['names of what is not needed', many(80, (i) => `The import of ${name(i)} is unnecessary here`)],
    ['files of packages, if there is nothing else', many(80, (i) => `node_modules/${name(i)}/a.js`)],
    ['paths in the short form of git', many(80, (i) => ` M src/${name(i)}.ts`)],
  ])('%s', (_, list) => {
    expect(shownOf(list, of(`${steps}\n${list}`))).toBe(80);
  });

  test.each([
    [30, 80],
    [1, 3],
  ])('although another line interrupts it after %i of %i', (before, all) => {
    const paths = many(all, (i) => `[warn] src/${name(i)}.ts`).split('\n');
    const error = '[error] src/a.ts: SyntaxError: Unexpected token (10:4)';
    const output = ['✗ adds', ...paths.slice(0, before), error, ...paths.slice(before)];

    expect(of(output.join('\n')).split('\n')).toEqual(output);
  });

  test.each([1, 2])('beside an error of another tool: %i behind the tag of a warning', (count) => {
    const paths = many(count, (i) => `[warn] src/${name(i)}.ts`);
    const error = 'src/a.ts(3,5): error TS2304: Cannot find name.';

    expect(shownOf(paths, of(`${error}\n> fmt\n> prettier --check .\n\n${paths}\n`))).toBe(count);
  });

  test('beside so many failed tests that their details do not fit', () => {
    const paths = many(20, (i) => `[warn] src/${name(i)}.ts`);
    const failed = many(
      40,
      (i) => `✗ ${name(i)}\n  Error: ${name(i + 64).repeat(9)}\n    at a (src/${name(i)}.js:3:5)`,
    );

    expect(shownOf(paths, of(`${failed}\n> prettier --check .\n\n${paths}\n`))).toBe(20);
  });

  test('below the report of a tool that its command failed', () => {
    const list = many(80, (i) => `src/${name(i)}.go`);

    expect(shownOf(list, of(`gofmt -l .\n${list}\nmake: *** [Makefile:3: format] Error 1`))).toBe(80);
  });

  test('beside errors, if the output ends with its length', () => {
    const list = many(80, (i) => `would reformat src/${name(i)}.py`);
    const error = 'error: cannot format src/a.py: Cannot parse: 1:11: def broken(:';
    const shown = of(`${list}\n${error}\n80 files would be reformatted, 1 file would fail to reformat.`);

    expect(shownOf(list, shown)).toBe(80);
    expect(shown).toContain(error);
  });
});

test('a list that does not fit ends with the number of the others', () => {
  const list = many(400, (i) => `src/${name(i)}.go`);
  const lines = of(list).split('\n');

  expect(lines.slice(0, 50)).toEqual(list.split('\n').slice(0, 50));
  expect(lines.at(-1)).toBe(`… and ${400 - (lines.length - 1)} more …`);
});

describe('lines that are no list are folded', () => {
  const error = 'src/a.c:3:5: error: x is not declared';
  test.each([
    ['what is being done to each', many(300, (i) => `Compiling ${name(i)}`), ''],
    ['what was done to each', many(300, (i) => `compiled ${name(i)}`), ''],
    ['tests that passed', many(300, (i) => `ok ${name(i)}`), ''],
    ['the paths of an archive, before an error', many(300, (i) => `dist/${name(i)}.js`), error],
    [
      'the files of packages, before a line that mentions an error',
      many(300, (i) => `/p/node_modules/${name(i)}/error.d.ts`),
      'could not find plugin "sonarjs"',
    ],
    ['words', many(300, (i) => name(i).replaceAll('-', '')), ''],
    [
      'tasks that say the same',
      many(300, (i) => `${name(i)}:build: npm warn Unknown config, it will stop working`),
      error,
    ],
    ['what a program opens, in brackets', many(300, (i) => `(/usr/share/tex/${name(i)}.sty)`), ''],
    ['lines that differ in numbers', many(300, (i) => `src/part-${i}.go`), ''],
    ['lines that differ in two words', many(300, (i) => `${name(i)} ${name(i + 1)}`), ''],
    [
      'what is mentioned of each, beside an error',
      many(300, (i) => `expected by the fixture of ${name(i)}`),
      `\n${error}`,
    ],
    [
      'frames of stacks',
      `Error: boom\n${many(300, (i) => `    at ${name(i).replaceAll('-', '.')} (/p/node_modules/x.js:1:1)`)}`,
      '',
    ],
  ])('%s', (_, lines, end) => {
    const shown = of(`${steps}\n${lines}\n${end}`);

    expect(shown).toContain(end);
    expect(shownOf(lines, shown)).toBeLessThan(10);
  });
});

test('the lists of an output are bounded', () => {
  const output = many(40, (i) => many(500, (n) => `not formatted by ${name(i)}: src/${name(n)}.go`));
  const { lists } = condensed(output).outline;

  expect(lists.length).toBeLessThanOrEqual(12);
  for (const { lines, count } of lists) {
    expect(count).toBe(500);
    expect(lines.reduce((sum, { text }) => sum + text.length + 1, 0)).toBeLessThanOrEqual(6000);
  }
});

describe('of the places where something was looked for in vain, the first and the last are shown', () => {
  const paths = many(20, (i) => ` → /p/node_modules/store/${name(i)}/store.node`).split('\n');

  test.each([
    ['below a line that says so', ['Error: no bindings file. Tried:', ...paths]],
    [
      'that say so themselves',
      ["module 'store' not found:", ...paths.map((path) => path.replace(/ → (.*)/, "\tno file '$1'"))],
    ],
  ])('%s', (_, output) => {
    const shown = of(output.join('\n')).split('\n');
    const last = output.at(-1) ?? '';

    expect(shown.filter((line) => output.includes(line))).toEqual([...output.slice(0, 4), last]);
  });

  test('but all of the files that are missing', () => {
    const output = `Error: these files are missing:\n${paths.join('\n')}`;

    expect(shownOf(output, of(output))).toBe(21);
  });
});

test('what is done to file after file is no list below an error that introduces one', () => {
  const steps = many(20, (i) => `Generating code for file include/${name(i)}.h...`);

  expect(
    of(`include/a.h:23: error: the parameter is not documented:\n  parameter 'poly'\n${steps}\nExiting...\n`),
  ).not.toContain('include/parcel');
});
