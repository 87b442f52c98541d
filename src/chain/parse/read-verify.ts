import { gateOf } from './gate-options.ts';
import { readOptions } from './read-options.ts';
import { isQuote, readQuoted } from './read-quoted.ts';
import { showTyped } from './show-typed.ts';
import type { Flaw, GateReading } from './typed-gate.ts';

const OPENING = /::\s*verify(\s*[:=]?(?!:)\s*)/y;
const WORD = /\S*/y;
const EXAMPLE = 'expected verify:"npm test"';
/** What Linux passes to a program in one argument, its closing NUL left out (MAX_ARG_STRLEN, 32 pages of 4 kB). */
const MAX_COMMAND_BYTES = 32 * 4096 - 1;

/**
 * Reads a gate that runs a command, with its options.
 *
 * @param at the index of the `::`
 * @param isAlone whether blanks stand around it; without them, only the very form `::verify:"` is a gate
 * @returns undefined where no such gate begins
 */
export function readVerify(line: string, at: number, isAlone: boolean): GateReading | undefined {
  OPENING.lastIndex = at;
  const [opening, signs = ''] = OPENING.exec(line) ?? [];
  if (opening === undefined) return undefined;
  const behind = at + opening.length;
  const verify = behind - signs.length - 'verify'.length;
  const isQuoted = isQuote(line[behind]);
  const isGate = isAlone ? isQuoted || signs.trim() === ':' : isQuoted && signs === ':';
  if (!isGate) return undefined;
  if (!isQuoted) return withoutQuotes(line, behind, verify);
  const { text, end: quoteEnd, flaws: quoteFlaws } = readQuoted(line, behind);
  const { values, end, flaws: optionFlaws } = readOptions(line, quoteEnd);
  const flaws = [
    ...(signs.trim() === ':'
      ? []
      : [{ at: verify, message: `found "verify" without its colon, ${EXAMPLE}` }]),
    ...(quoteFlaws.length > 0 ? quoteFlaws : commandFlaws(text, behind)),
    ...optionFlaws,
  ];
  const gate = { kind: 'verify', gate: gateOf(text, values) } as const;
  return { gate: flaws.length > 0 ? undefined : gate, end, flaws };
}

/** Where a command without quotes would end is anybody's guess, so it is never run. */
function withoutQuotes(line: string, behind: number, verify: number): GateReading {
  WORD.lastIndex = behind;
  const [word = ''] = WORD.exec(line) ?? [];
  const found = word === '' ? 'nothing' : showTyped(word);
  const flaw = { at: word === '' ? verify : behind, message: `found ${found} behind "verify:", ${EXAMPLE}` };
  return { gate: undefined, end: behind + word.length, flaws: [flaw] };
}

function commandFlaws(command: string, at: number): Flaw[] {
  if (command.trim() === '') return [{ at, message: `found an empty command, ${EXAMPLE}` }];
  const bytes = Buffer.byteLength(command);
  if (bytes <= MAX_COMMAND_BYTES) return [];
  const expected = `expected at most ${MAX_COMMAND_BYTES}; put it into a script`;
  return [{ at, message: `found a command of ${bytes} bytes, ${expected}` }];
}
