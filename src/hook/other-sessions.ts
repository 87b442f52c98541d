import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { isInside, realPathOf } from '../base/files.ts';
import { sha256 } from '../base/sha256.ts';
import { uptimeMs } from '../base/time.ts';
import { encodePath } from '../checkpoint/paths.ts';
import { comparableErrors } from '../diagnostics/fold/errors.ts';
import { failureNames } from '../diagnostics/fold/failure-names.ts';
import type { Findings } from '../diagnostics/output/condenser.ts';
import type { GateResult } from '../gates/types.ts';
import type { Answer } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import { unresolvedGates } from '../messages/outcome.ts';
import { otherSessionsMessage } from '../messages/person.ts';
import { type Ancestor, ancestors } from '../process/ancestors.ts';
import { mayRun } from '../process/process-group.ts';
import { changeEdits, digestOf, readEdits, type SessionEdits, withReported } from '../state/edits.ts';
import { changesIn, type TreeBase } from '../verification/tree-base.ts';
import type { StopContext, VerificationRun } from '../verification/types.ts';

// Two sessions in one working tree: a failure of the other one blocks this one only once.

/** A stop that is to be blocked. */
interface BlockedStop {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly session: string | undefined;
  readonly run: VerificationRun | undefined;
  readonly findings: readonly Finding[];
  /** The files as they were when the session began; undefined if they are not known. */
  readonly base: TreeBase | undefined;
}

const GIT_MS = 3000;

/**
 * The answer to a stop whose failures are those of another session: it is allowed, and no pass, if they were reported to this
 * session before. Whatever is not certain blocks.
 */
export async function withoutOthersFailures(
  answer: Answer,
  { root, session, run, findings, base }: BlockedStop,
  { env, signal }: Pick<StopContext, 'env' | 'signal'>,
): Promise<Answer> {
  if (answer.decision !== 'block' || answer.why !== 'gates-failed') return answer;
  if (session === undefined || base === undefined || run === undefined) return answer;
  if (findings.some(({ severity }) => severity === 'high')) return answer;
  const sessions = await readEdits(root);
  const hosts = ancestors();
  const others = sessions.filter((one) => one.session !== session && isLiveElsewhere(one.hosts, hosts));
  const failed = unresolvedGates(run.result);
  const named = failed.map((result) => filesNamed(root, result, run.findings.get(result.gate)));
  // What did not run may be broken by this session.
  const isComplete = run.result.results.every(
    ({ gate, outcome }) => !gate.blocking || outcome.reason !== 'skipped',
  );
  if (others.length === 0 || failed.length === 0 || !isComplete || named.some((files) => files === undefined))
    return answer;
  const files = [...new Set(named.flatMap((paths) => paths ?? []))];
  const limits = { env, signal, endAt: uptimeMs() + GIT_MS };
  const changed = await changesIn(root, base, files.map(encodePath), limits);
  // A file that cannot be read as text is one that cannot be compared.
  if (!changed.ok || files.some((path) => changed.value.read(path) === undefined)) return answer;
  const { changes } = changed.value;
  const isOthers = (paths: readonly string[]) => {
    const own = changes.filter(({ path }) => paths.includes(path));
    return own.length > 0 && own.every((change) => others.some((one) => hasMade(one, change)));
  };
  if (!named.every((paths) => isOthers(paths ?? []))) return answer;
  const failures = failed.map((result) => failureOf(result, run.findings.get(result.gate)));
  const { reported = [] } = sessions.find((one) => one.session === session) ?? {};
  if (failures.every((failure) => reported.includes(failure))) {
    const names = failed.map(({ gate }) => gate.name);
    const paths = changes.map(({ path }) => path);
    return {
      decision: 'allow',
      why: 'of-another-session',
      toPerson: otherSessionsMessage(names, paths, root),
    };
  }
  await changeEdits(root, session, (edits) => ({
    ...edits,
    reported: withReported(edits.reported, failures),
  }));
  return answer;
}

/** Whether all that changed in a file is the work of a session: it found what was there, and left what is there. */
function hasMade(
  { files }: SessionEdits,
  {
    path,
    before,
    after,
  }: { readonly path: string; readonly before?: string | undefined; readonly after?: string | undefined },
): boolean {
  const states = Object.hasOwn(files, path) ? (files[path] ?? []) : [];
  return states.at(-1) === digestOf(after) && states.slice(0, -1).includes(digestOf(before));
}

/** Shells and runners that start a hook, and end with it. */
const STARTERS = /^(?:sh|bash|dash|zsh|fish|ksh|npm|npx|pnpm|yarn|bun|bunx)\b/;

/**
 * Whether a session is at work in a host of its own. An agent can call the hook in the name of another session, but then
 * its own host has started that hook.
 */
function isLiveElsewhere(theirs: readonly Ancestor[], own: readonly Ancestor[]): boolean {
  const isIn = (list: readonly Ancestor[], { pid, started }: Ancestor) =>
    list.some((other) => other.pid === pid && other.started === started);
  const ownHost = own.find(({ name }) => !STARTERS.test(name));
  const theirHost = theirs.find(({ name }) => !STARTERS.test(name));
  return (
    ownHost !== undefined &&
    theirHost !== undefined &&
    !isIn(theirs, ownHost) &&
    !isIn(own, theirHost) &&
    mayRun(theirHost)
  );
}

const PATH = /[\w@+./-]*[\w@+-]\.[A-Za-z]\w*/g;

/** The files of the project that a failure names; undefined if not all of the failure is known. */
function filesNamed(
  root: string,
  { gate, outcome }: GateResult,
  found: Findings | undefined,
): string[] | undefined {
  if (gate.kind !== 'command' || outcome.reason !== 'failed' || found === undefined) return undefined;
  if (failureNames(found) === undefined) return undefined;
  const lines = found.failures.flatMap(({ block }) => [block.headline, ...block.lines]);
  const words = new Set(lines.flatMap(({ text }) => text.match(PATH) ?? []));
  const paths = [...words].flatMap((word) =>
    isAbsolute(word) ? [word] : [resolve(root, word), resolve(gate.cwd, word)],
  );
  const files = paths
    .map((path) => realPathOf(path))
    .filter((path) => isInside(root, path) && statSync(path, { throwIfNoEntry: false })?.isFile());
  return [...new Set(files.map((path) => relative(root, path)))].filter(
    (path) => !path.split('/').includes('node_modules'),
  );
}

/** What identifies a failure from run to run. */
function failureOf({ gate, outcome }: GateResult, found: Findings | undefined): string {
  const parts = [gate.name, outcome.reason, comparableErrors(found), found && failureNames(found)];
  return sha256().update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
