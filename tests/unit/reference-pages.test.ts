import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GATE_OPTIONS, gateOf, type OptionValues, PRESETS } from '../../src/chain/parse/gate-options.ts';
import { markProblem } from '../../src/chain/parse/mark-problem.ts';
import { parsePrompt } from '../../src/chain/parse/parse-prompt.ts';
import { DEFAULT_AGENTS, DEFAULTS } from '../../src/config/defaults.ts';
import { GATE_FIELDS } from '../../src/config/parse-gate.ts';
import { GATE_CONFIG_FIELDS, parseGateConfig } from '../../src/config/parse-gate-config.ts';
import { NAMED_GATE_FIELDS } from '../../src/config/parse-named-gate.ts';
import { AGENT_FIELDS, PROMISE_FIELDS } from '../../src/config/parse-promises.ts';
import { RALPH_FIELDS } from '../../src/config/parse-ralph.ts';
import { parseWorktree } from '../../src/config/parse-worktree.ts';
import { PROMISE_DEFAULTS, stageSettings } from '../../src/config/promise-settings.ts';
import { defaultDeadlineSeconds, HOSTS } from '../../src/hosts/hosts.ts';
import { wantedHooks } from '../../src/setup/wanted-hooks.ts';

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const reference = page('docs/worktree-yaml.md');
const gateReference = page('docs/gate-config.md');
const promiseReference = page('docs/agent-runs.md');
const readme = page('README.md');
const AGENTS = ['coder', 'reviewer', 'tester', 'qa'];

/** Key → last column, of the table below a heading. */
function tableBelow(heading: string, text = reference): Map<string, string> {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.matchAll(/^\| `([$\w]+)` \|.*\| (.*) \|$/gm);
  return new Map([...rows].map(([, key = '', last = '']) => [key, last]));
}

describe('the reference pages say what the code does', () => {
  test('every key of a gate, and no other', () => {
    expect([...tableBelow('verify').keys()].toSorted()).toEqual(Object.keys(GATE_FIELDS).toSorted());
  });

  test('every key of ralph, and no other', () => {
    const ofLoops = tableBelow('Settings', promiseReference);
    const keys = [...tableBelow('ralph').keys(), ...Object.keys(PROMISE_FIELDS)];
    expect(keys.toSorted()).toEqual(Object.keys(RALPH_FIELDS).toSorted());
    expect([...ofLoops.keys()].toSorted()).toEqual([...Object.keys(PROMISE_FIELDS), ...AGENTS].toSorted());
    const ofAgents = promiseReference.split('with a mapping:\n')[1]?.split('\n| agent |')[0] ?? '';
    const rows = [...ofAgents.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    expect(rows.toSorted()).toEqual(Object.keys(AGENT_FIELDS).toSorted());
  });

  test('the defaults of promise loops', () => {
    const defaults = tableBelow('Settings', promiseReference.split('\nAny other key')[0]);
    expect(Object.fromEntries(defaults)).toEqual({
      enabled: `\`${PROMISE_DEFAULTS.enabled}\``,
      default_max_iterations: `\`${PROMISE_DEFAULTS.defaultMaxIterations}\``,
      verify_promises: `\`${PROMISE_DEFAULTS.verifyPromises}\``,
      command: 'none',
      iteration_timeout: `\`${PROMISE_DEFAULTS.iterationTimeoutSeconds}\``,
      max_cost_usd: 'none',
      max_stalled: `\`${PROMISE_DEFAULTS.maxStalled}\``,
    });
    for (const agent of [...AGENTS, 'any other']) {
      const { maxIterations, completionPromise } = stageSettings(agent, { agents: {} });
      const name = agent === 'any other' ? agent : `\`${agent}\``;
      expect(promiseReference).toContain(`| ${name} | \`${maxIterations}\` | \`${completionPromise}\` |`);
    }
  });

  test('every key of a gate.config.json and of its gates, and no other', () => {
    const keys = (heading: string) => [...tableBelow(heading, gateReference).keys()].toSorted();
    expect(keys('The file')).toEqual(Object.keys(GATE_CONFIG_FIELDS).toSorted());
    expect(keys('A gate')).toEqual(Object.keys(NAMED_GATE_FIELDS).toSorted());
    const defaults = tableBelow('The file', gateReference);
    expect(defaults.get('failFast')).toBe(`\`${DEFAULTS.failFast}\``);
    expect(defaults.get('outputPath')).toBe(`\`${DEFAULTS.outputPath}\``);
    expect(tableBelow('A gate', gateReference).get('order')).toBe(`\`${DEFAULTS.order}\``);
  });

  test('the example of a gate.config.json is valid', async () => {
    const [, text = ''] = /```jsonc\n([\s\S]*?)```/.exec(gateReference) ?? [];
    const { gates, problems } = await parseGateConfig(text, { directory: '/p', workingDirectory: '/p' });
    expect(problems).toEqual([]);
    expect(gates.map(({ name }) => name)).toEqual(['lint', 'test', 'audit']);
  });

  test('every host, with the deadline that is below its default timeout', () => {
    const [judged = ''] = page('docs/hosts.md').split('\n## What `init` writes\n');
    const rows = judged.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) s \|/gm);
    expect(Object.fromEntries([...rows].map(([, name, seconds]) => [name, Number(seconds)]))).toEqual(
      Object.fromEntries(HOSTS.map(({ name }) => [name, defaultDeadlineSeconds(name)])),
    );
  });

  test('every host, with its file, its timeout and its cap', () => {
    const [, written = ''] = page('docs/hosts.md').split('\n## What `init` writes\n');
    const rows = written.matchAll(/^\| `([\w-]+)` \| `(.+)` \| (\d+) (m?s) \| (?:(\d+) blocks.*?)?\|/gm);
    const told = [...rows].map(([, name, file, timeout, unit, cap]) => ({
      name,
      file,
      timeout: Number(timeout),
      unit,
      cap: cap === undefined ? undefined : Number(cap),
    }));
    const needs = { program: { kind: 'on-path' as const }, agents: ['main'], gateSeconds: 0 };
    const known = HOSTS.map((host) => ({
      name: host.name,
      file: host.hookFile.path,
      timeout: wantedHooks(host, needs)
        .find(({ event }) => event === host.hookFile.events.main)
        ?.form(undefined).timeout,
      unit: host.timeout.unit,
      cap: host.blockCap,
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(told.toSorted(byName)).toEqual(known.toSorted(byName));
  });

  test('the defaults', () => {
    const ralph = tableBelow('ralph');
    expect(Object.fromEntries(ralph)).toEqual({
      agents: `\`[${DEFAULT_AGENTS.trellis}]\` Trellis, \`[${DEFAULT_AGENTS['stand-alone'].join(', ')}]\` stand-alone`,
      max_iterations: `\`${DEFAULTS.maxIterations}\``,
      state_timeout_minutes: `\`${DEFAULTS.stateTimeoutMinutes}\``,
      command_timeout: `\`${DEFAULTS.commandTimeoutSeconds}\``,
      fail_fast: `\`${DEFAULTS.failFast}\``,
      env: 'all',
    });
    expect(tableBelow('verify').get('order')).toBe(`\`${DEFAULTS.order}\``);
  });

  test('the configs in the README are valid, and the full one is all defaults but for its gate', async () => {
    const configs = [...readme.matchAll(/^( *)```yaml\n([\s\S]*?)\n *```$/gm)].map(
      ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    );
    expect(configs).toHaveLength(2);
    for (const config of configs) {
      const { problems, gates } = await parseWorktree(config, 'stand-alone', '/project');
      expect(problems).toEqual([]);
      expect(gates.length).toBeGreaterThan(0);
    }
    const { settings } = await parseWorktree(configs[1] ?? '', 'stand-alone', '/project');
    expect(settings).toEqual((await parseWorktree('', 'stand-alone', '/project')).settings);
  });
});

describe('the page of typed gates says what the code does', () => {
  const typed = page('docs/typed-gates.md');
  const library = { template: () => undefined, criterion: () => undefined };
  const blocks = [...typed.matchAll(/```\n([\s\S]*?)\n```/g)].map(([, text = '']) => text);
  const gateWith = (options: OptionValues) => gateOf('npm test', options);

  test('every option with its default, and no other', () => {
    const { maxAttempts, timeoutSeconds, checkpoint, rollback } = gateWith({});
    const options = tableBelow('Options', typed);
    expect([...options.keys()]).toEqual(Object.keys(GATE_OPTIONS));
    expect(Object.fromEntries(options)).toEqual({
      max: `\`${maxAttempts}\``,
      timeout: `\`${timeoutSeconds}\``,
      loop: '`true` in a prompt, `false` over MCP',
      checkpoint: `\`${checkpoint}\``,
      rollback: `\`${rollback}\``,
      workingDir: 'the project',
    });
    expect(gateWith({})).toMatchObject({ loop: undefined, workingDir: undefined });
  });

  test('every bound', () => {
    for (const name of ['max', 'timeout'] as const) {
      const [, min, max] = new RegExp(`^\\| \`${name}\` \\|.*: (\\d+) to (\\d+) \\|`, 'm').exec(typed) ?? [];
      const read = (value: number) => GATE_OPTIONS[name].read(String(value));
      expect([Number(min) - 1, Number(min), Number(max), Number(max) + 1].map(read)).toEqual([
        undefined,
        Number(min),
        Number(max),
        undefined,
      ]);
    }
  });

  test('every preset, and no other', () => {
    const told = [...typed.matchAll(/^\| `:(\w+)` \| `max:(\d+) timeout:(\d+)` \|$/gm)];
    expect(
      told.map(([, name, max, timeout]) => [name, { max: Number(max), timeout: Number(timeout) }]),
    ).toEqual(Object.entries(PRESETS));
  });

  test('every form is a gate, and every piece of code is none', () => {
    const [, forms = ''] = /\| typed \| gate \|\n([\s\S]*?)\n\n/.exec(typed) ?? [];
    const [, code = ''] = /So code stays code: ([\s\S]*?)\.\n/.exec(typed) ?? [];
    const piecesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, piece = '']) => piece);
    const gates = forms.split('\n').flatMap((row) => piecesIn(row).slice(0, 1));
    expect(gates).toHaveLength(5);
    for (const gate of gates) expect(parsePrompt(`fix ${gate}`, library)).toHaveProperty('steps');
    expect(piecesIn(code)).toHaveLength(4);
    for (const piece of piecesIn(code)) expect(parsePrompt(`fix ${piece}`, library)).toBeUndefined();
  });

  test('the examples are valid, and the mistake is told so', () => {
    const [gate = '', steps = '', mistake = ''] = blocks;
    expect(parsePrompt(gate, library)).toMatchObject({ steps: [{ verify: [{ maxAttempts: 10 }] }] });
    expect(parsePrompt(steps, library)).toMatchObject({ steps: [{}, {}, { text: 'polish it' }] });
    const [message = '', prompt = '', mark = ''] = mistake.split('\n');
    const problem = { line: 1, column: mark.indexOf('^') + 1, message };
    expect(parsePrompt(prompt, library)).toEqual({ problems: [problem] });
    expect(markProblem(prompt, problem)).toBe(`${prompt}\n${mark}`);
  });
});
