import { expect, test } from 'vitest';
import { describeOutcome, logHint, passedText, recordedLogHint } from '../../../src/messages/outcome.ts';
import { rememberGates } from '../../../src/verification/record-failure.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { OUTCOMES, printed, resultOf, summaryOf } from '../../helpers/gate-results.ts';

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

const reused = (name: string, durationMs = 5000) =>
  resultOf(name, 'passed', { durationMs, reused: '2026-01-31T10:27:00.000Z' });
const joined = (name: string, durationMs = 5000) => resultOf(name, 'passed', { durationMs, joined: true });
const ran = resultOf('ran', 'passed', { durationMs: 200 });
const EARLIER = 'passed 3 min ago on the same files';

test.each([
  ['one gate ran', [ran], '1 gate passed in 12.3 s'],
  ['one of several was reused', [ran, reused('a')], '2 gates passed in 12.3 s, 1 reused (saved 5 s)'],
  [
    'two were reused',
    [ran, reused('a', 240_000), reused('b', 10_000)],
    '3 gates passed in 12.3 s, 2 reused (saved 4 min 10 s)',
  ],
  ['the only one was reused', [reused('a')], `1 gate ${EARLIER} (saved 5 s)`],
  ['all were reused', [reused('a'), reused('b')], `2 gates ${EARLIER} (saved 10 s)`],
  ['all were joined', [joined('a'), joined('b')], '2 gates passed in 12.3 s, 2 joined (saved 10 s)'],
  [
    'one was reused, one was joined',
    [reused('a'), joined('b')],
    '2 gates passed in 12.3 s, 1 reused, 1 joined (saved 10 s)',
  ],
  // Another process took an earlier result, too.
  [
    'one was reused by the run that was joined',
    [ran, { ...reused('a'), joined: true as const }],
    '2 gates passed in 12.3 s, 1 reused (saved 5 s)',
  ],
  [
    'one is unaffected',
    [reused('a'), resultOf('b', 'unaffected')],
    `1 gate ${EARLIER} (saved 5 s), 1 not affected`,
  ],
  [
    'all are unaffected',
    [resultOf('a', 'unaffected'), resultOf('b', 'unaffected')],
    '2 gates not affected by the changed files',
  ],
  [
    'a joined gate did not run either',
    [ran, resultOf('b', 'unaffected', { joined: true })],
    '1 gate passed in 12.3 s, 1 not affected',
  ],
  ['no time was saved', [reused('a', 0)], `1 gate ${EARLIER}`],
])('says how the gates passed when %s', (_, results, text) => {
  expect(passedText(summaryOf(...results), new Date('2026-01-31T10:30:00.000Z'))).toBe(text);
});

test.each([
  ['none', {}, undefined],
  ['one that is whole', { logPath: '/p/a.log' }, 'Full output: a.log'],
  [
    'one that was cut',
    { logPath: '/p/a.log', logOmittedBytes: 480 * 1024 * 1024 - 7 },
    'Full output: a.log (480 MB in the middle are missing)',
  ],
])('the hint at the log of a gate says what the log lacks, at once and later: %s', (_, fields, hint) => {
  const result = resultOf('a', 'failed', { output: printed('x', fields) });
  const [recorded] = rememberGates(summaryOf(result), findingsOf([result]), [], {
    iteration: null,
    time: new Date(0),
  });

  expect(logHint(result, '/p')).toBe(hint);
  expect(recorded && recordedLogHint(recorded, '/p')).toBe(hint);
});
