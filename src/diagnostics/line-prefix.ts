/** `[web] …`, `web | …`, `web:build: …`, `packages/web build: …`, and the time: whoever ran the tool put it there. */
const PREFIX =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*\]?\s+)?(?:==\d+== |\[(?!error|err|info|warn|warning|debug|fatal|note|\d|!|\s)[\w@:./ -]{1,40}\] ?|[a-z@][\w@./-]{0,40} +\| ?|@?[\w./-]*\w[:#][a-z][\w:-]*: |@[\w.-]+\/[\w.-]+: |@?[\w.-]+\/[\w./-]+ [a-z][\w:-]*: )?/i;
const TIME = /^\[?\d{4}[-/]\d\d[-/]\S+\s+(?:\d\d:\S+\s+)?/;
const BLANK = 32;

/** What stands before a line that a wrapper passes on; nothing before one that is indented. */
export function prefixOf(text: string): string {
  return text.charCodeAt(0) <= BLANK ? '' : (PREFIX.exec(text)?.[0] ?? '');
}

/** Whose lines a prefix marks; the time is no part of a name. */
export function taskOf(prefix: string): string {
  return prefix === '' ? '' : prefix.replace(TIME, '');
}
