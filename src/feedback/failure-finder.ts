import { bestLines, type Failure, type FailureLine, type Line, VALUE, type Value } from './failure.ts';
import { type Meaning, WEIGHT } from './line-meaning.ts';
import {
  announces,
  indentOf,
  isCode,
  isDetail,
  isForeignFrame,
  isFrame,
  isPlace,
  isQuotedCode,
  namesPlace,
  pointsBack,
  rulerIn,
  tellsEnd,
} from './line-structure.ts';

/** A failure with more lines than this is cut to the best of them. */
const MAX_LINES = 160;
const CUT_CHARACTERS = 6000;
/** Blank lines that may stand between the parts of one failure. */
const MAX_BLANKS = 2;
/** Plain lines directly below a headline that are taken for the rest of its message. */
const MESSAGE_LINES = 3;
/** Lines right above a headline that may lead to it. */
const LEAD_LINES = 6;
/** Lines above a wrapper's word that the command failed: they may say why. */
const ENDING_LINES = 3;
/** Headings above a headline: the suite, the file, the section. */
const MAX_HEADINGS = 3;
/** A heading further up is that of something else. */
const HEADING_REACH = 600;

const PLAIN: Meaning = { kind: 'plain' };

/** The failure that is being read. */
interface Open {
  readonly failure: { weight: number; readonly headline: Line; lines: FailureLine[] };
  readonly indent: number;
  /** Its last line of the headline's level announced something that has not come yet. */
  awaiting: boolean;
  messageLines: number;
  /** The last line was a frame: reports of crashes have several stacks. */
  afterFrame: boolean;
  blanks: number;
  /** The lines below a foreign frame that are indented deeper are part of it. */
  foreignIndent: number | undefined;
}

/** Finds the failures among the lines of one channel: a stream, or one task's lines of it. */
export class FailureFinder {
  readonly #found: (failure: Failure) => void;
  #open: Open | undefined;
  /** The headings that the next line stands under, outermost first. */
  #headings: { readonly indent: number; readonly line: Line }[] = [];
  #section: Line | undefined;
  #lead: Line[] = [];
  #before: Line[] = [];
  #previous: Line | undefined;

  constructor(found: (failure: Failure) => void) {
    this.#found = found;
  }

  /**
   * @param text the line's text without its wrapper's prefix
   * @returns whether the line is noise: no part of a failure, and nothing that tells how the run went
   */
  take(line: Line, text: string, told: Meaning): boolean {
    if (text === '') {
      this.#takeBlank();
      return true;
    }
    const indent = indentOf(text);
    if (this.#previous) this.#before.push(this.#previous);
    if (this.#before.length > ENDING_LINES) this.#before.shift();
    this.#previous = line;
    // The words of quoted code say nothing of the run.
    const meaning = isQuotedCode(text) ? PLAIN : told;
    if (this.#open && belongs(this.#open, text, indent, meaning))
      return this.#append(this.#open, line, text, indent, meaning);
    this.end();
    const above = this.#lead.at(-1);
    if (meaning.kind === 'failure') this.#begin(line, text, indent, meaning.weight);
    // A stack that nothing announced: the line above it says why it was printed.
    else if (above && indent > 0 && isFrame(text) && /:\d|line \d/.test(text)) {
      this.#lead.pop();
      this.#begin(above, above.text, indentOf(above.text), WEIGHT.thrown);
      return this.#append(this.#open as unknown as Open, line, text, indent, meaning);
    } else this.#remember(line, text, indent, meaning);
    return isNoise(meaning);
  }

  end(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#found(open.failure);
  }

  #takeBlank(): void {
    this.#lead = [];
    if (this.#open && ++this.#open.blanks > MAX_BLANKS) this.end();
  }

  #begin(line: Line, text: string, indent: number, weight: number): void {
    const lead = tellsEnd(text) ? [...this.#before] : this.#leadTo(text, indent);
    // Where a line only points to the place, the one above says what is wrong there.
    const headline = pointsBack(text) ? (lead.at(-1) ?? line) : line;
    const above = this.#headingsAbove(indent, lead[0] ?? line);
    const lines = [
      ...above.map((heading) => valued(heading, VALUE.detail)),
      ...lead.map((leading) => valued(leading, leading === headline ? VALUE.error : VALUE.code)),
      valued(line, VALUE.error),
    ];
    this.#open = opened({ weight, headline, lines }, text, indent);
    this.#lead = [];
    this.#pushHeading(line, indent);
  }

  #append(open: Open, line: Line, text: string, indent: number, meaning: Meaning): boolean {
    const { failure } = open;
    const hadBlank = open.blanks > 0;
    open.blanks = 0;
    const announced = open.awaiting;
    if (hadBlank && open.afterFrame) open.messageLines = 0;
    open.afterFrame = isFrame(text);
    if (indent <= open.indent) {
      open.awaiting = announces(text);
      open.messageLines++;
    }
    if (meaning.kind === 'passed' || meaning.kind === 'chatter') return true;
    if (open.foreignIndent !== undefined && indent > open.foreignIndent && !isFrame(text)) return true;
    open.foreignIndent = isForeignFrame(text) ? indent : undefined;
    if (open.foreignIndent !== undefined) return true;
    const isError = meaning.kind === 'failure' && meaning.weight > WEIGHT.mentioned;
    if (isError && meaning.weight > failure.weight) failure.weight = meaning.weight;
    // A stack below it: it was no mere mention.
    if (failure.weight === WEIGHT.mentioned && open.afterFrame && namesPlace(text))
      failure.weight = WEIGHT.thrown;
    const value =
      isError || (announced && indent <= open.indent) ? VALUE.error : worthOf(text, failure.lines.at(-1));
    if (isUnsure(failure, meaning)) failure.weight = WEIGHT.warning;
    if (hadBlank) failure.lines.push({ at: line.at - 0.5, text: '', value });
    failure.lines.push(valued(line, value));
    if (isError) frameBefore(failure.lines);
    if (failure.lines.length > MAX_LINES) failure.lines = bestLines(failure, CUT_CHARACTERS);
    if (!isError) this.#pushHeading(line, indent);
    this.#lead = isPlace(text) ? [line] : [];
    return false;
  }

  #remember(line: Line, text: string, indent: number, meaning: Meaning): void {
    const ruler = rulerIn(text);
    if (ruler) {
      if (ruler.title !== '') this.#section = line;
      this.#headings = [];
      this.#lead = [];
    } else if (meaning.kind === 'plain') {
      this.#pushHeading(line, indent);
      this.#lead.push(line);
      if (this.#lead.length > LEAD_LINES) this.#lead.shift();
    } else this.#lead = [];
  }

  #pushHeading(line: Line, indent: number): void {
    while ((this.#headings.at(-1)?.indent ?? -1) >= indent) this.#headings.pop();
    this.#headings.push({ indent, line });
  }

  /** The lines right above that lead to a headline: more indented ones, a pointer into code, one that announces it. */
  #leadTo(text: string, indent: number): Line[] {
    const isLead = ({ text: above }: Line, nearest: boolean) =>
      indentOf(above) > indent ||
      isCode(above) ||
      (nearest && (announces(above) || isPlace(above) || pointsBack(text)));
    const place = this.#lead.findIndex(({ text: above }) => isPlace(above) && announces(above));
    if (place !== -1) return this.#lead.slice(place);
    const last = this.#lead.findLastIndex((line, index) => !isLead(line, index === this.#lead.length - 1));
    return this.#lead.slice(last + 1).filter((line) => !isForeignFrame(line.text));
  }

  #headingsAbove(indent: number, { at }: Line): Line[] {
    const isNear = (line: Line) => line.at < at && at - line.at < HEADING_REACH;
    const headings = this.#headings.filter((heading) => heading.indent < indent).map(({ line }) => line);
    const section = this.#section === undefined || headings.includes(this.#section) ? [] : [this.#section];
    return [...section, ...headings.slice(-MAX_HEADINGS)].filter(isNear).toSorted((a, b) => a.at - b.at);
  }
}

function opened(failure: Open['failure'], text: string, indent: number): Open {
  return {
    failure,
    indent,
    awaiting: announces(text),
    messageLines: 0,
    afterFrame: false,
    blanks: 0,
    foreignIndent: undefined,
  };
}

/** Whether a line belongs to what is being read. */
function belongs(open: Open, text: string, indent: number, meaning: Meaning): boolean {
  const afterBlank = open.blanks > 0;
  const weight = meaning.kind === 'failure' ? meaning.weight : 0;
  if (!open.failure)
    return (
      weight === 0 &&
      (indent > open.indent || (indent === open.indent && !afterBlank && (isCode(text) || isDetail(text))))
    );
  if (meaning.kind === 'passed') return indent > open.indent;
  if (indent > open.indent) return !afterBlank || (weight <= open.failure.weight && weight < WEIGHT.verdict);
  if (open.awaiting) return meaning.kind !== 'summary' && meaning.kind !== 'chatter' && !rulerIn(text);
  if (weight < WEIGHT.located && (isCode(text) || isDetail(text) || isFrame(text))) return true;
  if (/^E\s/.test(text)) return true;
  if (afterBlank) return open.afterFrame && meaning.kind === 'plain' && !rulerIn(text);
  if (isRecord(open.failure.headline.text)) return false;
  if (meaning.kind === 'plain' || weight === WEIGHT.mentioned)
    return open.messageLines < MESSAGE_LINES && !rulerIn(text);
  // Lines that a wrapper tags alike are one message.
  return weight === WEIGHT.tagged && firstWord(text) === firstWord(open.failure.headline.text);
}

/** What a line is worth that says nothing of an error itself. */
function worthOf(text: string, above: Line | undefined): Value {
  if (isDetail(text)) return VALUE.detail;
  // The innermost frame is the first in most languages.
  if (isFrame(text)) return above && isFrame(above.text) ? VALUE.code : VALUE.detail;
  if (isCode(text)) return VALUE.code;
  return namesPlace(text) ? VALUE.detail : VALUE.body;
}

/** In Python, the innermost frame is the last, with its code below. */
function frameBefore(lines: FailureLine[]): void {
  const at = lines.findLastIndex(({ text }, index) => index >= lines.length - 4 && isFrame(text));
  const frame = lines[at];
  if (frame?.value === VALUE.code) lines[at] = { ...frame, value: VALUE.detail };
}

/** A place without a word on how bad it is: a warning below it says. */
function isUnsure({ weight, headline, lines }: Open['failure'], meaning: Meaning): boolean {
  return (
    weight === WEIGHT.thrown &&
    meaning.kind === 'failure' &&
    meaning.weight === WEIGHT.warning &&
    lines.at(-1) === lines.find(({ at }) => at === headline.at)
  );
}

function isNoise(meaning: Meaning): boolean {
  if (meaning.kind === 'failure') return meaning.weight === WEIGHT.warning;
  return meaning.kind === 'passed' || meaning.kind === 'chatter';
}

/** A structured log's line is whole. */
function isRecord(text: string): boolean {
  return /^\s*\{.*\}$/.test(text);
}

function firstWord(text: string): string | undefined {
  return /\S+/.exec(text)?.[0];
}

function valued(line: Line, value: Value): FailureLine {
  return { ...line, value };
}
