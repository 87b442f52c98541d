/** A `::` between blanks, or one before the two words that need no blanks. */
const SIGN = /(?:^|\s)::\s|::\s*(?:verify|gate_action)/;

/**
 * Whether a prompt may contain a typed gate. It runs at every prompt of every session, so it imports nothing. A true has
 * to be confirmed by the parser, because `a :: Int` matches too; a false is final.
 */
export function mayHaveGates(text: string): boolean {
  return SIGN.test(text);
}
