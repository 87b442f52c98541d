import { didYouMean, nearestKey } from '../../config/validate.ts';
import type { GateAction, VerifyGate } from '../../state/chain.ts';
import { GATE_WORDS, gateOf, readOptions } from './gate-options.ts';
import { type Flaw, isQuote, readQuoted, showTyped } from './quoted.ts';
import type { PromptLibrary } from './templates.ts';

/** A typed gate, before it is known which step it belongs to. */
export type TypedGate =
  | { readonly kind: 'verify'; readonly gate: VerifyGate }
  | { readonly kind: 'criterion'; readonly name: string | undefined; readonly text: string }
  | { readonly kind: 'action'; readonly action: GateAction };

/** What was read at a `::`. */
interface GateReading {
  /** Undefined if it has a flaw. */
  readonly gate: TypedGate | undefined;
  /** Index in the line after the gate. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}

const BLANK = /^\s?$/;
const WORD = /\S*/y;

/** A blank, a bracket, or punctuation of a script without blanks: `std::verify` and `+::verify` are code. */
const BEFORE = /^[\s(（。，；！？）]?$/;

/**
 * Reads the gate that a `::` opens. The `::` opens one if it has blanks around it, or begins its line, and what follows
 * has the form of a gate; `verify:"` and `gate_action:` are unambiguous and need no blank after it.
 *
 * @param at index of the `::` in its line
 * @returns undefined if the `::` is prose or code
 */
export function readGate(
  line: string,
  at: number,
  criterion: PromptLibrary['criterion'],
): GateReading | undefined {
  if (!BEFORE.test(line.charAt(at - 1))) return undefined;
  const isAlone = BLANK.test(line.charAt(at - 1)) && BLANK.test(line.charAt(at + 2));
  const reading = readVerify(line, at, isAlone) ?? readAction(line, at);
  if (reading || !isAlone) return reading;
  return (
    readMisspelled(line, at) ??
    readNamedCriterion(line, at) ??
    readCriterionText(line, at) ??
    readCriterionFile(line, at, criterion)
  );
}

const VERIFY = /::\s*verify(\s*[:=]?(?!:)\s*)/y;
const EXAMPLE = 'expected verify:"npm test"';
/** Bytes that Linux accepts in one argument of a program, without its NUL (MAX_ARG_STRLEN, 32 pages of 4 kB). */
const MAX_COMMAND_BYTES = 32 * 4096 - 1;

/**
 * `:: verify:"npm test" max:3`
 *
 * @param isAlone whether blanks are around the `::`; else only the exact form `::verify:"` is a gate
 */
function readVerify(line: string, at: number, isAlone: boolean): GateReading | undefined {
  VERIFY.lastIndex = at;
  const [opening, signs = ''] = VERIFY.exec(line) ?? [];
  if (opening === undefined) return undefined;
  const behind = at + opening.length;
  const verify = behind - signs.length - 'verify'.length;
  const isQuoted = isQuote(line[behind]);
  const isGate = isAlone ? isQuoted || signs.trim() === ':' : isQuoted && signs === ':';
  if (!isGate) return undefined;
  if (!isQuoted) return withoutQuotes(line, behind, verify);
  const { text, end: quoteEnd, flaws: quoteFlaws } = readQuoted(line, behind);
  const { values, end, flaws: optionFlaws } = readOptions(line, quoteEnd);
  const flaws = [
    ...(signs.trim() === ':'
      ? []
      : [{ at: verify, message: `found "verify" without its colon, ${EXAMPLE}` }]),
    ...(quoteFlaws.length > 0 ? quoteFlaws : commandFlaws(text, behind)),
    ...optionFlaws,
  ];
  const gate = { kind: 'verify', gate: gateOf(text, values) } as const;
  return { gate: flaws.length > 0 ? undefined : gate, end, flaws };
}

/** A command without quotes never runs: it is not clear where it ends. */
function withoutQuotes(line: string, behind: number, verify: number): GateReading {
  WORD.lastIndex = behind;
  const [word = ''] = WORD.exec(line) ?? [];
  const found = word === '' ? 'nothing' : showTyped(word);
  const flaw = { at: word === '' ? verify : behind, message: `found ${found} after "verify:", ${EXAMPLE}` };
  return { gate: undefined, end: behind + word.length, flaws: [flaw] };
}

function commandFlaws(command: string, at: number): Flaw[] {
  if (command.trim() === '') return [{ at, message: `found an empty command, ${EXAMPLE}` }];
  const bytes = Buffer.byteLength(command);
  if (bytes <= MAX_COMMAND_BYTES) return [];
  const expected = `expected at most ${MAX_COMMAND_BYTES}; put it into a script`;
  return [{ at, message: `found a command of ${bytes} bytes, ${expected}` }];
}

const ACTION = /::\s*gate_action\s*:\s*([^\s.,;!?)]*)/y;
const ACTIONS: readonly string[] = ['retry', 'skip', 'abort'] satisfies GateAction[];

/** `:: gate_action:retry` */
function readAction(line: string, at: number): GateReading | undefined {
  ACTION.lastIndex = at;
  const [opening, typed = ''] = ACTION.exec(line) ?? [];
  if (opening === undefined) return undefined;
  const end = at + opening.length;
  if (ACTIONS.includes(typed))
    return { gate: { kind: 'action', action: typed as GateAction }, end, flaws: [] };
  const found = typed === '' ? 'nothing' : showTyped(typed);
  const message = `found ${found} for "gate_action", expected retry, skip or abort${didYouMean(typed, ACTIONS)}`;
  return { gate: undefined, end, flaws: [{ at: line.indexOf('gate_action', at), message }] };
}

const WORD_AND_VALUE = /::\s+([A-Za-z][\w-]*):\s*(\S*)/y;

/** `:: verfy:"npm test"` has the form of a named criterion; taken for one, it would run nothing. */
function readMisspelled(line: string, at: number): GateReading | undefined {
  WORD_AND_VALUE.lastIndex = at;
  const [opening, word = '', value = ''] = WORD_AND_VALUE.exec(line) ?? [];
  if (opening === undefined || nearestKey(word, GATE_WORDS) === undefined) return undefined;
  const end = at + opening.length;
  const behind = end - value.length;
  const message = `found ${showTyped(word)}, expected verify:"npm test" or the name of a criterion${didYouMean(word, GATE_WORDS)}`;
  return {
    gate: undefined,
    end: isQuote(line[behind]) ? readQuoted(line, behind).end : end,
    flaws: [{ at: line.indexOf(word, at), message }],
  };
}

const CRITERION_NAME = /::\s+([\p{L}_][\p{L}\p{N}_-]*):/uy;

/** `:: rest:"follows REST conventions"` */
function readNamedCriterion(line: string, at: number): GateReading | undefined {
  CRITERION_NAME.lastIndex = at;
  const [, name] = CRITERION_NAME.exec(line) ?? [];
  const behind = CRITERION_NAME.lastIndex;
  if (name === undefined || !isQuote(line[behind])) return undefined;
  const { text, end, flaws } = readQuoted(line, behind);
  const message = `found an empty text for ${showTyped(name)}, expected a criterion`;
  const empty = text.trim() === '' && flaws.length === 0 ? [{ at: behind, message }] : [];
  return criterionReading({ name, text }, line, end, [...flaws, ...empty]);
}

const CRITERION_QUOTE = /::\s+/y;
/** Several words, or a script without blanks between words. A single word is a string in code: `"a" :: "b" :: []`. */
const SENTENCE = /\S\s+\S|[^\p{ASCII}]/u;
/** After a string: the rest of a list in OCaml or Scala. Looks at twenty strings at most, to stay linear. */
const LIST = /(?:\s*::\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')){0,20}\s*::\s*(?:\[|Nil\b)/y;

/** `:: "follows REST conventions"` */
function readCriterionText(line: string, at: number): GateReading | undefined {
  CRITERION_QUOTE.lastIndex = at;
  const [opening] = CRITERION_QUOTE.exec(line) ?? [];
  const behind = CRITERION_QUOTE.lastIndex;
  if (opening === undefined || !isQuote(line[behind])) return undefined;
  const { text, end, flaws } = readQuoted(line, behind);
  // Haskell has an apostrophe before a type: `xs :: '[Int, Bool] -> a`.
  const isType = line[behind] === "'" && flaws.length > 0;
  LIST.lastIndex = end;
  const isCode = isType || !SENTENCE.test(text) || LIST.test(line);
  return isCode ? undefined : criterionReading({ name: undefined, text }, line, end, flaws);
}

/** The name of a file, without the punctuation of the sentence around it. */
const CRITERION_WORD = /::\s+(\w(?:[\w.-]*\w)?)(?=[.,;!?)]*(?:\s|$))/y;
/** A dash with two letters on each side: `code-quality`, but not `Emacs-Lisp`, `n-1` or `foo_bar`. */
const SLUG = /^[a-z][a-z0-9]+-[a-z][a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const LAST_IN_LINE = /[.,;!?)]*\s*(?:$|(?:::|-->)(?:\s|$))/y;

/** `:: code-quality`: a file's name, or a slug that is text by itself. */
function readCriterionFile(
  line: string,
  at: number,
  criterion: PromptLibrary['criterion'],
): GateReading | undefined {
  CRITERION_WORD.lastIndex = at;
  const [, name] = CRITERION_WORD.exec(line) ?? [];
  const end = CRITERION_WORD.lastIndex;
  if (name === undefined) return undefined;
  const text = criterion(name);
  if (text !== undefined) return criterionReading({ name, text: text.trim() || name }, line, end, []);
  LAST_IN_LINE.lastIndex = end;
  const isGate = SLUG.test(name) && (LAST_IN_LINE.test(line) || hasOptions(line, end));
  return isGate ? criterionReading({ name, text: name }, line, end, []) : undefined;
}

function criterionReading(
  criterion: { readonly name: string | undefined; readonly text: string },
  line: string,
  end: number,
  flaws: readonly Flaw[],
): GateReading {
  const message = 'found options after a criterion, expected them after verify:"…" only';
  const all = hasOptions(line, end) ? [...flaws, { at: end + line.slice(end).search(/\S/), message }] : flaws;
  return { gate: all.length > 0 ? undefined : { kind: 'criterion', ...criterion }, end, flaws: all };
}

const hasOptions = (line: string, end: number) => Object.keys(readOptions(line, end).values).length > 0;
