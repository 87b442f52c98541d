/** As many as an excerpt of a thousand failures asks about. */
const MAX_TEXTS = 16_000;

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

/**
 * Answers a question about an object once: the excerpt for the agent and the one that `why` shows begin with the same steps.
 *
 * @param answer has no effects, and needs nothing but the object, which is not changed later
 */
export function rememberedOf<K extends object, T>(answer: (key: K) => T): (key: K) => T {
  const answers = new WeakMap<K, { readonly found: T }>();
  return (key) => {
    const known = answers.get(key) ?? { found: answer(key) };
    answers.set(key, known);
    return known.found;
  };
}
