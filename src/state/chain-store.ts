import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failure, type Result } from '../base/result.ts';
import { CHAIN_EXPIRY_HOURS, type Chain, isChainExpired, type MovedChain } from './chain.ts';
import { chainIds, chainPath } from './chain-location.ts';
import { makeStateDirectory } from './execution-log.ts';
import { JsonStore } from './json-store.ts';
import { failuresPath, outputDirectory, stateDirectory, treeOf } from './paths.ts';

/** A chain and the directory that holds it. */
export interface StoredChain {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly chain: Chain;
}

/** The chains in some directories, the oldest first. Files that are not valid chains are ignored. */
export function readStoredChains(roots: readonly string[]): StoredChain[] {
  return roots
    .flatMap((root) => chainIds(root).flatMap((id) => ({ root, chain: readChain(root, id) })))
    .flatMap(({ root, chain }) => (chain ? [{ root, chain }] : []))
    .toSorted((a, b) => a.chain.created_at.localeCompare(b.chain.created_at));
}

/** The chains of a project, the oldest first. */
export function readChains(root: string): Chain[] {
  return readStoredChains([root]).map(({ chain }) => chain);
}

export function readChain(root: string, id: string): Chain | undefined {
  return storeOf(root, id).read();
}

function storeOf(root: string, id: string): JsonStore<Chain> {
  // The id is part of the paths of other files: it must not contain `../`.
  const path = chainPath(root, id);
  return new JsonStore(path, {
    check: (value) => (isChain(value) && value.id === id ? value : undefined),
    tree: treeOf(path),
  });
}

/** @throws if the file cannot be written */
export async function writeNewChain(root: string, chain: Chain): Promise<void> {
  makeStateDirectory(root);
  await storeOf(root, chain.id).update((_, write) => write(chain));
}

/**
 * Applies a transition to a chain while this process holds its lock, and saves it; a chain that ended is removed with
 * its artifacts.
 *
 * @throws if the file cannot be written
 */
export async function moveChain<T extends MovedChain>(
  root: string,
  id: string,
  transition: (chain: Chain) => Result<T>,
): Promise<Result<T>> {
  const store = storeOf(root, id);
  const missing = failure(`there is no chain ${id}`);
  // The lock would create the directory of a project that was removed or moved.
  if (!existsSync(store.path)) return missing;
  return store.update((chain, write) => {
    if (!chain) return missing;
    const moved = transition(chain);
    if (!moved.ok) return moved;
    if (moved.value.ended === undefined) write(moved.value.chain);
    else removeChain(root, id);
    return moved;
  });
}

/** Removes the expired chains among some, with their artifacts. */
export function removeExpired(
  chains: readonly StoredChain[],
  now: Date,
): { readonly live: readonly StoredChain[]; readonly expired: readonly Chain[] } {
  const isExpired = ({ chain }: StoredChain) => isChainExpired(chain, now);
  const expired = chains.filter(isExpired);
  for (const { root, chain } of expired) removeChain(root, chain.id);
  return { live: chains.filter((each) => !isExpired(each)), expired: expired.map(({ chain }) => chain) };
}

/** Removes a chain and its artifacts. */
export function removeChain(root: string, id: string): void {
  removeChainFile(root, id);
  removeArtifacts(root, id);
}

/** Removes a chain; `why` can show its artifacts until `removeOldArtifacts` removes them, after a day. */
export function removeChainFile(root: string, id: string): void {
  rmSync(chainPath(root, id), { force: true });
}

/** Directory of the outputs of a chain's commands. */
export function chainOutputDirectory(root: string, id: string): string {
  return join(outputDirectory(root), `chain-${id}`);
}

/** Path of the record of a chain's last failures. */
export function chainFailuresPath(root: string, id: string): string {
  return failuresPath(root, `chain-${id}`);
}

/** Removes the outputs and the recorded failures of a chain, if the disk can be written. */
export function removeArtifacts(root: string, id: string): void {
  for (const path of [chainFailuresPath(root, id), chainOutputDirectory(root, id)]) removePath(path);
}

/** Removes the artifacts without a chain that are older than a day. */
export function removeOldArtifacts(root: string, now: Date): void {
  const ids = new Set(chainIds(root));
  const isOld = (path: string) => now.getTime() - changedAt(path) > CHAIN_EXPIRY_HOURS * 3_600_000;
  for (const directory of [stateDirectory(root), outputDirectory(root)])
    for (const name of namesIn(directory)) {
      const [, id] = /^(?:failed-)?chain-([\w-]+)(?:\.json)?$/.exec(name) ?? [];
      if (id !== undefined && !ids.has(id) && isOld(join(directory, name))) removePath(join(directory, name));
    }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function removePath(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // An artifact that stays does no harm.
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const STATUSES: readonly unknown[] = [
  'awaiting',
  'failed',
  'review',
  'escalated',
] satisfies Chain['status'][];

/** Checks what the transitions rely on: a file of another version is ignored. */
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
