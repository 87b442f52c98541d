import { type FailureBlock, type Line, PRIORITY, positionsOf } from '../failures/failure.ts';
import { outlineWithout } from '../failures/outline.ts';
import { classify } from '../lines/classify.ts';
import { SEVERITY } from '../lines/rules.ts';
import { separatorIn } from '../lines/structure.ts';
import type { Findings } from '../output/condenser.ts';
import type { ReportFindings } from './failures-of.ts';

/**
 * Puts the failures of a report before those of the output, in place of those that say the same. How the run ended, and
 * what no test reports, still comes from the output.
 *
 * @param root absolute directory of the project: paths in a report are without it
 */
export function addReport(findings: Findings, report: ReportFindings, root: string): Findings {
  if (report.failures.length === 0) return findings;
  const said = new Said(report, root);
  const others = findings.failures.filter(({ block }) => !said.covers(block));
  const repeated = findings.failures.filter((stored) => !others.includes(stored));
  const lines = positionsOf(repeated);
  const outline = outlineWithout(
    findings.outline,
    ({ at, text }) => lines.has(at) || said.says(text) || isHeading(text),
  );
  const reported = report.failures.flatMap(({ block }) => block.lines);
  const counted = [...report.tallies.values()].reduce((sum, { count }) => sum + count, 0);
  const isWhole = counted <= report.failures.length;
  return {
    ...findings,
    failures: [...report.failures, ...others],
    tallies: new Map([...findings.tallies, ...report.tallies]),
    // A line that differs from all others is a guess, for outputs of which little else is known.
    outline: {
      ...outline,
      unique: [],
      // Where some failures of the report are only counted, there is no whole to show.
      all: undefined,
      whole: isWhole ? outline.whole && [...reported, ...outline.whole.filter(isFull)] : undefined,
    },
  };
}

/** The heading of a section, most of which the report has. */
function isHeading(text: string): boolean {
  return separatorIn(text) !== null && classify(text) !== 'summary';
}

function isFull({ text }: Line): boolean {
  return text !== '';
}

/** Shorter lines and names are found in lines about other things. */
const MIN_CHARACTERS = 4;
const MAX_PHRASES = 5000;
/** Each line of the output is searched for in these. */
const MAX_CHARACTERS = 256 * 1024;

/** What a report says, to compare lines of the output with it. */
class Said {
  readonly #root: string;
  readonly #lines: ReadonlySet<string>;
  readonly #text: string;
  /** The names of tests, and what is wrong. */
  readonly #phrases: Phrases;

  constructor({ failures, messages }: ReportFindings, root: string) {
    this.#root = root;
    const lines = failures.flatMap(({ block }) => block.lines);
    const cores = lines.map(({ text }) => coreOf(text));
    this.#lines = new Set(cores);
    this.#text = cores.join('\n').slice(0, MAX_CHARACTERS);
    const errors = lines.filter(({ priority }) => priority === PRIORITY.error).map(({ text }) => text);
    const phrases = [...new Set([...messages, ...errors].flatMap(phrasesIn))].filter(isLong);
    this.#phrases = new Phrases(phrases.slice(0, MAX_PHRASES));
  }

  /** Whether the report says what a failure of the output says: what a test that it names says further is shown there. */
  covers({ severity, headline, lines }: FailureBlock): boolean {
    const errors = lines.filter(({ at, priority }) => at >= headline.at && priority === PRIORITY.error);
    const [first, ...more] = errors.map(({ text }) => text).filter((text) => text !== '' && !isHeading(text));
    if (first === undefined) return true;
    if (!this.says(first)) return false;
    const isTest = severity === SEVERITY.failedTest && this.#names(this.#coreOf(first));
    const says = (text: string) => this.says(text);
    return more.length === 0 || (isTest ? more.some(says) : more.every(says));
  }

  /** Whether the report has a line of the output, or the line says what the report does. */
  says(text: string): boolean {
    const line = this.#coreOf(text);
    return this.#names(line) || (isLong(line) && (this.#lines.has(line) || this.#text.includes(line)));
  }

  #names(line: string): boolean {
    return this.#phrases.areIn(line);
  }

  #coreOf(text: string): string {
    return coreOf(text.replaceAll(`${this.#root}/`, ''));
  }
}

/** Phrases by the word of each that the fewest of the others have: few are compared with a line. */
class Phrases {
  readonly #byWord = new Map<string, string[]>();

  constructor(phrases: readonly string[]) {
    const times = new Map<string, number>();
    for (const word of phrases.flatMap(wordsIn)) times.set(word, (times.get(word) ?? 0) + 1);
    for (const phrase of phrases) {
      const [rarest = NO_WORD] = wordsIn(phrase).sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
      const known = this.#byWord.get(rarest);
      if (known) known.push(phrase);
      else this.#byWord.set(rarest, [phrase]);
    }
  }

  /** Whether a line has one of them, as whole words. */
  areIn(line: string): boolean {
    return [NO_WORD, ...wordsIn(line)].some((word) =>
      this.#byWord.get(word)?.some((phrase) => hasWords(line, phrase)),
    );
  }
}

const NO_WORD = '';

function wordsIn(text: string): string[] {
  return text.match(/\w+/g) ?? [];
}

function isLong(text: string): boolean {
  return text.length >= MIN_CHARACTERS;
}

/** A test's name and its last part; a message without its place and its code. */
function phrasesIn(text: string): string[] {
  const name = text.trim().replace(/ \([^()]*:\d+\)$/, '');
  const message = text.replace(/^.*?\b(?:error|warning): /, '').replace(/ \[[^\]]*\]$/, '');
  return [name, name.split(' > ').at(-1) ?? '', message].map(coreOf);
}

function hasWords(line: string, words: string): boolean {
  const at = line.indexOf(words);
  const isEdge = (character: string | undefined) => character === undefined || !/\w/.test(character);
  return at !== -1 && isEdge(line[at - 1]) && isEdge(line[at + words.length]);
}

/** What a runner puts before and after what is wrong: marks, verdicts, numbers, a time. */
const BEFORE = /^(?:[^\p{L}\p{N}]+|E\s{2,}|(?:FAIL(?:ED|URE)?|ERROR|not ok(?: \d+)?)\b|\d+\) )+/u;
const AFTER = /(?:\s*\([\d.]+ ?m?s\)|:)$/;

/** Each runner has its own sign between the names of a suite and of a test. */
const SPACE = /\s+(?:[>›»]\s+)?/g;

/** A line without what is around it, and with single blanks. */
function coreOf(text: string): string {
  return text.replace(BEFORE, '').replace(SPACE, ' ').trim().replace(AFTER, '');
}
