import { oneLine } from '../base/text.ts';

const GAP = '  ';
const MIN_NAME = 8;

/**
 * Rows as aligned lines: names to the left, cut where the line would grow too long, and figures to the right.
 *
 * @param rows of as many cells each; the first row is the heading
 * @param columns that no line is longer than, unless its figures alone are
 */
export function textTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const [, ...figureWidths] = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const taken = figureWidths.reduce((sum, width) => sum + GAP.length + width, 0);
  const names = rows.map(([name = '']) => oneLine(name, Math.max(MIN_NAME, columns - taken)));
  const nameWidth = Math.max(...names.map((name) => name.length));
  return rows.map(([, ...figures], at) => {
    const cells = figures.map((figure, index) => figure.padStart(figureWidths[index] ?? 0));
    return [(names[at] ?? '').padEnd(nameWidth), ...cells].join(GAP).trimEnd();
  });
}
