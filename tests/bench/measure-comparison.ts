import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { type FeedbackCase, feedbackCases, lostFacts, outputOf } from '../helpers/feedback-cases.ts';
import { type BenchProject, bareEnv, median, repository } from './bench-project.ts';
import { type StopHook, stopHooks } from './stop-hooks.ts';

/** Longer than the limit of 120 s that Trellis's hook has. */
const PATIENCE_SECONDS = 130;
/** For the hooks that have such a setting. */
const LIMIT_SECONDS = 2;
const STOPS = 12;
const PAIRS = 21;
/** Holds the project, and is inherited by everything that a hook starts. */
const MARK = 'RALPH_BENCH_MARK';
const HANG = 'sleep 300 & setsid sleep 300 & sleep 300';
const LEFT = 'sleep 20 & exit 0';
const FLOOD = "yes 'src/a.ts(1,2): error TS1000: no' | head -c 1000000000; exit 1";
const FAILS = 'echo "1 test failed"; exit 1';
const TESTS = 'tests/cart.test.mjs';
const FAILING_TEST =
  "import test from 'node:test';\ntest('adds the tax', () => { throw new Error('no tax'); });\n";

interface Answer {
  readonly isBlocked: boolean;
  readonly reason: string;
  readonly ms: number;
  /** False if it was ended because it took too long, as a host does. */
  readonly isAnswered: boolean;
}

type Probe = (hook: StopHook) => Promise<string>;

/** The rows of docs/comparison.md that are measured. */
const ROWS: Readonly<Record<string, Probe>> = {
  'stops blocked while a gate fails, of 12': blocks,
  'facts of the recorded failures': excerpts,
  'a gate that hangs': (hook) => ending(hook, HANG),
  'a gate that passes and leaves a process': (hook) => ending(hook, LEFT),
  'runs of a gate: a change, then three stops': runs,
  'a test is skipped to pass': skippedTest,
  'the gate becomes `true`': changedGate,
  'the state of the hook is removed or forged': lostState,
  'a gate that prints 1 GB': memory,
};

/** Other stop hooks beside ours, on the same gates: `npm run bench compare`. */
export async function measureComparison(): Promise<void> {
  const hooks = stopHooks();
  const print = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  print(['', ...hooks.map(({ name }) => name)]);
  print(['---', ...hooks.map(() => '---')]);
  for (const [name, probe] of Object.entries(ROWS)) {
    const cells: string[] = [];
    for (const hook of hooks) cells.push(await probe(hook));
    print([name, ...cells]);
  }
  const [ignored, passing] = startUps(hooks);
  print(['a stop that it ignores, × `node -e 0`', ...ignored]);
  print(['a gate that passes (`true`), × `node -e 0`', ...passing]);
  console.log(`isitdone 0.8.2, by the rule in its source: ${shareKept(lastLines)}`);
}

/** How many stops of an agent that changes nothing are blocked before one is allowed. */
async function blocks(hook: StopHook): Promise<string> {
  return await inProject(hook, FAILS, async (project) => {
    for (let stop = 0; stop < STOPS; stop++) {
      const { isBlocked } = await stopIn(project, hook, { stop_hook_active: stop > 0 });
      if (!isBlocked) return `${stop}`;
    }
    return `${STOPS}`;
  });
}

async function excerpts(hook: StopHook): Promise<string> {
  if (hook.runsNoGate) return '–';
  const reasons = new Map<FeedbackCase, string>();
  const cases = feedbackCases();
  for (const recorded of cases) {
    const { reason } = await inProject(hook, 'node ../replay.mjs', async (project) => {
      write(project.root, { '../replay.mjs': replay(recorded) });
      return await stopIn(project, hook);
    });
    reasons.set(recorded, reason);
  }
  return shareKept((recorded) => reasons.get(recorded) ?? '', cases);
}

/** The mean share of facts that a text has, and its mean length. */
function shareKept(textOf: (recorded: FeedbackCase) => string, cases = feedbackCases()): string {
  let kept = 0;
  let characters = 0;
  for (const recorded of cases) {
    const text = textOf(recorded);
    kept += 1 - lostFacts(text, recorded).length / recorded.facts.length;
    characters += text.length;
  }
  const mean = Math.round(characters / cases.length).toLocaleString('en');
  return `${((100 * kept) / cases.length).toFixed(1)} %, ${mean} characters`;
}

/** The last 20 lines, each cut at 200 characters. */
function lastLines(recorded: FeedbackCase): string {
  return stripVTControlCharacters(outputOf(recorded))
    .trimEnd()
    .split('\n')
    .slice(-20)
    .map((line) => (line.length > 200 ? `${line.slice(0, 197)}...` : line))
    .join('\n');
}

/** A program that prints what a case has recorded, and ends as it did. */
function replay({ events, exit }: FeedbackCase): string {
  const writes = events.map(({ fd, text }) => `writeSync(${fd}, ${JSON.stringify(text)});\n`).join('');
  const end = exit.startsWith('SIG') ? `process.kill(process.pid, '${exit}');` : `process.exit(${exit});`;
  return `import { writeSync } from 'node:fs';\n${writes}${end}\n`;
}

/** When a gate that starts processes is answered, and how many of them are left. */
async function ending(hook: StopHook, gate: string): Promise<string> {
  if (hook.runsNoGate) return '–';
  const use = async (project: BenchProject) => {
    const { ms, isAnswered } = await stopIn(project, hook);
    const answered = isAnswered ? `after ${(ms / 1000).toFixed(1)} s` : `not in ${PATIENCE_SECONDS} s`;
    // The owner of a run lives for a moment longer than the hook.
    await pause(500);
    return `${answered}, ${markedProcesses(project).length} left`;
  };
  return await inProject(hook, gate, use, LIMIT_SECONDS);
}

async function runs(hook: StopHook): Promise<string> {
  if (hook.runsNoGate) return '–';
  return await inProject(hook, 'echo run >> ../runs', async (project) => {
    for (let stop = 0; stop < 3; stop++) await stopIn(project, hook);
    return `${readFileSync(join(project.root, '../runs'), 'utf8').trim().split('\n').length}`;
  });
}

async function skippedTest(hook: StopHook): Promise<string> {
  if (hook.runsNoGate) return '–';
  return await inProject(hook, 'node --test', async (project) => {
    write(project.root, { [TESTS]: FAILING_TEST.replace("test('", "test.skip('") });
    return verdict(await stopIn(project, hook));
  });
}

async function changedGate(hook: StopHook): Promise<string> {
  if (hook.runsNoGate) return '–';
  return await inProject(hook, FAILS, async (project) => {
    write(project.root, hook.files('true'));
    return verdict(await stopIn(project, hook));
  });
}

async function lostState(hook: StopHook): Promise<string> {
  return await inProject(hook, FAILS, async (project) => {
    await stopIn(project, hook);
    hook.loseState(project.root);
    return verdict(await stopIn(project, hook));
  });
}

async function memory(hook: StopHook): Promise<string> {
  if (hook.runsNoGate) return '–';
  return await inProject(hook, FLOOD, async (project) => {
    let peakKb = 0;
    const watch = setInterval(() => {
      const sizes = markedProcesses(project).map(residentKb);
      peakKb = Math.max(
        peakKb,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    }, 50);
    const answer = await stopIn(project, hook);
    clearInterval(watch);
    return `${verdict(answer)}, ${Math.round(peakKb / 1024).toLocaleString('en')} MB`;
  });
}

/** Whole hook processes against bare `node -e 0`, alternating, as the ratios of the medians. */
function startUps(hooks: readonly StopHook[]): [string[], string[]] {
  const base: number[] = [];
  const rows = hooks.map((hook) => {
    const guarded = projectOf(hook, 'true');
    const without = repository({ 'README.md': '' });
    return { hook, guarded, other: hook.ignoresByFiles ? without : guarded, without };
  });
  const ignored = rows.map((): number[] => []);
  const passing = rows.map((): number[] => []);
  for (let pair = 0; pair < PAIRS; pair++) {
    base.push(timed(['node', '-e', '0'], rows[0]?.without, ''));
    for (const [index, { hook, guarded, other }] of rows.entries()) {
      ignored[index]?.push(timed(hook.command, other, eventOf(other, hook.ignored)));
      if (hook.runsNoGate) continue;
      write(guarded.root, { 'src/cart.mjs': `export const tax = ${pair};\n` });
      passing[index]?.push(timed(hook.command, guarded, eventOf(guarded, hook.guarded)));
    }
  }
  for (const { guarded, without } of rows) for (const project of [guarded, without]) project.remove();
  const bare = median(base);
  const ratio = (times: readonly number[]) => (times.length === 0 ? '–' : (median(times) / bare).toFixed(2));
  return [ignored.map(ratio), passing.map(ratio)];
}

function timed(command: readonly string[], project: BenchProject | undefined, input: string): number {
  const [program = '', ...args] = command;
  const root = project?.root ?? '';
  const startedAt = performance.now();
  spawnSync(program, args, {
    input,
    cwd: root,
    env: bareEnv(dirname(root)),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return performance.now() - startedAt;
}

/** A repository with a failing test and a gate, in which an agent has worked since its prompt. */
async function inProject<T>(
  hook: StopHook,
  gate: string,
  use: (project: BenchProject) => Promise<T>,
  limitSeconds?: number,
): Promise<T> {
  const project = projectOf(hook, gate, limitSeconds);
  try {
    if (hook.prompt) await answerTo(project, hook, eventOf(project, hook.prompt));
    write(project.root, { 'src/cart.mjs': 'export const tax = 1;\n' });
    return await use(project);
  } finally {
    for (const pid of markedProcesses(project)) process.kill(pid, 'SIGKILL');
    project.remove();
  }
}

function projectOf(hook: StopHook, gate: string, limitSeconds?: number): BenchProject {
  return repository({ [TESTS]: FAILING_TEST, ...hook.files(gate, limitSeconds) });
}

async function stopIn(project: BenchProject, hook: StopHook, fields: object = {}): Promise<Answer> {
  return await answerTo(project, hook, eventOf(project, { ...hook.guarded, ...fields }));
}

function eventOf({ root }: BenchProject, fields: object): string {
  return JSON.stringify({ cwd: root, last_assistant_message: 'Done.', ...fields });
}

/** Calls a hook as Claude Code does. */
async function answerTo({ root }: BenchProject, { command }: StopHook, event: string): Promise<Answer> {
  const [program = '', ...args] = command;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...bareEnv(dirname(root)), CLAUDE_PROJECT_DIR: root, [MARK]: root },
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      if (printed[stream].length < 100_000) printed[stream] += text;
    });
  child.stdin.on('error', () => {}).end(event);
  let isAnswered = true;
  const patience = setTimeout(() => {
    isAnswered = false;
    child.kill();
  }, 1000 * PATIENCE_SECONDS);
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  const ms = performance.now() - startedAt;
  clearTimeout(patience);
  // A process that the gate has left may hold the pipes.
  await Promise.race([closed, pause(300)]);
  child.stdout.destroy();
  child.stderr.destroy();
  const { decision, reason = '' } = jsonOf(printed.stdout);
  if (decision === 'block') return { isBlocked: true, reason, ms, isAnswered };
  return { isBlocked: code === 2, reason: code === 2 ? printed.stderr : '', ms, isAnswered };
}

function jsonOf(text: string): { decision?: string; reason?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function verdict({ isBlocked }: Answer): string {
  return isBlocked ? 'blocked' : 'allowed';
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** What a hook has started in a project and is still there; needs /proc. */
function markedProcesses({ root }: BenchProject): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && procFile(pid, 'environ').split('\0').includes(`${MARK}=${root}`));
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0);
}

/** Empty if the process is gone. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
