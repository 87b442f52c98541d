import { type MessageLine, messageLines, visibleText } from './message.ts';

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

const LINE_END = /\r\n?|\n/g;

/**
 * Takes the prompt out of the output of an agent that prints it before it works: neither promises nor contradictions of
 * the prompt are the agent's, and a fence that the prompt leaves open ends with it.
 *
 * @returns the message, with empty lines where the prompt was, so that every other line keeps its number
 */
export function withoutEcho(message: string, prompt: string): string {
  const echo = tidy(prompt).trim();
  if (echo === '') return message;
  const parts = `\n${tidy(message)}\n`.split(`\n${echo}\n`);
  if (parts.length === 1) return message;
  const lines = echo.split('\n').length;
  return parts.join('\n'.repeat(lines + 1)).slice(1, -1);
}

function tidy(text: string): string {
  return visibleText(text).replace(LINE_END, '\n');
}

/** A line, and the nearest ones above and below it that have words. */
interface Neighbours {
  readonly above: string;
  readonly line: string;
  readonly below: string;
}

/**
 * Tells promises that a part of the prompt brought along: such a line goes on as it does in the prompt, or, where it is
 * the prompt's last one, stands below the same line as there. Who claims to be done goes on otherwise, or ends.
 *
 * @param isPromise which lines are looked for in the prompt
 * @returns whether the line of the message at an index is one
 */
export function findEchoes(
  message: readonly string[],
  prompt: readonly string[],
  isPromise: (line: string) => boolean,
): (index: number) => boolean {
  const below = new Set<string>();
  const above = new Set<string>();
  neighboursIn(prompt).forEach((near) => {
    if (!isPromise(near.line)) return;
    if (near.below !== '') below.add(`${near.line}\n${near.below}`);
    else if (near.above !== '') above.add(`${near.above}\n${near.line}`);
  });
  const near = neighboursIn(message);
  return (index) => {
    const found = near[index];
    if (!found) return false;
    return below.has(`${found.line}\n${found.below}`) || above.has(`${found.above}\n${found.line}`);
  };
}

const WORD = /[\p{L}\p{N}]/u;

function neighboursIn(lines: readonly string[]): Neighbours[] {
  const trimmed = lines.map((line) => line.trim());
  const above = nearestOf(trimmed);
  const below = nearestOf(trimmed.toReversed()).toReversed();
  return trimmed.map((line, index) => ({ above: above[index] ?? '', line, below: below[index] ?? '' }));
}

/** For each line, the last one before it that has words. */
function nearestOf(lines: readonly string[]): string[] {
  let nearest = '';
  return lines.map((line) => {
    const before = nearest;
    if (WORD.test(line)) nearest = line;
    return before;
  });
}
