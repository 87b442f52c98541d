import { didYouMean, nearestKey } from '../../config/validate.ts';
import type { GateAction } from '../../state/prompt-step.ts';
import { GATE_WORDS } from './gate-options.ts';
import { readCriterion } from './read-criterion.ts';
import { isQuote, readQuoted } from './read-quoted.ts';
import { readVerify } from './read-verify.ts';
import { showTyped } from './show-typed.ts';
import type { GateReading } from './typed-gate.ts';

const BLANK = /^\s?$/;
const ACTION = /::\s*gate_action\s*:\s*([^\s.,;!?)]*)/y;
const ACTIONS: readonly string[] = ['retry', 'skip', 'abort'] satisfies GateAction[];
const WORD_AND_VALUE = /::\s+([A-Za-z][\w-]*):\s*(\S*)/y;

/**
 * Reads the gate that a `::` opens. It does where it stands alone, between blanks or at the beginning of its line, and
 * what follows has the form of a gate; `verify:"` and `gate_action:` are so plain that they need no blanks.
 *
 * @param at the index of the `::` in its line
 * @param criterion the text that a project has below a name
 * @returns undefined where the `::` is prose or code
 */
export function readGate(
  line: string,
  at: number,
  criterion: (name: string) => string | undefined,
): GateReading | undefined {
  const isAlone = BLANK.test(line.charAt(at - 1)) && BLANK.test(line.charAt(at + 2));
  const reading = readVerify(line, at, isAlone) ?? readAction(line, at);
  if (reading || !isAlone) return reading;
  return readMisspelt(line, at) ?? readCriterion(line, at, criterion);
}

/** `:: gate_action:retry` */
function readAction(line: string, at: number): GateReading | undefined {
  ACTION.lastIndex = at;
  const [opening, typed = ''] = ACTION.exec(line) ?? [];
  if (opening === undefined) return undefined;
  const end = at + opening.length;
  if (ACTIONS.includes(typed))
    return { gate: { kind: 'action', action: typed as GateAction }, end, flaws: [] };
  const found = typed === '' ? 'nothing' : showTyped(typed);
  const message = `found ${found} for "gate_action", expected retry, skip or abort${didYouMean(typed, ACTIONS)}`;
  return { gate: undefined, end, flaws: [{ at: line.indexOf('gate_action', at), message }] };
}

/** `:: verfy:"npm test"` would be a criterion of that name, and nothing would be run. */
function readMisspelt(line: string, at: number): GateReading | undefined {
  WORD_AND_VALUE.lastIndex = at;
  const [opening, word = '', value = ''] = WORD_AND_VALUE.exec(line) ?? [];
  if (opening === undefined || nearestKey(word, GATE_WORDS) === undefined) return undefined;
  const end = at + opening.length;
  const behind = end - value.length;
  const message = `found ${showTyped(word)}, expected verify:"npm test" or the name of a criterion${didYouMean(word, GATE_WORDS)}`;
  return {
    gate: undefined,
    end: isQuote(line[behind]) ? readQuoted(line, behind).end : end,
    flaws: [{ at: line.indexOf(word, at), message }],
  };
}
