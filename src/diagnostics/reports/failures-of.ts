import { thousands } from '../../base/text.ts';
import {
  type FailureBlock,
  type FailureLine,
  type Line,
  PRIORITY,
  type Priority,
  type StoredFailure,
} from '../failures/failure.ts';
import { FailureStore, type FailureTally } from '../failures/store.ts';
import { classify, severityOf } from '../lines/classify.ts';
import { cleanLine } from '../lines/line-text.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isExternalFrame, isFrame } from '../lines/stack-frames.ts';
import { isCode, isDetail, namesPlace, separatorIn } from '../lines/structure.ts';
import { MAX_FAILURES, type ReportedFailure } from './types.ts';

/** Of one failure, so much is kept. */
const MAX_LINES = 120;
const MAX_CHARACTERS = 64 * 1024;
/** Of all failures together; of further ones, these few lines are kept. */
const MAX_ALL_LINES = 20_000;
const FEW_LINES = 4;
/** More is not looked at of a name with parts. */
const MAX_NAME_CHARACTERS = 500;
const MAX_PARENTS = 20;
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
  /** What is left out, for the person and the agent; undefined if everything is there. */
  readonly note: string | undefined;
}

/** @param shown makes a text of a report one that is shown: without secrets, and paths as the project has them */
export function failuresOf(
  reported: readonly ReportedFailure[],
  shown: (text: string) => string,
): ReportFindings {
  const hasErrors = reported.some(({ kind }) => kind !== 'warning');
  const store = new FailureStore();
  const messages = new Set<string>();
  const explained = new Set(reported.flatMap(({ name }) => parentsOf(name)));
  let at = 0;
  /** Failures that were read as far as one is. */
  let detailed = 0;
  let total = 0;
  for (const [id, failure] of reported.entries()) {
    // Where there are errors, warnings did not make the gate fail.
    if (failure.kind === 'warning' && hasErrors) continue;
    total++;
    if (id >= MAX_FAILURES) {
      store.count(SEVERITIES[failure.kind], 1);
      continue;
    }
    const isDetailed = at < MAX_ALL_LINES;
    if (isDetailed) detailed++;
    const block = blockOf(failure, { id, at, shown, maxLines: isDetailed ? MAX_LINES : FEW_LINES });
    if (block.lines.length === 1 && explained.has(failure.name ?? '')) continue;
    at += block.lines.length;
    const [message = ''] = shown(failure.message ?? '')
      .trim()
      .split('\n', 1);
    if (messages.size < MAX_MESSAGES) messages.add(cleanLine(message));
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
  const note =
    detailed < total
      ? `Of ${thousands(total)} failures in the report, the first ${thousands(detailed)} were read with their details.`
      : undefined;
  return { failures, tallies: store.tallies, messages: [...messages], note };
}

/** `TestTotal/small` is part of `TestTotal`, which has failed for no other reason. */
function parentsOf(name = ''): string[] {
  const short = name.slice(0, MAX_NAME_CHARACTERS);
  return [...short.matchAll(/\//g)].slice(0, MAX_PARENTS).map(({ index }) => short.slice(0, index));
}

const SEVERITIES = { test: SEVERITY.failedTest, error: SEVERITY.located, warning: SEVERITY.warning };

interface BlockOptions {
  /** Differs from that of all others. */
  readonly id: number;
  /** The position of its first line. */
  readonly at: number;
  readonly shown: (text: string) => string;
  /** Of the message, and of the details. */
  readonly maxLines: number;
}

function blockOf(failure: ReportedFailure, { id, at, shown, maxLines }: BlockOptions): FailureBlock {
  const linesOf = (text = '') =>
    shown(text)
      // After the secrets are masked: half of one is not recognized.
      .slice(0, MAX_CHARACTERS)
      .replace(/^\s*[\r\n]/, '')
      .split(/\r?\n|\r/, maxLines)
      .map(cleanLine);
  const details = dedented(linesOf(failure.details));
  const message = withoutBlank(linesOf(failure.message));
  const place = linesOf(placeOf(failure)).join(' ');
  const isTest = failure.kind === 'test';
  const name = linesOf(failure.name).join(' ');
  const ownName = name.split(/ > | › /).at(-1) ?? name;
  const isRepeated = repeats(details, message);
  const headline = isTest
    ? testHeadline(name, place, details)
    : errorHeadline(failure, place, message[0] ?? details.shift() ?? '');
  const lines: FailureLine[] = [{ at, text: headline, priority: PRIORITY.error }];
  const add = (text: string, priority: Priority) => {
    if (isNoise(text, ownName) || (text === '' && lines.at(-1)?.text === '')) return;
    lines.push({ at: at + lines.length, text: text === '' ? '' : `${INDENT}${text}`, priority });
  };
  const [first, ...more] = message;
  if (first !== undefined && isTest && !isRepeated) add(first, PRIORITY.error);
  // The details of a compiler begin with what the headline says.
  const rest = isRepeated
    ? details.filter((line) => isTest || !line.includes(first ?? ''))
    : [...more, ...details];
  for (const line of rest) add(line, priorityOf(line, lines));
  while (lines.at(-1)?.text === '') lines.pop();
  return { severity: SEVERITIES[failure.kind], template: id, headline: { at, text: headline }, lines };
}

/** A frame that is not the project's; a line that only separates; the verdict on the test, which the headline is. */
function isNoise(text: string, ownName: string): boolean {
  if (isExternalFrame(text) || /\((?:node:[^()]*|<anonymous>)\)/.test(text)) return true;
  if (separatorIn(text)?.title === '' || /^fail(?:ed|ure)$/i.test(text)) return true;
  const classification = classify(text);
  const isVerdict = classification === 'failedTest' && ownName !== '';
  return classification === 'chatter' || (isVerdict && text.includes(ownName));
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

function placeOf({ file, line, column }: ReportedFailure): string {
  return [file?.replace(/^\.\//, ''), line, line && column].filter(Boolean).join(':');
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
  const indent = own.reduce(
    (least, line) => (line === '' ? least : Math.min(least, line.search(/\S/))),
    Number.POSITIVE_INFINITY,
  );
  return own.map((line) => line.slice(indent));
}

function withoutBlank(lines: readonly string[]): string[] {
  const isFull = (line: string) => line !== '';
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1);
}
