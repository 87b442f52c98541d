import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

const WARNINGS =
  'src/pool.cpp:11:81: warning: Possible null pointer dereference: p\nsrc/pool.cpp:10:10: warning: Access of moved variable';
const ENDS = [
  ['a step of a CI service', '##[error]Process completed with exit code 1.'],
  ['make', 'make[1]: *** [Makefile:12: lint] Error 1\nmake: *** [Makefile:3: all] Error 2'],
  ['a runner of recipes', 'error: Recipe `lint` failed on line 12 with exit code 1'],
  ['a runner of sessions', 'nox > Command lint -q failed with exit code 1\nnox > Session lint failed.'],
];

test.each(ENDS)('the warnings of a command are shown above its end: %s', (_, end) => {
  expect(excerpt(`${WARNINGS}\n${end}\n`)).toContain(WARNINGS);
});

test.each(ENDS)('what explains no error is left out, also above the end of a command: %s', (_, end) => {
  const shown = excerpt(`${WARNINGS}\nsrc/cart.ts(3,5): error TS2322: Type 'A' is not 'B'.\n${end}\n`);

  expect(shown).toContain('TS2322');
  expect(shown).not.toContain('moved variable');
});
