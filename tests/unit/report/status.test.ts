import { describe, expect, test } from 'vitest';
import { plain } from '../../../src/messages/paint.ts';
import { type ProjectStatus, statusText } from '../../../src/report/status.ts';
import { reportAgentRun } from '../../../src/state/agent-run.ts';
import { reportChain } from '../../../src/state/chain.ts';
import type { StopLoopStatus } from '../../../src/state/stop-loop.ts';
import { agentRunOf } from '../../helpers/agent-run.ts';
import { runningSince } from '../../helpers/board.ts';
import { chainOf } from '../../helpers/chain.ts';

const now = new Date('2026-01-31T10:30:00Z');
const loop = (name: string, fields: Partial<StopLoopStatus> = {}): StopLoopStatus => ({
  loop: name,
  iteration: 2,
  max: 5,
  started_at: null,
  age_seconds: null,
  expires_in_seconds: null,
  expired: false,
  verifying: false,
  last: null,
  ...fields,
});
const run = (task_id: string, status: 'interrupted' | 'passed' | 'cancelled') =>
  reportAgentRun(agentRunOf({ task_id, status }), false, now);
const STATUS: ProjectStatus = {
  project: { root: '/p', layout: 'trellis', config: '/p/worktree.yaml', problems: [] },
  loops: [
    ...Array.from({ length: 295 }, (_, n) => loop(`expired-${n}`, { expired: true })),
    loop('live'),
    loop('passed', { iteration: 0 }),
  ],
  chains: [reportChain(chainOf())],
  promise_loops: [run('DONE', 'passed'), run('OPEN', 'interrupted'), run('GONE', 'cancelled')],
  runs: [],
  escalations: [],
  last_call: null,
};
/** The first word after the label of each entry. */
const entries = (status: ProjectStatus, all: boolean) =>
  statusText(status, { from: '/p', now, paint: plain, all })
    .split('\n')
    .flatMap((line) => /^(\w.{8} \S+)/.exec(line)?.[1]?.replace(/ +/, ' ').replace(/:$/, '') ?? []);

test('the status names the escalations that wait for a stop', () => {
  const escalation = {
    gate: 'lint',
    reason: 'two rules conflict',
    by: 'in a terminal',
    session: null,
    at: '',
  };
  const text = statusText({ ...STATUS, escalations: [escalation] }, { from: '/p', now, paint: plain });
  expect(text.split('\n')).toContain(
    'Escalated `lint`: two rules conflict (in a terminal, for the next stop)',
  );
});

describe('the status lists', () => {
  const live = ['Config worktree.yaml', 'Run OPEN', 'Chain k3x9-7f2a', 'Loop live'];
  test.each([
    ['what goes on, and counts what has ended', STATUS, false, [...live, 'Ended 298', 'Last call']],
    [
      'no count where nothing has ended',
      { ...STATUS, loops: [loop('live')], promise_loops: [run('OPEN', 'interrupted')] },
      false,
      [...live, 'Last call'],
    ],
    [
      'the verification runs that go on',
      {
        ...STATUS,
        loops: [loop('live')],
        promise_loops: [],
        runs: [runningSince(50), runningSince(2, 'e2e')],
      },
      false,
      [...live.filter((entry) => entry !== 'Run OPEN'), 'Running test', 'Running e2e', 'Last call'],
    ],
    [
      'no loop and a count where all have ended',
      { ...STATUS, loops: [loop('a', { iteration: 0 })], chains: [], promise_loops: [] },
      false,
      ['Config worktree.yaml', 'Loops none', 'Ended 1', 'Last call'],
    ],
    [
      'what has ended after it with --all',
      { ...STATUS, loops: STATUS.loops.slice(294) },
      true,
      [...live, 'Run DONE', 'Run GONE', 'Loop expired-294', 'Loop passed', 'Last call'],
    ],
  ])('%s', (_, status, all, expected) => {
    expect(entries(status, all).map((entry) => entry.replace(/^Last call.*/, 'Last call'))).toEqual(expected);
  });

  test('the command that shows what has ended, also without a config', () => {
    const text = statusText({ ...STATUS, project: null, loops: [] }, { from: '/p', now, paint: plain });
    expect(text).toMatch(/\nEnded {5}2: ralph-loop status --all shows them$/);
  });
});
