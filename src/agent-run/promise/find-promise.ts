import { findEchoes, withoutEcho } from './echo.ts';
import { type MessageLine, messageLines } from './message-lines.ts';

/** What became of the promise in a message; lines count from 1. */
export type PromiseFound =
  | { readonly kind: 'made' }
  /** Another text is promised, as one in the wrong case. */
  | { readonly kind: 'other'; readonly text: string; readonly line: number }
  /** A promise stands there, and does not count. */
  | { readonly kind: 'malformed'; readonly how: Malformation; readonly line: number }
  | { readonly kind: 'none' };

/** `not-alone`: there is more on its line, be it a backtick; `not-closed`: its end stands on another line, or nowhere. */
export type Malformation = 'in-fence' | 'in-quotation' | 'not-closed' | 'not-alone';

const OPEN = '<promise>';
const CLOSE = '</promise>';

/**
 * Whether an agent's final message makes the promise: `<promise>TEXT</promise>` alone on its line, in prose. The last
 * such line counts. Blanks around it do not matter, nor does its indentation, since lists and terminals indent.
 *
 * @param promise the exact text
 * @param echoed the prompt that the agent was given: what it only repeats is no promise
 */
export function findPromise(message: string, promise: string, echoed: string): PromiseFound {
  const lines = messageLines(withoutEcho(message, echoed));
  const isEcho = findEchoes(
    lines.map(({ text }) => text),
    messageLines(echoed).map(({ text }) => text),
    (line) => line.includes(OPEN),
  );
  let found: PromiseFound = { kind: 'none' };
  for (const [index, line] of lines.entries()) {
    if (!line.text.includes(OPEN) || isEcho(index)) continue;
    const here = readPromise(line, promise);
    // Who has promised may still speak of the promise.
    if (here.kind !== 'malformed' || found.kind === 'none' || found.kind === 'malformed') found = here;
  }
  return found;
}

/** @param line one that has the tag */
function readPromise({ text, place, number: line }: MessageLine, promise: string): PromiseFound {
  const malformed = (how: Malformation): PromiseFound => ({ kind: 'malformed', how, line });
  if (place === 'fence') return malformed('in-fence');
  if (place === 'quotation') return malformed('in-quotation');
  const [before = '', promised = '', ...more] = text.trim().split(OPEN);
  const end = promised.indexOf(CLOSE);
  if (end === -1) return malformed('not-closed');
  if (before !== '' || more.length > 0 || end + CLOSE.length !== promised.length)
    return malformed('not-alone');
  const found = promised.slice(0, end);
  return found === promise ? { kind: 'made' } : { kind: 'other', text: found, line };
}
