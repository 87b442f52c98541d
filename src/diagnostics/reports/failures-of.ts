import { classify, severityOf } from '../classify.ts';
import type { FailureBlock, FailureLine, Line, Priority, StoredFailure } from '../failure.ts';
import { PRIORITY } from '../failure.ts';
import { cleanLine } from '../line-text.ts';
import { SEVERITY } from '../rules.ts';
import { FailureStore, type FailureTally } from '../store.ts';
import { isCode, isDetail, isExternalFrame, isFrame, namesPlace, separatorIn } from '../structure.ts';
import type { ReportedFailure } from './types.ts';

/** Of one failure, so many lines are kept. */
const MAX_LINES = 120;
/** Messages that lines of the output are compared with. */
const MAX_MESSAGES = 1000;
const INDENT = '  ';

/** The failures of reports, as they are shown and counted. */
export interface ReportFindings {
  /** Their lines are before those of the output: their positions are negative. */
  readonly failures: readonly StoredFailure[];
  readonly tallies: ReadonlyMap<number, FailureTally>;
  /** What is wrong, also where the details of a failure repeat it. */
  readonly messages: readonly string[];
}

/** @param shown makes a text of a report one that is shown: without secrets, and paths as the project has them */
export function failuresOf(
  reported: readonly ReportedFailure[],
  shown: (text: string) => string,
): ReportFindings {
  const hasErrors = reported.some(({ kind }) => kind !== 'warning');
  const store = new FailureStore();
  const messages = new Set<string>();
  let at = 0;
  for (const [id, failure] of reported.entries()) {
    // Where there are errors, warnings did not make the gate fail.
    if (failure.kind === 'warning' && hasErrors) continue;
    const block = blockOf(failure, id, at, shown);
    at += block.lines.length;
    if (messages.size < MAX_MESSAGES)
      messages.add(
        shown(failure.message ?? '')
          .trim()
          .split('\n', 1)[0] ?? '',
      );
    store.add(block, '');
  }
  const moved = <L extends Line>(line: L): L => ({ ...line, at: line.at - at });
  const failures = store.failures().map((stored) => {
    const { block } = stored;
    return {
      ...stored,
      block: { ...block, headline: moved(block.headline), lines: block.lines.map(moved) },
    };
  });
  return { failures, tallies: store.tallies, messages: [...messages] };
}

const SEVERITIES = { test: SEVERITY.failedTest, error: SEVERITY.located, warning: SEVERITY.warning };

/** @param at the position of its first line */
function blockOf(
  failure: ReportedFailure,
  templateId: number,
  at: number,
  shown: (text: string) => string,
): FailureBlock {
  const linesOf = (text = '') =>
    shown(text)
      .split(/\r?\n|\r/)
      .map(cleanLine);
  const details = dedented(linesOf(failure.details)).slice(0, MAX_LINES);
  const message = withoutBlank(linesOf(failure.message)).slice(0, MAX_LINES);
  const place = linesOf(placeOf(failure)).join(' ');
  const { headline, more } =
    failure.kind === 'test'
      ? {
          headline: testHeadline(linesOf(failure.name).join(' '), place, details),
          more: repeats(details, message) ? details : [...message.map(asError), ...details],
        }
      : {
          headline: errorHeadline(failure, place, message[0] ?? details.shift() ?? ''),
          more: [...message.slice(1).map(asError), ...details],
        };
  const lines: FailureLine[] = [{ at, text: headline, priority: PRIORITY.error }];
  for (const line of more) {
    const { text, priority } =
      typeof line === 'string' ? { text: line, priority: priorityOf(line, lines) } : line;
    if (isNoise(text) || text === headline) continue;
    if (text === '' && lines.at(-1)?.text === '') continue;
    lines.push({ at: at + lines.length, text: text === '' ? '' : `${INDENT}${text}`, priority });
  }
  while (lines.at(-1)?.text === '') lines.pop();
  return { severity: SEVERITIES[failure.kind], templateId, headline: { at, text: headline }, lines };
}

/** A frame that is not the project's, or that names no line; a line that only separates. */
function isNoise(text: string): boolean {
  return (
    isExternalFrame(text) || /\((?:node:[^()]*|<anonymous>)\)/.test(text) || separatorIn(text)?.title === ''
  );
}

/** Whether details begin with a message, or have it after what a tool puts before it. */
function repeats(details: readonly string[], message: readonly string[]): boolean {
  const [first] = message;
  const solid = (lines: readonly string[]) => lines.join('').replace(/\s+/g, '');
  return (
    first !== undefined &&
    (details.some((line) => line.includes(first)) || solid(details).includes(solid(message)))
  );
}

function asError(text: string): { readonly text: string; readonly priority: Priority } {
  return { text, priority: PRIORITY.error };
}

function placeOf({ file, line, column }: ReportedFailure): string {
  return [file, line, line && column].filter(Boolean).join(':');
}

/** `✗ math > adds (tests/math.test.ts:5:17)`; without the place if the details name it. */
function testHeadline(name: string, place: string, details: readonly string[]): string {
  const isNamed = place === '' || name.includes(place) || details.some((line) => line.includes(place));
  return cleanLine(`✗ ${name}${isNamed ? '' : ` (${place})`}`);
}

/** `src/a.ts:3:5: error: unused variable [no-unused-vars]` */
function errorHeadline({ kind, rule }: ReportedFailure, place: string, message: string): string {
  const code = rule === undefined || message.includes(rule) ? '' : ` [${rule}]`;
  return cleanLine(`${place === '' ? '' : `${place}: `}${kind}: ${message}${code}`);
}

function priorityOf(text: string, above: readonly Line[]): Priority {
  if (severityOf(classify(text)) > SEVERITY.mentioned) return PRIORITY.error;
  if (isDetail(text)) return PRIORITY.detail;
  // The innermost frame is the first in most languages.
  if (isFrame(text)) return isFrame(above.at(-1)?.text ?? '') ? PRIORITY.code : PRIORITY.detail;
  if (isCode(text)) return PRIORITY.code;
  return namesPlace(text) ? PRIORITY.detail : PRIORITY.body;
}

/** Without the blank lines at both ends, and without the indentation that all lines share. */
function dedented(lines: readonly string[]): string[] {
  const own = withoutBlank(lines);
  const indent = Math.min(...own.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return own.map((line) => line.slice(indent));
}

function withoutBlank(lines: readonly string[]): string[] {
  const isFull = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}
