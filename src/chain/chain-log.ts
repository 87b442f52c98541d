import { existsSync } from 'node:fs';
import { oneLine } from '../base/text.ts';
import { gateLines } from '../messages/chain.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import type { Chain, GateAction } from '../state/chain.ts';
import { type LogRecord, writeLog } from '../state/execution-log.ts';

/** An entry about a chain that is not about a stop. Unless given, nothing was run and nothing was answered. */
export type ChainLogEntry = Pick<LogRecord, 'host' | 'session' | 'task' | 'why'> &
  Partial<
    Pick<LogRecord, 'agent' | 'iteration' | 'max' | 'gates' | 'answer' | 'escalated' | 'self_reviewed'>
  >;

const MAX_CHARACTERS = 300;

// The log's words. A text is masked before it is cut: half a secret would not be recognized.

export function startedWhy(chain: Chain, env: NodeJS.ProcessEnv): string {
  const steps = maskTexts(chain.steps, secretsIn(env));
  return `gates begun: ${oneLine(steps.flatMap(gateLines).join(' '), MAX_CHARACTERS)}`;
}

/** @param message its first two lines are logged; the excerpts after them are cut already */
export function refusedWhy(message: string, env: NodeJS.ProcessEnv): string {
  const [head = '', first = ''] = message.split('\n');
  return `gates refused: ${oneLine(maskTexts(`${head} ${first}`, secretsIn(env)), MAX_CHARACTERS)}`;
}

/** @param by as in `Caller` */
export function decidedWhy(action: GateAction, by: string): string {
  return `${action === 'skip' ? 'gate skip: the step is unverified' : `gate ${action}`}, ${by}`;
}

/** The entry as a record of the execution log. */
export function chainRecord(entry: ChainLogEntry, now: Date): LogRecord {
  const nothing = { agent: 'main', iteration: null, max: null, gates: [], answer: 'ignore' } as const;
  return { time: now.toISOString(), ...nothing, ...entry };
}

/**
 * Writes an entry to the execution log, without secrets. Nothing happens if no log can be written.
 *
 * @param root absolute directory that holds the chain; undefined for the user's log
 */
export async function logChain(
  root: string | undefined,
  entry: ChainLogEntry,
  { now, env }: { readonly now: Date; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const record = maskTexts(chainRecord(entry, now), secretsIn(env));
  // Writing to a removed project's log would create its directory again.
  await writeLog(root !== undefined && existsSync(root) ? root : undefined, record, env).catch(() => {});
}
