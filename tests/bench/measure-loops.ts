import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentRun } from '../../src/state/agent-run.ts';
import type { IterationRecord } from '../../src/state/execution-log.ts';
import { BIN, bareEnv, median } from './bench-project.ts';
import { peakMemoryKb } from './peak-memory.ts';

const ITERATIONS = 20;
const LOOPS = 20;
const PAIRS = 41;
/** What an agent does that never promises: something, so that the loop does not stall. */
const WORK = 'date +%N >> work.txt';
const MUCH_OUTPUT = "yes 'I am still reading the sources' | head -c 1000000000";

/** Loops that drive agents: what they add to an agent's own time, their memory, and many at once. */
export async function measureLoops(): Promise<void> {
  const one = repository(`ralph:\n  coder: {max_iterations: ${ITERATIONS}}\n`);
  await drive(one, 'ONE', WORK);
  const ends = iterationsOf(one).map(({ time }) => Date.parse(time));
  const spans = ends.slice(1).map((end, index) => end - (ends[index] ?? end));
  const agents = iterationsOf(one).map(({ duration_ms }) => duration_ms);
  console.log(
    `  an iteration: ${(median(spans) - median(agents)).toFixed(0)} ms above the agent's own ${median(agents).toFixed(0)} ms (${ITERATIONS})`,
  );
  rmSync(one, { recursive: true, force: true });

  const loud = repository('ralph:\n  coder: {max_iterations: 1}\n');
  const { peakKb, ms } = await drive(loud, 'LOUD', MUCH_OUTPUT);
  console.log(`  1 GB of output: ${(peakKb / 1024).toFixed(0)} MB, in ${(ms / 1000).toFixed(1)} s`);
  rmSync(loud, { recursive: true, force: true });

  const many = repository('ralph:\n  coder: {max_iterations: 3}\n');
  await Promise.all(Array.from({ length: LOOPS }, (_, index) => drive(many, `TASK-${index}`, WORK)));
  const counted = new Set(
    iterationsOf(many).map(({ task_id, ralph_iteration }) => `${task_id} ${ralph_iteration}`),
  );
  const states = Array.from(
    { length: LOOPS },
    (_, index): AgentRun =>
      JSON.parse(readFileSync(join(many, `.trellis/.ralph/promise-TASK-${index}.json`), 'utf8')),
  );
  const ended = states.filter(({ failure, iteration }) => failure === 'cap' && iteration === 3).length;
  console.log(
    `  ${LOOPS} loops at once, 3 iterations each: ${counted.size} logged, ${ended} ended at the cap`,
  );
  const [bare, status]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    bare.push(time(['-e', '0'], many));
    status.push(time([BIN, 'status'], many));
  }
  console.log(
    `  status of ${LOOPS} loops: ${(median(status) / median(bare)).toFixed(2)} × node -e 0 (${median(bare).toFixed(1)} ms)`,
  );
  rmSync(many, { recursive: true, force: true });
}

function repository(ralph: string): string {
  const root = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  for (const [path, text] of Object.entries({
    'worktree.yaml': `verify:\n  - true\n${ralph}`,
    'spec.md': 'Write the program.\n',
    ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`src/f${index}.ts`, `// ${index}\n`])),
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '--message=x'],
  ])
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
  return root;
}

function drive(root: string, task: string, script: string): Promise<{ peakKb: number; ms: number }> {
  const startedAt = performance.now();
  const args = [BIN, 'run', '--task', task, '--prompt-file', 'spec.md', '--', 'sh', '-c', script];
  const child = spawn(process.execPath, args, { cwd: root, env: bareEnv(root), stdio: 'ignore' });
  let peakKb = 0;
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakMemoryKb(child.pid));
  }, 20);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearInterval(watch);
      resolve({ peakKb, ms: performance.now() - startedAt });
    }),
  );
}

function iterationsOf(root: string): IterationRecord[] {
  const lines = readFileSync(join(root, '.trellis/.ralph/log.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function time(args: readonly string[], cwd: string): number {
  const startedAt = performance.now();
  execFileSync(process.execPath, args, { cwd, env: bareEnv(cwd), stdio: ['ignore', 'pipe', 'ignore'] });
  return performance.now() - startedAt;
}
