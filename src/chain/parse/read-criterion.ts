import { readOptions } from './read-options.ts';
import { isQuote, readQuoted } from './read-quoted.ts';
import { showTyped } from './show-typed.ts';
import type { Flaw, GateReading } from './typed-gate.ts';

const NAME = /::\s+([\p{L}_][\p{L}\p{N}_-]*):/uy;
const QUOTE = /::\s+/y;
/** The name of a file, without the punctuation of the sentence that it stands in. */
const WORD = /::\s+(\w(?:[\w.-]*\w)?)(?=[.,;!?)]*(?:\s|$))/y;
/** A dash and two letters before and behind it: `code-quality`, and neither `Emacs-Lisp` nor `n-1` nor `foo_bar`. */
const SLUG = /^[a-z][a-z0-9]+-[a-z][a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const LAST_IN_LINE = /[.,;!?)]*\s*(?:$|(?:::|-->)(?:\s|$))/y;
/** Several words, or a script that has no blanks between them. One word is a string in code, as in `"a" :: "b" :: []`. */
const SENTENCE = /\S\s+\S|[^\p{ASCII}]/u;
/** Behind a string: the rest of a list, as OCaml and Scala write it. Twenty strings of it are looked at, not all. */
const LIST = /(?:\s*::\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')){0,20}\s*::\s*(?:\[|Nil\b)/y;

/**
 * Reads a gate that the agent's work is reviewed against: a text with or without a name, or the name of a file.
 *
 * @param at the index of a `::` that stands alone
 * @param criterion the text that a project has below a name
 * @returns undefined where no such gate begins: much of what stands behind a `::` is code
 */
export function readCriterion(
  line: string,
  at: number,
  criterion: (name: string) => string | undefined,
): GateReading | undefined {
  return readNamed(line, at) ?? readText(line, at) ?? readWord(line, at, criterion);
}

/** `:: rest:"follows REST conventions"` */
function readNamed(line: string, at: number): GateReading | undefined {
  NAME.lastIndex = at;
  const [, name] = NAME.exec(line) ?? [];
  const behind = NAME.lastIndex;
  if (name === undefined || !isQuote(line[behind])) return undefined;
  const { text, end, flaws } = readQuoted(line, behind);
  const message = `found an empty text for ${showTyped(name)}, expected what shall hold`;
  const empty = text.trim() === '' && flaws.length === 0 ? [{ at: behind, message }] : [];
  return reading({ name, text }, line, end, [...flaws, ...empty]);
}

/** `:: "follows REST conventions"` */
function readText(line: string, at: number): GateReading | undefined {
  QUOTE.lastIndex = at;
  const [opening] = QUOTE.exec(line) ?? [];
  const behind = QUOTE.lastIndex;
  if (opening === undefined || !isQuote(line[behind])) return undefined;
  const { text, end, flaws } = readQuoted(line, behind);
  // An apostrophe stands before a type, as in `xs :: '[Int, Bool] -> a`.
  const isType = line[behind] === "'" && flaws.length > 0;
  LIST.lastIndex = end;
  const isCode = isType || !SENTENCE.test(text) || LIST.test(line);
  return isCode ? undefined : reading({ name: undefined, text }, line, end, flaws);
}

/** `:: code-quality` */
function readWord(
  line: string,
  at: number,
  criterion: (name: string) => string | undefined,
): GateReading | undefined {
  WORD.lastIndex = at;
  const [, name] = WORD.exec(line) ?? [];
  const end = WORD.lastIndex;
  if (name === undefined) return undefined;
  const text = criterion(name);
  if (text !== undefined) return reading({ name, text: text.trim() || name }, line, end, []);
  LAST_IN_LINE.lastIndex = end;
  const isGate = SLUG.test(name) && (LAST_IN_LINE.test(line) || hasOptions(line, end));
  return isGate ? reading({ name, text: name }, line, end, []) : undefined;
}

function reading(
  criterion: { readonly name: string | undefined; readonly text: string },
  line: string,
  end: number,
  flaws: readonly Flaw[],
): GateReading {
  const message = 'found options behind a criterion, expected them behind verify:"…" only';
  const all = hasOptions(line, end) ? [...flaws, { at: end + line.slice(end).search(/\S/), message }] : flaws;
  return { gate: all.length > 0 ? undefined : { kind: 'criterion', ...criterion }, end, flaws: all };
}

const hasOptions = (line: string, end: number) => Object.keys(readOptions(line, end).values).length > 0;
