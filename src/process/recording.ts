/** Which of the command's two streams a piece of output came from. */
export type OutputStream = 'stdout' | 'stderr';

/** Bytes of one stream, followed by some of the other. */
export interface StreamBytes {
  readonly stream: OutputStream;
  readonly bytes: Buffer;
}

/** A piece of decoded output of one stream. */
export interface OutputPiece {
  readonly stream: OutputStream;
  readonly text: string;
}

/** What is kept in memory of a command's output: its head and its tail, with a count of what lay between. */
export interface Recording {
  readonly head: readonly OutputPiece[];
  readonly tail: readonly OutputPiece[];
  /** Bytes between head and tail that were dropped from memory; 0: the head is all there is. */
  readonly omittedBytes: number;
  /** Where the full log lies, absolute; absent when none was asked for or it could not be written. */
  readonly logPath?: string;
}

/** The recording of a command that never ran. */
export const EMPTY_RECORDING: Recording = { head: [], tail: [], omittedBytes: 0 };
