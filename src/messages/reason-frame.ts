/** The maximum length of a reason. */
const MAX_CHARACTERS = 6000;
/** The maximum size as JSON: Codex cuts a reason at about 10 kB, and quotes and most scripts take more than a byte. */
const MAX_BYTES = 7800;

export interface IterationNumber {
  readonly iteration: number;
  readonly maxIterations: number;
}

/**
 * A reason that fits: what frames the excerpts is always complete, and the excerpts get the characters that are left.
 *
 * @param compose returns the whole text with excerpts of so many characters
 */
export function fittedReason(compose: (excerptCharacters: number) => string): string {
  let reason = compose(0);
  let excerptCharacters = MAX_CHARACTERS - reason.length;
  do {
    reason = compose(excerptCharacters);
    excerptCharacters = Math.floor(excerptCharacters * 0.8);
  } while (excerptCharacters > 0 && !fits(reason));
  return reason;
}

/** Whether hosts pass the whole reason on to the agent. */
export function fits(reason: string): boolean {
  return reason.length <= MAX_CHARACTERS && Buffer.byteLength(JSON.stringify(reason)) <= MAX_BYTES;
}

export function iterationOf({ iteration, maxIterations }: IterationNumber): string {
  return `Iteration ${iteration}/${maxIterations}.`;
}
