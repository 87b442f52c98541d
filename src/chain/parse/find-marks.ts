import type { PromptProblem } from '../../state/prompt-step.ts';
import { type ProseLine, proseLines } from './prose-lines.ts';
import { readGate } from './read-gate.ts';
import type { TypedGate } from './typed-gate.ts';

/** A gate in a prompt, or an arrow that may stand between two steps. */
export interface Mark {
  /** The indices in the prompt that it reaches from and to. */
  readonly start: number;
  readonly end: number;
  /** Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  readonly what: TypedGate | { readonly kind: 'arrow' } | { readonly kind: 'broken' };
  /** What is wrong with it, where it is broken. */
  readonly problems: readonly PromptProblem[];
}

const SIGN = /`+|::|(?<!\S)-->(?!\S)/g;

/**
 * Finds the gates of a prompt, and the arrows, in their order, in time that grows as the prompt does, however it was
 * made.
 *
 * @param criterion the text that the project has below a name
 */
export function findMarks(prompt: string, criterion: (name: string) => string | undefined): Mark[] {
  const marks: Mark[] = [];
  for (const line of proseLines(prompt)) {
    if (!/::|-->/.test(line.text)) continue;
    for (const mark of marksIn(line, criterion)) marks.push(mark);
  }
  return marks;
}

function* marksIn(line: ProseLine, criterion: (name: string) => string | undefined): Generator<Mark> {
  const { text, offset, number } = line;
  const lastRuns = lastRunsIn(text);
  let at = line.start;
  for (let sign = signAt(text, at); sign; sign = signAt(text, at)) {
    const { index, 0: typed } = sign;
    at = index + typed.length;
    const place = { start: offset + index, line: number, column: index + 1 };
    if (typed === '-->') yield { ...place, end: offset + at, what: { kind: 'arrow' }, problems: [] };
    else if (typed !== '::') at = endOfCode(text, at, typed.length, lastRuns);
    else {
      const reading = readGate(text, index, criterion);
      if (!reading) continue;
      at = reading.end;
      const problems = reading.flaws.map((flaw) => ({
        line: number,
        column: flaw.at + 1,
        message: flaw.message,
      }));
      yield { ...place, end: offset + at, what: reading.gate ?? { kind: 'broken' }, problems };
    }
  }
}

function signAt(text: string, at: number): RegExpExecArray | null {
  SIGN.lastIndex = at;
  return SIGN.exec(text);
}

/** Where the last run of backticks stands, by its length: a run that is behind it opens no inline code. */
function lastRunsIn(text: string): ReadonlyMap<number, number> {
  return new Map(Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]));
}

/**
 * The index behind inline code, which ends at the next run of as many backticks in its line; where there is none, the
 * backticks stand for themselves.
 */
function endOfCode(text: string, at: number, ticks: number, lastRuns: ReadonlyMap<number, number>): number {
  if ((lastRuns.get(ticks) ?? 0) < at) return at;
  const runs = /`+/g;
  runs.lastIndex = at;
  let run = runs.exec(text);
  while (run && run[0].length !== ticks) run = runs.exec(text);
  return run ? runs.lastIndex : at;
}
