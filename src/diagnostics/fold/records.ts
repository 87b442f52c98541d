/** The records of loggers that say what others have said. */

import { type Line, normalized } from '../failures/failure.ts';
import { MIN_REPEATED } from '../failures/repeats.ts';
import { classificationOf, severityOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { indentOf } from '../lines/structure.ts';

/** In JSON, with its exception below it, the request that it is about, and its last members. */
const JSON_HEAD = /^\s*\{".*"(?:stack|message)":…$/;
const REQUEST = /"method":"\w+","url":"[^"]*"/;
const JSON_END = /^\s+"\w+":.*\}$/;
/** A line with a time, in a comment of TAP and behind the name of a server too, and what it says. */
const RECORD =
  /^(?:# )?(?:\[[\w.-]+\] )?\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]? +(\S.*)$/;

/** What a record says, and where the next line is that is no part of it. */
interface LogRecord {
  readonly end: number;
  readonly said: readonly string[];
}

/** Without the records that were shown before: with another time, and of an exception, with another number in the request. */
export function withoutRecordsAgain(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  const kept: Line[] = [];
  let index = 0;
  while (index < lines.length) {
    const { end, said } = recordAt(lines, index) ?? { end: index + 1, said: [] };
    if (said.length === 0 || !said.every((text) => seen.has(text))) kept.push(...lines.slice(index, end));
    for (const text of said) seen.add(text);
    index = end;
  }
  return kept;
}

function recordAt(lines: readonly Line[], start: number): LogRecord | undefined {
  const { text } = lines[start] as Line;
  const head = withoutPrefix(text);
  if (JSON_HEAD.test(head)) {
    const end = endOfJson(lines, start);
    const below = lines.slice(start + 1, end).map((line) => withoutPrefix(line.text));
    const said = [REQUEST.exec(head)?.[0] ?? '', ...below];
    return { end, said: said.filter((part) => part !== '' && !JSON_END.test(part)) };
  }
  const message = RECORD.exec(text)?.[1];
  if (message === undefined || message.length < MIN_REPEATED) return undefined;
  const end = endOfStack(lines, start);
  const stack = lines.slice(start + 1, end).map((line) => withoutPrefix(line.text));
  // An error that was logged again is another one, unless its stack says that it is the same.
  if (stack.length === 0 && severityOf(classificationOf(text)) > 0) return undefined;
  return { end, said: stack.length === 0 ? [message] : [message.replace(/\d+/g, '0'), ...stack] };
}

/** Where the next line is that is no part of a record in JSON. */
function endOfJson(lines: readonly Line[], start: number): number {
  const rest = lines.slice(start + 1).map(({ text }) => withoutPrefix(text));
  const end = rest.findIndex((text) => !/^\s/.test(text) || JSON_END.test(text));
  if (end === -1) return lines.length;
  return start + 1 + end + Number(JSON_END.test(rest[end] ?? ''));
}

/** Where the next line is that is neither the exception right below a record nor a frame of its stack. */
function endOfStack(lines: readonly Line[], start: number): number {
  const isFrameAt = (index: number) => isFrame(withoutPrefix(lines[index]?.text ?? ''));
  let end = start + 1;
  if (!isFrameAt(end) && isFrameAt(end + 1)) end++;
  while (isFrameAt(end)) end++;
  return isFrameAt(end - 1) ? end : start + 1;
}

/** Lines right above the name of a failed test. */
const MAX_LOGGED = 4;

/** Without what was logged right above a failed test, and above another one before, but for how long it took. */
export function withoutLogsAgain(lines: readonly Line[]): Line[] {
  const isName = ({ text }: Line) => classificationOf(text) === 'failedTest';
  const seen = new Set<string>();
  const again = new Set<Line>();
  for (const [index, name] of lines.entries()) {
    if (!isName(name)) continue;
    const above = lines.slice(Math.max(0, index - MAX_LOGGED), index);
    const start = above.findLastIndex((line, i) => isName(line) || line.at !== name.at - above.length + i);
    const logged = above
      .slice(start + 1)
      .filter(({ text }) => text.length >= MIN_REPEATED && indentOf(text) === 0);
    for (const line of logged) {
      const said = normalized(line.text);
      if (seen.has(said)) again.add(line);
      seen.add(said);
    }
  }
  return lines.filter((line) => !again.has(line));
}

/** What PostgreSQL has logged: an error, and below it more about it, and the statement. */
const OF_SERVER =
  /^(?:\S+ +\| )?\d{4}-\d\d-\d\d [\d:.]+ [A-Z]{3,4} \[\d+\] (?:\S+ )?(ERROR|FATAL|DETAIL|HINT|CONTEXT|STATEMENT): +(.+)$/;

/** Without the errors that a server has logged where its client says all of each. */
export function withoutServerRecords(lines: readonly Line[]): Line[] {
  const ofClient = lines.filter(({ text }) => !OF_SERVER.test(text));
  const isSaid = (said: string) => ofClient.some(({ text }) => text.includes(said));
  const records: Line[][] = [];
  for (const line of lines) {
    const [, part = ''] = OF_SERVER.exec(line.text) ?? [];
    if (part === 'ERROR' || part === 'FATAL') records.push([line]);
    else if (part !== '') records.at(-1)?.push(line);
  }
  const saidAll = records.filter((record) =>
    record.every(({ text }) => {
      const [, part, said = ''] = OF_SERVER.exec(text) ?? [];
      return part === 'STATEMENT' || isSaid(said);
    }),
  );
  const redundant = new Set(saidAll.flat());
  return lines.filter((line) => !redundant.has(line));
}
