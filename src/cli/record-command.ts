import { type ChainLogEntry, logChain } from '../chain/chain-log.ts';
import { unattendedMessage } from '../messages/person.ts';
import type { Caller } from '../process/caller.ts';
import { leaveNotice } from '../state/notices.ts';

/**
 * Records a command about the loops of a project in the execution log.
 *
 * @param root absolute directory of the project; undefined for the user's log
 * @param command as typed: `gate skip k3x9-7f2a`
 */
export async function logCommand(
  root: string | undefined,
  command: string,
  { by }: Caller,
  entry: Partial<ChainLogEntry> = {},
): Promise<void> {
  const about = { host: 'terminal', session: null, task: null, why: `${command}, ${by}` } as const;
  await logChain(root, { ...about, ...entry }, { now: new Date(), env: process.env });
}

/** Unless a person has run a command in a terminal, the person reads of it at the next stop. */
export function reportCommand(root: string, command: string, { isPerson, by }: Caller): void {
  if (!isPerson) leaveNotice(root, unattendedMessage(`ralph-loop ${command}`, by));
}
