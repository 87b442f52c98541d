import type { FailureBlock, Line } from './failure.ts';
import { withoutPrefix } from './prefix.ts';

/** A name in a line: quoted, or of several parts. */
const NAME = /["'`‘“«]([^"'`’”»\s]{2,})["'`’”»]|[\w@]+(?:[-./:_][\w@]+)+/g;
const PATH = /\S*[\w-][/.]\w\S*/g;
const WORD = /\p{L}{4,}/gu;
/** Words that say nothing of what a line is about. */
const COMMON =
  /^(?:errors?|warn(?:ing)?s?|fail(?:ed|ure|ures|s)?|build|built|tests?|files?|lines?|columns?|found|from|with|this|that|have|been|will|your|when|were|must|should|could|cannot|used|line|module|modules|node|info|note|code|exit|command)$/;

/** A long line shares more by chance. */
const WORDS_FOR_ONE = 8;

/** The names and the words of failures: what has them too may explain why they failed. */
export class Vocabulary {
  readonly #names: ReadonlySet<string>;
  /** Of each line. */
  readonly #words: readonly ReadonlySet<string>[];

  constructor(failures: readonly FailureBlock[]) {
    this.#names = new Set(failures.flatMap(({ lines }) => lines.flatMap(namesIn)));
    this.#words = failures.flatMap(({ lines }) => lines.map(wordsIn));
  }

  /** Whether a line has one of the names. @param counts which of its names count */
  hasNameOf(line: Line, counts: (name: string) => boolean = () => true): boolean {
    return namesIn(line).some((name) => counts(name) && this.#names.has(name));
  }

  /** Whether a line shares so many words with one of the lines, a long one more. */
  hasWordsOf(line: Line, atLeast: number): boolean {
    const own = wordsIn(line);
    const least = Math.max(atLeast, own.size / WORDS_FOR_ONE);
    return this.#words.some((words) => shared(own, words) >= least);
  }
}

/** A place is a name, and so is its file. */
function namesIn({ text }: Line): string[] {
  return [...withoutPrefix(text).matchAll(NAME)].flatMap(([name, quoted = name]) => [
    quoted,
    quoted.replace(/(?::\d+)+$/, ''),
  ]);
}

/** The words of a line, in the singular, without those in paths. */
function wordsIn({ text }: Line): ReadonlySet<string> {
  const words = withoutPrefix(text).replace(PATH, ' ').toLowerCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !COMMON.test(word)).map((word) => word.replace(/s$/, '')));
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const word of some) if (others.has(word)) count++;
  return count;
}
