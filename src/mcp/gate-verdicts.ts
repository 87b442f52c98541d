import * as z from 'zod';
import { oneLine } from '../base/text.ts';
import { verdictsIn } from '../chain/verdicts.ts';
import type { CriterionVerdict } from '../state/chain.ts';

const verdict = z.object({
  verdict: z.string().optional().describe('PASS or FAIL'),
  passed: z.boolean().optional(),
  reason: z.string().optional(),
});

/** The forms in which models give verdicts; the tool asks for the first one. */
export const gateVerdicts = z.union([
  z.string().describe('a line for each: GATE <name>: PASS - <reason>, or FAIL - <reason>'),
  z.array(z.union([z.string(), verdict.extend({ name: z.string() })])),
  z.record(z.string(), z.union([z.string(), verdict])),
]);

export type GateVerdicts = z.infer<typeof gateVerdicts>;

/** Reads verdicts in any of the forms. Anything else counts as missing, and is requested again. */
export function readVerdicts(given: GateVerdicts): CriterionVerdict[] {
  const lines = linesOf(given).flatMap((text) => text.split('\n'));
  return verdictsIn(lines.map((line) => `GATE ${line.replace(/^[\s>*_-]*(?:GATE\s+)?/i, '')}`).join('\n'));
}

function linesOf(given: GateVerdicts): string[] {
  if (typeof given === 'string') {
    const list = parsed(given);
    return list === undefined || typeof list === 'string' ? [given] : linesOf(list);
  }
  if (Array.isArray(given))
    return given.map((each) => (typeof each === 'string' ? each : lineOf(each.name, each)));
  return Object.entries(given).map(([name, each]) =>
    typeof each === 'string' ? `${name}: ${each}` : lineOf(name, each),
  );
}

function lineOf(name: string, { verdict: word, passed, reason = '' }: z.infer<typeof verdict>): string {
  return `${name}: ${word ?? (passed === undefined ? '' : passed ? 'PASS' : 'FAIL')} - ${oneLine(reason, 1000)}`;
}

/** A string may contain the other forms as JSON. */
function parsed(text: string): GateVerdicts | undefined {
  try {
    return gateVerdicts.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
