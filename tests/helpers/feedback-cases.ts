import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** What a real tool printed for a small broken project, and what a fix needs to know of it. */
export interface FeedbackCase {
  readonly name: string;
  readonly command: string;
  /** The exit code, or the name of the signal that ended it. */
  readonly exit: string;
  /** What it wrote, in order of arrival. */
  readonly events: readonly { readonly fd: 1 | 2; readonly text: string }[];
  readonly facts: readonly Fact[];
  /** Texts of lines that a reader had no use for, and that an excerpt had at first. */
  readonly noise: readonly Noise[];
}

export interface Noise {
  readonly text: string;
  /** Why nobody needs it. */
  readonly why: string;
}

export interface Fact {
  /** A regular expression with the flags `m` and `u`. */
  readonly re: string;
  /** What the fact is. */
  readonly why: string;
}

/** As deep as the benchmark's bundle in `dist/bench`. */
const RECORDED = fileURLToPath(new URL('../../tests/fixtures/feedback/', import.meta.url));

/** The recorded cases, by name: each is a folder with `cmd`, `exit`, `events.jsonl` and `expect.json`. */
export function feedbackCases(folder = RECORDED): FeedbackCase[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'expect.json')))
    .toSorted()
    .map((name) => {
      const read = (file: string) => readFileSync(join(folder, name, file), 'utf8').trim();
      const { must, noise = [] } = JSON.parse(read('expect.json'));
      return {
        name,
        command: read('cmd'),
        exit: read('exit'),
        events: read('events.jsonl')
          .split('\n')
          .map((line) => JSON.parse(line)),
        facts: must,
        noise,
      };
    });
}

/** What a case wrote to a stream, or to both as they arrived. */
export function outputOf({ events }: FeedbackCase, stream?: 1 | 2): string {
  return events.flatMap(({ fd, text }) => (stream === undefined || fd === stream ? text : [])).join('');
}

/** The facts of a case that an excerpt of its output does not have. */
export function lostFacts(excerpt: string, { facts }: Pick<FeedbackCase, 'facts'>): Fact[] {
  const text = stripVTControlCharacters(excerpt);
  return facts.filter(({ re }) => !new RegExp(re, 'mu').test(text));
}
