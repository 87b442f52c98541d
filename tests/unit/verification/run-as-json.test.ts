import { expect, test } from 'vitest';
import { verifyAnswer } from '../../../src/mcp/project-tools.ts';
import { runAsJson } from '../../../src/verification/run-as-json.ts';
import { resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const gate = shellGate('npm test', { report: 'junit.xlm' });

test.each([
  ['says that a gate has passed without its report', { noReport: true }, { no_report: true }],
  ['does not mention a report otherwise', {}, {}],
] as const)('the JSON of a run %s, also in the answer of the MCP tool', (_, fields, shown) => {
  const run = runAsJson(summaryOf(resultOf(gate, 'passed', fields)), '/the/project');
  const expected = {
    name: 'npm test',
    outcome: 'passed',
    exit: 0,
    duration_ms: 0,
    ...shown,
    blocking: true,
    command: 'npm test',
    log: null,
  };
  expect(run.gates).toEqual([expected]);
  expect(verifyAnswer.parse({ ...run, content: '' }).gates).toEqual([expected]);
});
