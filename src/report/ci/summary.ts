import { count, duration } from '../../base/text.ts';
import { holds } from '../../gates/types.ts';
import type { Finding } from '../../integrity/types.ts';
import { placeOf } from '../../messages/integrity.ts';
import { codeBlock, codeSpan } from '../../messages/markdown.ts';
import type { CiReport, ReportedGate } from './ci-report.ts';

/** GitHub accepts 65,536 characters in a comment. */
const MAX_CHARACTERS = 60_000;
const MAX_GATES = 100;
const MAX_FINDINGS = 50;

/** A report as Markdown, for a job summary and the comment on a pull request. */
export function summaryText(report: CiReport): string {
  const { gates, findings, base } = report;
  const shown = findings.filter(({ severity, allowed }) => severity !== 'low' || allowed !== undefined);
  const head = [
    `### ralph-loop: ${headline(report)}`,
    '',
    ...limited(gates.map(gateLine), MAX_GATES),
    ...(shown.length > 0
      ? ['', '#### Tests or checks became weaker', '', ...limited(shown.map(findingLine), MAX_FINDINGS)]
      : []),
    '',
    base === undefined
      ? 'There was nothing to compare with: every gate ran, and weaker tests were not looked for.'
      : `Compared with ${codeSpan(base)}.`,
  ];
  let left = MAX_CHARACTERS - head.join('\n').length;
  const excerpts = gates.flatMap((gate) => {
    const lines = excerptLines(gate);
    left -= lines.join('\n').length + 1;
    return left > 0 ? lines : [];
  });
  return `${[...head, ...excerpts].join('\n')}\n`;
}

function headline({ verdict, gates, findings, durationMs }: CiReport): string {
  const failed = gates.filter(
    ({ result: { gate, outcome } }) => gate.blocking && !holds(outcome) && outcome.reason !== 'skipped',
  ).length;
  const high = findings.filter(({ severity }) => severity === 'high').length;
  if (verdict === 'passed') return `passed (${count(gates.length, 'gate')}, ${duration(durationMs)})`;
  const reasons = [
    ...(failed > 0 ? [`${failed} of ${count(gates.length, 'gate')}`] : []),
    ...(high > 0 ? [`${count(high, 'finding')} of weaker tests or checks`] : []),
  ];
  const word = verdict === 'failed' ? 'failed' : 'did not finish';
  return reasons.length === 0 ? word : `${word} (${reasons.join(', ')})`;
}

function gateLine({ result, outcome }: ReportedGate): string {
  const { gate, durationMs, known, flaky } = result;
  const { reason } = result.outcome;
  const isRun = reason !== 'skipped' && reason !== 'unaffected';
  const mark = !isRun ? '➖' : reason === 'passed' ? '✅' : gate.blocking ? '❌' : '⚠️';
  const notes = [
    ...(reason === 'passed' ? [] : [reason === 'not-started' ? codeSpan(outcome, 300) : outcome]),
    ...(isRun ? [duration(durationMs)] : []),
    ...(known === undefined ? [] : [count(known, 'known failure')]),
    ...(flaky === undefined ? [] : [`flaky: failed ${count(flaky, 'time')} before it passed`]),
    ...(gate.blocking ? [] : ['does not block']),
  ];
  return `- ${mark} ${codeSpan(gate.name, 80)} ${notes.join(', ')}`;
}

function findingLine(finding: Finding): string {
  const { severity, rule, message, allowed } = finding;
  const mark = severity === 'high' ? '❌' : '⚠️';
  const why = allowed === undefined ? '' : `, allowed: ${codeSpan(allowed)}`;
  return `- ${mark} ${codeSpan(placeOf(finding))} ${codeSpan(message, 300)} (${rule}${why})`;
}

function excerptLines({ result: { gate, outcome }, excerpt }: ReportedGate): string[] {
  if (excerpt === '' || outcome.reason === 'skipped') return [];
  return [
    '',
    '<details>',
    `<summary>Output of the gate ${gate.blocking ? 'that failed' : 'that does not block'}</summary>`,
    '',
    codeSpan(gate.name, 80),
    '',
    ...codeBlock(excerpt),
    '',
    '</details>',
  ];
}

function limited(lines: readonly string[], max: number): string[] {
  return lines.length <= max ? [...lines] : [...lines.slice(0, max), `- and ${lines.length - max} more`];
}
