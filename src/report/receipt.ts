import { join } from 'node:path';
import { uptimeMs } from '../base/time.ts';
import { commitOf } from '../checkpoint/fingerprint-tree.ts';
import type { Finding } from '../integrity/types.ts';
import type { Escalation } from '../state/execution-log.ts';
import { type RecordedGate, type RecordedRun, readLastRun } from '../state/last-run.ts';
import { ralphDirectory, stateDirectory } from '../state/paths.ts';
import { findChangesSince, type GitLimits } from '../verification/changed-files.ts';
import { checkIntegrity } from '../verification/check-integrity.ts';
import { gateKeys } from '../verification/gate-keys.ts';
import type { PlanFailure, VerificationPlan } from '../verification/plan.ts';
import { baseFor } from '../verification/tree-base.ts';
import type { RunContext, VerificationRequest } from '../verification/types.ts';

/** What is known about the present files of a project: `ralph-loop receipt --json`. */
export interface Receipt {
  readonly status: 'PASS' | 'FAIL' | 'STALE' | 'NONE';
  /** Why: a clause. */
  readonly reason: string;
  /** The commit that is checked out, and how many files of the project differ from it. */
  readonly commit: string | null;
  readonly uncommitted: number | null;
  /** Fingerprint of the files. */
  readonly tree: string | null;
  /** The last run; null if there is none. */
  readonly run: ReceiptRun | null;
  /** What became weaker, also what is allowed. */
  readonly weakened: readonly Finding[];
  readonly escalated: Escalation | null;
}

interface ReceiptRun {
  readonly at: string;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly verdict: RecordedRun['verdict'];
  readonly gates: readonly Omit<RecordedGate, 'key'>[];
  /** HMAC-SHA-256 of the record, by the key of this user on this machine. */
  readonly signature: string;
}

/** Git may hang on a network file system. */
const GIT_MS = 30_000;

/**
 * The receipt for the files of a project as they are.
 *
 * @param planned all gates of the project, or why there are none
 */
export async function receiptOf(
  planned:
    | { readonly ok: true; readonly value: VerificationPlan }
    | { readonly ok: false; readonly failure: PlanFailure },
  context: RunContext,
): Promise<Receipt> {
  if (!planned.ok)
    return { ...NOTHING, reason: planned.failure.problems[0]?.split('\n', 1)[0] ?? 'there is no config' };
  const { request, project, read, nothing } = planned.value;
  const { root } = request;
  const limits: GitLimits = { env: context.env, signal: context.signal, endAt: uptimeMs() + GIT_MS };
  const last = await readLastRun(root);
  const [now, commit, changed] = await Promise.all([
    gateKeys(typeof last === 'object' ? asRecorded(request, last.run) : request, context),
    commitOf(root, { env: context.env, signal: context.signal, timeoutMs: GIT_MS }),
    findChangesSince(root, 'HEAD', limits),
  ]);
  const present = {
    ...NOTHING,
    commit: commit.trim() || null,
    uncommitted: changed.ok ? changed.value.length : null,
    tree: now.tree ?? null,
  };
  if (last === 'forged')
    return { ...present, reason: 'the record of the last run was not written by ralph-loop here' };
  if (last === undefined) return { ...present, reason: nothing ?? whyUnrecorded(root, now.tree) };
  const { run, signature } = last;
  const keys = request.gates.map((gate) => now.keys.get(gate));
  const judged = judge(
    run,
    now.tree,
    keys,
    request.gates.map(({ name }) => name),
  );
  const isOfTree = judged.status === 'PASS' || judged.status === 'FAIL';
  const compared = isOfTree ? (run.findings ?? (await findingsNow(root, project, read, limits))) : [];
  const { at, verdict, gates } = run;
  return {
    ...present,
    ...judged,
    run: {
      at,
      commit: run.commit,
      tree: run.tree,
      verdict,
      gates: gates.map(({ key: _, ...gate }) => gate),
      signature,
    },
    weakened: compared.filter(({ severity, allowed }) => severity !== 'low' || allowed !== undefined),
    escalated: isOfTree ? run.escalated : null,
  };
}

/** @param tree fingerprint of the files; undefined if they cannot be identified */
function whyUnrecorded(root: string, tree: string | undefined): string {
  if (tree === undefined) return 'nothing is recorded: the files cannot be identified without git';
  if (stateDirectory(root) === ralphDirectory(root))
    return 'nothing is recorded: there is no state directory that only this user can write';
  return 'no run is recorded: ralph-loop verify';
}

/** The gates on the same files as in a run: without the one that this left out. */
function asRecorded(request: VerificationRequest, { except }: RecordedRun): VerificationRequest {
  const ignoredPath = except === null ? undefined : join(request.root, except);
  return { ...request, resultsPath: undefined, ignoredPath };
}

const NOTHING: Receipt = {
  status: 'NONE',
  reason: '',
  commit: null,
  uncommitted: null,
  tree: null,
  run: null,
  weakened: [],
  escalated: null,
};

/**
 * Whether a run says something about the present files and gates, and what.
 *
 * @param keys those of the present gates; undefined for one that is not known
 */
export function judge(
  run: RecordedRun,
  tree: string | undefined,
  keys: readonly (string | undefined)[],
  names: readonly string[],
): Pick<Receipt, 'status' | 'reason'> {
  const stale = (reason: string) => ({ status: 'STALE', reason }) as const;
  if (tree === undefined) return stale('the files cannot be identified: git gives no answer');
  if (run.tree === null) return stale('files changed while the gates ran');
  if (run.tree !== tree) return stale('files changed since the last run');
  const ran = new Set(run.gates.flatMap(({ key }) => key ?? []));
  const changed = names.filter((_, index) => !ran.has(keys[index] ?? ''));
  if (changed.length > 0 && !run.isPart)
    return stale(
      `${quoted(changed)} ${changed.length > 1 ? 'have not run as they are' : 'has not run as it is'} now: command, variables, packages or inputs changed`,
    );
  const gone = run.gates.filter(({ key }) => key !== null && !keys.includes(key));
  if (gone.length > 0)
    return stale(`${quoted(gone.map(({ name }) => name))} ran, and is not in the config as it ran`);
  if (run.gates.length === 0) return stale('the last run had no gate');
  if (run.verdict !== 'passed')
    return { status: 'FAIL', reason: run.verdict === 'failed' ? 'a gate failed' : 'a gate did not finish' };
  if (run.findings?.some(({ severity }) => severity === 'high'))
    return { status: 'FAIL', reason: 'tests or checks became weaker' };
  return { status: 'PASS', reason: 'every gate passed on these files' };
}

function quoted(names: readonly string[]): string {
  const [first = ''] = names;
  return `\`${first}\`${names.length > 1 ? ` and ${names.length - 1} more` : ''}`;
}

/** What is weaker now, for a run that compared nothing. */
async function findingsNow(
  root: string,
  { layout }: VerificationPlan['project'],
  { settings }: VerificationPlan['read'],
  limits: GitLimits,
): Promise<readonly Finding[]> {
  const base = await baseFor(root, undefined, limits);
  const check = base.ok ? await checkIntegrity(root, base.value.tree, { layout, settings }, limits) : base;
  return check.ok ? check.value.findings : [];
}
