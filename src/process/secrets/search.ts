import { MAX_TOKEN, TOKEN_SHAPES, TOKEN_STARTS } from './token-shapes.ts';

/** Bytes from `start` up to `end`. */
export interface Span {
  start: number;
  end: number;
}

/** The secrets in a piece of text. */
interface SecretMatches {
  /** In order, not overlapping. */
  readonly spans: readonly Span[];
  /** The first place from which the end of the text may be the start of a secret; else the length of the text. */
  readonly openFrom: number;
}

let latest: { readonly key: string; readonly search: SecretSearch } | undefined;

/**
 * The search for the given secrets and for well-known tokens. The latest one is kept, because the hook uses the same for
 * each stream and text, and building one takes as long as searching 50 kB.
 *
 * @param secrets as from `secretsIn`
 */
export function searchFor(secrets: readonly string[]): SecretSearch {
  const key = secrets.join('\n');
  if (latest?.key !== key) latest = { key, search: new SecretSearch(secrets) };
  return latest.search;
}

/** The pattern for each of TOKEN_STARTS. */
const PATTERNS = TOKEN_SHAPES.flatMap(({ starts, pattern }) => starts.map(() => pattern));

export class SecretSearch {
  /** The given secrets, as latin1, followed by the starts of well-known tokens. */
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
   * @param lineStart where the last line begins: no secret spans two lines
   */
  look(bytes: Buffer, text: string, lineStart: number): SecretMatches {
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

  /** Where the text ends with the first bytes of a needle, but not with all of them. */
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

/** After its start, a token contains no blanks. */
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

interface FoundNeedle {
  /** Its index. */
  readonly needle: number;
  readonly at: number;
}

/**
 * Finds many strings at once. Of two neighbouring pairs of bytes, one begins at an even offset, so only every second
 * pair of the text is looked up. This is three times as fast as one regular expression of all the strings.
 */
class NeedleFinder {
  readonly #needles: readonly string[];
  /** 1 for each pair of bytes that identifies a needle. */
  readonly #pairs = new Uint8Array(0x10000);
  readonly #byPair = new Map<number, { needle: number; offset: number }[]>();

  /** @param needles latin1, of three bytes at least */
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

/** The offset of the two neighbouring pairs that are rarest in text: those with the fewest lower-case letters. */
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
