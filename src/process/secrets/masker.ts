import { MASK, type SecretSearch, type Span, searchFor } from './search.ts';
import { MAX_TOKEN, TOKEN_STARTS } from './token-shapes.ts';

/** Bytes in front of a token that its shape looks back at. */
const LOOK_BEHIND = 32;

/**
 * Masks the secrets in a stream of bytes, wherever its chunks are cut. At the end of a chunk it holds back only what may
 * be the beginning of a secret, so that a line that grows is seen growing. Everything else passes to the byte.
 */
export class SecretMasker {
  readonly #secrets: readonly string[];
  /** Made for the first bytes: most gates that pass print nothing. */
  #search: SecretSearch | undefined;
  readonly #pem = new PemMasker();
  /** What is held back, and in front of it bytes that are out already. */
  #held: Buffer = Buffer.alloc(0);
  #out = 0;

  /** @param secrets what to mask besides the well-known kinds, as from `secretsIn` */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  write(chunk: Buffer): Buffer {
    return this.#take(chunk, false);
  }

  /** What was still held back. */
  end(): Buffer {
    if (this.#search === undefined) return Buffer.alloc(0);
    const rest = this.#take(Buffer.alloc(0), true);
    return Buffer.concat([rest, Buffer.from(this.#pem.end(), 'latin1')]);
  }

  #take(chunk: Buffer, isLast: boolean): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const text = bytes.toString('latin1');
    const from = this.#out;
    const lineStart = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
    this.#search ??= searchFor(this.#secrets);
    const { spans, openFrom } = this.#search.look(bytes, text, Math.max(from, lineStart));
    const to = isLast ? text.length : beforeSpan(spans, openFrom, text.length - 2 * MAX_TOKEN);
    const contextStart = Math.max(0, to - LOOK_BEHIND);
    // A copy: what is held back is little, and the chunk is large.
    this.#held = Buffer.from(bytes.subarray(contextStart));
    this.#out = to - contextStart;
    const plain = text.slice(from, to);
    const masked = this.#pem.write(spans.length === 0 ? plain : mask(text, spans, from, to));
    return masked === plain ? bytes.subarray(from, to) : Buffer.from(masked, 'latin1');
  }
}

/** A secret is not cut in two: what begins inside of it may make it longer. */
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

/** The border that a PEM private key begins with, whatever stands around it (RFC 7468; PGP adds BLOCK). */
const BEGIN = /-BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?!.*-END )/;
/** What no text without such a border has. */
export const PEM_LABEL = 'PRIVATE KEY';
/** A line of base64 as it stands in a file, in a diff, or in what a program prints of a string. */
const BASE64_LINE = /^([\s'">|-]*)[A-Za-z0-9+/=*]+((?:\\[nr])*['"]?[ \t]{0,4}[+,;]?\s*)$/;
/** What else may stand between the borders: nothing, or a header such as `DEK-Info: …`. */
const OTHER_LINE = /^[\s'">|-]*(?:$|[A-Z][\w-]*: )/;
/** Of a line that is out already, as much as its border may take. */
const MAX_BORDER = 100;
/** A line that is longer is masked in parts. */
const MAX_LINE = 16 * 1024;

/**
 * Masks the lines of PEM private keys in a stream of text. Up to the END border, or the first line that cannot be a
 * key's, it takes whole lines only; all other text passes at once.
 */
export class PemMasker {
  #inside = false;
  /** The last line, which is not at its end: inside of a key all of it, held back; else what a border may begin in. */
  #line = '';

  write(text: string): string {
    if (
      !this.#inside &&
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

  /** What was still held back. */
  end(): string {
    return this.#inside ? maskLine(this.#line) : '';
  }

  /** @param piece of one line, the rest of it perhaps */
  #writePiece(piece: string): string {
    this.#line += piece;
    const line = this.#line;
    const wasInside = this.#inside;
    if (!piece.endsWith('\n') && line.length < MAX_LINE) return wasInside ? '' : piece;
    this.#inside = wasInside ? BASE64_LINE.test(line) || OTHER_LINE.test(line) : BEGIN.test(line);
    this.#line = '';
    return wasInside ? maskLine(line) : piece;
  }
}

function maskLine(line: string): string {
  return line.replace(BASE64_LINE, `$1${MASK}$2`);
}

/** A whole text with its secrets masked. */
export function maskText(text: string, secrets: readonly string[]): string {
  // Most texts hold none, and to tell so takes a hook a hundredth of the time that its first search takes.
  const isClean = ![...secrets, ...TOKEN_STARTS, PEM_LABEL].some((needle) => text.includes(needle));
  if (isClean) return text;
  const masker = new SecretMasker(secrets);
  return Buffer.concat([masker.write(Buffer.from(text)), masker.end()]).toString();
}

/** A value made for JSON, every text in it masked. */
export function maskTexts<T>(value: T, secrets: readonly string[]): T {
  const mask = (_: string, part: unknown) => (typeof part === 'string' ? maskText(part, secrets) : part);
  return JSON.parse(JSON.stringify(value, mask));
}
