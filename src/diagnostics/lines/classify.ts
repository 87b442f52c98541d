import { shapeOf } from './likeness.ts';
import { mayAnnounce, mayBeTagged, withoutPrefix } from './prefix.ts';
import type { RawLine } from './raw-line.ts';
import { remembered } from './remembered.ts';
import { RULE_TEXTS, ZERO_COUNT_TEXTS } from './rule-texts.ts';
import { type Classification, RULES, SEVERITY, ZERO_COUNTS } from './rules.ts';
import { indentOf, isQuoted } from './structure.ts';
import { TextFilter } from './text-filter.ts';

const STEPS = RULES.map(({ is, pattern }) => ({ is, pattern, isFailure: severityOf(is) > 0 }));

/** For the rules, then for the counts of nothing. */
const FILTER = new TextFilter([...RULE_TEXTS, ZERO_COUNT_TEXTS]);

/** @param text a line without escape sequences and without the prefix of a wrapper */
export function classify(text: string): Classification {
  const isPossible = FILTER.possible(text);
  let counted: string | undefined;
  for (let rule = 0; rule < RULES.length; rule++) {
    if (isPossible[rule] === 0) continue;
    const { is, pattern, isFailure } = STEPS[rule] as (typeof STEPS)[number];
    if (isFailure) counted ??= isPossible[RULES.length] === 0 ? text : text.replace(ZERO_COUNTS, '');
    if (pattern.test(isFailure ? (counted as string) : text)) return is;
  }
  return 'plain';
}

/** What a line without escape sequences says. */
export const classificationOf = remembered((text): Classification => classify(withoutPrefix(text)));

/** @returns 0 for a line that is not about a failure */
export function severityOf(classification: Classification): number {
  return classification in SEVERITY ? SEVERITY[classification as keyof typeof SEVERITY] : 0;
}

/** What a line says, and how it belongs to its neighbours: the same for all lines of one form. */
export class ClassifiedLine {
  /** The hashes of the form. */
  readonly form: number;
  readonly formCheck: number;
  /** The first line of the form. */
  readonly text: string;
  readonly classification: Classification;
  /** 0 for a line that is not about a failure. */
  readonly severity: number;
  readonly indent: number;
  readonly shape: number;
  readonly mayAnnounce: boolean;
  readonly mayBeTagged: boolean;
  /** Whether no further line of the form can look new. */
  isCommon = false;
  /** Whether the last line of the form that was read began a failure; until one was read, whether it may have. */
  isHeadline: boolean;
  /** Each question that was asked, and the answer behind it: a map would take more memory than all else here. */
  readonly #answers: unknown[] = [];

  constructor(text: string, form: number, formCheck: number) {
    this.form = form;
    this.formCheck = formCheck;
    this.text = text;
    this.classification = isQuoted(text) ? 'plain' : classify(text);
    this.severity = severityOf(this.classification);
    this.isHeadline = this.severity > SEVERITY.tagged;
    this.indent = indentOf(text);
    this.shape = shapeOf(text);
    this.mayAnnounce = mayAnnounce(text);
    this.mayBeTagged = mayBeTagged(text);
  }

  /** What a function returns for the line; each is called once at most. It must be the same for all lines of a form: no names. */
  ask<T extends boolean | object | null>(question: (text: string) => T): T {
    const at = this.#answers.indexOf(question);
    if (at !== -1) return this.#answers[at + 1] as T;
    const answer = question(this.text);
    this.#answers.push(question, answer);
    return answer;
  }
}

/** Forms that are kept: a long output has few of them, over and over. A power of two. */
const MAX_FORMS = 32_768;
/** Places that a form may have: with four, one in ten of 7,500 forms is lost over and over. A power of two. */
const PLACES = 8;

/** Classifies the lines of one form once, as long as the form is kept. */
export class LineClassifier {
  /** Of its places, a new form takes the last; one that is read again moves up, so that a form read once displaces no other. */
  readonly #forms: (ClassifiedLine | undefined)[] = new Array(MAX_FORMS).fill(undefined);
  /** Two of each form, and 0 where there is none: a search in the forms themselves would load each from memory. */
  readonly #hashes = new Int32Array(2 * MAX_FORMS);

  classify(line: RawLine): ClassifiedLine {
    const { form, formCheck } = line;
    // The low bits of a hash of this kind depend on few of those of the line.
    const first = (form ^ (form >>> 16)) & (MAX_FORMS - PLACES);
    const last = first + PLACES - 1;
    let place = first;
    while (place < last && !this.#has(place, form, formCheck) && !this.#has(place, 0, 0)) place++;
    const known = this.#has(place, form, formCheck) ? this.#forms[place] : undefined;
    if (known && place > first) {
      this.#put(place, this.#forms[place - 1] as ClassifiedLine);
      this.#put(place - 1, known);
    }
    if (known) return known;
    const classified = new ClassifiedLine(line.text, form, formCheck);
    this.#put(place, classified);
    return classified;
  }

  #has(place: number, form: number, formCheck: number): boolean {
    return this.#hashes[2 * place] === form && this.#hashes[2 * place + 1] === formCheck;
  }

  #put(place: number, line: ClassifiedLine): void {
    this.#forms[place] = line;
    this.#hashes[2 * place] = line.form;
    this.#hashes[2 * place + 1] = line.formCheck;
  }
}
