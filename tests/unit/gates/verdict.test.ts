import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../../src/gates/run-gates.ts';
import type { GateOutcome, Verdict } from '../../../src/gates/types.ts';
import { resultOf, shellGate } from '../../helpers/gate-results.ts';

type Reason = GateOutcome['reason'];
const blocking = (reason: Reason) => resultOf(shellGate('a'), reason);
const warning = (reason: Reason) => resultOf(shellGate('b', { blocking: false }), reason);

const verdicts: [Reason, Verdict][] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['not-found', 'failed'],
  ['not-executable', 'failed'],
  ['killed', 'failed'],
  ['timed-out', 'failed'],
  ['not-started', 'failed'],
  ['marker-missing', 'failed'],
  ['out-of-time', 'incomplete'],
  ['interrupted', 'incomplete'],
  ['skipped', 'incomplete'],
];

describe('one gate', () => {
  test.each(verdicts)('that blocks and is %s: %s', (reason, verdict) => {
    expect(verdictOf([blocking(reason)])).toBe(verdict);
    expect(verdictOf([blocking('passed'), blocking(reason), warning('passed')])).toBe(verdict);
  });

  test.each(verdicts)('that does not block has no say: %s', (reason) => {
    expect(verdictOf([warning(reason)])).toBe('passed');
    expect(verdictOf([warning(reason), blocking('failed')])).toBe('failed');
    expect(verdictOf([warning(reason), blocking('out-of-time')])).toBe('incomplete');
  });
});

describe('a failure outweighs what was left without a result', () => {
  test.each(['out-of-time', 'interrupted', 'skipped'] as const)('%s', (reason) => {
    expect(verdictOf([blocking(reason), blocking('failed')])).toBe('failed');
    expect(verdictOf([blocking('failed'), blocking(reason)])).toBe('failed');
  });
});

test('no gate at all passes', () => {
  expect(verdictOf([])).toBe('passed');
});
