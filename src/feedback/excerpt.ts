import { stripVTControlCharacters } from 'node:util';
import type { GateResult } from '../gates/gate.ts';
import { thousands } from './wording.ts';

type Output = GateResult['output'];

/** Share of the budget for the start of the output; the end, where most tools sum up, gets the rest. */
const HEAD_SHARE = 0.35;
/** The line that marks the gap. */
const GAP_CHARACTERS = 60;

/**
 * The part of a gate's output that the agent gets to read: all of it, or its start and its end with the gap marked.
 *
 * @param maxCharacters the excerpt's length at the most
 */
export function excerpt(output: Output, maxCharacters: number): string {
  if (maxCharacters <= GAP_CHARACTERS) return readable(output.head) === '' ? '' : '…';
  const head = readable(output.head);
  const isWhole = output.omittedBytes === 0;
  if (isWhole && head.length <= maxCharacters) return head;
  const tail = isWhole ? head : readable(output.tail);
  const start = keepLines(head, Math.floor(maxCharacters * HEAD_SHARE), 'start');
  const end = keepLines(tail, maxCharacters - start.length - GAP_CHARACTERS, 'end');
  const total = isWhole ? head.length : head.length + output.omittedBytes + tail.length;
  const omitted = total - start.length - end.length;
  return `${start}\n… ${thousands(omitted)} characters left out …\n${end}`;
}

/** Output as it would stand on a screen: no escape sequences, of a redrawn line only its last state. */
function readable(pieces: Output['head']): string {
  const plain = stripVTControlCharacters(pieces.map(({ text }) => text).join(''));
  return plain
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .join('\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .toWellFormed();
}

/** As many whole lines as fit, from the start or the end; of a single line that does not fit, a part. */
function keepLines(text: string, maxCharacters: number, from: 'start' | 'end'): string {
  if (text.length <= maxCharacters) return text;
  if (from === 'start') {
    const cut = text.slice(0, maxCharacters);
    const lastLine = cut.lastIndexOf('\n');
    return (lastLine > 0 ? cut.slice(0, lastLine) : cut).toWellFormed();
  }
  const cut = text.slice(text.length - maxCharacters);
  const firstLine = cut.indexOf('\n');
  return (firstLine !== -1 && firstLine < cut.length - 1 ? cut.slice(firstLine + 1) : cut).toWellFormed();
}
