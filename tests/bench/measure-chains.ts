import { type ChainRun, runChain } from '../../src/chain/run-chain.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { chainFile, chainOf, step } from '../helpers/chain.ts';
import { NO_HOME } from '../helpers/no-home.ts';
import { verifyGate } from '../helpers/typed-prompt.ts';
import { bareEnv, benchProject, median } from './bench-project.ts';

const RUNS = 41;
const TIMED_RUNS = 5;
const AT_ONCE = 5;
/** Nanoseconds since 1970, as the command itself sees them; what it takes to start `date` is counted as ours. */
const TELL_TIME = 'date +%s%N';
const TELL_TIMES = `for i in 1 2 3 4 5 6 7 8 9 10; do ${TELL_TIME}; sleep 0.1; done`;
const MUCH_OUTPUT = "yes 'src/a.ts(1,2): error TS1000: no' | head -c 1000000000; exit 1";

/** What a run of typed gates costs, within a process that has done it before, as the MCP server has. */
export async function measureChains(): Promise<void> {
  // The state of a chain is in its project then.
  process.env.XDG_STATE_HOME = NO_HOME;
  await run('true');
  const starts = [];
  for (let index = 0; index < RUNS; index += 1) starts.push(...(await delays(TELL_TIME, 'since the call')));
  printDelays('from the call to what the command does first', starts);
  printDelays('from when output was written to when it is seen', await delays(TELL_TIMES, 'since written'));
  for (const [name, command] of Object.entries({
    plain: 'sleep 60',
    'TERM-immune': "trap '' TERM; while :; do sleep 60; done",
  })) {
    const late = [];
    for (let index = 0; index < TIMED_RUNS; index += 1) {
      const { durationMs } = (await run(command, 1)).result;
      late.push(durationMs - 1000);
    }
    printDelays(`ended after its limit, ${name}`, late);
  }
  console.log(`  memory above idle, 1 GB of output: ${await memoryOf(() => run(MUCH_OUTPUT))} MB`);
  const spread = await memoryOf(() => Promise.all(Array.from({ length: AT_ONCE }, () => run(MUCH_OUTPUT))));
  console.log(`  the same, ${AT_ONCE} at once: ${spread} MB in all`);
}

/** Runs a command as the only gate of a chain of a fresh project. */
async function run(
  command: string,
  timeoutSeconds = 300,
  onOutput = (_text: string) => {},
): Promise<ChainRun> {
  const chain = chainOf({ steps: [step('Do it', verifyGate(command, { timeoutSeconds }))] });
  const project = benchProject(chainFile(chain));
  const ran = await runChain(project.root, chain.id, {
    runCommand,
    now: () => new Date(),
    env: bareEnv(project.root),
    deadline: { seconds: Number.POSITIVE_INFINITY, atMs: Number.POSITIVE_INFINITY },
    signal: new AbortController().signal,
    secretsPassed: [],
    onEvent: (event) => event.type === 'output' && onOutput(event.bytes.toString()),
  });
  project.remove();
  if (!ran.ok) throw new Error(ran.failure.message);
  return ran.value.run;
}

/** Returns the delays in milliseconds from the call to each output, or from each output to its event. */
async function delays(command: string, kind: 'since the call' | 'since written'): Promise<number[]> {
  const calledAt = now();
  const found: number[] = [];
  await run(command, 300, (text) => {
    const writtenAt = Number(text.trim().split('\n').at(-1)) / 1e6;
    found.push(kind === 'since the call' ? writtenAt - calledAt : now() - writtenAt);
  });
  return found;
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** The most that resident memory grows by while something runs, in megabytes. */
async function memoryOf(work: () => Promise<unknown>): Promise<string> {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await work();
  clearInterval(watch);
  return ((peak - idle) / 1e6).toFixed(1);
}

function printDelays(what: string, values: readonly number[]): void {
  const most = Math.max(...values);
  console.log(`  ${what}: ${median(values).toFixed(1)} ms, at most ${most.toFixed(1)} ms (${values.length})`);
}
