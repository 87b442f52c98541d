/** What an agent reads of a block at the most. */
const MAX_CHARACTERS = 6000;
/** The same as JSON on the wire; Codex cuts a reason at about 10 kB. Quotes and most scripts take more than a byte. */
const MAX_BYTES = 7800;
export interface Attempt {
  readonly iteration: number;
  readonly maxIterations: number;
}

/**
 * The frame always stays; the excerpts get what it leaves, and less where their characters take many bytes.
 *
 * @param compose makes the whole text of the characters that there are for excerpts
 */
export function fittedReason(compose: (excerptCharacters: number) => string): string {
  let reason = compose(0);
  let room = MAX_CHARACTERS - reason.length;
  do {
    reason = compose(room);
    room = Math.floor(room * 0.8);
  } while (room > 0 && !fits(reason));
  return reason;
}

/** Whether a host hands all of it to the agent. */
export function fits(reason: string): boolean {
  return reason.length <= MAX_CHARACTERS && Buffer.byteLength(JSON.stringify(reason)) <= MAX_BYTES;
}

export function iterationOf({ iteration, maxIterations }: Attempt): string {
  return `Iteration ${iteration}/${maxIterations}.`;
}
