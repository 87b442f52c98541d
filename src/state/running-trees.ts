import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/files.ts';
import {
  isProcessIdentity,
  isTreeId,
  killOrphans,
  mayRun,
  newTreeId,
  ownIdentity,
  type ProcessIdentity,
  pidNamespace,
  TREE_VARIABLE,
  treeValue,
} from '../process/process-group.ts';
import { makeStateDirectory } from './execution-log.ts';
import { stateDirectory } from './paths.ts';

/** A tree of gates that run, and the process that ends them when it ends. */
interface RunningTree {
  readonly id: string;
  readonly owner: ProcessIdentity;
  /** The PID namespace of the owner: in another one, its pid is that of another process. Null where there are none. */
  readonly namespace: string | null;
}

/** A tree that is recorded while it runs. */
interface RecordedTree {
  /** The environment of its processes. */
  readonly env: NodeJS.ProcessEnv;
  /** Removes the record, when the processes have ended. */
  readonly ended: () => void;
}

/** Records that this process runs a tree of gates, so that they can be ended if this process is killed. */
export function recordTree(root: string, env: NodeJS.ProcessEnv): RecordedTree {
  const id = newTreeId();
  const path = join(stateDirectory(root), `running-${id}.json`);
  const tree: RunningTree = { id, owner: ownIdentity(), namespace: pidNamespace() };
  try {
    makeStateDirectory(root);
    writeFileSync(path, JSON.stringify(tree), { flag: 'wx', mode: 0o600 });
  } catch {
    // On a full or read-only disk the gates run without a record.
  }
  return {
    env: { ...env, [TREE_VARIABLE]: treeValue(id, env) },
    ended: () => removeIfPossible(path),
  };
}

/** Ends what the gates of killed processes have left running in a project. */
export async function endLeftoverTrees(root: string): Promise<void> {
  const directory = stateDirectory(root);
  for (const name of namesIn(directory)) {
    if (!/^running-.*\.json$/.test(name)) continue;
    const path = join(directory, name);
    const tree = readTree(path);
    if (tree && (tree.namespace !== pidNamespace() || mayRun(tree.owner))) continue;
    if (tree) await killOrphans(tree.id);
    removeIfPossible(path);
  }
}

/** @returns undefined if the file is not a record */
function readTree(path: string): RunningTree | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path) ?? '');
    const { id, owner, namespace } = (value ?? {}) as Record<string, unknown>;
    if (!isTreeId(id) || !isProcessIdentity(owner)) return undefined;
    return { id, owner, namespace: typeof namespace === 'string' ? namespace : null };
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function removeIfPossible(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone, or the next run of gates tries again.
  }
}
