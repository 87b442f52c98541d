import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarkers } from '../../../src/config/markers.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const TASK = '.trellis/tasks/t';
const FILE = `${TASK}/check.jsonl`;

function read(rows: string) {
  const { gates, notes } = readMarkers(temporaryTree({ [FILE]: rows }), TASK);
  return { markers: gates.map(({ marker }) => marker), notes };
}

describe('the rows of check.jsonl name the markers', () => {
  test.each([
    ['one', '{"reason":"lint"}\n', ['LINT_FINISH']],
    ['several, in their order', '{"reason":"unit"}\n{"reason":"lint"}', ['UNIT_FINISH', 'LINT_FINISH']],
    ['the same twice', '{"reason":"lint"}\n{"reason":"LINT"}\n', ['LINT_FINISH']],
    ['blanks', '{"reason":"Type Check all-packages"}', ['TYPE_CHECK_ALL-PACKAGES_FINISH']],
    ['two blanks in a row', '{"reason":"a  b"}', ['A__B_FINISH']],
    ['other letters', '{"reason":"straße é"}', ['STRASSE_É_FINISH']],
    ['other keys', '{"file":"a","reason":"lint","x":[1]}', ['LINT_FINISH']],
    ['blank lines', '\n{"reason":"lint"}\n\n  \n', ['LINT_FINISH']],
    ['CRLF', '{"reason":"lint"}\r\n{"reason":"unit"}\r\n', ['LINT_FINISH', 'UNIT_FINISH']],
    ['a byte order mark', '\uFEFF{"reason":"lint"}\n', ['LINT_FINISH']],
    [
      'rows without a reason',
      '{"file":"a"}\n{"reason":""}\n{"reason":null}\n{"reason":"lint"}',
      ['LINT_FINISH'],
    ],
    ['no row with a reason', '{"file":"a"}\n{"reason":null}\n', ['ALL_CHECKS_FINISH']],
    ['nothing', '', ['ALL_CHECKS_FINISH']],
  ])('%s', (_, rows, markers) => {
    expect(read(rows)).toEqual({ markers, notes: [] });
  });
});

describe('a row that asks for nothing usable is skipped and named, and the rest counts', () => {
  test.each([
    ['not json', 'found a row that is not JSON'],
    ['{"reason":"a"', 'found a row that is not JSON'],
    ['5', 'found a row that is no object, expected {"reason": "…"}'],
    ['null', 'found a row that is no object, expected {"reason": "…"}'],
    ['["reason"]', 'found a row that is no object, expected {"reason": "…"}'],
    ['{"reason":5}', 'found a reason that is no text'],
    ['{"reason":["a"]}', 'found a reason that is no text'],
    ['{"reason":false}', 'found a reason that is no text'],
  ])('%s', (row, problem) => {
    expect(read(`{"reason":"lint"}\n\n${row}\n{"reason":"unit"}\n`)).toEqual({
      markers: ['LINT_FINISH', 'UNIT_FINISH'],
      notes: [`${FILE}:3:1: ${problem}; the row was skipped`],
    });
    expect(read(row).markers).toEqual(['ALL_CHECKS_FINISH']);
  });
});

describe('without a readable check.jsonl the default marker is asked for', () => {
  test.each([
    ['no task directory', {}],
    ['no file', { [`${TASK}/`]: '' }],
    ['a directory of that name', { [`${FILE}/`]: '' }],
    ['a file in place of the task', { [TASK]: 'x' }],
  ])('%s', (_, files) => {
    const { gates, notes } = readMarkers(temporaryTree(files), TASK);

    expect(gates).toEqual([
      { kind: 'marker', name: 'ALL_CHECKS_FINISH', marker: 'ALL_CHECKS_FINISH', blocking: true },
    ]);
    expect(notes).toEqual([]);
  });

  test('and what hindered the reading is named', () => {
    const root = temporaryTree({ [`${TASK}/`]: '' });
    symlinkSync('check.jsonl', join(root, FILE));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [expect.stringMatching(/^\.trellis\/tasks\/t\/check\.jsonl: ELOOP/)],
    });
  });
});

describe('a task outside of the project is refused', () => {
  test.each([
    ['by its path', (outside: string) => `../${outside}`],
    ['by an absolute path', (outside: string, parent: string) => join(parent, outside)],
    ['by a way through the project', (outside: string) => `.trellis/../../${outside}`],
  ])('%s', (_, taskOf) => {
    const parent = temporaryTree({ 'outside/check.jsonl': '{"reason":"lint"}', 'project/': '' });
    const task = taskOf('outside', parent);

    expect(readMarkers(join(parent, 'project'), task)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${task} lies outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link', () => {
    const parent = temporaryTree({ 'outside/check.jsonl': '{"reason":"lint"}' });
    const root = join(parent, 'project');
    mkdirSync(join(root, '.trellis/tasks'), { recursive: true });
    symlinkSync(join(parent, 'outside'), join(root, TASK));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} lies outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link on the way', () => {
    const parent = temporaryTree({ 'outside/t/check.jsonl': '{"reason":"lint"}', 'project/.trellis/': '' });
    const root = join(parent, 'project');
    symlinkSync(join(parent, 'outside'), join(root, '.trellis/tasks'));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} lies outside the project; its check.jsonl was not read`],
    });
  });

  test('by a symbolic link in place of its file', () => {
    const parent = temporaryTree({ 'outside/x': '{"reason":"lint"}', [`project/${TASK}/`]: '' });
    const root = join(parent, 'project');
    symlinkSync(join(parent, 'outside/x'), join(root, FILE));

    expect(readMarkers(root, TASK)).toMatchObject({
      gates: [{ marker: 'ALL_CHECKS_FINISH' }],
      notes: [`the task ${TASK} lies outside the project; its check.jsonl was not read`],
    });
  });

  test('but not one that a link leads to inside of it', () => {
    const root = temporaryTree({ 'elsewhere/check.jsonl': '{"reason":"lint"}', '.trellis/tasks/': '' });
    symlinkSync(join(root, 'elsewhere'), join(root, TASK));

    expect(readMarkers(root, TASK)).toMatchObject({ gates: [{ marker: 'LINT_FINISH' }], notes: [] });
  });
});
