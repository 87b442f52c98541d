import { VENDOR_TOKENS } from './vendor-tokens.ts';

/** The form of a well-known kind of secret. */
interface TokenShape {
  /** Every secret of this kind starts with one of these. */
  readonly starts: readonly string[];
  /**
   * Matches the whole token, on one line and no longer than MAX_TOKEN. A group `kept` at its front is not masked.
   */
  readonly pattern: RegExp;
}

/** An upper bound for the length of a token: no pattern below matches more bytes. */
export const MAX_TOKEN = 8192;

/**
 * Vendors' tokens are in a list that is generated, and those here are not in its source or have a wider form; a length
 * is a minimum where the vendor may change it. HTTP, URLs, JWTs and PEM follow RFC 6750 and 7617, 3986, 7519 and 7468.
 * The patterns are long enough not to match names in code, CSS classes, hashes and UUIDs. A letter before `sk-` makes it
 * the end of a word, as in `task-`; except `m`, which also ends the escape sequence of a terminal's colour, and letters
 * that end other escapes (`\n`, `%3D`).
 */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...VENDOR_TOKENS,
  // GitHub, for a short time
  {
    starts: ['ghs_'],
    pattern: /ghs_\d{1,20}_[\w-]{8,1000}\.[\w-]{8,5000}\.[\w-]{8,1000}/y,
  },
  // GitLab
  { starts: ['glpat-'], pattern: /glpat-[\w-]{20,300}(?:\.[\w-]{2,300}){0,2}/y },
  // npm
  { starts: ['npm_'], pattern: /npm_[A-Za-z0-9]{36,255}/y },
  // OpenAI, Anthropic, OpenRouter, and vendors that copied OpenAI's first form
  {
    starts: ['sk-'],
    pattern:
      /(?<!(?<!\\|%[\dA-Fa-f])[a-ln-z])sk-(?:[A-Za-z0-9]{32,255}|(?:proj|svcacct|admin|ant-[a-z]{3,10}\d\d|or-v\d)-[\w-]{40,255})/y,
  },
  // AWS
  {
    starts: ['AKIA', 'ASIA'],
    pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z0-9+/])A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/y,
  },
  // Slack
  {
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    pattern: /xox.-[A-Za-z0-9-]{10,255}/y,
  },
  // SendGrid
  { starts: ['SG.'], pattern: /SG\.[\w-]{22}\.[\w-]{43}/y },
  // The addresses that Slack and Discord accept messages at
  {
    starts: ['hooks.slack.com/', 'api/webhooks/'],
    pattern: /(?<kept>hooks\.slack\.com\/\w+\/|api\/webhooks\/)[\w/-]{24,255}/y,
  },
  // Google
  { starts: ['AIza'], pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z0-9+/])AIza[\w-]{35}/y },
  // Hugging Face
  { starts: ['hf_'], pattern: /hf_[A-Za-z0-9]{30,255}/y },
  // PyPI
  { starts: ['pypi-AgEI'], pattern: /pypi-AgEI[\w-]{50,1000}/y },
  // JSON Web Tokens; without the lookbehind, the search would restart at every "eyJ" of a long word
  {
    starts: ['eyJ'],
    pattern: /(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z_-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,5000}\.[\w-]{0,1000}/y,
  },
  // HTTP; most words after "Bearer" and "Basic" are no tokens
  {
    starts: ['Bearer ', 'bearer ', 'BEARER '],
    pattern: /(?<kept>(?:[Bb]earer|BEARER) )[\w.~+/-]{16,8000}={0,2}/y,
  },
  {
    starts: ['Basic ', 'basic ', 'BASIC '],
    pattern: /(?<kept>(?<=(?:uthorization|UTHORIZATION)\W{1,6})(?:[Bb]asic|BASIC) )[\w+/-]{8,8000}={0,2}/y,
  },
  // The password in a URL
  {
    starts: ['://'],
    pattern: /(?<kept>:\/\/[^ \t\r\n/:@?#"'<>]{0,256}:)[^ \t\r\n/@?#"'<>]{1,1000}(?=@)/y,
  },
  // A private key on one line, as in JSON; PemMasker masks the others
  {
    starts: ['PRIVATE KEY-----\\'],
    pattern: /(?<kept>PRIVATE KEY-----)(?:\\{1,4}[nr]|[A-Za-z0-9+/=]){16,4000}/y,
  },
];

/** Every well-known token starts with one of these. */
export const TOKEN_STARTS: readonly string[] = TOKEN_SHAPES.flatMap(({ starts }) => starts);

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
  /** For each pair of bytes that identifies a needle, the number of its list; 0 for all others. */
  readonly #listOf = new Uint16Array(0x10000);
  readonly #lists: Candidate[][] = [[]];

  /** @param needles latin1, of three bytes at least */
  constructor(needles: readonly string[]) {
    this.#needles = needles;
    for (const [needle, text] of needles.entries()) {
      const rarest = rarestPairs(text);
      for (const offset of [rarest, rarest + 1]) {
        const pair = text.charCodeAt(offset) | (text.charCodeAt(offset + 1) << 8);
        if (this.#listOf[pair] === 0) this.#listOf[pair] = this.#lists.push([]) - 1;
        this.#lists[this.#listOf[pair] as number]?.push({ needle, offset, other: otherByte(text, offset) });
      }
    }
  }

  /** @param text the same bytes, as latin1 */
  find(bytes: Buffer, text: string): FoundNeedle[] {
    const listOf = this.#listOf;
    const last = bytes.length - 1;
    const found: FoundNeedle[] = [];
    for (let i = 0; i < last; i += 2) {
      const list = listOf[(bytes[i] as number) | ((bytes[i + 1] as number) << 8)] as number;
      if (list !== 0) this.#check(list, i, bytes, text, found);
    }
    return found;
  }

  #check(list: number, at: number, bytes: Buffer, text: string, found: FoundNeedle[]): void {
    for (const { needle, offset, other } of this.#lists[list] as Candidate[]) {
      const start = at - offset;
      if (bytes[start + other.at] !== other.byte) continue;
      if (start >= 0 && text.startsWith(this.#needles[needle] as string, start))
        found.push({ needle, at: start });
    }
  }
}

/** A needle that a pair of bytes may belong to. */
interface Candidate {
  readonly needle: number;
  /** Of the pair in the needle. */
  readonly offset: number;
  readonly other: { readonly at: number; readonly byte: number };
}

/** A byte of a needle outside of a pair, which distinguishes it from most words with this pair: the rarest of its ends. */
function otherByte(needle: string, pairOffset: number): Candidate['other'] {
  const last = needle.length - 1;
  const at = isCommon(needle, last) === 0 && pairOffset + 1 < last ? last : pairOffset > 0 ? 0 : last;
  return { at, byte: needle.charCodeAt(at) };
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

/** Replaces a secret. */
export const MASK = '***';

/** A text with its secrets masked. */
export function maskText(text: string, secrets: readonly string[]): string {
  // Most texts contain none. This check takes a hundredth of the time of the first search.
  const isClean = ![...secrets, ...TOKEN_STARTS, PEM_LABEL].some((needle) => text.includes(needle));
  if (isClean) return text;
  const masker = new SecretMasker(secrets);
  return Buffer.concat([masker.write(Buffer.from(text)), masker.end()]).toString();
}

/** A JSON value with the secrets in all of its strings masked. */
export function maskTexts<T>(value: T, secrets: readonly string[]): T {
  const mask = (_: string, part: unknown) => (typeof part === 'string' ? maskText(part, secrets) : part);
  return JSON.parse(JSON.stringify(value, mask));
}

/** The patterns of well-known tokens look behind by fewer bytes than this. */
const LOOK_BEHIND = 32;

/**
 * Masks the secrets in a stream of bytes, however it is split into chunks. At the end of a chunk it holds back only what
 * may be the start of a secret, so that a growing line is seen growing. All other bytes pass unchanged.
 */
export class SecretMasker {
  readonly #secrets: readonly string[];
  /** Created for the first bytes: most passing gates print nothing. */
  #search: SecretSearch | undefined;
  readonly #pem = new PemMasker();
  /** The bytes that are held back, after up to LOOK_BEHIND bytes that were written already. */
  #held: Buffer = Buffer.alloc(0);
  #written = 0;

  /** @param secrets values to mask besides well-known tokens, as from `secretsIn` */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  write(chunk: Buffer): Buffer {
    return this.#take(chunk, false);
  }

  /** Returns what was held back. */
  end(): Buffer {
    if (this.#search === undefined) return Buffer.alloc(0);
    const rest = this.#take(Buffer.alloc(0), true);
    return Buffer.concat([rest, Buffer.from(this.#pem.end(), 'latin1')]);
  }

  #take(chunk: Buffer, isLast: boolean): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const text = bytes.toString('latin1');
    const from = this.#written;
    const lineStart = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
    this.#search ??= searchFor(this.#secrets);
    const { spans, openFrom } = this.#search.look(bytes, text, Math.max(from, lineStart));
    const to = isLast ? text.length : beforeSpan(spans, openFrom, text.length - 2 * MAX_TOKEN);
    const contextStart = Math.max(0, to - LOOK_BEHIND);
    // A copy: a subarray would keep the whole chunk in memory.
    this.#held = Buffer.from(bytes.subarray(contextStart));
    this.#written = to - contextStart;
    const plain = text.slice(from, to);
    const masked = this.#pem.write(spans.length === 0 ? plain : mask(text, spans, from, to));
    return masked === plain ? bytes.subarray(from, to) : Buffer.from(masked, 'latin1');
  }
}

/** A secret is not cut in two, because a secret that begins inside it may extend it. */
function beforeSpan(spans: readonly Span[], cut: number, notBefore: number): number {
  const around = spans.find(({ start, end }) => start < cut && cut < end);
  return around && around.start >= notBefore ? around.start : cut;
}

function mask(text: string, spans: readonly Span[], from: number, to: number): string {
  const pieces: string[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (end <= at || start >= to) continue;
    pieces.push(text.slice(at, start), MASK);
    at = end;
  }
  pieces.push(text.slice(at, to));
  return pieces.join('');
}

/** Every text with a PEM private key contains this. */
const PEM_LABEL = 'PRIVATE KEY';
/** The border that a PEM private key begins with, anywhere in a line (RFC 7468; PGP appends BLOCK). */
const BEGIN = /-BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?!.*-END )/;
/** A line of base64 as it is in a file, in a diff, or in a program's printout of a string. */
const BASE64_LINE = /^([\s'">|-]*)[A-Za-z0-9+/=*]+((?:\\[nr])*['"]?[ \t]{0,4}[+,;]?\s*)$/;
/** Other lines between the borders: empty ones and headers such as `DEK-Info: …`. */
const OTHER_LINE = /^[\s'">|-]*(?:$|[A-Z][\w-]*: )/;
/** Characters of the line so far in which a border may begin. */
const MAX_BORDER = 100;
/** A longer line is masked in parts. */
const MAX_LINE = 16 * 1024;

/**
 * Masks the lines of PEM private keys in a stream of text. Between a BEGIN border and the END border, or the first line
 * that cannot belong to a key, it passes whole lines; all other text passes at once.
 */
class PemMasker {
  #isInside = false;
  /** The unfinished last line: inside a key all of it, held back; else its end, in which a border may begin. */
  #line = '';

  write(text: string): string {
    if (
      !this.#isInside &&
      !text.includes(PEM_LABEL) &&
      !(this.#line + text.slice(0, MAX_BORDER)).includes(PEM_LABEL)
    ) {
      const end = (this.#line + text.slice(-MAX_BORDER)).slice(-MAX_BORDER);
      this.#line = end.slice(end.lastIndexOf('\n') + 1);
      return text;
    }
    const pieces = text.split(/(?<=\n)/);
    return pieces.map((piece) => this.#writePiece(piece)).join('');
  }

  /** Returns what was held back. */
  end(): string {
    return this.#isInside ? maskLine(this.#line) : '';
  }

  /** @param piece a line or a part of one */
  #writePiece(piece: string): string {
    this.#line += piece;
    const line = this.#line;
    const wasInside = this.#isInside;
    if (!piece.endsWith('\n') && line.length < MAX_LINE) return wasInside ? '' : piece;
    this.#isInside = wasInside ? BASE64_LINE.test(line) || OTHER_LINE.test(line) : BEGIN.test(line);
    this.#line = '';
    return wasInside ? maskLine(line) : piece;
  }
}

function maskLine(line: string): string {
  return line.replace(BASE64_LINE, `$1${MASK}$2`);
}
