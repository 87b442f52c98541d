import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withoutLongStrings } from './cut-strings.ts';
import type { TranscriptEvent } from './events.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import {
  EVIDENCE,
  type Evidence,
  judgeTurn,
  LEFT_OUT,
  type LeftOut,
  stopsOf,
  type TranscriptProject,
} from './judge-turn.ts';
import { projectReader } from './project.ts';
import { linesOf } from './read-lines.ts';
import { OPENCODE, TRANSCRIPT_HOSTS, type TranscriptHost } from './transcripts/hosts.ts';
import {
  databaseSessions,
  NoSqliteError,
  type OpenCodeSession,
  openCodeEvents,
  storedSessions,
} from './transcripts/opencode.ts';
import { type Turn, turnsOf } from './turns.ts';

/** Claims, and what was behind them: the numbers of the evidence add up to the claims. */
export interface ClaimCounts extends Readonly<Record<Evidence, number>> {
  readonly claims: number;
}

/** The figures of `ralph-loop history`. */
export interface History {
  /** The hosts with transcripts. */
  readonly hosts: readonly HostHistory[];
  readonly total: ClaimCounts;
  /** The claims before ralph-loop was first called in their project, and in projects that do not have it. */
  readonly before: ClaimCounts;
  readonly since: ClaimCounts;
  /** The turns that are no claims, by reason. */
  readonly leftOut: Readonly<Record<LeftOut, number>>;
  /** The times of the first and the last claim; undefined when there is none. */
  readonly span: { readonly from: Date; readonly to: Date } | undefined;
  readonly bytes: number;
  /** What could not be read. */
  readonly unread: readonly Unread[];
  /** The directories that were looked for. */
  readonly directories: readonly string[];
}

export interface HostHistory extends ClaimCounts {
  readonly host: string;
  readonly title: string;
  readonly transcripts: number;
  readonly turns: number;
}

/** Something of the transcripts that could not be read: a path and why, or how many lines and why. */
export type Unread =
  | { readonly kind: 'path'; readonly path: string; readonly why: string }
  | { readonly kind: 'no-sqlite'; readonly path: string; readonly node: string }
  | { readonly kind: 'broken-lines' | 'long-lines'; readonly lines: number };

export interface HistoryOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Turns that ended earlier are left out; undefined counts all. */
  readonly since: Date | undefined;
  /** Called before each transcript, and awaited. */
  readonly onTranscript?: (title: string) => Promise<void>;
}

/** Reads the transcripts that the hosts keep on this machine, one after another, and counts. Nothing is written. */
export async function countHistory(options: HistoryOptions): Promise<History> {
  const tally = new Tally(options.since);
  for (const host of TRANSCRIPT_HOSTS) await countFiles(host, options, tally);
  await countOpenCode(options, tally);
  return tally.history();
}

async function countFiles(host: TranscriptHost, options: HistoryOptions, tally: Tally): Promise<void> {
  for (const directory of host.directories(options.home, options.env)) {
    tally.directories.push(directory);
    for (const file of findFiles(directory, host.file, (path, error) => tally.unreadable(path, error))) {
      if (tally.isTooOld(file.changedAt)) continue;
      await options.onTranscript?.(host.title);
      tally.bytes += file.bytes;
      await tally.transcript(host, () => turnsOf(eventsOf(host, file, tally)), file.path);
    }
  }
}

/** The events of a transcript. A broken line is left out; the last one may be written at this moment. */
function* eventsOf(host: TranscriptHost, { path }: FoundFile, tally: Tally): Generator<TranscriptEvent> {
  const reader = host.reader(path);
  let isBroken = false;
  for (const line of linesOf(path)) {
    if (isBroken) tally.brokenLines += 1;
    isBroken = false;
    if (line === undefined) tally.longLines += 1;
    else if (line.length > 0 && reader.matters(line)) {
      const record = parsed(line);
      if (record === undefined) isBroken = true;
      else yield* reader.events(record).filter(isTimed);
    }
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(withoutLongStrings(line).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A record without a time is none of the client. */
function isTimed(event: TranscriptEvent): boolean {
  return event.kind === 'session' || Number.isFinite(event.at);
}

async function countOpenCode({ home, env, onTranscript }: HistoryOptions, tally: Tally): Promise<void> {
  const directory = OPENCODE.directory(home, env);
  const [database, storage] = [join(directory, 'opencode.db'), join(directory, 'storage')];
  tally.directories.push(directory);
  const count = async (session: OpenCodeSession) => {
    if (tally.isTooOld(session.updatedAt)) return;
    await onTranscript?.(OPENCODE.title);
    await tally.transcript(OPENCODE, () => turnsOf(openCodeEvents(session)), database);
  };
  // A version that has a database has moved the files into it.
  if (!existsSync(database)) {
    for (const session of storedSessions(storage)) await count(session);
    return;
  }
  try {
    for await (const session of databaseSessions(database)) await count(session);
  } catch (error) {
    if (error instanceof NoSqliteError)
      tally.unread.push({ kind: 'no-sqlite', path: database, node: process.versions.node });
    else tally.unreadable(database, error as Error);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Counts turns. */
class Tally {
  readonly directories: string[] = [];
  readonly unread: Unread[] = [];
  bytes = 0;
  brokenLines = 0;
  longLines = 0;
  readonly #since: number;
  readonly #projectOf = projectReader();
  readonly #hosts = new Map<string, Mutable<HostHistory>>();
  readonly #total = noClaims();
  readonly #before = noClaims();
  readonly #after = noClaims();
  readonly #leftOut = zeros(LEFT_OUT);
  /** Clients copy a session that is resumed or forked into a new transcript. */
  readonly #counted = new Set<string>();
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  constructor(since: Date | undefined) {
    this.#since = since?.getTime() ?? Number.NEGATIVE_INFINITY;
  }

  isTooOld(at: number): boolean {
    return at < this.#since;
  }

  unreadable(path: string, error: Error): void {
    this.unread.push({ kind: 'path', path, why: error.message });
  }

  async transcript(
    { host, title }: { readonly host: string; readonly title: string },
    turns: () => Iterable<Turn>,
    path: string,
  ): Promise<void> {
    const counts = this.#hosts.get(host) ?? { host, title, transcripts: 0, turns: 0, ...noClaims() };
    this.#hosts.set(host, counts);
    counts.transcripts += 1;
    try {
      for (const turn of turns()) await this.#turn(turn, counts);
    } catch (error) {
      this.unreadable(path, error as Error);
    }
  }

  async #turn(turn: Turn, host: Mutable<HostHistory>): Promise<void> {
    const id = `${host.host} ${turn.startedAt} ${turn.endedAt}`;
    if (this.isTooOld(turn.endedAt) || this.#counted.has(id)) return;
    this.#counted.add(id);
    host.turns += 1;
    const project = await this.#projectOf(turn.cwd ?? '/');
    const judged = judgeTurn(turn, project);
    if ('leftOut' in judged) {
      this.#leftOut[judged.leftOut] += 1;
      return;
    }
    for (const counts of [host, this.#total, this.#side(turn, project)]) {
      counts.claims += 1;
      counts[judged.evidence] += 1;
    }
    this.#from = Math.min(this.#from, turn.endedAt);
    this.#to = Math.max(this.#to, turn.endedAt);
  }

  /** The stop after the turn may be the first call of ralph-loop. */
  #side(turn: Turn, project: TranscriptProject): Mutable<ClaimCounts> {
    const { ralphLoopSince = Number.POSITIVE_INFINITY } = project;
    return turn.endedAt >= ralphLoopSince || stopsOf(turn, project).length > 0 ? this.#after : this.#before;
  }

  history(): History {
    const lines = [
      { kind: 'broken-lines', lines: this.brokenLines },
      { kind: 'long-lines', lines: this.longLines },
    ] as const;
    return {
      hosts: [...this.#hosts.values()],
      total: this.#total,
      before: this.#before,
      since: this.#after,
      leftOut: this.#leftOut,
      span: this.#total.claims === 0 ? undefined : { from: new Date(this.#from), to: new Date(this.#to) },
      bytes: this.bytes,
      unread: [...this.unread, ...lines.filter((each) => each.lines > 0)],
      directories: this.directories,
    };
  }
}

function noClaims(): Mutable<ClaimCounts> {
  return { claims: 0, ...zeros(EVIDENCE) };
}

function zeros<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}
