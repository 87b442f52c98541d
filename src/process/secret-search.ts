import { NeedleFinder } from './needle-finder.ts';
import { MAX_TOKEN, TOKEN_SHAPES, TOKEN_STARTS } from './token-shapes.ts';

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
