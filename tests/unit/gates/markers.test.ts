import { describe, expect, test } from 'vitest';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';

describe("markers are looked for in the agent's last message", () => {
  const gates = [markerGate('LINT_FINISH'), markerGate('TEST_FINISH')];
  test.each([
    ['all is done: LINT_FINISH TEST_FINISH', ['passed', 'passed']],
    ['**LINT_FINISH**, and xTEST_FINISHED', ['passed', 'passed']],
    ['TEST_FINISH', ['marker-missing', 'passed']],
    ['lint_finish LINT FINISH', ['marker-missing', 'marker-missing']],
    ['', ['marker-missing', 'marker-missing']],
    [undefined, ['marker-missing', 'marker-missing']],
  ])('%j', async (message, reasons) => {
    expect(await runScripted(gates, {}, message === undefined ? {} : { message })).toMatchObject({
      ran: [],
      reasons,
    });
  });

  test('whatever the time and whatever failed before', async () => {
    const options = { deadline: { seconds: 10, atMs: 0 }, message: 'LINT_FINISH' };

    expect((await runScripted([shellGate('a'), markerGate('LINT_FINISH')], {}, options)).reasons).toEqual([
      'out-of-time',
      'passed',
    ]);
  });
});
