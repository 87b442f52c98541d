import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import { type Chain, hasExpired, type MovedChain } from './chain.ts';
import { removeArtifacts } from './chain-artifacts.ts';
import { chainIds } from './chain-ids.ts';
import { makeSelfIgnored } from './execution-log.ts';
import { withLock } from './lock.ts';
import { ralphDirectory } from './paths.ts';

const PREFIX = 'chain-';

/** Absolute path of a chain's file. */
export function chainPath(root: string, id: string): string {
  return join(ralphDirectory(root), `${PREFIX}${id}.json`);
}

/** The chains of a project, the oldest first; files that cannot be read are passed over. */
export function readChains(root: string): Chain[] {
  return chainIds(root)
    .flatMap((id) => readChain(root, id) ?? [])
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
}

export function readChain(root: string, id: string): Chain | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(chainPath(root, id), 'utf8'));
    // Its id leads to its other files: one that says `../` must not.
    return isChain(value) && value.id === id ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @throws where the file cannot be written */
export function writeNewChain(root: string, chain: Chain): void {
  makeSelfIgnored(ralphDirectory(root));
  write(root, chain);
}

/** A chain as it was moved on, or why it could not be. */
export type Move = MovedChain | { readonly refused: string };

/**
 * Moves a chain on while this process alone may; one that has ended goes.
 *
 * @throws where the file cannot be written
 */
export async function moveChain(root: string, id: string, move: (chain: Chain) => Move): Promise<Move> {
  const path = chainPath(root, id);
  const missing = { refused: `there is no chain ${id}` };
  // A project that was removed or moved would be made again by the lock.
  if (!existsSync(path)) return missing;
  return withLock(path, () => {
    const present = readChain(root, id);
    if (!present) return missing;
    const moved = move(present);
    if ('refused' in moved) return moved;
    if (moved.ended === undefined) write(root, moved.chain);
    else removeChain(root, id);
    return moved;
  });
}

/** The same for those who tell a person at once: a file that cannot be written is a refusal too. */
export async function moveChainIfPossible(
  root: string,
  id: string,
  move: (chain: Chain) => Move,
): Promise<Move> {
  try {
    return await moveChain(root, id, move);
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

/**
 * Writes a chain again that the command of its own run has removed along with all else that is kept here, as
 * `git clean -fdx` does: it has not ended.
 */
export function restoreChain(root: string, chain: Chain): void {
  const isCleared = existsSync(root) && !existsSync(join(ralphDirectory(root), '.gitignore'));
  if (!isCleared || existsSync(chainPath(root, chain.id))) return;
  try {
    writeNewChain(root, chain);
  } catch {
    // Where it cannot be written, it is gone.
  }
}

/** Removes the chains that nobody has touched for a day, and tells which they were. */
export function removeExpiredChains(root: string, now: Date): Chain[] {
  const expired = readChains(root).filter((chain) => hasExpired(chain, now));
  for (const { id } of expired) removeChain(root, id);
  return expired;
}

/** Removes a chain, and what its runs have left. */
export function removeChain(root: string, id: string): void {
  forgetChain(root, id);
  removeArtifacts(root, id);
}

/** Removes a chain; what its runs have left stays for a day, so that `why` can tell of it. */
export function forgetChain(root: string, id: string): void {
  rmSync(chainPath(root, id), { force: true });
}

function write(root: string, chain: Chain): void {
  writeFileAtomic(chainPath(root, chain.id), `${JSON.stringify(chain, null, 2)}\n`);
}

const STATUSES: readonly unknown[] = [
  'awaiting',
  'failed',
  'review',
  'escalated',
] satisfies Chain['status'][];

/** Enough to be gone on with: a file of another version is passed over. */
function isChain(value: unknown): value is Chain {
  if (typeof value !== 'object' || value === null) return false;
  const { id, status, steps, step, attempts, reviews, unverified, results, created_at, updated_at } =
    value as Record<string, unknown>;
  return (
    STATUSES.includes(status) &&
    [id, created_at, updated_at].every((text) => typeof text === 'string') &&
    [step, attempts, reviews].every((number) => typeof number === 'number') &&
    [unverified, results].every(Array.isArray) &&
    Array.isArray(steps) &&
    steps.every(isStep) &&
    steps[step as number] !== undefined
  );
}

function isStep(value: unknown): boolean {
  const { text, verify, criteria } = (value ?? {}) as Record<string, unknown>;
  const hasText = (gates: unknown, key: string) =>
    Array.isArray(gates) && gates.every((gate) => typeof gate?.[key] === 'string');
  return typeof text === 'string' && hasText(verify, 'command') && hasText(criteria, 'text');
}
