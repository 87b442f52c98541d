import { onScreen } from './message-lines.ts';

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
  return onScreen(text).replace(LINE_END, '\n');
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
