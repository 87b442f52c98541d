import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { realPathOf } from '../base/files.ts';
import type { Result } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { decodePath, diskPath, displayPath } from '../checkpoint/paths.ts';
import { pathMatcher } from '../config/glob.ts';
import type { Settled } from '../gates/known-results.ts';
import { CHANGED_FILES, needsChanges } from '../gates/plan.ts';
import type { CommandGate, Gate, GateOutcome } from '../gates/types.ts';
import { readCheckedCommit, writeCheckedCommit } from '../state/checked-commit.ts';
import { readFailures } from '../state/failures.ts';
import { findChanges, findChangesSince, type GitLimits } from './changed-files.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** The gates of a run, as the changes since the base affect them. */
interface AffectedGates {
  /** All gates; those with `{changed_files}` have their batches. */
  readonly gates: readonly Gate[];
  /** The results of the gates that do not run. */
  readonly settled: ReadonlyMap<Gate, Settled>;
}

/** Git answers in milliseconds. Where it does not, a run without the answer costs more than the wait for it. */
const TIMEOUT_MS = 10_000;

/**
 * Finds how the changes since the base affect the gates, for a run of them. A gate whose changes are not known runs, and so
 * does one with a recorded failure: only a pass shows that it is fixed.
 *
 * @returns the gates, and a function to call when all of them have passed: it records the commit that was checked
 */
export async function affectedGates(
  {
    root,
    gates,
    failures,
    changedSince,
  }: Pick<VerificationRequest, 'root' | 'gates' | 'failures' | 'changedSince'>,
  effects: Effects,
): Promise<AffectedGates & { readonly passed: () => void }> {
  // What is recorded on this machine says nothing about another base.
  if (changedSince !== undefined) {
    const limits = limitsOf(effects);
    const changed = await findChangesSince(root, changedSince ?? undefined, limits);
    return { ...applyChanges(gates, changed, placeIn(root)), passed: () => {} };
  }
  const { head, checked, ...affected } = await lookAtChanges(root, gates, effects);
  // Without a first record, an agent that commits to the default branch would leave nothing to check.
  if (head !== undefined && checked === undefined) writeCheckedCommit(root, head);
  const failed = new Set(readFailures(failures.path)?.gates.map(({ name }) => name));
  const settled = [...affected.settled].filter(
    ([gate, { outcome }]) => outcome.reason !== 'unaffected' || takesFiles(gate) || !failed.has(gate.name),
  );
  return {
    gates: affected.gates,
    settled: new Map(settled),
    passed: () => head !== undefined && writeCheckedCommit(root, head),
  };
}

interface Effects extends Pick<RunContext, 'env' | 'deadline'> {
  readonly signal?: AbortSignal;
}

interface Look extends AffectedGates {
  /** The commit that is checked out; undefined if it is not known, or there is none. */
  readonly head: string | undefined;
  /** The commit that was checked last. */
  readonly checked: string | undefined;
}

/**
 * The same without a run.
 *
 * @param root absolute directory of the project, without symbolic links
 */
export async function lookAtChanges(root: string, gates: readonly Gate[], effects: Effects): Promise<Look> {
  const checked = readCheckedCommit(root);
  const found = await findChanges(root, checked, limitsOf(effects));
  const changed: Result<readonly string[]> = found.ok ? { ok: true, value: found.value.paths } : found;
  const affected = applyChanges(gates, changed, placeIn(root));
  return { ...affected, head: found.ok ? found.value.head : undefined, checked };
}

function limitsOf({ env, signal, deadline }: Effects): GitLimits {
  const now = uptimeMs();
  // The other half of the time until the deadline is for the gates.
  return {
    env,
    signal,
    endAt: now + Math.min(TIMEOUT_MS, deadline ? (deadline.atMs - now) / 2 : TIMEOUT_MS),
  };
}

function placeIn(root: string): Place {
  return { root, isFile: (path) => mayBeFile(diskPath(root, path)) };
}

function takesFiles(gate: Gate): gate is CommandGate {
  return gate.kind === 'command' && gate.command.includes(CHANGED_FILES);
}

/** False for what is surely no file: deleted files, directories, broken links. */
function mayBeFile(path: Buffer): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

interface Place {
  /** Absolute directory of the project. */
  readonly root: string;
  readonly isFile: (path: string) => boolean;
}

/** @param changed paths relative to the project, one character per byte; a failure if they are not known */
export function applyChanges(
  gates: readonly Gate[],
  changed: Result<readonly string[]>,
  place: Place,
): AffectedGates {
  const settled = new Map<Gate, Settled>();
  const applied = gates.map((gate) => {
    if (gate.kind === 'marker' || !needsChanges(gate)) return gate;
    const result = applyTo(gate, changed, place);
    if (!('reason' in result)) return result;
    settled.set(gate, { outcome: result, durationMs: 0 });
    return gate;
  });
  return { gates: applied, settled };
}

/** The gate as it runs, or its outcome without a run. */
function applyTo(
  gate: CommandGate,
  changed: Result<readonly string[]>,
  { root, isFile }: Place,
): CommandGate | GateOutcome {
  if (!changed.ok)
    return takesFiles(gate)
      ? notStarted(`the files for ${CHANGED_FILES} are not known: ${changed.failure.message}`)
      : gate;
  const matches = gate.paths === undefined ? () => true : pathMatcher(gate.paths);
  const matching = changed.value.filter((path) => matches(decodePath(path)));
  const files = takesFiles(gate) ? matching.filter(isFile) : matching;
  if (files.length === 0) return { reason: 'unaffected' };
  if (!takesFiles(gate)) return gate;
  if (isHidden(gate.command))
    return notStarted(
      `${CHANGED_FILES} is in quotes, in a comment or in a here-document: remove them, each path is quoted already`,
    );
  const foreign = files.find((path) => Buffer.from(decodePath(path)).toString('latin1') !== path);
  if (foreign !== undefined)
    return notStarted(`${CHANGED_FILES} cannot name ${displayPath(foreign)}: the name is not UTF-8`);
  const special = gate.inUserShell ? files.find((path) => /['\\!\p{Cc}]/u.test(decodePath(path))) : undefined;
  if (special !== undefined)
    return notStarted(
      `${CHANGED_FILES} cannot name ${displayPath(special)}: not every $SHELL quotes it in the same way; the gates of a worktree.yaml run in /bin/sh`,
    );
  const directory = realPathOf(gate.cwd);
  const words = files.map((path) => shellWord(relative(directory, join(root, decodePath(path)))));
  return { ...gate, batches: batchesOf(gate.command, words) };
}

function notStarted(message: string): GateOutcome {
  return { reason: 'not-started', message };
}

/** An escaped character, a quoted text, a command in backquotes, or a comment. */
const HIDDEN = /\\.|'[^']*'?|"(?:\\.|[^"\\])*"?|`(?:\\.|[^`\\])*`?|(?<![^\s;&|])#[^\n]*/gs;

/** Whether a quoted path in place of `{changed_files}` would not be a word of its own, so that its name could be a command. */
function isHidden(command: string): boolean {
  const hidden = command.match(HIDDEN)?.some((text) => text.includes(CHANGED_FILES)) ?? false;
  return hidden || command.slice(0, command.lastIndexOf(CHANGED_FILES)).includes('<<');
}

/** A path as one word of a shell command. One that begins with `-` or `@` would be an option, or name a list of files. */
function shellWord(path: string): string {
  const safe = /^[-@]/.test(path) ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}

/** Linux accepts 128 kB in one argument, which the command of a shell is. */
const MAX_BYTES = 100_000;

/** The commands that have all words in place of `{changed_files}`, as many at a time as the system accepts. */
function batchesOf(command: string, words: readonly string[]): string[] {
  const uses = command.split(CHANGED_FILES).length - 1;
  const room = MAX_BYTES - Buffer.byteLength(command);
  const batches: string[][] = [];
  let left = 0;
  for (const word of words) {
    const bytes = uses * (Buffer.byteLength(word) + 1);
    if (batches.length === 0 || bytes > left) {
      batches.push([]);
      left = room;
    }
    batches.at(-1)?.push(word);
    left -= bytes;
  }
  return batches.map((batch) => command.replaceAll(CHANGED_FILES, () => batch.join(' ')));
}
