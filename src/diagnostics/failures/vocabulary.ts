import { withoutPrefix } from '../lines/prefix.ts';
import type { FailureBlock, Line } from './failure.ts';

/** A name in a line: quoted, or of several parts. */
const NAME = /["'`‘“«]([^"'`’”»\s]{2,})["'`’”»]|(?<![\w@])[\w@]+(?:[-./:_][\w@]+)+/g;
const PATH = /(?<!\S)\S*[\w-][/.]\w\S*/g;
const WORD = /\p{L}{4,}/gu;
/** Words that say nothing of what a line is about. */
const COMMON =
  /^(?:errors?|warn(?:ing)?s?|fail(?:ed|ure|ures|s)?|build|built|tests?|files?|lines?|columns?|found|from|with|this|that|have|been|will|your|when|were|must|should|could|cannot|used|line|module|modules|node|info|note|code|exit|command|does|need|needs|never|here|there|which|because|default|consider)$/;

/** A long line shares more by chance. */
const WORDS_FOR_ONE = 8;

/** The names and the words of failures: what has them too may explain why they failed. */
export class Vocabulary {
  readonly #names: ReadonlySet<string>;
  /** The words of the lines that have a word. */
  readonly #lines = new Map<string, ReadonlySet<string>[]>();

  constructor(failures: readonly FailureBlock[]) {
    this.#names = new Set(failures.flatMap(({ lines }) => lines.flatMap(namesIn)));
    for (const words of failures.flatMap(({ lines }) => lines.map(wordsIn)))
      for (const word of words) {
        const known = this.#lines.get(word);
        if (known) known.push(words);
        else this.#lines.set(word, [words]);
      }
  }

  /** Whether a line has one of the names. @param counts which of its names count */
  hasNameOf(line: Line, counts: (name: string) => boolean = () => true): boolean {
    return namesIn(line).some((name) => counts(name) && this.#names.has(name));
  }

  /** Whether a line shares so many words with one of the lines, a long one more. */
  hasWordsOf(line: Line, atLeast: number): boolean {
    const linesWith = (word: string) => this.#lines.get(word) ?? [];
    const own = [...wordsIn(line)].sort((a, b) => linesWith(a).length - linesWith(b).length);
    const least = Math.max(atLeast, Math.ceil(own.length / WORDS_FOR_ONE));
    // The most common words need not be looked up: the others are in each line that has so many of them.
    return own
      .slice(0, Math.max(0, own.length - least + 1))
      .some((rare) => linesWith(rare).some((words) => shared(own, words) >= least));
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

function shared(some: readonly string[], others: ReadonlySet<string>): number {
  let count = 0;
  for (const word of some) if (others.has(word)) count++;
  return count;
}
