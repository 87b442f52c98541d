import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEFAULT_AGENTS, DEFAULTS } from '../../src/config/defaults.ts';
import { GATE_FIELDS } from '../../src/config/parse-gate.ts';
import { GATE_CONFIG_FIELDS, parseGateConfig } from '../../src/config/parse-gate-config.ts';
import { NAMED_GATE_FIELDS } from '../../src/config/parse-named-gate.ts';
import { RALPH_FIELDS } from '../../src/config/parse-ralph.ts';
import { parseWorktree } from '../../src/config/parse-worktree.ts';
import { defaultDeadlineSeconds, HOSTS } from '../../src/hosts/hosts.ts';
import { wantedHooks } from '../../src/setup/wanted-hooks.ts';

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const reference = page('.trellis/docs/worktree-yaml.md');
const gateReference = page('.trellis/docs/gate-config.md');
const readme = page('README.md');

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
    expect([...tableBelow('ralph').keys()].toSorted()).toEqual(Object.keys(RALPH_FIELDS).toSorted());
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
    const [judged = ''] = page('.trellis/docs/hosts.md').split('\n## What `init` writes\n');
    const rows = judged.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) s \|/gm);
    expect(Object.fromEntries([...rows].map(([, name, seconds]) => [name, Number(seconds)]))).toEqual(
      Object.fromEntries(HOSTS.map(({ name }) => [name, defaultDeadlineSeconds(name)])),
    );
  });

  test('every host, with its file, its timeout and its cap', () => {
    const [, written = ''] = page('.trellis/docs/hosts.md').split('\n## What `init` writes\n');
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
      timeout: wantedHooks(host, needs)[0]?.form(undefined).timeout,
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
