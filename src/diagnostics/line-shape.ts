const SHAPE_CHARACTERS = 48;

/**
 * What a line looks like: words, numbers and blanks each count as one sign. Lines of one list have one shape; a line
 * whose shape is rare stands out.
 *
 * @returns a hash of the shape
 */
export function shapeOf(text: string): number {
  // FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/
  let hash = 0x811c9dc5;
  let last = 0;
  for (let i = 0, signs = 0; i < text.length && signs < SHAPE_CHARACTERS; i++) {
    const sign = signOf(text.charCodeAt(i));
    if (sign === last && sign !== DOT) continue;
    last = sign;
    signs++;
    hash = Math.imul(hash ^ sign, 0x01000193);
  }
  return hash;
}

const DOT = 46;
const LETTER = 97;
const DIGIT = 48;
const BLANK = 32;

function signOf(code: number): number {
  if ((code | 32) >= 97 && (code | 32) <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 32 || code === 9) return BLANK;
  // A hyphen and an underscore join words; letters outside ASCII are letters.
  return code === 45 || code === 95 || code > 127 ? LETTER : code;
}
