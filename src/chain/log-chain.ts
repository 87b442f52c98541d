import { existsSync } from 'node:fs';
import { maskTexts } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';
import { writeLog } from '../state/execution-log.ts';
import { type ChainEvent, chainRecord } from './chain-record.ts';
import type { BeginEffects } from './typed-prompt.ts';

/**
 * Logs what happened to a chain, without secrets. A log that cannot be written anywhere changes nothing.
 *
 * @param root absolute directory that keeps the chain
 */
export async function logChain(root: string, event: ChainEvent, { now, env }: BeginEffects): Promise<void> {
  const record = maskTexts(chainRecord(event, now), secretsIn(env));
  // A project that is gone is not made again, were it for its log.
  await writeLog(existsSync(root) ? root : undefined, record, env).catch(() => {});
}
