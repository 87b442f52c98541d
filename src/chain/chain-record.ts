import { oneLine } from '../base/text.ts';
import { gateLines } from '../messages/chain.ts';
import { maskTexts } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';
import { type Chain, presentStep } from '../state/chain.ts';
import type { LogRecord } from '../state/execution-log.ts';
import type { GateAction } from '../state/prompt-step.ts';

/** What happened to a chain, and is no stop; where nothing else is said, nothing was run and nobody was answered. */
export type ChainEvent = Pick<LogRecord, 'host' | 'session' | 'task' | 'why'> &
  Partial<Pick<LogRecord, 'agent' | 'iteration' | 'max' | 'gates' | 'answer'>>;

/** More of a text nobody reads in a log. */
const MAX_CHARACTERS = 300;

/** What the log calls a chain. */
export function chainTask({ id }: Pick<Chain, 'id'>): string {
  return `chain:${id}`;
}

/** What the log tells of gates that were begun. Masked before anything cuts it: no search would find half a token. */
export function begunWhy(chain: Chain, env: NodeJS.ProcessEnv): string {
  const step = maskTexts(presentStep(chain), secretsIn(env));
  return `gates begun: ${oneLine(gateLines(step).join(' '), MAX_CHARACTERS)}`;
}

/** What the log tells of a prompt whose gates were not begun: without its excerpts, which are cut already. */
export function refusedWhy(why: string, env: NodeJS.ProcessEnv): string {
  const [head = '', first = ''] = why.split('\n');
  return `gates refused: ${oneLine(maskTexts(`${head} ${first}`, secretsIn(env)), MAX_CHARACTERS)}`;
}

/** What the log tells of a person's word on a chain. */
export function actedWhy(action: GateAction): string {
  return action === 'skip' ? 'gate skip: the step is unverified' : `gate ${action}`;
}

/** The event as a line of the execution log. */
export function chainRecord(event: ChainEvent, now: Date): LogRecord {
  const nothing = { agent: 'main', iteration: null, max: null, gates: [], answer: 'ignore' } as const;
  return { time: now.toISOString(), ...nothing, ...event };
}
