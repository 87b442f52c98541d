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
  get(key: string): Pass | undefined;
}

interface Entry extends Pass {
  readonly key: string;
  /** Of this machine's key: an agent cannot write itself a pass. */
  readonly signature: string;
}

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
  const entries = storeOf(root)?.read() ?? [];
  const signer = entries.length > 0 ? await machineSigner() : undefined;
  return {
    get: (key) => {
      const entry = entries.findLast((other) => other.key === key);
      if (!entry || !signer?.isSigned(signedText(root, entry), entry.signature)) return undefined;
      return passOf(entry);
    },
  };
}

/** Records passes by the key of the gate. Where state cannot be written, nothing is recorded. */
export async function recordPasses(root: string, passes: ReadonlyMap<string, Pass>): Promise<void> {
  const store = storeOf(root);
  const signer = store && passes.size > 0 ? await machineSigner() : undefined;
  if (!store || !signer) return;
  const added = [...passes].map(([key, pass]) => signed(root, { key, ...passOf(pass) }, signer));
  try {
    await store.update(
      (present = [], write) =>
        write([...present.filter(({ key }) => !passes.has(key)), ...added].slice(-MAX_ENTRIES)),
      { waitMs: LOCK_WAIT_MS },
    );
  } catch {
    // The gates run again.
  }
}

/** @returns undefined where the state is kept in the tree: whatever is there, the repository may have brought it */
function storeOf(root: string): JsonStore<readonly Entry[]> | undefined {
  const directory = stateDirectory(root);
  if (directory === ralphDirectory(root)) return undefined;
  return new JsonStore(join(directory, 'passes.json'), { check: entriesIn });
}

function entriesIn(value: unknown): readonly Entry[] | undefined {
  return Array.isArray(value) ? value.filter(isEntry) : undefined;
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { key, passedAt, durationMs, tests, signature } = value as Record<string, unknown>;
  return (
    [key, signature].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(passedAt))) &&
    [durationMs, tests ?? 0].every(Number.isFinite)
  );
}

function passOf({ passedAt, durationMs, tests }: Pass): Pass {
  return { passedAt, durationMs, ...(tests !== undefined && { tests }) };
}

function signed(root: string, entry: Omit<Entry, 'signature'>, { sign }: Signer): Entry {
  return { ...entry, signature: sign(signedText(root, entry)) };
}

/** The project is signed too: the pass of another one is none of this. */
function signedText(root: string, { key, passedAt, durationMs, tests }: Omit<Entry, 'signature'>): string {
  return JSON.stringify(['pass', root, key, passedAt, durationMs, tests ?? null]);
}
