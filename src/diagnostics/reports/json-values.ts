/** Reads what may be anything: a value of another type counts as missing. */

export type Path = readonly (string | number)[];

/** No report is deeper. */
const MAX_DEPTH = 100;
/** A value takes up to 100 bytes of memory. */
const MAX_VALUES = 1_000_000;
/** A shorter text has fewer values, whatever it is. */
const FEW_CHARACTERS = 64 * 1024;

/** @returns undefined for what is not JSON, or `isTooComplex` */
export function parsedJson(text: string): unknown {
  if (text.length > FEW_CHARACTERS && isTooComplex(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])];

/** Whether the values of JSON would take many times the memory of the text. */
export function isTooComplex(json: string): boolean {
  let [depth, values, isInText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (code === BACKSLASH) at++;
    } else if (code === COMMA) values++;
    else if (OPENING.has(code)) {
      depth++;
      values++;
    } else if (CLOSING.has(code)) depth--;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}

export function valueAt(value: unknown, ...path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = at[key as keyof typeof at];
  }
  return at;
}

export function textAt(value: unknown, ...path: Path): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function numberAt(value: unknown, ...path: Path): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** @returns an empty list for what is none */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function isList(value: unknown, ...path: Path): boolean {
  return Array.isArray(valueAt(value, ...path));
}

/** The members of an object; none of what is no object. */
export function membersAt(value: unknown, ...path: Path): readonly (readonly [string, unknown])[] {
  const found = valueAt(value, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
}
