import { spawnSync } from 'node:child_process';
import { type BenchProject, BIN, bareEnv, benchProject, GATE_BIN, median } from './bench-project.ts';

const PAIRS = 41;

/** Whole hook processes against bare `node -e 0`, alternating, as the ratio of the medians. */
export function measureStartUp(): void {
  const gate = benchProject({ '.trellis/worktree.yaml': 'verify:\n  - true\n' });
  const settings = benchProject({
    '.trellis/worktree.yaml': 'verify:\n  - name: a\n    run: "true"\nralph:\n  agents: [check, implement]\n',
  });
  const markers = benchProject({});
  const named = benchProject({ 'gate.config.json': '{"gates": [{"name": "a", "command": "true"}]}' });
  const hook = [BIN, 'hook'];
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
  for (const project of [gate, settings, markers, named]) project.remove();
}

function time(args: readonly string[], input: string, home: string): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, args, { input, env: bareEnv(home), stdio: ['pipe', 'ignore', 'ignore'] });
  return performance.now() - startedAt;
}
