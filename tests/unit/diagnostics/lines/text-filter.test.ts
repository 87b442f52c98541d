import { expect, test } from 'vitest';
import { TextFilter } from '../../../../src/diagnostics/lines/text-filter.ts';

const FILTER = new TextFilter([['error', 'err!'], [], ['✗', 'fail'], ['or']]);

test.each([
  ['nothing here', [0, 1, 0, 0]],
  ['', [0, 1, 0, 0]],
  ['e', [0, 1, 0, 0]],
  ['an Error', [1, 1, 0, 1]],
  ['ERR! FAILED', [1, 1, 1, 0]],
  ['✗', [0, 1, 1, 0]],
  ['Erro', [0, 1, 0, 0]],
  ['Fehler ✗ or', [0, 1, 1, 1]],
])('of %j, the expressions without texts and those with one in the line are possible', (line, possible) => {
  expect([...FILTER.possible(line)]).toEqual(possible);
});
