// What names are short for in a test: `want := 3` and `got := Add(1, 2)`, so that a value which moves into a variable is
// the same value, and one that changes there is seen.

export interface Definition {
  readonly name: string;
  /** The index of the token at which it begins. */
  readonly at: number;
  /** Canonical. */
  readonly text: string;
}

/** Replaces names in a canonical text by what they are defined as before a token. */
export type Resolve = (text: string, at: number) => string;

const WORDS = /"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)+'|\S+/g;
const NAME = /^[A-Za-z_]\w*$/;
const LONGEST = 400;
const DEEPEST = 3;

/** @param definitions in the order of the file */
export function resolver(definitions: readonly Definition[]): Resolve {
  const byName = new Map<string, Definition[]>();
  for (const each of definitions) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const resolve = (text: string, at: number, depth: number): string => {
    const words = text.match(WORDS) ?? [];
    const found = words.map((word, index) => {
      if (!isFree(words, index)) return word;
      const definition = byName.get(word)?.findLast((each) => each.at < at);
      if (!definition || mentions(definition.text, word)) return word;
      return depth < DEEPEST ? resolve(definition.text, definition.at, depth + 1) : definition.text;
    });
    const resolved = found.join(' ');
    return resolved.length > LONGEST ? text : resolved;
  };
  return (text, at) => resolve(text, at, 0);
}

/** Whether a word is a name of its own, no member and no key. */
function isFree(words: readonly string[], index: number): boolean {
  return (
    NAME.test(words[index] ?? '') &&
    !/^(?:\.|::|->)$/.test(words[index - 1] ?? '') &&
    words[index + 1] !== ':'
  );
}

/** Whether a definition is in terms of the name itself: `tc := tc`. */
function mentions(text: string, name: string): boolean {
  const words = text.split(' ');
  return words.some((word, index) => word === name && isFree(words, index));
}
