import { type FailureLine, type Line, VALUE, type Value } from './failure.ts';
import type { LineForm } from './line-form.ts';
import { WEIGHT } from './line-meaning.ts';
import { isFrame } from './line-structure.ts';

/** Plain lines directly below a headline that are taken for the rest of its message. */
const MESSAGE_LINES = 3;

/** The failure that is being read. */
export interface OpenFailure {
  readonly failure: { weight: number; form: number; readonly headline: Line; lines: FailureLine[] };
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

export function openFailure(
  failure: OpenFailure['failure'],
  indent: number,
  announces: boolean,
): OpenFailure {
  return {
    failure,
    indent,
    awaiting: announces,
    messageLines: 0,
    afterFrame: false,
    blanks: 0,
    foreignIndent: undefined,
  };
}

/** Whether a line belongs to the failure that is being read. */
export function belongs(open: OpenFailure, form: LineForm): boolean {
  const { meaning, weight, text } = form;
  const afterBlank = open.blanks > 0;
  // What is in a list stands for itself.
  if (form.beginsLog || open.failure.headline.text.endsWith('[')) return false;
  if (meaning.kind === 'passed') return form.indent > open.indent;
  if (form.indent > open.indent)
    return !afterBlank || (weight <= open.failure.weight && weight < WEIGHT.verdict);
  if (open.awaiting) return meaning.kind !== 'summary' && meaning.kind !== 'chatter' && !form.ruler;
  if (weight < WEIGHT.located && (form.isCode || form.isDetail || form.isFrame)) return true;
  // The error lines of pytest.
  if (text.startsWith('E ')) return true;
  if (afterBlank) return open.afterFrame && meaning.kind === 'plain' && !form.ruler;
  if (isRecord(open.failure.headline.text)) return false;
  if (meaning.kind === 'plain' || weight === WEIGHT.mentioned)
    return open.messageLines < MESSAGE_LINES && !form.ruler;
  // Lines that a wrapper tags alike are one message.
  return weight === WEIGHT.tagged && firstWord(text) === firstWord(open.failure.headline.text);
}

/**
 * Notes that a line has come that belongs to the failure.
 *
 * @returns whether blank lines came before it, and whether the line above announced it
 */
export function advance(
  open: OpenFailure,
  { indent, isFrame: frame, announces }: LineForm,
): { readonly hadBlank: boolean; readonly announced: boolean } {
  const before = { hadBlank: open.blanks > 0, announced: open.awaiting };
  open.blanks = 0;
  if (before.hadBlank && open.afterFrame) open.messageLines = 0;
  open.afterFrame = frame;
  if (indent <= open.indent) {
    open.awaiting = announces;
    open.messageLines++;
  }
  return before;
}

/** Whether a line is a frame of code that nobody here can mend, or stands below one. */
export function isForeign(open: OpenFailure, form: LineForm): boolean {
  if (open.foreignIndent !== undefined && form.indent > open.foreignIndent && !form.isFrame) return true;
  open.foreignIndent = form.isForeignFrame ? form.indent : undefined;
  return form.isForeignFrame;
}

/** What a line is worth that says nothing of an error itself. */
export function worthOf(form: LineForm, above: Line | undefined): Value {
  if (form.isDetail) return VALUE.detail;
  // The innermost frame is the first in most languages.
  if (form.isFrame) return above && isFrame(above.text) ? VALUE.code : VALUE.detail;
  if (form.isCode) return VALUE.code;
  return form.namesPlace ? VALUE.detail : VALUE.body;
}

/** In Python, the innermost frame is the last, with its code below: an error has come right after it. */
export function raiseInnermostFrame(lines: FailureLine[]): void {
  const at = lines.findLastIndex(({ text }, index) => index >= lines.length - 4 && isFrame(text));
  const frame = lines[at];
  if (frame?.value === VALUE.code) lines[at] = { ...frame, value: VALUE.detail };
}

/** A place without a word on how bad it is: the line below says that it is a warning. */
export function isOnlyWarned({ weight, headline, lines }: OpenFailure['failure'], form: LineForm): boolean {
  return weight === WEIGHT.thrown && form.weight === WEIGHT.warning && lines.at(-1)?.at === headline.at;
}

/** A structured log's line is whole. */
function isRecord(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}

function firstWord(text: string): string | undefined {
  return /\S+/.exec(text)?.[0];
}
