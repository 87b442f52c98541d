import { type MessageLine, messageLines, visibleText } from '../../gates/words/message.ts';
import { isTakenBack } from '../../gates/words/taken-back.ts';

/** The promise in a message. Lines are counted from 1. */
export type PromiseFound =
  | { readonly kind: 'made' }
  /** The promise has another text, which includes the same text in another case. */
  | { readonly kind: 'other'; readonly text: string; readonly line: number }
  /** There is a promise that does not count. */
  | { readonly kind: 'malformed'; readonly how: Malformation; readonly line: number }
  | { readonly kind: 'none' };

/**
 * `not-alone`: there is other text on its line, such as a backtick; `not-closed`: its line has no closing tag; `taken-back`:
 * it is in a sentence such as "I will not output … because".
 */
export type Malformation = 'in-fence' | 'in-quotation' | 'not-closed' | 'not-alone' | 'taken-back';

const OPEN = '<promise>';
const CLOSE = '</promise>';

/**
 * Finds the promise in an agent's last message: `<promise>TEXT</promise>` alone on its line, outside of code blocks and
 * quotations. The last such line counts. White space around it is ignored, since lists and terminals indent.
 *
 * @param promise the exact text
 * @param prompt the agent's prompt: repeating a promise of the prompt is not promising
 */
export function findPromise(message: string, promise: string, prompt: string): PromiseFound {
  const lines = messageLines(withoutEcho(message, prompt));
  const isEcho = findEchoedPromises(lines, messageLines(prompt));
  let found: PromiseFound = { kind: 'none' };
  for (const [index, line] of lines.entries()) {
    if (!line.text.includes(OPEN) || isEcho(index)) continue;
    const read = readPromise(line, promise);
    const here: PromiseFound =
      read.kind === 'made' && isTakenBack(lines, index)
        ? { kind: 'malformed', how: 'taken-back', line: line.number }
        : read;
    // After a promise, a sentence about the promise does not revoke it.
    if (here.kind !== 'malformed' || found.kind === 'none' || found.kind === 'malformed') found = here;
  }
  return found;
}

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

const LINE_END = /\r\n?|\n/;

/**
 * Replaces the prompt in the output of an agent that prints it before it works by empty lines, so that all other lines
 * keep their numbers. Promises and contradictions in the prompt are not the agent's, and a code block that the prompt
 * leaves open ends with it.
 */
export function withoutEcho(message: string, prompt: string): string {
  const echo = normalized(prompt).trim();
  if (echo === '') return message;
  const parts = `\n${normalized(message)}\n`.split(`\n${echo}\n`);
  if (parts.length === 1) return message;
  const lines = echo.split('\n').length;
  return parts.join('\n'.repeat(lines + 1)).slice(1, -1);
}

/** Returns a text without what differs when a terminal or an agent prints it: colours, line ends, blanks around lines. */
function normalized(text: string): string {
  return visibleText(text)
    .split(LINE_END)
    .map((line) => line.trim())
    .join('\n');
}

/** A line, and the nearest lines above and below it that contain a letter or a digit. */
interface Neighbours {
  readonly above: string;
  readonly line: string;
  readonly below: string;
}

/**
 * Finds the promises that an agent copied from a part of the prompt. A copied promise is followed by the same line as in
 * the prompt; the last line of the prompt is preceded by the same line. An agent's own promise is followed by something
 * else, or ends the message.
 *
 * @returns whether the line of the message at an index is such a copy
 */
function findEchoedPromises(
  message: readonly MessageLine[],
  prompt: readonly MessageLine[],
): (index: number) => boolean {
  const below = new Set<string>();
  const above = new Set<string>();
  for (const near of neighboursOf(prompt)) {
    if (!near.line.includes(OPEN)) continue;
    if (near.below !== '') below.add(`${near.line}\n${near.below}`);
    else if (near.above !== '') above.add(`${near.above}\n${near.line}`);
  }
  const neighbours = neighboursOf(message);
  return (index) => {
    const near = neighbours[index];
    if (!near) return false;
    return below.has(`${near.line}\n${near.below}`) || above.has(`${near.above}\n${near.line}`);
  };
}

const WORD = /[\p{L}\p{N}]/u;

function neighboursOf(lines: readonly MessageLine[]): Neighbours[] {
  const trimmed = lines.map(({ text }) => text.trim());
  const above = previousWithWords(trimmed);
  const below = previousWithWords(trimmed.toReversed()).toReversed();
  return trimmed.map((line, index) => ({ above: above[index] ?? '', line, below: below[index] ?? '' }));
}

/** For each line, the last line before it that contains a letter or a digit. */
function previousWithWords(lines: readonly string[]): string[] {
  let nearest = '';
  return lines.map((line) => {
    const before = nearest;
    if (WORD.test(line)) nearest = line;
    return before;
  });
}
