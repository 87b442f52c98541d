import { MASK } from './secret-search.ts';

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
