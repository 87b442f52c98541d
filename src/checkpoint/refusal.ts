/**
 * A reason, in words for people, why nothing can be saved or restored. Any step of the work may meet one, just as any may
 * meet a full disk: both are thrown within this room, and handed out as values by `orWhy` at its doors.
 */
export class Refusal extends Error {}

export interface Why {
  /** In words for people. */
  readonly why: string;
}

/**
 * Does the work of a door of this room.
 *
 * @returns what the work returns, or why it could not be done: a refusal, or what the system said
 * @throws bugs
 */
export async function orWhy<T>(work: () => Promise<T>): Promise<T | Why> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal || isSystemError(error)) return { why: error.message };
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
