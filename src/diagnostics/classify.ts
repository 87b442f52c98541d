import { LineHash, shapeOf } from './likeness.ts';
import { detachString } from './line-text.ts';
import { prefixOf, withoutPrefix } from './prefix.ts';
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

/** @param text a line without escape sequences */
export function classificationOf(text: string): Classification {
  return classify(withoutPrefix(text));
}

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
  readonly introducesNext: boolean;
  /** Whether what ran the tool has put a prefix before the line. */
  readonly hasPrefix: boolean;
  /** Whether the last line of the form that was read began a failure; until one was read, whether it may have. */
  isHeadline: boolean;
  /** Each question that was asked, and the answer behind it: a map would take more memory than all else here. */
  readonly #answers: unknown[] = [];

  constructor(text: string, form: number, formCheck: number) {
    this.form = form;
    this.formCheck = formCheck;
    this.text = detachString(text);
    this.classification = isQuoted(text) ? 'plain' : classify(text);
    this.severity = severityOf(this.classification);
    this.isHeadline = this.severity > SEVERITY.tagged;
    this.indent = indentOf(text);
    this.shape = shapeOf(text);
    this.introducesNext = introducesNext(text);
    this.hasPrefix = prefixOf(text) !== '';
  }

  /** What a function of `structure.ts` returns for the line; each is called once at most. */
  ask<T extends boolean | object | null>(question: (text: string) => T): T {
    const at = this.#answers.indexOf(question);
    if (at !== -1) return this.#answers[at + 1] as T;
    const answer = question(this.text);
    this.#answers.push(question, answer);
    return answer;
  }
}

/** Forms that are kept, and lines but for their numbers: a long output has few of them, over and over. Powers of two. */
const MAX_FORMS = 8192;
const MAX_BARE = 16_384;
/** Where fewer than a third of the lines are known but for their numbers, it costs less to read the form at once. */
const WORTH_OF_HIT = 2;
const MAX_WORTH = 64;
const TRY_EVERY = 8;

/** Classifies the lines of one form once, as long as the form is kept. */
export class LineClassifier {
  /** Of the last line: the same for lines that differ in numbers and random identifiers. */
  template = 0;
  readonly #hash = new LineHash();
  /** A form has two places. A new one takes the first, and moves what it finds there to the second. */
  readonly #forms: (ClassifiedLine | undefined)[] = new Array(MAX_FORMS).fill(undefined);
  /** Lines but for their numbers: the hashes and the template of each. */
  readonly #bare = new Int32Array(3 * MAX_BARE);
  readonly #lines: (ClassifiedLine | undefined)[] = new Array(MAX_BARE).fill(undefined);
  /** Whether lines were known but for their numbers lately; 0 if too few were. */
  #worth = MAX_WORTH;
  #untried = 0;

  classify(text: string): ClassifiedLine {
    if (this.#worth === 0 && ++this.#untried < TRY_EVERY) return this.#classifyForm(text);
    this.#untried = 0;
    this.#hash.readBare(text);
    const { bare, bareCheck } = this.#hash;
    const place = bare & (MAX_BARE - 1);
    const known = this.#lines[place];
    if (known && this.#bare[3 * place] === bare && this.#bare[3 * place + 1] === bareCheck) {
      this.#worth = Math.min(this.#worth + WORTH_OF_HIT, MAX_WORTH);
      this.template = this.#bare[3 * place + 2] as number;
      return known;
    }
    if (this.#worth > 0) this.#worth--;
    const line = this.#classifyForm(text);
    this.#bare[3 * place] = bare;
    this.#bare[3 * place + 1] = bareCheck;
    this.#bare[3 * place + 2] = this.template;
    this.#lines[place] = line;
    return line;
  }

  #classifyForm(text: string): ClassifiedLine {
    this.#hash.read(text);
    const { form, formCheck, template } = this.#hash;
    this.template = template;
    const place = form & (MAX_FORMS - 1);
    const first = this.#forms[place];
    if (first?.form === form && first.formCheck === formCheck) return first;
    const second = this.#forms[place ^ 1];
    if (second?.form === form && second.formCheck === formCheck) return second;
    const line = new ClassifiedLine(text, form, formCheck);
    this.#forms[place] = line;
    if (first) this.#forms[place ^ 1] = first;
    return line;
  }
}
