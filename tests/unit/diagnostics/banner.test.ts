import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const ERROR = "src/b.c:3:5: error: 'x' undeclared";

test.each([
  ['its version', 'JUnit version 4.13.2'],
  ['its directory', ' RUN  v3.2.7 /proj'],
  ['what it does', 'vite v7.3.8 building client environment for production...'],
  ['its authors', 'PHPUnit 9.6.7 by Sebastian Bergmann and contributors.'],
])('above a sure failure, what a program says of itself is left out: %s', (_, banner) => {
  expect(excerpt(`${banner}\n\n${ERROR}`)).toBe(ERROR);
});

test('a version is shown where no failure is sure', () => {
  expect(excerpt(' RUN  v3.2.7 /proj\nwithout success')).toBe(' RUN  v3.2.7 /proj\nwithout success');
});
