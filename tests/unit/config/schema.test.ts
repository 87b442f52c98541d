import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseGateConfig } from '../../../src/config/gate-config.ts';
import { parseWorktree } from '../../../src/config/worktree.ts';
import { generatedFiles, TABLE_NAMES, tablesIn } from '../../helpers/config-reference.ts';

const generated = generatedFiles();
const textOf = (name: string) => generated.find(({ path }) => path.endsWith(name))?.text ?? '';
const gateConfig = JSON.parse(textOf('gate.config.json'));
const worktree = JSON.parse(textOf('worktree.json'));
const ajv = new Ajv({ allowUnionTypes: true });

describe('the reference', () => {
  // `npm run docs` writes these files: it runs this test with --update.
  test.each(generated)('is generated from the schema: $name', async ({ path, text }) => {
    await expect(text).toMatchFileSnapshot(path);
  });

  test('has each table on one page', () => {
    expect(generated.flatMap(({ text }) => tablesIn(text)).toSorted()).toEqual(TABLE_NAMES.toSorted());
  });
});

const gate = (more: object) => ({ gates: [{ name: 'a', command: 'b', ...more }] });
const GATE_CONFIGS: unknown[] = [
  { gates: [] },
  { gates: [], failFast: false, outputPath: 'x-<pid>.json', $schema: './x.json', other: 1 },
  gate({
    description: 'c',
    order: -1.5,
    enabled: false,
    blocking: true,
    timeout: 0.5,
    env: { A: 1, B: true },
  }),
  gate({ x: [] }),
  {},
  [],
  null,
  'x',
  { gates: {} },
  { gates: [null] },
  { gates: ['npm test'] },
  { gates: [{ name: 'a' }] },
  { gates: [{ command: 'a' }] },
  { gates: [], failFast: 'yes' },
  { gates: [], outputPath: '' },
  { gates: [], $schema: 5 },
  ...[
    { name: '' },
    { name: 5 },
    { command: ' ' },
    { command: 'a\0' },
    { description: '' },
    { order: '10' },
    { enabled: 'false' },
    { blocking: 1 },
    { timeout: 0 },
    { timeout: '5' },
    { timeout: 1e9 },
    { cwd: 5 },
    { env: [] },
    { env: { A: null } },
    { env: { A: ['x'] } },
    { env: { 'A=B': 'x' } },
    { env: { '': 'x' } },
  ].map(gate),
];

const mapping = (more: object) => ({ verify: [{ run: 'a', ...more }] });
const WORKTREES: unknown[] = [
  { verify: ['npm test', null, 5, { run: 'a' }] },
  { verify: [] },
  { verify: null, ralph: null },
  { copy: ['.env'], ralph: { agents: ['main'], max_iterations: 3, fail_fast: false } },
  {
    ralph: {
      enabled: true,
      default_max_iterations: 10,
      verify_promises: false,
      command: 'claude -p',
      iteration_timeout: 0.5,
      max_cost_usd: 2.5,
      max_stalled: 3,
    },
  },
  { ralph: { state_timeout_minutes: 0.5, command_timeout: 10, env: { pass: ['A', 'B_1'] } } },
  mapping({ name: 'b', timeout: 5, env: { A: 1, pass: ['X'] }, blocking: false, order: 1, enabled: true }),
  mapping({ description: 'c', env: { pass: 'text' } }),
  { verify: 'npm test' },
  { verify: { a: 1 } },
  { verify: [{ name: 'a' }] },
  ...[
    { name: '' },
    { run: 5 },
    { timeout: -1 },
    { blocking: 'no' },
    { order: 'x' },
    { enabled: 0 },
    { env: [] },
    { env: { pass: ['A B'] } },
    { env: { pass: { A: 1 } } },
    { other: 1 },
  ].map(mapping),
  ...[
    { agents: 'main' },
    { agents: [''] },
    { max_iterations: 0 },
    { max_iterations: 1.5 },
    { state_timeout_minutes: 0 },
    { command_timeout: '5' },
    { fail_fast: 'no' },
    { env: { A: 1 } },
    { env: { pass: 'A' } },
    { env: ['A'] },
    { other: 1 },
    { enabled: 'no' },
    { default_max_iterations: 0 },
    { verify_promises: 1 },
    { command: '' },
    { iteration_timeout: 0 },
    { max_cost_usd: 0 },
    { max_stalled: 0.5 },
    {
      coder: { max_iterations: 3, completion_promise: 'ALL DONE', command: 'a', prompt: 'b', enabled: false },
    },
    { designer: {} },
    { coder: { completion_promise: '<x>' } },
    { coder: { completion_promise: ' x' } },
    { coder: { max_iterations: '3' } },
    { coder: { iterations: 3 } },
    { coder: 5 },
  ].map((ralph) => ({ ralph })),
];

// Editors validate with the JSON schemas. They cannot express unique names and keys, typos, and directories inside the
// project; everything else they accept and reject as the program does.
describe('the JSON schema of gate.config.json', () => {
  const validate = ajv.compile(gateConfig);

  test.each(GATE_CONFIGS.map((config) => JSON.stringify(config)))(
    'accepts a config if and only if the program does: %s',
    async (text) => {
      const { problems } = await parseGateConfig(text, { directory: '/p', workingDirectory: '/p' });
      expect({ valid: validate(JSON.parse(text)), problems }).toEqual({
        valid: problems.length === 0,
        problems,
      });
    },
  );

  test('is tested with valid and with invalid configs', () => {
    expect(new Set(GATE_CONFIGS.map((config) => validate(config)))).toEqual(new Set([true, false]));
  });
});

describe('the JSON schema of worktree.yaml', () => {
  const validate = ajv.compile(worktree);

  test.each(WORKTREES.map((config) => [JSON.stringify(config), config]))(
    'accepts a config if and only if the program does: %s',
    async (_, config) => {
      const { problems } = await parseWorktree(stringify(config, { nullStr: '' }), 'stand-alone', '/p');
      expect({ valid: validate(config), problems }).toEqual({ valid: problems.length === 0, problems });
    },
  );

  test('is tested with valid and with invalid configs', () => {
    expect(new Set(WORKTREES.map((config) => validate(config)))).toEqual(new Set([true, false]));
  });
});
