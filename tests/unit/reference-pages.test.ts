import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GATE_OPTIONS, gateOf, type OptionValues, PRESETS } from '../../src/chain/parse/gate-options.ts';
import { parsePrompt } from '../../src/chain/parse/parse-prompt.ts';
import { problemsText } from '../../src/chain/parse/problems.ts';
import { parseGateConfig } from '../../src/config/gate-config.ts';
import { parseWorktree } from '../../src/config/worktree.ts';
import { defaultDeadlineSeconds, HOSTS } from '../../src/hosts/registry.ts';
import { requiredHooks } from '../../src/setup/plan-hooks.ts';
import { CUTS, comparisonIn, comparisonTable, OURS, recordedSets } from '../bench/compare-excerpts.ts';

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const gateReference = page('docs/gate-config.md');
const readme = page('README.md');

/** Key → last column, of the table below a heading. */
function tableBelow(heading: string, text: string): Map<string, string> {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.matchAll(/^\| `([$\w]+)` \|.*\| (.*) \|$/gm);
  return new Map([...rows].map(([, key = '', last = '']) => [key, last]));
}

describe('the reference pages', () => {
  test('have a valid example of a gate.config.json', async () => {
    const [, text = ''] = /```jsonc\n([\s\S]*?)```/.exec(gateReference) ?? [];
    const { gates, problems } = await parseGateConfig(text, { directory: '/p', workingDirectory: '/p' });
    expect(problems).toEqual([]);
    expect(gates.map(({ name }) => name)).toEqual(['lint', 'test', 'audit']);
  });

  test('list every host with its deadline', () => {
    const [judged = ''] = page('docs/hosts.md').split('\n## What `init` writes\n');
    const rows = judged.matchAll(/^\| `([\w-]+)` \|.*\| (\d+) s \|/gm);
    expect(Object.fromEntries([...rows].map(([, name, seconds]) => [name, Number(seconds)]))).toEqual(
      Object.fromEntries(HOSTS.map(({ name }) => [name, defaultDeadlineSeconds(name)])),
    );
  });

  test('list every host with its file, timeout and cap', () => {
    const [, written = ''] = page('docs/hosts.md').split('\n## What `init` writes\n');
    const rows = written.matchAll(/^\| `([\w-]+)` \| `(.+)` \| (\d+) (m?s) \| (?:(\d+) blocks?.*?)?\|/gm);
    const listed = [...rows].map(([, name, file, timeout, unit, cap]) => ({
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
      timeout: requiredHooks(host, needs)
        .find(({ event }) => event === host.hookFile.events.main)
        ?.form(undefined).timeout,
      unit: host.timeout.unit,
      cap: host.blockCap,
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name));
    expect(listed.toSorted(byName)).toEqual(known.toSorted(byName));
  });

  test('have valid examples in the README, the full one with the defaults', async () => {
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

describe('the comparison of excerpts', () => {
  const table = comparisonIn(page('docs/feedback.md'));
  const heading = comparisonTable([], recordedSets());

  // `npm run bench:feedback -- --write` writes it.
  test('is about the recorded cases of now', () => {
    expect(table.slice(0, heading.length)).toBe(heading);
  });

  test('has ralph-loop, every cut and tokenjuice', () => {
    const names = [...table.slice(heading.length).matchAll(/^\| (.+?) \|/gm)].map(([, name]) => name);
    expect(names.slice(0, -2)).toEqual([OURS, ...CUTS].map(({ name }) => name));
    expect(names.slice(-2)).toEqual(Array(2).fill(expect.stringMatching(/^tokenjuice \d/)));
  });
});

describe('the page of typed gates', () => {
  const typed = page('docs/typed-gates.md');
  const library = { template: () => undefined, criterion: () => undefined };
  const blocks = [...typed.matchAll(/```\n([\s\S]*?)\n```/g)].map(([, text = '']) => text);
  const gateWith = (options: OptionValues) => gateOf('npm test', options);

  test('lists every option with its default', () => {
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

  test('lists the bounds of every option', () => {
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

  test('lists every preset', () => {
    const listed = [...typed.matchAll(/^\| `:(\w+)` \| `max:(\d+) timeout:(\d+)` \|$/gm)];
    expect(
      listed.map(([, name, max, timeout]) => [name, { max: Number(max), timeout: Number(timeout) }]),
    ).toEqual(Object.entries(PRESETS));
  });

  test('lists forms that are gates, and code that is not', () => {
    const [, forms = ''] = /\| typed \| gate \|\n([\s\S]*?)\n\n/.exec(typed) ?? [];
    const [, code = ''] = /So code stays code: ([\s\S]*?)\.\n/.exec(typed) ?? [];
    const piecesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, piece = '']) => piece);
    const gates = forms.split('\n').flatMap((row) => piecesIn(row).slice(0, 1));
    expect(gates).toHaveLength(5);
    for (const gate of gates) expect(parsePrompt(`fix ${gate}`, library)).toMatchObject({ ok: true });
    expect(piecesIn(code)).toHaveLength(5);
    for (const piece of piecesIn(code)) expect(parsePrompt(`fix ${piece}`, library)).toBeUndefined();
  });

  test('has valid examples, and one error', () => {
    const [gate = '', steps = '', mistake = ''] = blocks;
    expect(parsePrompt(gate, library)).toMatchObject({
      value: { steps: [{ verify: [{ maxAttempts: 10 }] }] },
    });
    expect(parsePrompt(steps, library)).toMatchObject({ value: { steps: [{}, {}, { text: 'polish it' }] } });
    const [first = '', prompt = '', mark = ''] = mistake.split('\n');
    const column = mark.indexOf('^') + 1;
    const problem = { line: 1, column, message: first.replace(`1:${column}: `, '') };
    expect(parsePrompt(prompt, library)).toEqual({ ok: false, failure: [problem] });
    expect(problemsText(prompt, [problem])).toBe(mistake);
  });
});
