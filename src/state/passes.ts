import { join } from 'node:path';
import { JsonStore } from './json-store.ts';
import { machineSigner, type Signer } from './machine-key.ts';
import { ralphDirectory, stateDirectory } from './paths.ts';

/** A gate that has passed. */
export interface Pass {
  /** When its run ended: UTC, ISO 8601. */
  readonly passedAt: string;
  readonly durationMs: number;
  /** How many tests it ran, where its output says so. */
  readonly tests?: number;
}

/** The passes that are known, by the key of the gate. */
export interface Passes {
  get(key: string): KnownPass | undefined;
}

interface KnownPass extends Pass {
  /**
   * The number of the series of runs on the same files. What a gate leaves in files that git ignores, such as a build, is
   * there as long as the series goes on.
   */
  readonly series: number;
}

interface Entry extends KnownPass {
  readonly key: string;
  /** Of this machine's key: an agent cannot write itself a pass. */
  readonly signature: string;
}

interface PassFile {
  /** Fingerprint of the tree that gates ran on last; null before. */
  readonly tree: string | null;
  readonly series: number;
  readonly entries: readonly Entry[];
}

const NO_PASSES: PassFile = { tree: null, series: 0, entries: [] };

/** The oldest are dropped. */
const MAX_ENTRIES = 200;
/** A stop does not wait for other processes: a pass that is not recorded costs one run. */
const LOCK_WAIT_MS = 1000;

/**
 * The passes of a project that this user has recorded on this machine. Other entries are ignored.
 *
 * @param root absolute directory of the project
 */
export async function readPasses(root: string): Promise<Passes> {
  const signer = storeOf(root) && (await machineSigner());
  return signer ? passesIn(root, signer) : { get: () => undefined };
}

/** As `readPasses`, with a signer that is there already. */
export function passesIn(root: string, signer: Signer): Passes {
  const { entries } = storeOf(root)?.read() ?? NO_PASSES;
  return {
    get: (key) => {
      const entry = entries.findLast((other) => other.key === key);
      return entry && signer.isSigned(signedText(root, entry), entry.signature) ? entry : undefined;
    },
  };
}

/**
 * Notes that gates are about to run on a tree.
 *
 * @returns the number of their series; undefined where state cannot be written
 */
export async function continueSeries(root: string, tree: string): Promise<number | undefined> {
  return update(root, (present) => {
    if (present.tree === tree) return present;
    return { ...present, tree, series: present.series + 1 };
  });
}

/**
 * Records passes on a tree, by the key of the gate. Where state cannot be written, nothing is recorded: the gates run
 * again.
 */
export async function recordPasses(
  root: string,
  tree: string,
  passes: ReadonlyMap<string, Pass>,
): Promise<void> {
  const signer = passes.size > 0 ? await machineSigner() : undefined;
  if (!signer) return;
  await update(root, (present) => {
    // Another run may have begun on another tree.
    const series = present.tree === tree ? present.series : 0;
    const added = [...passes].map(([key, { passedAt, durationMs, tests }]): Entry => {
      const entry = { key, passedAt, durationMs, ...(tests !== undefined && { tests }), series };
      return { ...entry, signature: signer.sign(signedText(root, entry)) };
    });
    const others = present.entries.filter(({ key }) => !passes.has(key));
    return { ...present, entries: [...others, ...added].slice(-MAX_ENTRIES) };
  });
}

/** @returns the number of the series afterwards; undefined where state cannot be written */
async function update(root: string, change: (present: PassFile) => PassFile): Promise<number | undefined> {
  try {
    return await storeOf(root)?.update(
      (present = NO_PASSES, write) => {
        const next = change(present);
        if (next !== present) write(next);
        return next.series;
      },
      { waitMs: LOCK_WAIT_MS },
    );
  } catch {
    return undefined;
  }
}

/** @returns undefined where the state is kept in the tree: whatever is there, the repository may have brought it */
function storeOf(root: string): JsonStore<PassFile> | undefined {
  const directory = stateDirectory(root);
  if (directory === ralphDirectory(root)) return undefined;
  return new JsonStore(join(directory, 'passes.json'), { check: passFileOf });
}

function passFileOf(value: unknown): PassFile | undefined {
  const { tree, series, entries } = (value ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(series) || !Array.isArray(entries)) return undefined;
  return {
    tree: typeof tree === 'string' ? tree : null,
    series: Number(series),
    entries: entries.filter(isEntry),
  };
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { key, passedAt, durationMs, tests, series, signature } = value as Record<string, unknown>;
  return (
    [key, signature].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(passedAt))) &&
    [durationMs, series, tests ?? 0].every(Number.isFinite)
  );
}

/** The project is signed too: the pass of another one is none of this. */
function signedText(root: string, entry: Omit<Entry, 'signature'>): string {
  const { key, passedAt, durationMs, tests, series } = entry;
  return JSON.stringify(['pass', root, key, passedAt, durationMs, tests ?? null, series]);
}
