import { namesPlace } from './line-structure.ts';

/** A line of output, with its place in the order of arrival. */
export interface Line {
  readonly at: number;
  readonly text: string;
}

/** What a line of a failure is worth when there is not room for all of them. */
export const VALUE = {
  /** Says what is wrong. */
  error: 4,
  /** What was expected and what came, a note, a heading. */
  detail: 3,
  /** Shows the code, or the way that led there. */
  code: 2,
  body: 1,
} as const;
export type Value = (typeof VALUE)[keyof typeof VALUE];

export interface FailureLine extends Line {
  readonly value: Value;
}

/** Something that failed, in the lines that tell of it: headings, the words themselves, and the details below. */
export interface Failure {
  /** One of `WEIGHT`: the highest of its lines. */
  readonly weight: number;
  /** Failures of one form say the same but for numbers. */
  readonly form: number;
  /** The line that says that something failed. */
  readonly headline: Line;
  /** In order of arrival; where lines were left out, `at` leaves a gap. */
  readonly lines: readonly FailureLine[];
}

/** A failure that an excerpt may be made of. */
export interface StoredFailure {
  readonly failure: Failure;
  readonly kind: string;
  readonly message: string;
  /** Its own weight, or what the lines after it made of it. */
  weight: number;
  /** How often the very same was told. */
  times: number;
}

/**
 * The lines of a failure that are worth the most, as many as fit; the nearer to the headline, the better.
 *
 * @returns in order of arrival; none where not even one fits
 */
export function bestLines({ lines, headline }: Failure, maxCharacters: number): FailureLine[] {
  if (lengthOf(lines) <= maxCharacters) return [...lines];
  const distance = ({ at }: Line) => Math.abs(at - headline.at);
  const ranked = lines.toSorted(
    (a, b) => b.value - a.value || placed(b) - placed(a) || distance(a) - distance(b),
  );
  const kept: FailureLine[] = [];
  let room = maxCharacters;
  for (const line of ranked) {
    room -= line.text.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return kept.toSorted((a, b) => a.at - b.at);
}

/** Of many lines that say what is wrong, the one that also says where. */
function placed({ text, value }: FailureLine): number {
  return value === VALUE.error && namesPlace(text) ? 1 : 0;
}

export function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** What stays the same where the same failure is told again: what it says, without times and addresses. */
export function signatureOf({ lines, headline }: Failure): string {
  const errors = lines.filter(({ at, value }) => at >= headline.at && value === VALUE.error).slice(0, 4);
  return errors.map(({ text }) => normalised(text)).join('\n');
}

/** A text without what differs from run to run: times, addresses, temporary paths. */
export function normalised(text: string): string {
  return text
    .replace(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|m)\b/g, '…')
    .replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|\b\d{4}-\d\d-\d\d\b/g, '…')
    .replace(/\b0x[\da-f]+\b/gi, '…')
    .replace(
      /(\/tmp\/|\/var\/folders\/)[^\s'":)]+/g,
      (path) => `/tmp/…/${path.slice(path.lastIndexOf('/') + 1)}`,
    )
    .replace(/\b(pid|port|worker)[ :=]+\d+/gi, '$1 …')
    .replace(/\s+/g, ' ')
    .trim();
}
