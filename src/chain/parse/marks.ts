import type { PromptProblem } from './problems.ts';
import { readGate, type TypedGate } from './read-gate.ts';
import type { PromptLibrary } from './templates.ts';

/** A gate in a prompt, or an arrow that may separate two steps. */
export interface Mark {
  /** Indices in the prompt. */
  readonly start: number;
  readonly end: number;
  /** Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  readonly what: TypedGate | { readonly kind: 'arrow' } | { readonly kind: 'broken' };
  /** Not empty if it is broken. */
  readonly problems: readonly PromptProblem[];
}

const SIGN = /`+|::|(?<!\S)-->(?!\S)/g;

/** Finds the gates and arrows of a prompt, in order, in linear time for any prompt. */
export function findMarks(prompt: string, criterion: PromptLibrary['criterion']): Mark[] {
  const marks: Mark[] = [];
  for (const line of proseLines(prompt)) {
    if (!/::|-->/.test(line.text)) continue;
    for (const mark of marksIn(line, criterion)) marks.push(mark);
  }
  return marks;
}

function* marksIn(line: ProseLine, criterion: PromptLibrary['criterion']): Generator<Mark> {
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

/** Index of the last run of backticks of each length: a run after it opens no inline code. */
function lastRunsIn(text: string): ReadonlyMap<number, number> {
  return new Map(Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]));
}

/**
 * Index after inline code, which ends at the next run of as many backticks in its line. Without one, the backticks are
 * plain text.
 */
function endOfCode(text: string, at: number, ticks: number, lastRuns: ReadonlyMap<number, number>): number {
  if ((lastRuns.get(ticks) ?? 0) < at) return at;
  const runs = /`+/g;
  runs.lastIndex = at;
  let run = runs.exec(text);
  while (run && run[0].length !== ticks) run = runs.exec(text);
  return run ? runs.lastIndex : at;
}

/** A line of a prompt that is not code. */
interface ProseLine {
  /** From 1. */
  readonly number: number;
  /** Index of the line in the prompt. */
  readonly offset: number;
  readonly text: string;
  /** Index in the line where prose begins: after the fence, in a line that closes one. */
  readonly start: number;
}

/** Terminals paste a lone carriage return as a line end too. */
const LINE = /([^\r\n]*)(?:\r\n?|\n|$)/g;
/** As in CommonMark: three backticks or tildes; a backtick after backticks makes them inline code. */
const OPENING = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
/** More than in CommonMark: text after a closing fence and a blank is prose. */
const CLOSING = /^\s*(`{3,}|~{3,})(?=\s|$)/;
/** A quoted line, as in mails and Markdown; `>>name` is the call of a template. */
const QUOTATION = /^\s*>+(?:\s|$)/;

/** The lines of a prompt without Markdown's fences, their content, and quoted lines. */
function* proseLines(prompt: string): Generator<ProseLine> {
  let fence = '';
  let number = 0;
  for (const { 1: text = '', index: offset } of prompt.matchAll(LINE)) {
    number++;
    if (fence !== '') {
      const [closing = '', ticks = ''] = CLOSING.exec(text) ?? [];
      if (!ticks.startsWith(fence)) continue;
      fence = '';
      yield { number, offset, text, start: closing.length };
      continue;
    }
    const [, ticks, tildes] = OPENING.exec(text) ?? [];
    fence = ticks ?? tildes ?? '';
    if (fence === '' && !QUOTATION.test(text)) yield { number, offset, text, start: 0 };
  }
}
