/**
 * `[web] …`, `web | …`, `web:build: …`, `packages/web build: …`, `#7 0.428 …` (a step of a container's build), `INTERNALERROR> …` (a hook of
 * pytest has failed), and the time: added by what ran the tool; and what syslog puts before each line, with the name of the host and the program.
 */
export const PREFIX =
  /^(?:(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*|\[\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[^\s\]]*(?: (?:[+-]\d\d:?\d\d|[A-Z]{3,4}))?\])\s+|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]+ [\w./@-]+(?:\[\d+\])?: )?(?:==\d+== |INTERNALERROR> ?|#\d+ \d+\.\d+ |\[(?!error|err|exception|fail|info|warn|warning|debug|fatal|alert|emerg|crit|notice|note|trace|verbose|ok\b|pass|run\b|skip|started\]|completed\]|\d+(?:[^\da-z]|m?s\]|[kmg]?i?b\])|!|-{10}|\s)[\w@:./ -]{1,40}\](?:: ?| ?)|[a-z@][\w@./-]{0,40}(?::[\w:.-]{1,40})? +\| ?|@?[\w./-]*\w[:#][a-z][\w:-]*: |@[\w.-]+\/[\w.-]+: |@?[\w.-]+\/[\w./-]+ [a-z][\w:-]*: )?/i;
/** What Ant puts before each line of a task; the name of a project and its task, aligned to the right. */
export const INDENTED_TAG =
  /^ +(?:\[(?!error|warn|info|debug|fail|pass|ok\b|skip|todo|note)[a-z][\w.:-]+\] |[a-z@][\w@./-]*:[a-z][\w:.-]* \| ?)/;
const TIME =
  /^[A-Z][a-z]{2} [ \d]\d [\d:]+ |^\[?\d{4}[-/]\d\d[-/]\S+\s+(?:\d\d:\S+\s+)?(?:[+\w:-]+\]\s+)?|(?<=^#\d+ )\d+\.\d+ $/;
const BLANK = 32;

/** The prefix that a wrapper put before a line; of an indented line, a tag. */
export function prefixOf(text: string): string {
  return (text.charCodeAt(0) <= BLANK ? INDENTED_TAG : PREFIX).exec(text)?.[0] ?? '';
}

/** The task whose lines a prefix marks: the prefix without the time. */
export function taskOf(prefix: string): string {
  return prefix === '' ? '' : prefix.replace(TIME, '');
}

/** What a tool itself printed. Of a blank line, a prefix has lost the blank at its end. */
export function withoutPrefix(text: string): string {
  return text.slice(prefixOf(`${text} `).length);
}
