import { describe, expect, test } from 'vitest';
import { columnPlot } from '../../../src/report/plots.ts';

const plotOf = (values: readonly number[][], options: { isCounted?: boolean } = {}) =>
  columnPlot(
    values.map((parts, index) => ({
      label: `c${index}`,
      parts: parts.map((value) => ({ style: 's', value, title: `${value} of c${index}` })),
    })),
    { summary: 'a plot', markText: String, ...options },
  ).markup;

/** The marks of the scale with their y coordinates, the lowest first. */
const marksIn = (markup: string) =>
  [...markup.matchAll(/<text x="100%" y="([\d.]+)"[^>]*>([^<]*)</g)].map(([, y, mark]) => [
    mark,
    Number(y) - 4,
  ]);
const rectsIn = (markup: string) =>
  [...markup.matchAll(/ y="([\d.]+)" height="([\d.]+)"><title>(.*?)</g)].map(([, y, height, title]) => [
    title,
    Number(y),
    Number(height),
  ]);

describe('the scale of a column plot', () => {
  test.for([
    { most: 0, isCounted: true, marks: ['0', '1'] },
    { most: 1, isCounted: true, marks: ['0', '1'] },
    { most: 3, isCounted: true, marks: ['0', '1', '2', '3'] },
    { most: 5, isCounted: true, marks: ['0', '2', '4', '6'] },
    { most: 12, isCounted: true, marks: ['0', '5', '10', '15'] },
    { most: 999, isCounted: true, marks: ['0', '500', '1000'] },
    { most: 0.1, isCounted: false, marks: ['0', '0.05', '0.1'] },
    { most: 2.5, isCounted: false, marks: ['0', '1', '2', '3'] },
    { most: 0, isCounted: false, marks: ['0', '1'] },
  ])('ends at a round number from $most on, for counts: $isCounted', ({ most, isCounted, marks }) => {
    expect(marksIn(plotOf([[most]], { isCounted })).map(([mark]) => mark)).toEqual(marks);
  });
});

test('columns start at the lowest mark, reach to their value, and stack their parts', () => {
  const markup = plotOf([
    [6, 3, 3],
    [0, 15],
  ]);
  expect(marksIn(markup)).toEqual([
    ['0', 176],
    ['5', 122.67],
    ['10', 69.33],
    ['15', 16],
  ]);
  // The gap takes one pixel of each.
  expect(rectsIn(markup)).toEqual([
    ['6 of c0', 112, 63],
    ['3 of c0', 80, 31],
    ['3 of c0', 48, 31],
    ['15 of c1', 16, 159],
  ]);
});

test('a value above 0 is at least one pixel high', () => {
  expect(rectsIn(plotOf([[10_000], [1]]))).toContainEqual(['1 of c1', 175.98, 1]);
});

test.for([
  { columns: 1, labels: [0], figures: 1 },
  { columns: 8, labels: [0, 1, 2, 3, 4, 5, 6, 7], figures: 8 },
  { columns: 9, labels: [0, 2, 4, 6, 8], figures: 0 },
  { columns: 62, labels: [0, 13, 26, 39, 52], figures: 0 },
])('a plot of $columns columns has only as many labels as fit', ({ columns, labels, figures }) => {
  const markup = plotOf(Array.from({ length: columns }, () => [1]));
  expect([...markup.matchAll(/>(c\d+)<\/text>/g)].map(([, label]) => label)).toEqual(
    labels.map((n) => `c${n}`),
  );
  expect(markup.split('class="figure"')).toHaveLength(figures + 1);
});
