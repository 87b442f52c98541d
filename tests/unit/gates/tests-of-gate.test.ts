import { describe, expect, test } from 'vitest';
import type { CommandGate } from '../../../src/gates/types.ts';
import type { CommandEnd } from '../../../src/process/run-command.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { runScripted } from '../../helpers/run-scripted.ts';

/** Runs a gate that prints its own command. */
async function printing(text: string, fields: Partial<CommandGate> = {}, end: CommandEnd | number = 0) {
  const { summary } = await runScripted([shellGate(text, fields)], { [text]: end });
  const { outcome, tests } = summary.results[0] ?? {};
  return { verdict: summary.verdict, reason: outcome?.reason, tests };
}

const NONE = '  0 passing (1ms)';

describe('A gate', () => {
  test.each<[string, string, Partial<CommandGate>, CommandEnd | number, object]>([
    [
      'that ran tests has their number',
      '  3 passing (1ms)',
      {},
      0,
      { verdict: 'passed', reason: 'passed', tests: 3 },
    ],
    ['that ran no test fails the run', NONE, {}, 0, { verdict: 'failed', reason: 'empty', tests: 0 }],
    [
      'that may be empty passes',
      NONE,
      { allowEmpty: true },
      0,
      { verdict: 'passed', reason: 'passed', tests: 0 },
    ],
    [
      'that ran no test and does not block is a warning',
      NONE,
      { blocking: false },
      0,
      { verdict: 'passed', reason: 'empty' },
    ],
    [
      'that is not about tests passes',
      'no problems found',
      {},
      0,
      { verdict: 'passed', reason: 'passed', tests: undefined },
    ],
    [
      'that failed because it found no test has failed',
      'No tests found, exiting with code 1',
      {},
      1,
      { reason: 'failed', tests: 0 },
    ],
    ['that failed has no number', '  3 passing (1ms)', {}, 1, { reason: 'failed', tests: undefined }],
    [
      'that was killed is not empty',
      NONE,
      {},
      { how: 'killed', signal: 'SIGTERM' },
      { reason: 'killed', tests: undefined },
    ],
  ])('%s', async (_, text, fields, end, expected) => {
    expect(await printing(text, fields, end)).toMatchObject(expected);
  });
});
