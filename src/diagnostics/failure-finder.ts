import { bestLines, type Failure, type FailureLine, type Line, VALUE, type Value } from './failure.ts';
import { Headings } from './headings.ts';
import { leadTo } from './lead.ts';
import type { LineForm } from './line-form.ts';
import { type Meaning, WEIGHT } from './line-meaning.ts';
import { announces, indentOf, pointsBack } from './line-structure.ts';
import {
  advance,
  belongs,
  isForeign,
  isOnlyWarned,
  type OpenFailure,
  openFailure,
  raiseInnermostFrame,
  worthOf,
} from './open-failure.ts';

/** A failure with more lines than this is cut to the best of them. */
const MAX_LINES = 160;
const CUT_CHARACTERS = 6000;
/** Blank lines that may stand between the parts of one failure. */
const MAX_BLANKS = 2;
/** Lines right above a headline that may lead to it. */
const LEAD_LINES = 6;
/** Lines above a wrapper's word that the command failed: they may say why. */
const ENDING_LINES = 3;
/** More forms than a run meets: the headline's and that of the last error line make one number. */
const FORMS = 2 ** 26;
type Headline = Pick<LineForm, 'text' | 'indent' | 'announces' | 'tellsEnd' | 'id'>;

/** Finds the failures among the lines of one channel: a stream, or one task's lines of it. */
export class FailureFinder {
  readonly #found: (failure: Failure) => void;
  #open: OpenFailure | undefined;
  readonly #headings = new Headings();
  #lead: Line[] = [];
  /** The last lines, whatever they say. */
  readonly #before: Line[] = [];

  constructor(found: (failure: Failure) => void) {
    this.#found = found;
  }

  /** @returns whether the line is noise: no part of a failure, and nothing that tells how the run went */
  take(line: Line, form: LineForm): boolean {
    const isNoise = this.#take(line, form);
    this.#before.push(line);
    if (this.#before.length > ENDING_LINES) this.#before.shift();
    return isNoise;
  }

  takeBlank(): void {
    this.#lead = [];
    if (this.#open && ++this.#open.blanks > MAX_BLANKS) this.end();
  }

  end(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#found(open.failure);
  }

  #take(line: Line, form: LineForm): boolean {
    if (this.#open && belongs(this.#open, form)) return this.#append(this.#open, line, form);
    this.end();
    const above = this.#lead.at(-1);
    if (form.meaning.kind === 'failure') this.#begin(line, form, form.weight);
    else if (above && form.indent > 0 && form.isFrame && /:\d|line \d/.test(form.text))
      return this.#append(this.#beginStack(above), line, form);
    else this.#remember(line, form);
    return isNoise(form.meaning);
  }

  #begin(
    line: Line,
    { text, indent, announces, tellsEnd: isEnd, id }: Headline,
    weight: number,
  ): OpenFailure {
    const lead = isEnd ? [...this.#before] : leadTo(this.#lead, text, indent);
    // Where a line only points to the place, the one above says what is wrong there.
    const headline = pointsBack(text) ? (lead.at(-1) ?? line) : line;
    const above = this.#headings.above(indent, lead[0] ?? line);
    const lines = [
      ...above.map((heading) => valued(heading, VALUE.detail)),
      ...lead.map((leading) => valued(leading, leading === headline ? VALUE.error : VALUE.code)),
      valued(line, VALUE.error),
    ];
    this.#open = openFailure({ weight, form: id, headline, lines }, indent, announces);
    this.#lead = [];
    this.#headings.push(line, indent);
    return this.#open;
  }

  /** A stack that nothing announced: the line above it says why it was printed. */
  #beginStack(above: Line): OpenFailure {
    this.#lead.pop();
    const { text } = above;
    return this.#begin(
      above,
      { text, indent: indentOf(text), announces: announces(text), tellsEnd: false, id: 0 },
      WEIGHT.thrown,
    );
  }

  #append(open: OpenFailure, line: Line, form: LineForm): boolean {
    const { failure } = open;
    const { indent, meaning, weight } = form;
    const { hadBlank, announced } = advance(open, form);
    if (meaning.kind === 'passed' || meaning.kind === 'chatter') return true;
    if (isForeign(open, form)) return true;
    const isError = weight > WEIGHT.mentioned;
    if (isError) failure.weight = Math.max(failure.weight, weight);
    // A stack below it: it was no mere mention.
    if (failure.weight === WEIGHT.mentioned && form.isFrame && form.namesPlace)
      failure.weight = WEIGHT.thrown;
    if (isOnlyWarned(failure, form)) failure.weight = WEIGHT.warning;
    const isMessage = isError || (announced && indent <= open.indent);
    if (isMessage) failure.form = (failure.form % FORMS) + form.id * FORMS;
    const value = isMessage ? VALUE.error : worthOf(form, failure.lines.at(-1));
    if (hadBlank) failure.lines.push({ at: line.at - 0.5, text: '', value });
    failure.lines.push(valued(line, value));
    if (isError) raiseInnermostFrame(failure.lines);
    else this.#headings.push(line, indent);
    if (failure.lines.length > MAX_LINES) failure.lines = bestLines(failure, CUT_CHARACTERS);
    this.#lead = form.isPlace ? [line] : [];
    return false;
  }

  #remember(line: Line, { ruler, meaning, indent }: LineForm): void {
    if (ruler) {
      this.#headings.startSection(ruler.title === '' ? undefined : line);
      this.#lead = [];
    } else if (meaning.kind === 'plain') {
      this.#headings.push(line, indent);
      this.#lead.push(line);
      if (this.#lead.length > LEAD_LINES) this.#lead.shift();
    } else if (this.#lead.length > 0) this.#lead = [];
  }
}

function isNoise(meaning: Meaning): boolean {
  if (meaning.kind === 'failure') return meaning.weight === WEIGHT.warning;
  return meaning.kind === 'passed' || meaning.kind === 'chatter';
}

/** Not by spreading, which takes a fifth of all the time that a log of errors does. */
function valued({ at, text }: Line, value: Value): FailureLine {
  return { at, text, value };
}
