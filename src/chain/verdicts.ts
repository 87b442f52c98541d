import type { CriterionVerdict } from '../state/chain.ts';

const VERDICT =
  /^[\s>*_-]*GATE\s+`?([\p{L}\p{N}_.-]+)[\s*_`]*:[\s*_]*(PASS|FAIL)(?:ED)?\b[\s*_]*[-–—:,.]*\s*(.*)$/iu;

/** The verdicts in a message, one a line: `GATE <name>: PASS - <reason>`. */
export function verdictsIn(message: string): CriterionVerdict[] {
  return message.split(/\r?\n/).flatMap((line) => {
    const [, name, verdict, reason = ''] = VERDICT.exec(line) ?? [];
    return name && verdict ? [{ name, passed: verdict.toUpperCase() === 'PASS', reason: reason.trim() }] : [];
  });
}
