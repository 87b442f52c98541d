/** `40 ms`, `2.1 s`, `12.3 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `50 s`, `4 min`. */
export function roundDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** `just now`, `50 s ago`, `4 min ago`, `3 h ago`, `2 days ago`. Also the future is now: clocks are set back. */
export function timeAgo(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  if (milliseconds < 5000) return 'just now';
  if (milliseconds < 90 * 60_000) return `${roundDuration(milliseconds)} ago`;
  return hours < 36 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** `1 gate`, `3 gates`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `1,240`. `Intl.NumberFormat` takes longer to load than Node takes to start. */
export function thousands(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The text on one line, printable, cut after `maxCharacters`. */
export function oneLine(text: string, maxCharacters = 200): string {
  const line = printable(text.replace(/\s+/g, ' ')).trim();
  // Strict JSON parsers refuse half of a surrogate pair, and the cut can leave one.
  return (line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1)}…`).toWellFormed();
}

/** As many whole items as fit into so many characters, at least one, and how many are left out: `a, b and 3 more`. */
export function listed(items: readonly string[], maxCharacters: number, separator = ', '): string {
  for (let shown = Math.min(items.length, maxCharacters); ; shown--) {
    const more = shown < items.length ? ` and ${items.length - shown} more` : '';
    const text = items.slice(0, shown).join(separator);
    if (shown <= 1 || text.length + more.length <= maxCharacters)
      return oneLine(text, maxCharacters - more.length) + more;
  }
}

/**
 * Escape sequences of terminals: commands that end with a letter, strings that end with BEL or ST, single characters.
 * None goes beyond its line, so that no name removes the lines between it and another.
 * The expression never backtracks, so its time is linear; that of Node's `stripVTControlCharacters` is not, and its
 * result depends on the version of Node.
 */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences consist of them
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C\n]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g;

/** Removes the escape sequences that colour a text, or link it. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPES, '');
}

/**
 * Characters that change how the text around them is shown, or that show nothing while an agent reads them: control
 * characters except tabs and line ends, marks of the text's direction, blanks without width, tags.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be found
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\r(?!\n)|\udb40[\udc00-\udc7f]/;
const UNPRINTABLE = new RegExp(`${ESCAPES.source}|${HIDDEN.source}`, 'g');

/**
 * A text without anything that controls the terminal or the page that shows it: escape sequences, control characters
 * except tabs and line ends, characters that nobody sees.
 *
 * @param isKept whether an escape sequence stays
 */
export function printable(text: string, isKept?: (sequence: string) => boolean): string {
  // Most texts are.
  return HIDDEN.test(text) ? text.replace(UNPRINTABLE, (found) => (isKept?.(found) ? found : '')) : text;
}

/** A value as JSON for people and programs: what is not printable is escaped, so that nothing is lost. */
export function jsonText(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(new RegExp(HIDDEN, 'g'), (found) =>
    found.split('').map(escaped).join(''),
  );
}

/** A text as a part of a pattern that matches it alone. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
