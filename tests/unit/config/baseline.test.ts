import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { type Baseline, baselineText, parseBaseline, withBaseline } from '../../../src/config/baseline.ts';
import { isWeaker } from '../../../src/config/command-gate.ts';
import type { GateBaseline, KnownFailure } from '../../../src/gates/types.ts';
import { generatedFiles } from '../../helpers/config-reference.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const schema = generatedFiles().find(({ name }) => name.endsWith('baseline.json'))?.text ?? '';
const accepts = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(schema));

const X: KnownFailure = { kind: 'no-undef', file: 'src/a.js', message: "'x' is not defined", count: 2 };
const Y: KnownFailure = { kind: 'error', file: null, message: 'Ö is not "ready"', count: 1 };
const GATE: Omit<GateBaseline, 'root'> = {
  exitCode: 1,
  reported: { errors: 3, 'Tests failed': 1 },
  failures: [X, Y],
};

describe('the text of a baseline', () => {
  test('is the same for the same failures in another order', () => {
    const one: Baseline = new Map([
      ['lint', GATE],
      ['build', { ...GATE, reported: {} }],
    ]);
    const other: Baseline = new Map([
      ['build', { ...GATE, reported: {}, failures: [Y, X] }],
      ['lint', { ...GATE, reported: { 'Tests failed': 1, errors: 3 } }],
    ]);
    expect(baselineText(other)).toBe(baselineText(one));
    expect(baselineText(one)).toMatch(/^\{\n {2}"\$schema": ".*",\n {2}"version": 1,[\s\S]*\}\n$/);
  });

  test('is read as it was, and is valid by its schema', async () => {
    const baseline: Baseline = new Map([['lint', { ...GATE, failures: [Y, X] }]]);
    const { baseline: read, problems } = await parseBaseline(baselineText(baseline));
    expect([...read]).toEqual([...baseline]);
    expect(problems).toEqual([]);
    expect(accepts(JSON.parse(baselineText(baseline)))).toBe(true);
  });
});

const gate = (more: string) =>
  `{\n  "version": 1,\n  "gates": {"lint": {"exit": 1, "failures": [${more}]}}\n}`;
const CONFLICT = `{\n  "version": 1,\n  "gates": {\n<<<<<<< HEAD\n  }\n=======\n}\n>>>>>>> feature\n`;

describe('a baseline with an error knows no failure, and the error has its place:', () => {
  test.each([
    ['a merge conflict', CONFLICT, '4:1', /merge conflict: resolve it, or delete the file/],
    ['broken JSON', '{\n  "version": one, "gates": {}}', '2:14', /not valid JSON/],
    ['an empty file', '', '1:1', /empty file/],
    ['a later version', '{"version": 2, "gates": {}}', '1:13', /a later version of ralph-loop/],
    ['no version', '{"gates": {}}', '1:1', /"version"/],
    ['a list', '[]', '1:1', /found a list, expected a baseline/],
    ['a gate that is text', '{"version": 1, "gates": {"lint": "x"}}', '1:34', /the known failures of a gate/],
    [
      'a gate twice',
      '{"version": 1, "gates": {"a": {"exit": 1, "failures": []}, "a": {"exit": 1, "failures": []}}}',
      '1:60',
      /"a" again/,
    ],
    [
      'an exit code of 0',
      '{"version": 1, "gates": {"a": {"exit": 0, "failures": []}}}',
      '1:40',
      /exit code from 1/,
    ],
    ['a failure without a message', gate('{"kind": "error"}'), '3:46', /without "message"/],
    ['a count of 0', gate('{"kind": "error", "message": "x", "count": 0}'), '3:89', /whole number from 1/],
    ['a failure that is text', gate('"*"'), '3:46', /expected a failure/],
    [
      'an unknown key',
      gate('{"kind": "error", "message": "x", "pattern": ".*"}'),
      '3:80',
      /unknown key "pattern"/,
    ],
  ])('%s', async (_, text, at, message) => {
    const root = temporaryTree({ 'ralph-baseline.json': text });
    const config = await withBaseline({ gates: [shellGate('lint')], problems: ['another'] }, root);
    expect(config.problems.slice(0, 2)).toEqual(['another', expect.stringMatching(message)]);
    expect(config.problems[1]).toMatch(new RegExp(`^ralph-baseline\\.json:${at}: `));
    expect(config.gates).toEqual([shellGate('lint')]);
  });

  test.each([
    ['a link', (path: string) => symlinkSync('/etc/hostname', path), /is a symbolic link/],
    ['a link to nothing', (path: string) => symlinkSync('/nothing', path), /is a symbolic link/],
    ['a directory', (path: string) => mkdirSync(path), /is a directory/],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path]), /is not a regular file/],
    ['a large file', (path: string) => writeFileSync(path, ' '.repeat(17 * 1024 * 1024)), /more than 16 MB/],
  ])('%s', async (_, create, message) => {
    const root = temporaryTree({ 'a.txt': '' });
    create(join(root, 'ralph-baseline.json'));
    const { problems } = await withBaseline({ gates: [], problems: [] }, root);
    expect(problems).toEqual([expect.stringMatching(/^ralph-baseline\.json:1:1: the file cannot be read: /)]);
    expect(problems[0]).toMatch(message);
  });
});

describe('a baseline in the way of an agent run', () => {
  const gateWith = (...failures: KnownFailure[]) =>
    shellGate('lint', { baseline: { root: '/', exitCode: 1, reported: {}, failures } });

  test.each([
    ['that knows another failure', gateWith(X), gateWith(X, Y), true],
    ['that knows one more of the same', gateWith(X), gateWith({ ...X, count: 3 }), true],
    ['that is new', shellGate('lint'), gateWith(X), true],
    ['that knows fewer', gateWith(X, Y), gateWith(X), false],
  ])('%s makes the gate weaker: %$', (_, before, after, weaker) => {
    expect(isWeaker(before, after)).toBe(weaker);
  });
});
