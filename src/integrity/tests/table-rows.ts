import type { TableRow } from './model.ts';
import {
  afterBracket,
  canonical,
  find,
  inside,
  is,
  isName,
  type Span,
  split,
  type Tokens,
} from './tokens.ts';

const EXPECTED =
  /^\$?(?:exp(?:ected)?|want(?:ed)?|result|out(?:put)?)(?:_|$|[A-Z])|_(?:expected|want|result)$/;

/**
 * What the rows of a table expect: in the columns whose names say so, otherwise in the last one.
 *
 * @param rows lists or tuples of values, calls with the values, or a key and a value
 * @param names those of the columns
 */
export function tableRows(tokens: Tokens, rows: readonly Span[], names: readonly string[]): TableRow[] {
  if (names.length < 2) return [];
  const named = names.flatMap((name, index) => (EXPECTED.test(name) ? index : []));
  const columns = named.length > 0 && named.length < names.length ? named : [names.length - 1];
  return rows.flatMap((row) => {
    const cells = cellsOf(tokens, row);
    if (cells.length !== names.length) return [];
    const input = cells.filter((_, index) => !columns.includes(index)).join(' , ');
    return columns.map((index) => ({ input, column: names[index] ?? '', expected: cells[index] ?? '' }));
  });
}

function cellsOf(tokens: Tokens, { from, end }: Span): string[] {
  const arrow = find(tokens, { from, end }, '=>', ':');
  const value = { from: arrow + 1, end };
  // PHP gives a name to a row: 'upper' => ['A', 'a'].
  if (arrow !== -1 && !isBracketed(tokens, value))
    return [{ from, end: arrow }, value].map((cell) => canonical(tokens, cell));
  const row = arrow === -1 ? { from, end } : value;
  const open = isBracketed(tokens, row) ? row.from : find(tokens, row, '(');
  if (open === -1 || afterBracket(tokens, open) !== end) return [];
  // Keyword arguments of `pytest.param` are no cells.
  return split(tokens, inside(tokens, open))
    .filter((cell) => !(isName(tokens, cell.from) && is(tokens, cell.from + 1, '=')))
    .map((cell) => canonical(tokens, cell));
}

function isBracketed(tokens: Tokens, { from, end }: Span): boolean {
  return is(tokens, from, '[', '(') && afterBracket(tokens, from) === end;
}
