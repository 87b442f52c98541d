import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { uptimeMs } from '../base/time.ts';
import { fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { gateEnvironment } from '../gates/run-gates.ts';
import type { CommandGate, Gate } from '../gates/types.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** What identifies a run of gates. */
export interface GateKeys {
  /** Fingerprint of the working tree; undefined without git, or if it takes too long. */
  readonly tree: string | undefined;
  /**
   * The key of each command gate: equal keys mean the same gate on the same files. A gate whose files cannot be known is
   * not in it.
   */
  readonly keys: ReadonlyMap<Gate, string>;
}

/** More is not worth waiting for: the gates run instead. */
const MAX_MS = 2000;
/** Reserved before the hook's deadline, for the answer. */
const RESERVE_MS = 600;

/** The keys of the gates on the files as they are now. */
export async function gateKeys(
  request: Pick<VerificationRequest, 'root' | 'gates' | 'resultsPath' | 'ignoredPath'>,
  context: RunContext,
): Promise<GateKeys> {
  const tree = await treeOf(request, context);
  if (tree === undefined) return { tree, keys: new Map() };
  const keys = request.gates.flatMap((gate): [Gate, string][] =>
    gate.kind === 'command' ? [[gate, keyOf(gate, tree, request.root, context.env)]] : [],
  );
  return { tree, keys: new Map(keys) };
}

/** The fingerprint of the working tree; undefined without git, or if it takes too long. */
export async function treeOf(
  { root, resultsPath, ignoredPath }: Pick<VerificationRequest, 'root' | 'resultsPath' | 'ignoredPath'>,
  { env, signal, deadline }: RunContext,
): Promise<string | undefined> {
  const timeLeftMs = deadline ? deadline.atMs - RESERVE_MS - uptimeMs() : MAX_MS;
  const timeoutMs = Math.min(MAX_MS, timeLeftMs);
  if (timeoutMs <= 0) return undefined;
  return fingerprintTree(root, { env, signal, timeoutMs, except: resultsPath ?? ignoredPath });
}

function keyOf(gate: CommandGate, tree: string, root: string, env: NodeJS.ProcessEnv): string {
  const definition = {
    version: packageJson.version,
    root,
    cwd: relative(root, gate.cwd),
    command: gate.command,
    batches: gate.batches,
    allowEmpty: gate.allowEmpty ?? false,
    inUserShell: gate.inUserShell ?? false,
  };
  const variables = Object.entries(gateEnvironment(env, gate)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([definition, tree, variables]))
    .digest('hex');
}
