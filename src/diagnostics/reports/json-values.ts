/** Reads what may be anything: a value of another type counts as missing. */

export type Path = readonly (string | number)[];

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
