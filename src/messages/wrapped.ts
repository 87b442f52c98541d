// Apart from the results of gates: with them, the bundle of the board would have a copy of the condenser.
import wrapAnsi from 'wrap-ansi';

const MIN_COLUMNS = 20;

/** The lines of a text, wrapped to the width of the terminal. */
export function wrapped(text: string, columns: number | undefined): string[] {
  if (columns === undefined) return text.split('\n');
  return wrapAnsi(text, Math.max(columns, MIN_COLUMNS), { hard: true, trim: false }).split('\n');
}
