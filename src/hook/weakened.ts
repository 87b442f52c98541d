import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../base/sha256.ts';
import { uptimeMs } from '../base/time.ts';
import { commitOf } from '../checkpoint/fingerprint-tree.ts';
import { repositoryAround } from '../config/discover.ts';
import type { Finding } from '../integrity/types.ts';
import { knownFindings, rememberFindings } from '../state/known-findings.ts';
import type { TreeBase } from '../verification/tree-base.ts';
import type { StopContext } from '../verification/types.ts';
import type { ConfiguredStop } from './types.ts';

// What became weaker since the beginning of the session, at a stop.

/** Comparing 200 files takes a tenth of it; git may hang on a network file system. */
const MAX_MS = 10_000;

export interface Weakened {
  readonly findings: readonly Finding[];
  /** What could not be compared, for the person. */
  readonly messages: readonly string[];
}

const NOTHING: Weakened = { findings: [], messages: [] };

/** What became weaker in tests and checks, and in the gates themselves. */
export async function findWeakenedAtStop(
  stop: ConfiguredStop,
  context: Pick<StopContext, 'env' | 'signal' | 'deadline'>,
): Promise<Weakened> {
  const inFiles = await findWeakenedInFiles(stop, stop.base ?? undefined, context);
  // Gates and hooks are compared with what is recorded of them.
  const others = inFiles.findings.filter(({ rule }) => rule !== 'gate-changed' && rule !== 'hook-removed');
  const weakened = { ...inFiles, findings: others };
  if (stop.findings.length === 0) return weakened;
  const { asSet, gravestFirst } = await import('../integrity/find.ts');
  const inGates = asSet(stop.findings, stop.config.settings);
  return { ...weakened, findings: [...inGates, ...weakened.findings].toSorted(gravestFirst) };
}

/**
 * Compares the project with the base. Nothing is loaded for a project without git, or where the settings switch it off.
 *
 * @param base undefined for `HEAD`
 */
async function findWeakenedInFiles(
  { project: { root, layout }, config: { settings }, files }: ConfiguredStop,
  base: TreeBase | undefined,
  { env, signal, deadline }: Pick<StopContext, 'env' | 'signal' | 'deadline'>,
): Promise<Weakened> {
  const isOff = settings.integrity === 'off' && settings.integrityRules === undefined;
  if (isOff || repositoryAround(root) === undefined) return NOTHING;
  const timeoutMs = Math.min(MAX_MS, (deadline.atMs - uptimeMs()) / 2);
  const commit = base ? base.commit : (await commitOf(root, { env, signal, timeoutMs })).trim();
  // Before the first commit there is nothing to compare with.
  if (commit === '') return NOTHING;
  const since = base ?? { commit, files: {} };
  const tree = await files;
  const { integrity, integrityRules } = settings;
  const key = tree && keyOf([since, tree, integrity, integrityRules, programsChangedAt(root)]);
  const known = key === undefined ? undefined : await knownFindings(root, key);
  if (known) return { findings: known, messages: [] };
  const { checkIntegrity } = await import('../verification/check-integrity.ts');
  const limits = { env, signal, endAt: uptimeMs() + timeoutMs };
  const check = await checkIntegrity(root, since, { layout, settings }, limits);
  if (check.ok) {
    const { findings, notes } = check.value;
    if (key !== undefined && notes.length === 0) await rememberFindings(root, key, findings);
    return { findings, messages: notes };
  }
  return { findings: [], messages: [`tests and checks were not compared: ${check.failure.message}`] };
}

function keyOf(parts: readonly unknown[]): string {
  return sha256().update(JSON.stringify(parts)).digest('hex');
}

/** When a program of the packages was last replaced: git ignores them, so the fingerprint of the files does not show it. */
function programsChangedAt(root: string): number | undefined {
  return statSync(join(root, 'node_modules', '.bin'), { throwIfNoEntry: false })?.mtimeMs;
}
