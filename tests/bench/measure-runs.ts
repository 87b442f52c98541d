import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../helpers/processes.ts';
import { type BenchProject, BIN, bareEnv, median, repository } from './bench-project.ts';

const PAIRS = 31;
const KILLS = 50;

/** What a stop costs when nothing has changed, and what runs share. */
export async function measureRuns(): Promise<void> {
  for (const [files, gates] of [
    [1000, 1],
    [1000, 20],
    [50_000, 4],
  ] as const)
    measureSecondStop(files, gates);
  await measureParallel();
  await measureSubagents();
  await measureLongGate();
  await measureKilledOwners();
}

function measureSecondStop(files: number, gates: number): void {
  const project = repository({
    'worktree.yaml': worktree(Array.from({ length: gates }, (_, n) => `echo ran >> ../ran-$$; true ${n}`)),
    ...Object.fromEntries(
      Array.from({ length: files }, (_, n) => [`src/${n % 100}/file-${n}.ts`, `export const n = ${n};\n`]),
    ),
  });
  const first = stop(project);
  const second = () => stop(project);
  second();
  const [base, times]: [number[], number[]] = [[], []];
  let message = '';
  for (let pair = 0; pair < PAIRS; pair++) {
    base.push(timed(() => spawnSync(process.execPath, ['-e', '0'], { env: bareEnv(project.root) })));
    times.push(
      timed(() => {
        message = second();
      }),
    );
  }
  const [bare, ms] = [median(base), median(times)];
  console.log(
    `  second stop, ${files} files, ${gates} gates: ${(ms / bare).toFixed(2)} × node -e 0 (${ms.toFixed(0)} ms, ${(ms - bare).toFixed(0)} above ${bare.toFixed(0)})`,
  );
  console.log(`    first: ${first}; then: ${message}`);
  project.remove();
}

async function measureParallel(): Promise<void> {
  const project = repository({
    'worktree.yaml': `${worktree(['sleep 1; : 1', 'sleep 1; : 2', 'sleep 1; : 3', 'sleep 1; : 4'])}  jobs: 4\n`,
  });
  const ms = timed(() => stop(project));
  console.log(`  4 gates of 1 s, jobs: 4: ${seconds(ms)}`);
  project.remove();
}

async function measureSubagents(): Promise<void> {
  const project = repository({ 'worktree.yaml': worktree(['echo ran >> ../ran; sleep 2']) });
  const ended = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      hook(project, { hook_event_name: 'SubagentStop', agent_type: 'check', agent_id: `a${n}` }),
    ),
  );
  console.log(
    `  6 subagents at once, a gate of 2 s: it ran ${lines(project, 'ran')} times; all answered after ${seconds(Math.max(...ended.map(({ ms }) => ms)))}`,
  );
  project.remove();
}

async function measureLongGate(): Promise<void> {
  const project = repository({ 'worktree.yaml': worktree(['echo ran >> ../ran; sleep 20']) });
  const first = await hook(project, {}, ['--deadline', '5']);
  const wait = timed(() =>
    spawnSync(process.execPath, [BIN, 'wait'], { cwd: project.root, env: env(project) }),
  );
  const next = await hook(project, {}, ['--deadline', '5']);
  console.log(
    `  gate of 20 s, deadline 5 s: ${decision(first.stdout)} after ${seconds(first.ms)}; wait took ${seconds(wait)}; then ${decision(next.stdout)}; it ran ${lines(project, 'ran')} times`,
  );
  project.remove();
}

async function measureKilledOwners(): Promise<void> {
  let right = 0;
  let left = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const fails = kill % 2 === 1;
    const project = repository({
      'worktree.yaml': worktree([`echo $$ >> ../pids; sleep 0.3; exit ${fails ? 1 : 0}`]),
    });
    const running = hook(project);
    await pause(100 + Math.random() * 400);
    const owner = ownerOf(project);
    if (owner !== undefined) process.kill(owner, 'SIGKILL');
    await running;
    const { stdout } = await hook(project);
    if (decision(stdout) === (fails ? 'block' : 'allow')) right += 1;
    await pause(50);
    left += pidsIn(project).filter(isRunning).length;
    project.remove();
  }
  console.log(
    `  owner killed ${KILLS} times: ${right} right verdicts at the next stop, ${left} gates left running`,
  );
}

/** A stand-alone project in a subdirectory of its own, so that gates can write beside it. */
function worktree(commands: readonly string[]): string {
  return `verify:\n${commands.map((command) => `  - ${JSON.stringify(command)}\n`).join('')}ralph:\n  when: always\n`;
}

const STOP = { hook_event_name: 'Stop', session_id: 's', agent_type: undefined };

const env = ({ root }: BenchProject) => ({ ...bareEnv(dirname(root)), CLAUDECODE: '1' });

/** @returns what the person reads */
function stop(project: BenchProject): string {
  const { stdout } = spawnSync(process.execPath, [BIN, 'hook'], {
    input: project.event(STOP),
    env: env(project),
    stdio: ['pipe', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return stdout === '' ? 'allowed' : (JSON.parse(stdout).systemMessage ?? stdout);
}

function hook(
  project: BenchProject,
  fields: Record<string, unknown> = {},
  args: readonly string[] = [],
): Promise<{ readonly stdout: string; readonly ms: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, 'hook', ...args], {
    env: env(project),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin.end(project.event({ ...STOP, ...fields }));
  return new Promise((resolve) =>
    child.once('close', () => resolve({ stdout, ms: performance.now() - startedAt })),
  );
}

function decision(stdout: string): string {
  return stdout === '' ? 'allow' : (JSON.parse(stdout).decision ?? 'allow');
}

function ownerOf({ root }: BenchProject): number | undefined {
  const runs = join(dirname(root), '.local/state/ralph-loop/projects', root, '@/runs');
  try {
    const [id = ''] = readdirSync(runs);
    const text = readFileSync(join(runs, id, 'run'), 'utf8');
    return JSON.parse(text.slice(text.indexOf('\n'))).owner.pid;
  } catch {
    return undefined;
  }
}

function pidsIn({ root }: BenchProject): number[] {
  const path = join(root, '../pids');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : [];
}

function lines({ root }: BenchProject, file: string): number {
  return readFileSync(join(root, '..', file), 'utf8')
    .trim()
    .split('\n').length;
}

function timed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
