import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const entry = (...lines: readonly string[]) => `${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
const CORE = entry('core', 'Package size limit has exceeded by 163 B', 'Limit: 200 B', 'Size:  363 B');

test('of a report, the entries that have passed are left out', () => {
  const shown = excerpt(`> size\n\n${entry('util', 'Limit: 150 B', 'Size:  113 B')}${CORE}Make it smaller\n`);

  expect(shown).toContain(
    '  core\n  Package size limit has exceeded by 163 B\n  Limit: 200 B\n  Size:  363 B',
  );
  expect(shown).not.toContain('113 B');
});

test.each([
  ['that has another line', entry('util', 'Limit: 150 B', 'Size:  113 B', 'the parser is gone')],
  ['with other values', entry('util', 'Limit: 150 B', 'Count: 113 B')],
])('an entry %s is shown', (_, other) => {
  expect(excerpt(`> size\n\n${CORE}${other}Make it smaller\n`)).toContain('113 B');
});

test('an entry with what was expected is shown, with its title', () => {
  const adds = entry('adds', 'Package size limit has exceeded by 1 B', 'Expected: 3 B', 'Actual:   4 B');
  const others = entry('other things', 'happen here');

  expect(
    excerpt(`> size\n\n${adds}${others}${entry('divides', 'Expected: 112 B', 'Actual:   113 B')}Done\n`),
  ).toContain('  divides\n  Expected: 112 B');
});

test('entries are shown where none says that it failed', () => {
  const output = `${entry('core', 'Limit: 200 B', 'Size:  363 B')}${entry('util', 'Limit: 150 B', 'Size:  113 B')}`;

  expect(excerpt(`> size\n\n${output}error Command failed with exit code 1.\n`)).toContain('113 B');
});
