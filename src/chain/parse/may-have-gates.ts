/** A `::` that stands alone, or that one of the two words follows that need no blanks. */
const SIGN = /(?:^|\s)::\s|::\s*(?:verify|gate_action)/;

/**
 * Whether a prompt may hold a typed gate, told without understanding it: this runs at every prompt of every session, so
 * it imports nothing. A yes has still to be parsed, since `a :: Int` is one too; a no is final.
 */
export function mayHaveGates(text: string): boolean {
  return SIGN.test(text);
}
