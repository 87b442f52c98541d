const SHAPE_CHARACTERS = 48;

/**
 * What a line looks like: words, numbers and blanks each become one sign. Lines of one list have one shape; a line whose
 * shape is rare stands out.
 */
export function shapeOf(text: string): string {
  let shape = '';
  let last = '';
  for (let i = 0; i < text.length && shape.length < SHAPE_CHARACTERS; i++) {
    const sign = signOf(text.charCodeAt(i), text[i] as string);
    if (sign !== last || sign === '.') shape += sign;
    last = sign;
  }
  return shape;
}

function signOf(code: number, character: string): string {
  if ((code | 32) >= 97 && (code | 32) <= 122) return 'a';
  if (code >= 48 && code <= 57) return '0';
  if (code === 32 || code === 9) return ' ';
  if (code === 45 || code === 95) return 'a';
  return code > 127 ? 'a' : character;
}
