import { firstWord } from '../lines/line-text.ts';
import { type Line, normalized } from './failure.ts';

const MAX_NAMES = 500;
/** A mark before the name of a failed test: `✘ [fail]: adds`, `(fail) adds`, `2) adds`. */
const MARK = /^\s*(?:[^\w\s"'`([]+\s+|\d+\)\s+|[A-Z]{4,}:?\s+)?(?:[[(]\w+[\])]:?\s+)?/;
const DURATION = /\s*[[(][\d.]+\s?m?s[\])]$/;
/** What may follow the name in the list, if it is no further part of the name. */
const SEPARATED = /^\s*[›>:.,/-]/;
/** A title with a mark, and the group of a test before its name: `❯ cart / adds`. */
const BELOW_GROUP = /^❯ (?:.* )?\/ (\S.*)$/;
const MIN_WORDS = 3;

/**
 * The names of failed tests: some runners list them first, and print each again, without a mark, above what went wrong.
 */
export class FailedNames {
  /** By the first word: the name, and the line that had it. */
  readonly #names = new Map<string, [name: string, line: string][]>();
  #size = 0;

  /** @param line one with a mark */
  add(line: string): void {
    const name = line.replace(MARK, '').replace(DURATION, '').trim();
    if (name.length === line.trim().length || this.#size >= MAX_NAMES) return;
    this.#size++;
    const word = firstWord(name);
    const known = this.#names.get(word);
    if (known) known.push([name, line]);
    else this.#names.set(word, [[name, line]]);
  }

  /** The signature of the failed test that a line names, also below its group, and nothing else. */
  signatureOf(text: string): string | undefined {
    if (this.#size === 0) return undefined;
    const below = BELOW_GROUP.exec(text)?.[1];
    const named = this.#named(text.trim()) ?? (below === undefined ? undefined : this.#named(below));
    return named && normalized(named[1]);
  }

  #named(title: string): readonly [name: string, line: string] | undefined {
    return this.#names.get(firstWord(title))?.find(([name]) => isNameIn(title, name));
  }
}

/** Whether a title is the name, or the name without the reason that a list has after it. */
function isNameIn(title: string, name: string): boolean {
  if (name === title) return true;
  if (!name.startsWith(title) || name[title.length] !== ' ' || title.split(' ').length < MIN_WORDS)
    return false;
  return !SEPARATED.test(name.slice(title.length));
}

/** A test in CTest, with what it has printed below, and its name in a list at the end; and how GoogleTest names it. */
const OF_CTEST = /^\s*\d+\/\d+ Test +#(\d+): (.*?) \.+\*{3}/;
const LIST = /^The following tests FAILED:$/;
const IN_LIST = /^\s+(\d+) - .+ \([A-Z]\w+(?: \w+)?\)$/;
const OF_GOOGLE_TEST = /^\[(?: RUN {6}| {2}FAILED {2})\] (\S+)(?:, where .*| \(\d+ ms\))?$/;

/** The positions of the names of tests that CTest has named above, with what was printed of them. */
export function namesOfCTestIn(lines: readonly Line[]): number[] {
  const numbers = new Set<string>();
  let name = '';
  const isListed = (text = '') => numbers.has(IN_LIST.exec(text)?.[1] ?? '');
  return lines.flatMap(({ at, text }, index) => {
    const [, number, named] = OF_CTEST.exec(text) ?? [];
    if (number !== undefined && named !== undefined) {
      numbers.add(number);
      name = named;
    }
    const inner = OF_GOOGLE_TEST.exec(text)?.[1];
    const isInner = inner !== undefined && name.startsWith(inner);
    return isInner || isListed(text) || (LIST.test(text) && isListed(lines[index + 1]?.text)) ? [at] : [];
  });
}
