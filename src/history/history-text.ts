import { count, oneLine, thousands } from '../base/text.ts';
import type { Paint } from '../messages/paint.ts';
import { dateRange, localDateTime } from '../report/format.ts';
import type { ClaimCounts, History, Unread } from './count-history.ts';
import { EVIDENCE, type Evidence, LEFT_OUT, type LeftOut } from './judge-turn.ts';

const HEADINGS: Readonly<Record<Evidence, string>> = {
  verified: 'verified',
  stale: 'stale',
  failed: 'failed',
  never_ran: 'never ran',
  unknown: 'unknown',
};

const MEANINGS: Readonly<Record<Evidence, string>> = {
  verified: 'a gate passed after the last edit',
  stale: 'gates ran before the last edit only',
  failed: 'the last run of a gate after the last edit failed',
  never_ran: 'no gate ran in the turn',
  unknown: 'a gate ran, and its exit code is not recorded',
};

const REASONS: Readonly<Record<LeftOut, string>> = {
  'no-edits': 'edited no file of the project',
  interrupted: 'were interrupted',
  'no-message': 'ended without a message',
  question: 'ended with a question',
  'not-done': 'say that something is not done',
};

const NAME_COLUMNS = 12;
const COLUMNS = ['claims', ...EVIDENCE.map((evidence) => HEADINGS[evidence])].map(
  (heading) => Math.max(heading.length, 6) + 1,
);

/** The table for a terminal of 60 columns or more, and what its columns mean. */
export function historyText(history: History, since: Date | undefined, paint: Paint): string {
  const { hosts, total, before, span } = history;
  if (!span) return text([...emptyLines(history, since), '', ...leftOutLines(history), ...notes(history)]);
  const sides = [
    { title: 'Before', counts: before },
    { title: 'Since', counts: history.since },
  ].filter(({ counts }) => counts.claims > 0);
  const lines = [
    paint('bold', `Agents that said done, ${dateRange(span)}`),
    '',
    paint('dim', row('', ['claims', ...EVIDENCE.map((evidence) => HEADINGS[evidence])])),
    ...hosts.filter(({ claims }) => claims > 0).map((host) => countRow(host.title, host)),
    ...(hosts.length > 1 ? [paint('bold', countRow('All', total))] : []),
    shareRow('', total),
    '',
    ...sides.flatMap(({ title, counts }) => [countRow(title, counts), shareRow('', counts)]),
    paint('dim', 'Before and since ralph-loop was first called in the project.'),
    '',
    'claims     turns that edited files and said done',
    ...EVIDENCE.map((evidence) => `${HEADINGS[evidence].padEnd(11)}${MEANINGS[evidence]}`),
    '',
    ...leftOutLines(history),
    ...notes(history),
  ];
  return text(lines);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}

function countRow(title: string, counts: ClaimCounts): string {
  return row(title, [counts.claims, ...EVIDENCE.map((evidence) => counts[evidence])].map(thousands));
}

function shareRow(title: string, counts: ClaimCounts): string {
  return row(title, ['', ...shares(EVIDENCE.map((evidence) => counts[evidence])).map((n) => `${n} %`)]);
}

function row(title: string, cells: readonly string[]): string {
  const padded = cells.map((cell, index) => cell.padStart(COLUMNS[index] ?? 0));
  return `${title.padEnd(NAME_COLUMNS)}${padded.join('')}`.trimEnd();
}

/** Whole percentages that add up to 100: those that were cut the most are rounded up. */
export function shares(numbers: readonly number[]): number[] {
  const sum = numbers.reduce((all, n) => all + n, 0);
  const exact = numbers.map((n) => (sum === 0 ? 0 : (n / sum) * 100));
  const missing = sum === 0 ? 0 : 100 - exact.reduce((all, share) => all + Math.floor(share), 0);
  const cutMost = exact
    .map((share, index) => ({ index, cut: share - Math.floor(share) }))
    .toSorted((a, b) => b.cut - a.cut)
    .slice(0, missing)
    .map(({ index }) => index);
  return exact.map((share, index) => Math.floor(share) + (cutMost.includes(index) ? 1 : 0));
}

function emptyLines({ hosts, directories, unread }: History, since: Date | undefined): string[] {
  const when = since ? ` since ${localDateTime(since)}` : '';
  if (hosts.length > 0 || unread.length > 0)
    return [`The transcripts on this machine have no turn${when} that edited files and said done.`];
  return [
    `There are no transcripts of agents${when} on this machine. These directories were searched:`,
    ...directories.map((each) => `  ${oneLine(each)}`),
  ];
}

function leftOutLines({ leftOut }: History): string[] {
  const reasons = LEFT_OUT.filter((reason) => leftOut[reason] > 0);
  const sum = reasons.reduce((all, reason) => all + leftOut[reason], 0);
  if (sum === 0) return [];
  return [
    `${thousands(sum)} other ${sum === 1 ? 'turn is no claim' : 'turns are no claims'}:`,
    ...reasons.map((reason) => `${thousands(leftOut[reason]).padStart(7)} ${REASONS[reason]}`),
  ];
}

const MAX_UNREAD = 5;

function notes({ unread }: History): string[] {
  if (unread.length === 0) return [];
  const shown = unread.slice(0, MAX_UNREAD).map(unreadLine);
  const more = unread.length - shown.length;
  return ['', ...shown, ...(more > 0 ? [`${more} more files and directories were not read.`] : [])];
}

function unreadLine(unread: Unread): string {
  switch (unread.kind) {
    case 'path':
      return `Not read: ${oneLine(unread.path)}: ${oneLine(unread.why)}`;
    case 'no-sqlite':
      return `Not read: OpenCode's database. It needs Node 22.5 or later; this is Node ${unread.node}.`;
    case 'broken-lines':
      return `Not read: ${count(unread.lines, 'line')} that ${unread.lines === 1 ? 'is' : 'are'} no JSON.`;
    case 'long-lines':
      return `Not read: ${count(unread.lines, 'line')} of more than 8 MB.`;
  }
}
