/** An excerpt asks about fewer. */
const MAX_TEXTS = 1000;

/**
 * Answers a question about a text once, because the steps of an excerpt ask the same about the same lines.
 *
 * @param answer has no effects, and needs nothing but the text
 */
export function remembered<T extends {}>(answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (answers.size === MAX_TEXTS) answers.clear();
    const found = answer(text);
    answers.set(text, found);
    return found;
  };
}
