import type { Findings } from './condenser.ts';
import { normalised, signatureOf } from './failure.ts';
import { WEIGHT } from './line-meaning.ts';

const MAX_ERRORS = 40;
const MAX_CHARACTERS = 300;

/**
 * The errors of an output without what differs from run to run: two outputs with the same ones tell the same failure.
 * Where no error was recognised, its last lines stand for them.
 */
export function errorsOf(findings: Findings | undefined): string[] {
  if (!findings) return [];
  const errors = findings.failures.filter(({ weight }) => weight >= WEIGHT.thrown);
  const told =
    errors.length > 0
      ? errors.map(({ failure }) => signatureOf(failure))
      : findings.outline.closing.map(({ text }) => normalised(text));
  return told.slice(0, MAX_ERRORS).map((error) => error.slice(0, MAX_CHARACTERS));
}
