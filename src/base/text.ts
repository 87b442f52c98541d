/** `40 ms`, `2.1 s`, `12.3 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 gate`, `3 gates`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `1,240`. `Intl.NumberFormat` takes longer to load than Node takes to start. */
export function thousands(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The text on one line, cut after `maxCharacters`. */
export function oneLine(text: string, maxCharacters = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Strict JSON parsers refuse half of a surrogate pair, and the cut can leave one.
  return (line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1)}…`).toWellFormed();
}
