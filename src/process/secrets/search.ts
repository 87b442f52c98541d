import { MAX_TOKEN, TOKEN_SHAPES, TOKEN_STARTS } from './token-shapes.ts';

/** Where a needle is, by its index. */
export interface FoundNeedle {
  readonly needle: number;
  readonly at: number;
}

/**
 * Finds many strings at once: of every two pairs of neighbouring bytes, one begins at an even place, so that only every
 * second pair of the bytes is looked up. That is three times as fast as one regular expression of all the strings.
 */
export class NeedleFinder {
  readonly #needles: readonly string[];
  /** 1 for each pair of bytes that a needle is looked for by. */
  readonly #pairs = new Uint8Array(0x10000);
  readonly #byPair = new Map<number, { needle: number; offset: number }[]>();

  /** @param needles of bytes (latin1), three at the least */
  constructor(needles: readonly string[]) {
    this.#needles = needles;
    for (const [needle, text] of needles.entries()) {
      const rarest = rarestPairs(text);
      for (const offset of [rarest, rarest + 1]) {
        const pair = text.charCodeAt(offset) | (text.charCodeAt(offset + 1) << 8);
        this.#pairs[pair] = 1;
        this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), { needle, offset }]);
      }
    }
  }

  /** @param text the same bytes, as latin1 */
  find(bytes: Buffer, text: string): FoundNeedle[] {
    const pairs = this.#pairs;
    const last = bytes.length - 1;
    const found: FoundNeedle[] = [];
    for (let i = 0; i < last; i += 2) {
      const pair = (bytes[i] as number) | ((bytes[i + 1] as number) << 8);
      if (pairs[pair] === 1) this.#check(pair, i, text, found);
    }
    return found;
  }

  #check(pair: number, at: number, text: string, found: FoundNeedle[]): void {
    for (const { needle, offset } of this.#byPair.get(pair) ?? []) {
      const start = at - offset;
      if (start >= 0 && text.startsWith(this.#needles[needle] as string, start))
        found.push({ needle, at: start });
    }
  }
}

/** Where in a needle two neighbouring pairs begin that text has the least of: the fewest lower-case letters. */
function rarestPairs(needle: string): number {
  let [rarest, fewest] = [0, 4];
  for (let offset = 0; offset + 3 <= needle.length && fewest > 0; offset++) {
    const common = isCommon(needle, offset) + isCommon(needle, offset + 1) + isCommon(needle, offset + 2);
    if (common < fewest) [rarest, fewest] = [offset, common];
  }
  return rarest;
}

function isCommon(needle: string, at: number): 0 | 1 {
  const byte = needle.charCodeAt(at);
  return byte === 0x20 || (byte >= 0x61 && byte <= 0x7a) ? 1 : 0;
}

/** What stands in the place of a secret. */
export const MASK = '***';

/** Bytes from `start` up to `end`. */
export interface Span {
  start: number;
  end: number;
}

/** What a text holds of secrets. */
export interface Sighting {
  /** What is not to be read, in order, none overlapping. */
  readonly spans: readonly Span[];
  /** Where the text's end may be the middle of a secret: the first such place. The text's length, where it is none. */
  readonly openFrom: number;
}

/** The pattern of what begins with each of TOKEN_STARTS. */
const PATTERNS = TOKEN_SHAPES.flatMap(({ starts, pattern }) => starts.map(() => pattern));

let last: { readonly key: string; readonly search: SecretSearch } | undefined;

/**
 * The search for given secrets, and for the well-known kinds of others. A hook asks for the same one for each stream and
 * each text, and to make one takes as long as to look through 50 kB.
 *
 * @param secrets as from `secretsIn`
 */
export function searchFor(secrets: readonly string[]): SecretSearch {
  const key = secrets.join('\n');
  if (last?.key !== key) last = { key, search: new SecretSearch(secrets) };
  return last.search;
}

/** Finds secrets in a text of bytes. */
class SecretSearch {
  /** The given secrets, as bytes, and behind them what the others start with. */
  readonly #needles: readonly string[];
  readonly #secretCount: number;
  readonly #finder: NeedleFinder;

  constructor(secrets: readonly string[]) {
    this.#secretCount = secrets.length;
    const given = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
    this.#needles = [...given, ...TOKEN_STARTS];
    this.#finder = new NeedleFinder(this.#needles);
  }

  /**
   * @param text the same bytes, as latin1
   * @param lineStart where the last line begins: no secret has more than one
   */
  look(bytes: Buffer, text: string, lineStart: number): Sighting {
    const spans: Span[] = [];
    const openAfter = Math.max(lineStart, text.length - MAX_TOKEN);
    let openFrom = this.#startOfNeedle(text, lineStart);
    for (const { needle, at } of this.#finder.find(bytes, text)) {
      const length = this.#needles[needle]?.length ?? 0;
      const pattern = PATTERNS[needle - this.#secretCount];
      const span = pattern ? match(pattern, text, at) : { start: at, end: at + length };
      if (span) spans.push(span);
      if (pattern && at >= openAfter && at < openFrom && isOneWord(text, at + length)) openFrom = at;
    }
    return { spans: merged(spans), openFrom };
  }

  /** Where the text ends with the first bytes of a needle, at least one, and not all of them. */
  #startOfNeedle(text: string, lineStart: number): number {
    let earliest = text.length;
    for (const needle of this.#needles) {
      const first = needle.charAt(0);
      const from = Math.max(lineStart, text.length - needle.length + 1);
      for (let at = text.indexOf(first, from); at !== -1 && at < earliest; at = text.indexOf(first, at + 1))
        if (needle.startsWith(text.slice(at))) earliest = at;
    }
    return earliest;
  }
}

function match(pattern: RegExp, text: string, at: number): Span | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { start: at + (found.groups?.kept?.length ?? 0), end: pattern.lastIndex } : undefined;
}

/** Behind its start, a token has no blanks. */
function isOneWord(text: string, from: number): boolean {
  return !/[ \t]/.test(text.slice(from));
}

function merged(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return apart;
}

export type { SecretSearch };
