import { type BigIntStats, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NotRegularError, readInside } from '../../base/files.ts';
import { oneLine } from '../../base/text.ts';
import { basesOf, pathMatcher } from '../../config/glob.ts';
import type { Gate, GateOutcome, GateResult } from '../../gates/types.ts';
import { maskText } from '../../process/secrets/masker.ts';
import { Condenser, type Findings } from '../output/condenser.ts';
import { addReport } from './add-report.ts';
import { failuresOf } from './failures-of.ts';
import { readReport } from './read-report.ts';
import { addFailure, type ReportedFailure } from './types.ts';

/** For all files of a report together. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Entries of directories that are looked at for a pattern. */
const MAX_ENTRIES = 20_000;
const MAX_NOTE_CHARACTERS = 200;
/** How a gate ends that may have written why. One that is out of time has none left for reading. */
const REPORTING: ReadonlySet<GateOutcome['reason']> = new Set(['failed', 'killed', 'timed-out']);

/** What is known about a file without reading it: it differs once the file was written again. */
type State = string;

/** The reports that gates write beside their outputs. */
export class GateReports {
  readonly #root: string;
  readonly #secrets: readonly string[];
  /** The files that were there when the gate started. */
  readonly #before = new Map<Gate, ReadonlyMap<string, State>>();

  /**
   * @param root absolute directory of the project, without symbolic links
   * @param secrets values that no excerpt may contain
   */
  constructor(root: string, secrets: readonly string[]) {
    this.#root = root;
    this.#secrets = secrets;
  }

  /** Called right before the command of a gate starts, at each attempt. */
  started(gate: Gate): void {
    if (gate.kind === 'command' && gate.report !== undefined)
      this.#before.set(gate, statesOf(this.#root, gate.report));
  }

  /** Whether a gate has passed without a report: a person may have mistyped the path. */
  isMissing({ gate, outcome }: GateResult): boolean {
    if (gate.kind !== 'command' || gate.report === undefined || outcome.reason !== 'passed') return false;
    return statesOf(this.#root, gate.report).size === 0;
  }

  /**
   * Adds to what was found in the output of a gate what its report says.
   *
   * A gate with known failures is compared, and shown, by its output alone.
   */
  addTo({ gate, outcome }: GateResult, findings: Findings | undefined): Findings | undefined {
    if (gate.kind !== 'command' || gate.report === undefined) return findings;
    if (!REPORTING.has(outcome.reason) || (gate.baseline?.failures.length ?? 0) > 0) return findings;
    const before = this.#before.get(gate);
    if (!before) return findings;
    const { failures, notes } = this.#read(gate.report, before);
    const found = findings ?? new Condenser().findings();
    const reported = failuresOf(failures, (text) => this.#shown(text));
    const added = addReport(found, reported, this.#root);
    const all = [...notes, ...(reported.note === undefined ? [] : [reported.note])];
    if (all.length === 0) return added;
    const note = oneLine(all.join(' '), MAX_NOTE_CHARACTERS);
    return { ...added, note: this.#shown(note) };
  }

  #read(
    pattern: string,
    before: ReadonlyMap<string, State>,
  ): { readonly failures: readonly ReportedFailure[]; readonly notes: readonly string[] } {
    const now = statesOf(this.#root, pattern);
    const written = [...now].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
    if (written.length === 0) {
      return { failures: [], notes: [`The report ${pattern} ${this.#whyUnread(pattern, now.size > 0)}.`] };
    }
    const failures: ReportedFailure[] = [];
    const notes: string[] = [];
    let left = MAX_BYTES;
    for (const path of written) {
      const read = readBytes(this.#root, path, left);
      if (typeof read === 'string') {
        notes.push(`The report ${path} was not read: ${read}.`);
        continue;
      }
      left -= read.length;
      const report = readReport(read);
      if (typeof report === 'string') {
        notes.push(`The report ${path} ${report}.`);
        continue;
      }
      for (const failure of report.failures) addFailure(failures, failure);
      if (!report.isWhole) notes.push(`The report ${path} is incomplete.`);
    }
    return { failures, notes };
  }

  #whyUnread(pattern: string, isThere: boolean): string {
    if (isThere) return 'is of an earlier run';
    return isDirectory(this.#root, pattern) ? 'is a directory' : 'was not written';
  }

  #shown(text: string): string {
    const relative = text.replaceAll('file://', '').replaceAll(`${this.#root}/`, '');
    return maskText(relative, this.#secrets);
  }
}

/** @returns why it was not read, where it was not */
function readBytes(root: string, path: string, maxBytes: number): Buffer | string {
  try {
    return readInside(root, join(root, path), maxBytes) ?? 'it is gone';
  } catch (error) {
    if (error instanceof NotRegularError) {
      if (error.kind === 'large') return 'it is too large';
      return error.kind === 'directory' ? 'it is a directory' : 'it is not a regular file';
    }
    const { code } = error as NodeJS.ErrnoException;
    return code === undefined ? 'a symbolic link leads out of the project' : `it cannot be read (${code})`;
  }
}

/** The files that a pattern means, by their paths relative to the project, sorted. */
function statesOf(root: string, pattern: string): ReadonlyMap<string, State> {
  const states = new Map<string, State>();
  const matches = pathMatcher([pattern]);
  let entries = 0;
  const visit = (path: string) => {
    if (++entries > MAX_ENTRIES) return;
    const disk = join(root, path);
    const stats = lstatSync(disk, { bigint: true, throwIfNoEntry: false });
    if (!stats) return;
    if (stats.isDirectory()) {
      for (const name of readdirSync(disk).toSorted())
        if (name !== '.git' && name !== 'node_modules') visit(path === '' ? name : `${path}/${name}`);
    } else if (matches(path)) states.set(path, stateOf(stats, disk));
  };
  try {
    for (const base of basesOf([pattern])) visit(base);
  } catch {
    // A directory that cannot be read has no report.
  }
  return states;
}

function isDirectory(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A link changes with its target. */
function stateOf(stats: BigIntStats, path: string): State {
  const { ino, size, mtimeNs, ctimeNs } =
    (stats.isSymbolicLink() && statSync(path, { bigint: true, throwIfNoEntry: false })) || stats;
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}
