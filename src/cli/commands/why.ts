import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { didYouMean } from '../../config/config-problem.ts';
import { findProject } from '../../config/find-project.ts';
import { rootAround } from '../../config/root-around.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { rememberedLines } from '../../messages/remembered-lines.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { allFailures, type FailedGate, type PreviousFailures } from '../../state/failures.ts';

export interface WhyOptions {
  /** Name of a gate; without it, all that failed last. */
  readonly gate: string | undefined;
  /** The full output instead of the excerpt. */
  readonly full: boolean;
}

const EXIT = { told: 0, usage: 2 } as const;

/**
 * `ralph-loop why`: tells the last failure again, of a stop or of `verify`, whichever was later.
 *
 * @returns the exit code: 0 told, 2 no such gate or no such log
 */
export async function why({ gate, full }: WhyOptions): Promise<number> {
  const found = findProject(process.cwd(), { needsRepository: false });
  // Without a config, what failed is kept where typed gates are.
  const root = found.found ? found.project.root : (rootAround(process.cwd()) ?? process.cwd());
  const memories = allFailures(root);
  const memory = memories.find(({ gates }) => gates.some(({ name }) => gate === undefined || name === gate));
  if (!memory) return nothingToTell(gate, memories);
  const gates = memory.gates.filter(({ name }) => gate === undefined || name === gate);
  return full ? showLogs(gates) : showExcerpts(gates, memory);
}

function nothingToTell(gate: string | undefined, memories: readonly PreviousFailures[]): number {
  const names = [...new Set(memories.flatMap(({ gates }) => gates.map(({ name }) => name)))];
  if (gate === undefined || names.length === 0) {
    print('No failure is remembered: no gate has failed yet, or all have passed since.');
    return EXIT.told;
  }
  process.stderr.write(
    `"${gate}" has not failed lately${didYouMean(gate, names) || `; ${names.join(', ')} did`}\n`,
  );
  return EXIT.usage;
}

function showExcerpts(gates: readonly FailedGate[], memory: PreviousFailures): number {
  const { stdout } = process;
  const paint = stdout.hasColors?.() ? coloured : plain;
  const columns = stdout.isTTY ? stdout.columns : undefined;
  print(rememberedLines(gates, memory, { from: process.cwd(), now: new Date(), paint, columns }).join('\n'));
  return EXIT.told;
}

async function showLogs(gates: readonly FailedGate[]): Promise<number> {
  const logs = gates.flatMap(({ log }) => (log !== null && existsSync(log) ? [log] : []));
  if (logs.length === 0) {
    process.stderr.write('There is no full output: the gate printed nothing, or its log was removed.\n');
    return EXIT.usage;
  }
  if (process.stdout.isTTY && page(logs)) return EXIT.told;
  for (const log of logs) {
    if (logs.length > 1) print(`==> ${relative(process.cwd(), log)} <==`);
    // Whoever reads our output may leave before its end, as `head` does.
    await pipeline(createReadStream(log), process.stdout, { end: false }).catch(() => {});
  }
  return EXIT.told;
}

/** Shows files in the user's pager, as git does. @returns whether there was one */
function page(logs: readonly string[]): boolean {
  const pager = process.env.PAGER || 'less -R';
  const { status, error } = spawnSync(DEFAULT_SHELL, ['-c', `${pager} "$@"`, 'pager', ...logs], {
    stdio: 'inherit',
  });
  // 127 is the shell's word for a program that it does not find.
  return error === undefined && status !== 127;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
