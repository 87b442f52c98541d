import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const ERROR = "src/b.c:3:5: error: 'x' undeclared";

test.each([
  ['its version', 'JUnit version 4.13.2'],
  ['its directory', ' RUN  v3.2.7 /proj'],
  ['what it does', 'vite v8.3.8 building client environment for production...'],
  ['the machine that it runs on', 'OpenJDK 64-Bit Server VM (build 17.0.15+6-Debian, mixed mode, sharing)'],
  ['its version in quotation marks', 'openjdk version "17.0.15" 2025-04-15'],
  ['its version behind a tag', '[doctest] doctest version is "2.4.9"'],
  ['what it is', '==7== Memcheck, a memory error detector\n==7== Using Valgrind-3.19.0 and LibVEX'],
  ['its name before a colon', 'ESLint: 9.39.5'],
  ['its name, drawn with signs', '  _   _ ___\n | | | |_ _|\n | |_| || |\n  \\___/|___|'],
  ['its authors', 'PHPUnit 9.6.7 by Sebastian Bergmann and contributors.'],
])('above a sure failure, what a program says of itself is left out: %s', (_, banner) => {
  expect(excerpt(`${banner}\n\n${ERROR}`)).toBe(ERROR);
});

test('what a program says of itself is left out of a long output too', () => {
  const steps = Array.from({ length: 900 }, (_, i) => `${i} ${'step '.repeat(i % 7)}`).join('\n');

  expect(excerpt(`PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n${ERROR}\n${steps}`)).not.toContain(
    'PHPUnit',
  );
});

test('a license in a box, and the version below it, are left out above an error', () => {
  const rows = ['yosys', 'Copyright (C) 2012', 'Permission to use', 'THE SOFTWARE IS PROVIDED'];
  const box = [
    ` /${'-'.repeat(30)}\\`,
    ...rows.map((row) => ` |  ${row.padEnd(28)}|`),
    ` \\${'-'.repeat(30)}/`,
  ];

  expect(excerpt(`${box.join('\n')}\n\n Yosys 0.23 (git sha1 7ce5011c24b)\n\n${ERROR}`)).toBe(
    `… 8 lines …\n\n${ERROR}`,
  );
});

test('a version is shown where nothing has failed', () => {
  expect(excerpt(' RUN  v3.2.7 /proj\nwithout success')).toBe(' RUN  v3.2.7 /proj\nwithout success');
});

test('a name that is drawn again below the first lines is shown', () => {
  const frame = '  /\\_/\\\\\n  \\/_\\/_/\n  |_|_|_|';

  expect(excerpt(`${'step\n'.repeat(20)}${frame}\n${ERROR}`)).toContain('|_|_|_|');
});
