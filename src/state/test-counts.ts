import { join } from 'node:path';
import { JsonStore } from './json-store.ts';
import { stateDirectory } from './paths.ts';

/** The number of tests that a gate ran. */
interface TestCount {
  readonly gate: string;
  readonly tests: number;
}

/** The oldest are dropped. */
const MAX_GATES = 200;
/** A stop does not wait for other processes: the next pass records the numbers. */
const LOCK_WAIT_MS = 1000;

/**
 * How many tests each gate of a project ran at its last pass, by its name. Each worktree is a project of its own.
 *
 * @param root absolute directory of the project
 */
export function readTestCounts(root: string): ReadonlyMap<string, number> {
  return mapOf(storeOf(root).read());
}

/** Records the numbers of a pass. Where state cannot be written, nothing is recorded. */
export async function recordTestCounts(root: string, counts: ReadonlyMap<string, number>): Promise<void> {
  const merge = (present: readonly TestCount[] = []) => [
    ...present.filter(({ gate }) => !counts.has(gate)),
    ...[...counts].map(([gate, tests]) => ({ gate, tests })),
  ];
  try {
    await storeOf(root).update((present, write) => write(merge(present).slice(-MAX_GATES)), {
      waitMs: LOCK_WAIT_MS,
    });
  } catch {
    // The disk cannot be written.
  }
}

function mapOf(counts: readonly TestCount[] = []): ReadonlyMap<string, number> {
  return new Map(counts.map(({ gate, tests }) => [gate, tests]));
}

function storeOf(root: string): JsonStore<readonly TestCount[]> {
  return new JsonStore(join(stateDirectory(root), 'tests.json'), {
    check: (value): readonly TestCount[] | undefined =>
      Array.isArray(value) ? value.filter(isTestCount) : undefined,
  });
}

function isTestCount(value: unknown): value is TestCount {
  const { gate, tests } = (value ?? {}) as Record<string, unknown>;
  return typeof gate === 'string' && Number.isSafeInteger(tests);
}
