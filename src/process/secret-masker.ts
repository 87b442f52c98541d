import { PemMasker } from './pem-masker.ts';
import { MASK, type SecretSearch, type Span, searchFor } from './secret-search.ts';
import { MAX_TOKEN } from './token-shapes.ts';

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
