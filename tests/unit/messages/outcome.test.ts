import { expect, test } from 'vitest';
import { describeOutcome } from '../../../src/messages/outcome.ts';
import { OUTCOMES } from '../../helpers/gate-results.ts';

test.each([
  [OUTCOMES.passed, 'passed'],
  [OUTCOMES.failed, 'exited with code 1'],
  [{ reason: 'failed', exitCode: 255 } as const, 'exited with code 255'],
  [{ reason: 'failed', exitCode: 128 } as const, 'exited with code 128'],
  [{ reason: 'failed', exitCode: 130 } as const, 'exited with code 130 (128 + 2: killed by SIGINT)'],
  [{ reason: 'failed', exitCode: 137 } as const, 'exited with code 137 (128 + 9: killed by SIGKILL)'],
  [{ reason: 'failed', exitCode: 143 } as const, 'exited with code 143 (128 + 15: killed by SIGTERM)'],
  [OUTCOMES['not-found'], 'exited with code 127: a program it calls was not found'],
  [OUTCOMES['not-executable'], 'exited with code 126: a program it calls is not executable'],
  [OUTCOMES.killed, 'was killed by SIGKILL'],
  [OUTCOMES['timed-out'], 'timed out: it was still running after 120 s and was ended'],
  [OUTCOMES['out-of-time'], "had no time to finish before the hook's deadline of 570 s"],
  [OUTCOMES['not-started'], 'could not be started: spawn EACCES'],
  [OUTCOMES.interrupted, 'was interrupted'],
  [OUTCOMES['marker-missing'], 'is missing from the last message'],
  [OUTCOMES.skipped, 'was not run'],
])('describes the outcome %j as "%s"', (outcome, words) => {
  expect(describeOutcome(outcome)).toBe(words);
});
