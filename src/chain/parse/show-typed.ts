const MAX_CHARACTERS = 40;

/** What somebody typed, for a message: in quotes, control characters escaped, short whatever it is. */
export function showTyped(text: string): string {
  return JSON.stringify(text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text);
}
