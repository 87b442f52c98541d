import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarkers } from '../../../src/config/load.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const TASK = '.trellis/tasks/t';
const FILE = `${TASK}/check.jsonl`;

function read(rows: string) {
  const { gates, notes } = readMarkers(temporaryTree({ [FILE]: rows }), TASK);
  return { markers: gates.map(({ marker }) => marker), notes };
}

describe('readMarkers returns the markers of check.jsonl for', () => {
  test.each([
    ['one row', '{"reason":"lint"}\n', ['LINT_FINISH']],
    ['several rows, in their order', '{"reason":"unit"}\n{"reason":"lint"}', ['UNIT_FINISH', 'LINT_FINISH']],
    ['a repeated reason', '{"reason":"lint"}\n{"reason":"LINT"}\n', ['LINT_FINISH']],
    ['a reason with blanks', '{"reason":"Type Check all-packages"}', ['TYPE_CHECK_ALL-PACKAGES_FINISH']],
    ['a reason with two blanks in a row', '{"reason":"a  b"}', ['A__B_FINISH']],
    ['a reason with a tab and a line end', '{"reason":"a\\tb\\nc"}', ['A_B_C_FINISH']],
    ['a reason with control characters', '{"reason":"a\\u001b[2Jb\\u202e"}', ['AB_FINISH']],
    ['a reason with non-ASCII letters', '{"reason":"straße é"}', ['STRASSE_É_FINISH']],
    ['a row with other keys', '{"file":"a","reason":"lint","x":[1]}', ['LINT_FINISH']],
    ['blank lines', '\n{"reason":"lint"}\n\n  \n', ['LINT_FINISH']],
    ['CRLF', '{"reason":"lint"}\r\n{"reason":"unit"}\r\n', ['LINT_FINISH', 'UNIT_FINISH']],
    ['a byte order mark', '\uFEFF{"reason":"lint"}\n', ['LINT_FINISH']],
    [
      'rows without a reason',
      '{"file":"a"}\n{"reason":""}\n{"reason":null}\n{"reason":"lint"}',
      ['LINT_FINISH'],
    ],
    ['no row with a reason', '{"file":"a"}\n{"reason":null}\n', ['ALL_CHECKS_FINISH']],
    ['an empty file', '', ['ALL_CHECKS_FINISH']],
  ])('%s', (_, rows, markers) => {
    expect(read(rows)).toEqual({ markers, notes: [] });
  });
});

describe('readMarkers skips a row and notes it:', () => {
  test.each([
    ['not json', 'found a row that is not JSON'],
    ['{"reason":"a"', 'found a row that is not JSON'],
    ['5', 'found a row that is not an object, expected {"reason": "…"}'],
    ['null', 'found a row that is not an object, expected {"reason": "…"}'],
    ['["reason"]', 'found a row that is not an object, expected {"reason": "…"}'],
    ['{"reason":5}', 'found a reason that is not text'],
    ['{"reason":["a"]}', 'found a reason that is not text'],
    ['{"reason":false}', 'found a reason that is not text'],
  ])('%s', (row, problem) => {
    expect(read(`{"reason":"lint"}\n\n${row}\n{"reason":"unit"}\n`)).toEqual({
      markers: ['LINT_FINISH', 'UNIT_FINISH'],
      notes: [`${FILE}:3:1: ${problem}; the row was skipped`],
    });
    expect(read(row).markers).toEqual(['ALL_CHECKS_FINISH']);
  });
});

describe('readMarkers returns the default marker if there is', () => {
  test.each([
    ['no task directory', {}],
    ['no check.jsonl', { [`${TASK}/`]: '' }],
    ['a directory called check.jsonl', { [`${FILE}/`]: '' }],
    ['a file in place of the task directory', { [TASK]: 'x' }],
  ])('%s', (_, files) => {
    const { gates, notes } = readMarkers(temporaryTree(files), TASK);

    expect(gates).toEqual([
      { kind: 'marker', name: 'ALL_CHECKS_FINISH', marker: 'ALL_CHECKS_FINISH', blocking: true },
    ]);
    expect(notes).toEqual([]);
  });

  test('an unreadable check.jsonl, with a note', () => {
    const root = temporaryTree({ [`${TASK}/`]: '' });
    symlinkSync('check.jsonl', join(root, FILE));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [expect.stringMatching(/^\.trellis\/tasks\/t\/check\.jsonl: ELOOP/)],
    });
  });
});

describe('readMarkers does not read a task outside of the project', () => {
  test.each([
    ['by its path', (outside: string) => `../${outside}`],
    ['by an absolute path', (outside: string, parent: string) => join(parent, outside)],
    ['by a path through the project', (outside: string) => `.trellis/../../${outside}`],
  ])('%s', (_, taskOf) => {
    const parent = temporaryTree({ 'outside/check.jsonl': '{"reason":"lint"}', 'project/': '' });
    const task = taskOf('outside', parent);

    expect(readMarkers(join(parent, 'project'), task)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${task} is outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link', () => {
    const parent = temporaryTree({ 'outside/check.jsonl': '{"reason":"lint"}' });
    const root = join(parent, 'project');
    mkdirSync(join(root, '.trellis/tasks'), { recursive: true });
    symlinkSync(join(parent, 'outside'), join(root, TASK));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} is outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link in its path', () => {
    const parent = temporaryTree({ 'outside/t/check.jsonl': '{"reason":"lint"}', 'project/.trellis/': '' });
    const root = join(parent, 'project');
    symlinkSync(join(parent, 'outside'), join(root, '.trellis/tasks'));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} is outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link in place of its check.jsonl', () => {
    const parent = temporaryTree({ 'outside/x': '{"reason":"lint"}', [`project/${TASK}/`]: '' });
    const root = join(parent, 'project');
    symlinkSync(join(parent, 'outside/x'), join(root, FILE));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} is outside the project; its check.jsonl was not read`],
    });
  });

  test('unless a symbolic link leads to a directory inside the project', () => {
    const root = temporaryTree({ 'elsewhere/check.jsonl': '{"reason":"lint"}', '.trellis/tasks/': '' });
    symlinkSync(join(root, 'elsewhere'), join(root, TASK));

    expect(readMarkers(root, TASK)).toMatchObject({ gates: [{ marker: 'LINT_FINISH' }], notes: [] });
  });
});
