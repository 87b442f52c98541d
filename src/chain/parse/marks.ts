import { findInlineCode, findTags, type Line, LineReader, linesOf } from './pasted.ts';
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

/** The part of a prompt from the first pasted text of a kind to the last. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

const SIGN = /`+|::|(?<!\S)-->(?!\S)|<!--|<!\[CDATA\[|<\?(?=\w)|[<["“”']/g;
/** How regions end that are not elements. */
const REGION_ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };

/**
 * Finds the gates and arrows that are typed in a prompt, in order, in linear time for any prompt. A gate in a place where
 * it may be part of a pasted text is broken: its command must not run, and the person has to know.
 */
export function findMarks(prompt: string, criterion: PromptLibrary['criterion']): Mark[] {
  return new MarkFinder(prompt, criterion).find();
}

class MarkFinder {
  readonly #prompt: string;
  readonly #criterion: PromptLibrary['criterion'];
  readonly #lines = new LineReader();
  readonly #tags;
  readonly #inlineCode;
  readonly #marks: Mark[] = [];
  readonly #stretches = new Map<string, Stretch>();
  /** Index after a region of several lines. */
  #resume = 0;
  /** Index before which the current step has nothing but gates. */
  #stepStart = 0;

  constructor(prompt: string, criterion: PromptLibrary['criterion']) {
    this.#prompt = prompt;
    this.#criterion = criterion;
    this.#tags = findTags(prompt);
    this.#inlineCode = findInlineCode(prompt);
  }

  find(): Mark[] {
    for (const line of linesOf(this.#prompt)) this.#readLine(line);
    if (this.#lines.isInFence) this.#stretch('fence', this.#prompt.length, this.#prompt.length);
    return withDoubts(this.#marks, [...this.#stretches.values()]);
  }

  #readLine(line: Line): void {
    const { offset, text } = line;
    if (this.#resume > offset) {
      // The rest of a line in which a region ends.
      if (this.#resume <= offset + text.length) this.#readTyped(line, this.#resume - offset, false);
      return;
    }
    const wasInFence = this.#lines.isInFence;
    const kind = this.#lines.read(text, this.#isStep(offset));
    if (kind.what === 'fence') this.#stretch('fence', offset, offset + text.length);
    else if (kind.what === 'region') this.#skip(kind.close, offset, offset, kind.close);
    else if (kind.what === 'table') this.#dropLine(line.number - 1);
    else if (kind.what === 'typed') {
      if (wasInFence) this.#stretch('fence', offset, offset + kind.start);
      this.#readTyped(line, kind.start, false);
    } else if (kind.what === 'doubtful') this.#readTyped(line, 0, true);
  }

  /** Whether a step begins here: nothing is before it but gates, and an arrow. */
  #isStep(offset: number): boolean {
    while (this.#stepStart < offset && /\s/.test(this.#prompt[this.#stepStart] ?? '')) this.#stepStart++;
    return this.#stepStart >= offset;
  }

  #readTyped(line: Line, start: number, isDoubtful: boolean): void {
    const { text, offset } = line;
    if (!/::|-->|[<[`]/.test(text)) return;
    SIGN.lastIndex = start;
    for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
      const { index, 0: typed } = sign;
      let at = index + typed.length;
      if (typed === '-->') this.#add(line, index, at, { kind: 'arrow' }, []);
      else if (typed.startsWith('`')) at = this.#endOfCode(offset + index, typed) - offset;
      else if (typed === '<' || typed === '[') at = this.#endOfTag(offset + index) - offset;
      else if (REGION_ENDS[typed] !== undefined)
        at = this.#skip(typed, offset + index, offset + at, REGION_ENDS[typed]) - offset;
      else if (typed !== '::') this.#quote(line, index, typed);
      else {
        const reading = readGate(text, index, this.#criterion);
        at = reading?.end ?? at;
        const flaws = isDoubtful ? [{ at: index, message: IN_INDENTED }] : [];
        if (reading)
          this.#add(line, index, at, reading.gate ?? { kind: 'broken' }, [...reading.flaws, ...flaws]);
      }
      if (at > text.length) return;
      SIGN.lastIndex = at;
    }
  }

  #add(
    { number, offset }: Line,
    index: number,
    end: number,
    what: Mark['what'],
    flaws: readonly { readonly at: number; readonly message: string }[],
  ): void {
    const start = offset + index;
    const problems = flaws.map(({ at, message }) => ({ line: number, column: at + 1, message }));
    this.#marks.push({ start, end: offset + end, line: number, column: index + 1, what, problems });
    if (what.kind === 'arrow' || this.#isStep(start)) this.#stepStart = offset + end;
  }

  /** A quotation mark outside of gates: what is between two of a line may be a quotation. */
  #quote({ text, offset, number }: Line, index: number, mark: string): void {
    if (mark === "'" && !isQuotationMark(text, index)) return;
    const kind = mark === '“' ? '”' : mark;
    this.#stretch(`${kind}${number}`, offset + index, offset + index + 1);
  }

  #endOfCode(start: number, ticks: string): number {
    const code = this.#inlineCode.get(start);
    if (code) {
      this.#stretch(code.kind, start, code.end);
      return this.#resumeAt(code.end);
    }
    // `text: ```` begins a code block too, though not in Markdown.
    if (ticks.length < 3) return start + ticks.length;
    this.#lines.openFence(ticks);
    this.#stretch('fence', start, start);
    return Number.POSITIVE_INFINITY;
  }

  #endOfTag(start: number): number {
    const tag = this.#tags.get(start);
    if (!tag) return start + 1;
    if (tag.elementEnd === undefined) return this.#resumeAt(tag.end);
    this.#stretch(tag.name, start, Math.max(tag.elementEnd, tag.lastEnd));
    return this.#resumeAt(tag.elementEnd);
  }

  /** Skips a region up to the text that closes it; without one, to the end of the prompt. */
  #skip(kind: string, start: number, from: number, close: string): number {
    const index = this.#prompt.indexOf(close, from);
    const end = index === -1 ? this.#prompt.length : index + close.length;
    this.#stretch(kind, start, end);
    return this.#resumeAt(end);
  }

  #resumeAt(end: number): number {
    this.#resume = end;
    return end;
  }

  #stretch(kind: string, start: number, end: number): void {
    const known = this.#stretches.get(kind);
    const all = known ? { start: known.start, end: Math.max(known.end, end) } : { start, end };
    this.#stretches.set(kind, all);
  }

  /** The header of a table is known by the line below it. */
  #dropLine(number: number): void {
    while (this.#marks.at(-1)?.line === number) this.#marks.pop();
  }
}

const IN_INDENTED =
  'found a gate in an indented line, which may be code, expected it without the indentation';
const BETWEEN =
  'found a gate between two quotation marks, code blocks, tags or comments of one kind, expected it before the first or after the last one: a pasted text may contain the end of its own block';

/** `it's` has no quotation mark. */
function isQuotationMark(text: string, index: number): boolean {
  return !/\w/.test(text[index - 1] ?? '') || !/\w/.test(text[index + 1] ?? '');
}

/** A gate between two pasted texts may be in one that contains the end of its own fence, element or quotation. */
function withDoubts(marks: readonly Mark[], stretches: readonly Stretch[]): Mark[] {
  const inOrder = stretches.toSorted((a, b) => a.start - b.start);
  let next = 0;
  let reach = 0;
  return marks.map((mark) => {
    for (; next < inOrder.length && (inOrder[next]?.start ?? 0) < mark.start; next++)
      reach = Math.max(reach, inOrder[next]?.end ?? 0);
    if (mark.what.kind === 'arrow' || reach <= mark.start) return mark;
    const { line, column } = mark;
    return { ...mark, problems: [...mark.problems, { line, column, message: BETWEEN }] };
  });
}

/** What looks like a command or a decision of a person. */
const GATE = /::\s{0,20}(?:verify\s{0,20}:\s{0,20}["'“‘]|gate_action\s{0,20}:\s{0,20}[a-z])/g;

/** The lines, from 1, in which something looks like a gate but is in pasted text or not separate: it is not run. */
export function linesOfUntyped(prompt: string, criterion: PromptLibrary['criterion']): number[] {
  const marks = findMarks(prompt, criterion);
  const lines: number[] = [];
  let next = 0;
  let line = 1;
  let from = 0;
  for (const { index } of prompt.matchAll(GATE)) {
    while (next < marks.length && (marks[next]?.end ?? 0) <= index) next++;
    if ((marks[next]?.start ?? Number.POSITIVE_INFINITY) <= index) continue;
    line += prompt.slice(from, index).match(/\r\n?|\n/g)?.length ?? 0;
    from = index;
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}
