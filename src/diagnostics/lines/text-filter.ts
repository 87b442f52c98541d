/** Texts, and the expressions that are looked for in a line that has one. */
interface FilterText {
  readonly text: string;
  readonly expressions: number[];
}

const LAST_ASCII = 127;
/** A power of two. */
const MAX_BEGINNINGS = 1 << 12;

/**
 * Finds the expressions of a table that may match a line: hundreds are behind one search for the texts that they need, and V8
 * compiles only those that are tried.
 */
export class TextFilter {
  readonly #always: Uint8Array;
  /** By a hash of their first two characters. */
  readonly #byBeginning: (FilterText[] | undefined)[] = new Array(MAX_BEGINNINGS).fill(undefined);
  /** Signs outside ASCII, which are texts of their own. */
  readonly #bySign = new Map<string, number[]>();

  /** @param texts for each expression, texts in lower case of which a line needs one; none if any line may match */
  constructor(texts: readonly (readonly string[])[]) {
    this.#always = Uint8Array.from(texts, ({ length }) => Number(length === 0));
    for (const [expression, needed] of texts.entries())
      for (const text of needed) this.#add(text, expression);
  }

  #add(text: string, expression: number): void {
    if (text.length === 1) {
      this.#bySign.set(text, [...(this.#bySign.get(text) ?? []), expression]);
      return;
    }
    const place = placeOf(text.charCodeAt(0), text.charCodeAt(1));
    const others = this.#byBeginning[place] ?? [];
    this.#byBeginning[place] = others;
    const known = others.find((other) => other.text === text);
    if (known) known.expressions.push(expression);
    else others.push({ text, expressions: [expression] });
  }

  /** @returns for each expression, 0 if it cannot match the line */
  possible(line: string): Uint8Array {
    const possible = this.#always.slice();
    const byBeginning = this.#byBeginning;
    const text = line.toLowerCase();
    let next = text.charCodeAt(0);
    for (let at = 0; at < text.length; at++) {
      const code = next;
      next = text.charCodeAt(at + 1);
      const texts = byBeginning[placeOf(code, next)];
      if (texts) mark(texts, text, at, possible);
      if (code > LAST_ASCII)
        for (const expression of this.#bySign.get(text.charAt(at)) ?? []) possible[expression] = 1;
    }
    return possible;
  }
}

/** Marks the expressions of those texts that are there. */
function mark(texts: readonly FilterText[], line: string, at: number, possible: Uint8Array): void {
  for (const { text, expressions } of texts)
    if (line.startsWith(text, at)) for (const expression of expressions) possible[expression] = 1;
}

function placeOf(first: number, second: number): number {
  return ((first << 5) ^ second) & (MAX_BEGINNINGS - 1);
}
