import { type SecretSearch, type Span, searchFor } from './search.ts';
import { MAX_TOKEN, TOKEN_STARTS } from './token-shapes.ts';

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
