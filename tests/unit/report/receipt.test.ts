import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/report/receipt.ts';
import type { RecordedGate, RecordedRun } from '../../../src/state/last-run.ts';

const gate = (name: string, key: string | null): RecordedGate => ({
  name,
  key,
  outcome: 'passed',
  exit: 0,
  duration_ms: 1,
  blocking: true,
});
const RUN: RecordedRun = {
  at: '2026-01-31T10:30:00.000Z',
  commit: null,
  tree: 't',
  verdict: 'passed',
  isPart: false,
  gates: [gate('lint', 'l'), gate('test', 'x'), gate('DONE', null)],
  except: null,
  findings: null,
  escalated: null,
};
const finding = (severity: 'high' | 'medium') =>
  ({ rule: 'test-skipped', severity, path: 'a.ts', message: 'm' }) as const;
const PART: RecordedRun = { ...RUN, isPart: true, verdict: 'failed', gates: [gate('lint', 'l')] };

/** The files are `t`, and the gates `lint` and `test` have the keys `l` and `x`, unless a row says otherwise. */
const ROWS: readonly (readonly [
  what: string,
  status: string,
  run: RecordedRun,
  tree?: string | undefined,
  keys?: readonly (string | undefined)[],
])[] = [
  ['these gates that passed', 'PASS', RUN],
  ['gates that failed', 'FAIL', { ...RUN, verdict: 'failed' }],
  ['gates that did not finish', 'FAIL', { ...RUN, verdict: 'incomplete' }],
  ['a test that is weaker', 'FAIL', { ...RUN, findings: [finding('high')] }],
  ['a test that a person reads about', 'PASS', { ...RUN, findings: [finding('medium')] }],
  ['other files', 'STALE', RUN, 'u'],
  ['files that changed meanwhile', 'STALE', { ...RUN, tree: null }],
  ['a gate that is gone, in a config that git ignores', 'STALE', RUN, 't', ['l']],
  ['a gate that is new', 'STALE', RUN, 't', ['l', 'x', 'n']],
  ['a gate that changed', 'STALE', RUN, 't', ['l', 'y']],
  ['a gate whose key is not known', 'STALE', RUN, 't', ['l', undefined]],
  ['no gate', 'STALE', { ...RUN, gates: [] }, 't', []],
  ['one gate that failed', 'FAIL', PART],
  ['one gate that failed and changed', 'STALE', PART, 't', ['m', 'x']],
];

describe('the receipt for a run of', () => {
  test.for(ROWS)('%s is %s', ([, status, run, tree = 't', keys = ['l', 'x']]) => {
    expect(judge(run, tree, keys, ['lint', 'test', 'new'].slice(0, keys.length)).status).toBe(status);
  });

  test('files that cannot be identified is STALE', () => {
    expect(judge(RUN, undefined, ['l', 'x'], ['lint', 'test']).status).toBe('STALE');
  });
});
