import { StringDecoder } from 'node:string_decoder';
import { cleanLine, crop } from './clean-line.ts';
import type { Line } from './failure.ts';
import { FailureFinder } from './failure-finder.ts';
import { FailureStore, type StoredFailure, type Tally } from './failure-store.ts';
import { meaningOf, WEIGHT } from './line-meaning.ts';

type Stream = 'stdout' | 'stderr';

/** A line that does not end is cropped when it has so many characters: it is never kept whole. */
const MAX_PENDING = 64 * 1024;
/** Lines kept from the start and from the end of the output, and of those that sum it up. */
const EDGE_LINES = 80;
const CLOSING_LINES = 12;
/** Tasks whose lines are told apart by their prefix. */
const MAX_CHANNELS = 64;

/** `[web] …`, `web | …`, `web:build: …`, `packages/web build: …`, and the time: whoever ran the tool put it there. */
const PREFIX =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\]?\s+)?(?:\[(?!error|err|info|warn|warning|debug|fatal|note|\d|!|\s)[\w@:./ -]{1,40}\] ?|[a-z@][\w@./-]{0,40} +\| ?|@?[\w./-]*\w[:#][a-z][\w:-]*: |@?[\w.-]+\/[\w./-]+ [a-z][\w:-]*: )?/i;

/** What was found in an output. */
export interface Findings {
  /** Lines that came, blank ones included. */
  readonly lineCount: number;
  /** The first and the last lines that are not blank; together all of them, where `isWhole`. */
  readonly head: readonly Line[];
  readonly tail: readonly Line[];
  readonly isWhole: boolean;
  /** The last lines that are no noise. */
  readonly closing: readonly Line[];
  readonly failures: readonly StoredFailure[];
  readonly tallies: ReadonlyMap<number, Tally>;
}

/** Reads a command's output as it comes, and keeps what tells of failures; its memory is bounded. */
export class Condenser {
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  readonly #pending = { stdout: '', stderr: '' };
  readonly #finders = new Map<string, FailureFinder>();
  readonly #store = new FailureStore();
  readonly #head: Line[] = [];
  readonly #tail: Line[] = [];
  readonly #closing: Line[] = [];
  #lineCount = 0;
  #tailCount = 0;

  write(stream: Stream, bytes: Buffer): void {
    this.#text(stream, this.#decoders[stream].write(bytes));
  }

  /** Ends the output. */
  findings(): Findings {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#text(stream, this.#decoders[stream].end());
      if (this.#pending[stream] !== '') this.#line(stream, this.#pending[stream]);
      this.#pending[stream] = '';
    }
    for (const finder of this.#finders.values()) finder.end();
    return {
      lineCount: this.#lineCount,
      head: this.#head,
      tail: this.#tail,
      isWhole: this.#tailCount <= EDGE_LINES,
      closing: this.#closing,
      failures: this.#store.failures(),
      tallies: this.#store.tallies,
    };
  }

  #text(stream: Stream, text: string): void {
    const whole = this.#pending[stream] + text;
    let start = 0;
    for (let end = whole.indexOf('\n'); end !== -1; end = whole.indexOf('\n', start)) {
      this.#line(stream, whole.slice(start, end));
      start = end + 1;
    }
    const rest = whole.slice(start);
    this.#pending[stream] = rest.length > MAX_PENDING ? crop(rest) : rest;
  }

  /** Of a line that was redrawn, its last state stays, and each state that told of a failure. */
  #line(stream: Stream, raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (!line.includes('\r')) return this.#state(stream, cleanLine(line));
    const states = line.split('\r').map(cleanLine);
    const last = states.pop() ?? '';
    for (const state of states) {
      const meaning = meaningOf(state);
      if (meaning.kind === 'failure' && meaning.weight >= WEIGHT.thrown) this.#state(stream, state);
    }
    this.#state(stream, last);
  }

  #state(stream: Stream, text: string): void {
    const line: Line = { at: this.#lineCount++, text };
    const prefix = PREFIX.exec(text)?.[0] ?? '';
    const bare = prefix === '' ? text : text.slice(prefix.length);
    const meaning = meaningOf(bare);
    const isNoise = this.#finderOf(stream, prefix).take(line, bare, meaning);
    if (text === '') return;
    if (!isNoise) keepLast(this.#closing, line, CLOSING_LINES);
    if (this.#head.length < EDGE_LINES) this.#head.push(line);
    else {
      this.#tailCount++;
      keepLast(this.#tail, line, EDGE_LINES);
    }
  }

  #finderOf(stream: Stream, prefix: string): FailureFinder {
    const name = `${stream} ${prefix.replace(/^\[?\d{4}-\S+\s+/, '')}`;
    const known = this.#finders.get(name);
    if (known) return known;
    if (this.#finders.size >= MAX_CHANNELS) return this.#finders.values().next().value as FailureFinder;
    const finder = new FailureFinder((failure) => this.#store.add(failure));
    this.#finders.set(name, finder);
    return finder;
  }
}

function keepLast<T>(list: T[], item: T, length: number): void {
  list.push(item);
  if (list.length > length) list.shift();
}
