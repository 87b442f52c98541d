import { printable } from '../../base/text.ts';
import { holds } from '../../gates/types.ts';
import { findingText } from '../../messages/integrity.ts';
import type { CiReport, ReportedGate } from './ci-report.ts';

/** A report as JUnit XML: a test case for each gate, and one for what became weaker. */
export function junitText(report: CiReport): string {
  const { gates, durationMs } = report;
  const cases = [...gates.map(gateCase), integrityCase(report)];
  const number = (element: string) => cases.filter((text) => text.includes(`<${element} `)).length;
  const counts = `tests="${cases.length}" failures="${number('failure')}" errors="0" skipped="${number('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ralph-loop" ${counts} time="${seconds(durationMs)}">`,
    `  <testsuite name="ralph-loop" ${counts} time="${seconds(durationMs)}">`,
    ...cases.map((text) => `    ${text}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function gateCase({ result, outcome, excerpt }: ReportedGate): string {
  const { gate, durationMs } = result;
  const { reason } = result.outcome;
  const isSkipped = reason === 'skipped' || reason === 'unaffected' || !gate.blocking;
  const body =
    reason === 'passed'
      ? ''
      : isSkipped
        ? `<skipped message="${escapeXml(holds(result.outcome) || gate.blocking ? outcome : `${outcome}, without blocking`)}" />`
        : `<failure message="${escapeXml(outcome)}">${escapeXml(excerpt)}</failure>`;
  return testCase('gates', gate.name, durationMs, body);
}

function integrityCase({ base, findings }: CiReport): string {
  const name = 'no test or check became weaker';
  if (base === undefined)
    return testCase('integrity', name, 0, '<skipped message="there is nothing to compare with" />');
  const high = findings.filter(({ severity }) => severity === 'high').map(findingText);
  const [first] = high;
  const text = escapeXml(high.join('\n'));
  const body = first === undefined ? '' : `<failure message="${escapeXml(first)}">${text}</failure>`;
  return testCase('integrity', name, 0, body);
}

function testCase(group: string, name: string, durationMs: number, body: string): string {
  return `<testcase classname="ralph-loop.${group}" name="${escapeXml(name)}" time="${seconds(durationMs)}">${body}</testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no characters for most control characters, not even as entities. */
function escapeXml(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replace(/\n/g, '&#10;')
    .replace(/\r/g, '&#13;');
}
