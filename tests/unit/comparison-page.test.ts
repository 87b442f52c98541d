import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/comparison.md');
const readme = read('README.md');

describe('the comparison with other tools', () => {
  test('is in the README as some columns and at most ten rows of the page', () => {
    const short = tableOf(readme.slice(readme.indexOf('\n## Beside other tools\n')), 'docs/comparison.md#');
    const whole = tableOf(page, '#');
    const ofWhole = Object.fromEntries(
      Object.entries(short).map(([name, row]) => [
        name,
        Object.fromEntries(Object.keys(row).map((tool) => [tool, whole[name]?.[tool]])),
      ]),
    );

    expect(short).toEqual(ofWhole);
    expect(Object.keys(short).length).toBeLessThanOrEqual(10);
    expect(Object.keys(Object.values(short)[0] ?? {})).toContain('isitdone');
  });

  test('shows the script that is measured', () => {
    const [, script] = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(page) ?? [];
    expect(script).toBe(read('tests/bench/stop-script.sh'));
  });
});

test('the README has fewer than 200 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThan(200);
});

/** The first table of a text: the cells by row and column. A row is named by its link to how it was measured. */
function tableOf(text: string, target: string): Record<string, Record<string, string>> {
  const [, table = ''] = /(?:^|\n)((?:\|.*\n)+)/.exec(text) ?? [];
  const [heading = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const links = rows.flatMap(([first = '', ...cells]) => {
    const [, name, link] = /^\[(.*)\]\((.*)\)$/.exec(first) ?? [];
    return name !== undefined && link?.startsWith(target) ? [{ name, cells }] : [];
  });
  return Object.fromEntries(
    links.map(({ name, cells }) => [
      name,
      Object.fromEntries(heading.slice(1).map((tool, column) => [tool, cells[column] ?? ''])),
    ]),
  );
}
