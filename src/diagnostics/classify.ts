import { detachString } from './line-text.ts';
import { type Classification, hasHint, RULES, SEVERITY, ZERO_COUNTS } from './rules.ts';
import { indentOf, introducesNext, isQuoted } from './structure.ts';

const STEPS = RULES.map(({ is, pattern }) => ({ is, pattern, isFailure: severityOf(is) > 0 }));

/** @param text a line without escape sequences and without the prefix of a wrapper */
export function classify(text: string): Classification {
  if (!hasHint(text)) return 'plain';
  const counted = text.replace(ZERO_COUNTS, '');
  for (const { is, pattern, isFailure } of STEPS) if (pattern.test(isFailure ? counted : text)) return is;
  return 'plain';
}

/** @returns 0 for a line that is not about a failure */
export function severityOf(classification: Classification): number {
  return classification in SEVERITY ? SEVERITY[classification as keyof typeof SEVERITY] : 0;
}

/** Templates that are kept; a long output has few of them, over and over. */
const MAX_TEMPLATES = 3000;

let nextId = 1;

/** What a line says, and how it belongs to its neighbours: the same for all lines that differ in numbers only. */
export class ClassifiedLine {
  /** No other template has it. */
  readonly templateId = nextId++;
  readonly text: string;
  readonly classification: Classification;
  /** 0 for a line that is not about a failure. */
  readonly severity: number;
  readonly indent: number;
  /** A hash of what the line looks like. */
  readonly shape: number;
  readonly introducesNext: boolean;
  readonly #answers = new Map<(text: string) => unknown, unknown>();

  /** @param text without the prefix of a wrapper */
  constructor(text: string) {
    this.text = detachString(text);
    this.classification = isQuoted(text) ? 'plain' : classify(text);
    this.severity = severityOf(this.classification);
    this.indent = indentOf(text);
    this.shape = shapeOf(text);
    this.introducesNext = introducesNext(text);
  }

  /** What a function of `structure.ts` returns for the line; each is called once at most. */
  ask<T extends boolean | object | null>(question: (text: string) => T): T {
    const known = this.#answers.get(question);
    if (known !== undefined) return known as T;
    const answer = question(this.text);
    this.#answers.set(question, answer);
    return answer;
  }
}

/** Classifies each template once. Lines that differ in their numbers only have one, apart from a 0 that is a count. */
export class LineClassifier {
  readonly #known = new Map<number, ClassifiedLine>();

  classify(text: string): ClassifiedLine {
    const key = templateHash(text);
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MAX_TEMPLATES) this.#known.clear();
    const line = new ClassifiedLine(text);
    this.#known.set(key, line);
    return line;
  }
}

const BLANK = 32;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UNDERSCORE = 95;
const LETTER = 97;
/** http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A hash of 53 bits, of two of FNV's kind: it is made for every line, and a string with its numbers replaced would cost
 * several times as much.
 */
function templateHash(text: string): number {
  let one = FNV_OFFSET;
  let two = 0x1b873593;
  let inNumber = false;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    const isDigit = code >= ZERO && code <= NINE;
    if (isDigit && inNumber) continue;
    inNumber = isDigit && (code !== ZERO || isJoined(text.charCodeAt(i - 1), text.charCodeAt(i + 1)));
    if (inNumber) code = NINE;
    one = Math.imul(one ^ code, FNV_PRIME);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return (one >>> 0) * 0x200000 + ((two ^ (two >>> 15)) & 0x1fffff);
}

/** Whether a number is part of a name or a place, by its neighbours: then it is not a count. */
function isJoined(before: number, after: number): boolean {
  return before === UNDERSCORE || before === DOT || (before | 32) >= LETTER || after === COLON;
}

/** Longer lines look like their start. */
const SHAPE_CHARACTERS = 48;

/**
 * A hash of what a line looks like: words, numbers and blanks each count as one character. Lines of one list have one
 * shape; a line with a rare shape is likely to matter.
 */
function shapeOf(text: string): number {
  let hash = FNV_OFFSET;
  let last = 0;
  for (let i = 0, characters = 0; i < text.length && characters < SHAPE_CHARACTERS; i++) {
    const character = shapeCharacter(text.charCodeAt(i));
    if (character === last && character !== DOT) continue;
    last = character;
    characters++;
    hash = Math.imul(hash ^ character, FNV_PRIME);
  }
  return hash;
}

function shapeCharacter(code: number): number {
  if ((code | 32) >= 97 && (code | 32) <= 122) return LETTER;
  if (code >= ZERO && code <= NINE) return ZERO;
  if (code === BLANK || code === 9) return BLANK;
  // A hyphen and an underscore join words; letters outside ASCII are letters.
  return code === 45 || code === UNDERSCORE || code > 127 ? LETTER : code;
}
