/** Words that tell something, unless the words around them take it back. */
export interface Sign {
  /** Global: every place in a line is looked at. */
  readonly words: RegExp;
  /** What takes it back in front of it, in the same clause. */
  readonly before?: readonly RegExp[];
  /** What takes it back behind it, up to the end of the sentence. */
  readonly after?: readonly RegExp[];
}

/** So far is looked around: nobody's sentence is longer, and lines may be. */
const REACH_CHARACTERS = 300;
const UP_TO_CLAUSE = /^.*(?:[.!?:;,–—](?=\s|$)|[(|]|\s-\s|\b(?:but|however|although|though|except)\b)/is;
const SENTENCE_END = /[.!?](?=\s|$)/;
const UP_TO_SENTENCE = /^.*[.!?;](?=\s)/s;
/** A sentence that begins so does not speak of what is now. */
const NOT_NOW =
  /^\W*(?:(?:initially|previously|originally|formerly|earlier|at first|at the start|before\b[^,:]*|baseline|on (?:main|master|the (?:old|base|original|unpatched)\b[^,:]*)|without (?:the|my|this)\b[^,:]*|[^,:]*\b(?:revert\w*|stash\w*|undone)\b[^,:]*)[,:]|(?:if|unless|whenever|in case)\b[^,]*,)/i;
/** A next sentence that still speaks of the same. */
const GOES_ON =
  /^[.!]\s+(?:that|this|it|they|these|those|both|all|everything|now|fix(?:ed|ing)|repair(?:ed|ing)|resolved)\b[^.!?]*/i;

/**
 * Whether a line tells what a sign stands for. A question tells nothing.
 *
 * @param prose a line without what it only quotes
 * @param next what follows it, where it ends with the words as a heading does
 */
export function tells(prose: string, { words, before = [], after = [] }: Sign, next = ''): boolean {
  for (const { 0: found, index } of prose.matchAll(words)) {
    const end = index + found.length;
    const behind = prose.slice(Math.max(0, index - REACH_CHARACTERS), index);
    const clause = behind.replace(UP_TO_CLAUSE, '');
    const sentence = sentenceIn(`${prose.slice(end, end + REACH_CHARACTERS)} ${next}`);
    if (sentence === undefined || NOT_NOW.test(behind.replace(UP_TO_SENTENCE, ''))) continue;
    if (before.some((excuse) => excuse.test(clause))) continue;
    if (!after.some((excuse) => excuse.test(sentence))) return true;
  }
  return false;
}

/** @returns undefined where it is a question */
function sentenceIn(text: string): string | undefined {
  const end = SENTENCE_END.exec(text);
  if (end?.[0] === '?') return undefined;
  return end ? text.slice(0, end.index) + (GOES_ON.exec(text.slice(end.index))?.[0] ?? '') : text;
}
