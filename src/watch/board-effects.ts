import type { ReadStream, WriteStream } from 'node:tty';
import type { Paint } from '../messages/paint.ts';
import type { Board, Card } from './board.ts';

/** What the board is shown with, and what it can do. */
export interface BoardEffects {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly paint: Paint;
  /** Gives the board anew whenever it has changed. @returns stops it */
  follow(show: (board: Board) => void): () => void;
  /** What was told last of what the card stands for, in lines that are no longer than that many columns. */
  feedback(card: Card, columns: number): readonly string[];
  /** @returns what came of it, for a person */
  cancel(task: string): Promise<string>;
}
