import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchProject, BIN, bareEnv, benchProject, GATE_BIN, median } from './bench-project.ts';

const PAIRS = 41;
const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];

/** Whole hook processes against bare `node -e 0`, alternating, as the ratio of the medians. */
export function measureStartUp(): void {
  const gate = benchProject({ '.trellis/worktree.yaml': 'verify:\n  - true\n' });
  const tested = benchProject({
    '.trellis/worktree.yaml': 'verify:\n  - true\n',
    'tests/cart.test.ts': tests(100),
  });
  for (const args of [['init'], ['add', '.'], [...IDENTITY, 'commit', '-m', 'x']])
    spawnSync('git', ['-C', tested.root, ...args], { env: bareEnv(tested.root), stdio: 'ignore' });
  writeFileSync(join(tested.root, 'tests/cart.test.ts'), tests(101));
  const settings = benchProject({
    '.trellis/worktree.yaml': 'verify:\n  - name: a\n    run: "true"\nralph:\n  agents: [check, implement]\n',
  });
  const markers = benchProject({});
  const named = benchProject({ 'gate.config.json': '{"gates": [{"name": "a", "command": "true"}]}' });
  const hook = [BIN, 'hook'];
  const inClaudeCode = [...hook, '--host', 'claude-code'];
  // A host sends the whole text of the file.
  const text = 'export const add = (cart, item) => [...cart, item];\n'.repeat(500);
  const edit = (path: string, { root, event } = gate) =>
    event({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: `${root}/${path}`, content: text },
      tool_response: { filePath: `${root}/${path}`, content: text, originalFile: text },
    });
  const cases: { name: string; env: BenchProject; stdin: string; args?: readonly string[] }[] = [
    { name: 'another agent', env: gate, stdin: gate.event({ agent_type: 'implement' }) },
    {
      name: 'another agent, `agents:` set',
      env: settings,
      stdin: settings.event({ agent_type: 'research' }),
    },
    { name: 'another event', env: gate, stdin: gate.event({ hook_event_name: 'PreToolUse' }) },
    {
      name: 'a prompt without gates',
      env: gate,
      stdin: gate.event({ hook_event_name: 'UserPromptSubmit', prompt: 'use std::vector in fix()' }),
    },
    { name: 'an edit of a file that is no test', env: gate, stdin: edit('src/cart.ts'), args: inClaudeCode },
    {
      name: 'an edit of a test, nothing weaker',
      env: tested,
      stdin: edit('tests/cart.test.ts', tested),
      args: inClaudeCode,
    },
    { name: 'main agent in a Trellis project', env: gate, stdin: gate.event({ hook_event_name: 'Stop' }) },
    {
      name: 'markers, all there',
      env: markers,
      stdin: markers.event({ last_assistant_message: 'ALL_CHECKS_FINISH' }),
    },
    { name: 'one passing gate (`true`)', env: gate, stdin: gate.event() },
    { name: 'one passing gate, a mapping (YAML)', env: settings, stdin: settings.event() },
    {
      name: '`ralph-gate --hook`, one passing gate',
      env: named,
      stdin: named.event({ hook_event_name: 'Stop' }),
      args: [GATE_BIN, '--hook'],
    },
  ];
  const base: number[] = [];
  const times = cases.map((): number[] => []);
  for (let pair = 0; pair < PAIRS; pair++) {
    base.push(time(['-e', '0'], '', gate.root));
    for (const [index, { env, stdin, args = hook }] of cases.entries())
      times[index]?.push(time(args, stdin, env.root));
  }
  const bare = median(base);
  console.log(`  node -e 0: ${bare.toFixed(1)} ms, median of ${PAIRS}, Node ${process.version}`);
  for (const [index, { name }] of cases.entries()) {
    const ms = median(times[index] ?? []);
    console.log(`  ${(ms / bare).toFixed(2)} ×  ${ms.toFixed(1)} ms  ${name}`);
  }
  for (const project of [gate, tested, settings, markers, named]) project.remove();
}

function time(args: readonly string[], input: string, home: string): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args, { input, env: bareEnv(home), stdio: ['pipe', 'ignore', 'ignore'] });
  return performance.now() - startedAt;
}

/** A file with so many tests. */
function tests(number: number): string {
  return Array.from(
    { length: number },
    (_, n) => `test('adds ${n}', () => expect(add(${n})).toBe(2));\n`,
  ).join('');
}
