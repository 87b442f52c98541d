import { type Meaning, meaningOf } from './line-meaning.ts';
import { shapeOf } from './line-shape.ts';
import * as structure from './line-structure.ts';
import { detachString } from './own-copy.ts';

/** Forms that are kept; a long output has few of them, over and over. */
const MAX_FORMS = 3000;
const PLAIN: Meaning = { kind: 'plain' };

let nextId = 1;

/** What a line means and how it hangs together with its neighbours; each answer is found once, when it is asked for. */
export class LineForm {
  /** No other form has it. */
  readonly id = nextId++;
  readonly text: string;
  readonly meaning: Meaning;
  readonly indent: number;
  readonly announces: boolean;
  readonly shape: number;
  readonly #answers = new Map<keyof typeof structure, unknown>();

  /** @param text without the prefix of a wrapper */
  constructor(text: string) {
    this.text = detachString(text);
    // The words of quoted code say nothing of the run.
    this.meaning = structure.isQuotedCode(text) ? PLAIN : meaningOf(text);
    this.indent = structure.indentOf(text);
    this.announces = structure.announces(text);
    this.shape = shapeOf(text);
  }

  get weight(): number {
    return this.meaning.kind === 'failure' ? this.meaning.weight : 0;
  }

  get beginsLog(): boolean {
    return this.#answer('beginsLog', structure.beginsLog);
  }

  get isFrame(): boolean {
    return this.#answer('isFrame', structure.isFrame);
  }

  get isForeignFrame(): boolean {
    return this.#answer('isForeignFrame', structure.isForeignFrame);
  }

  get isCode(): boolean {
    return this.#answer('isCode', structure.isCode);
  }

  get isDetail(): boolean {
    return this.#answer('isDetail', structure.isDetail);
  }

  get isPlace(): boolean {
    return this.#answer('isPlace', structure.isPlace);
  }

  get namesPlace(): boolean {
    return this.#answer('namesPlace', structure.namesPlace);
  }

  get tellsEnd(): boolean {
    return this.#answer('tellsEnd', structure.tellsEnd);
  }

  get warningsCount(): boolean {
    return this.#answer('saysThatWarningsCount', structure.saysThatWarningsCount);
  }

  get ruler(): { readonly title: string } | undefined {
    return this.#answer('rulerIn', structure.rulerIn);
  }

  #answer<T>(question: keyof typeof structure, find: (text: string) => T): T {
    if (!this.#answers.has(question)) this.#answers.set(question, find(this.text));
    return this.#answers.get(question) as T;
  }
}

/** The forms of lines. Lines that differ in their numbers only have one form, apart from a 0 that counts none. */
export class LineForms {
  readonly #known = new Map<number, LineForm>();

  of(text: string): LineForm {
    const key = keyOf(text);
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MAX_FORMS) this.#known.clear();
    const form = new LineForm(text);
    this.#known.set(key, form);
    return form;
  }
}

/**
 * A hash of 53 bits, of two of FNV's kind: it is made for every line there is, and a string with its numbers replaced
 * would cost several times as much.
 */
function keyOf(text: string): number {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  let inNumber = false;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    const isDigit = code >= ZERO && code <= NINE;
    if (isDigit && inNumber) continue;
    inNumber = isDigit && (code !== ZERO || isJoined(text.charCodeAt(i - 1), text.charCodeAt(i + 1)));
    if (inNumber) code = NINE;
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return (one >>> 0) * 0x200000 + ((two ^ (two >>> 15)) & 0x1fffff);
}

/** Whether a number is part of a name or a place, by its neighbours: it counts nothing. */
function isJoined(before: number, after: number): boolean {
  return before === UNDERSCORE || before === DOT || (before | 32) >= LETTER || after === COLON;
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UNDERSCORE = 95;
const LETTER = 97;
