import { count, oneLine } from '../base/text.ts';
import type { RuleName } from '../integrity/rules.ts';
import type { Finding } from '../integrity/types.ts';
import { type Paint, plain, type Style } from './paint.ts';

const COLOURS: Readonly<Record<Finding['severity'], Style>> = { high: 'red', medium: 'yellow', low: 'dim' };

/** `tests/cart.test.ts:12` */
export function placeOf({ path, line }: Finding): string {
  return `${oneLine(path, 150)}${line === undefined ? '' : `:${line}`}`;
}

/** `tests/cart.test.ts:12: \`adds up\` is skipped` */
export function findingText(finding: Finding): string {
  return `${placeOf(finding)}: ${oneLine(finding.message, 300)}`;
}

/** What `ralph-loop integrity` prints. @param since what the tree was compared with */
export function integrityLines(findings: readonly Finding[], since: string, paint: Paint = plain): string[] {
  if (findings.length === 0) return [`No test or check became weaker since ${since}.`];
  const lines = findings.map(
    (finding) =>
      `${paint(COLOURS[finding.severity], finding.severity.padEnd(6))} ${placeOf(finding)}  ${paint('dim', finding.rule)}\n       ${oneLine(finding.message, 300)}`,
  );
  const numbers = (['high', 'medium', 'low'] as const).flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number > 0 ? `${number} ${severity}` : [];
  });
  return [...lines, '', `${count(findings.length, 'finding')} since ${since}: ${numbers.join(', ')}`];
}

/** For the line that the person reads: "weakened: tests/a.test.ts:3: `adds` is skipped (and 2 more)". */
export function weakenedText(findings: readonly Finding[]): string | undefined {
  const [first, ...others] = findings.filter(isReported);
  if (!first) return undefined;
  // The command compares files; what differs from the record of the session is in the log alone.
  const isRecord = ({ rule }: Finding) => ['gate-changed', 'hook-removed', 'script-changed'].includes(rule);
  const where = others.some(isRecord) ? '' : ': ralph-loop integrity';
  const allowed = first.allowed === undefined ? '' : ` (allowed: ${oneLine(first.allowed, 100)})`;
  return `weakened: ${findingText(first)}${allowed}${others.length > 0 ? ` (and ${others.length} more${where})` : ''}`;
}

/** Whether people read the finding without asking for it. */
function isReported({ severity, allowed }: Finding): boolean {
  return severity !== 'low' || allowed !== undefined;
}

/** What undoes a finding later in the turn, by an edit that makes nothing weaker. */
const EXCUSES: Readonly<Partial<Record<RuleName, string>>> = {
  'test-deleted': 'A test that is in another file at the stop does not count.',
  'test-not-collected': 'A test that is in another file at the stop does not count.',
  'test-cases-removed': 'Cases that are in another test at the stop do not count.',
  'assertion-removed': 'Assertions that are in another test at the stop do not count.',
  'expectation-changed': 'An expected value that changes with the code under test does not count.',
  'snapshot-rewritten': 'A snapshot that changes with the code under test does not count.',
};

/** A note is read within the agent's work. */
const MAX_NOTED = 3;

/** What an agent reads after an edit by which checks became weaker. */
export function editNote(findings: readonly Finding[]): string {
  const shown = findings.slice(0, MAX_NOTED).map(findingText);
  const more = findings.length - shown.length;
  const blocks = findings.some(({ severity }) => severity === 'high');
  return [
    `ralph-loop: ${[...shown, ...(more > 0 ? [`and ${more} more: run \`ralph-loop integrity\``] : [])].join('; ')}.`,
    blocks
      ? 'A stop is blocked while a check is weaker than at the start.'
      : 'The person reads this at the stop.',
    ...new Set(findings.flatMap(({ rule }) => EXCUSES[rule] ?? [])),
    ...(blocks ? ['Restore it, or run: ralph-loop escalate "<reason>"'] : []),
  ].join(' ');
}

/** The findings that a block lists. */
const MAX_LISTED = 10;

/** The lines of findings for the agent. */
export function findingLines(findings: readonly Finding[]): string[] {
  const lines = findings.slice(0, MAX_LISTED).map((finding) => `- ${findingText(finding)}`);
  const more = findings.length - MAX_LISTED;
  return more > 0 ? [...lines, `- and ${more} more: run \`ralph-loop integrity\``] : lines;
}
