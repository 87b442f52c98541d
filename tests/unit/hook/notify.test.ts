import { expect, test as plainTest } from 'vitest';
import { desktopCommand } from '../../../src/hook/notifier.ts';
import { type Notification, notificationOf } from '../../../src/hook/notify.ts';
import type { StopResult } from '../../../src/hook/types.ts';
import type { Answer } from '../../../src/hosts/types.ts';
import { test } from '../../helpers/project.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

const blocks = (why: Extract<Answer, { decision: 'block' }>['why']): Answer => ({
  decision: 'block',
  why,
  reason: 'Gate `test` failed.\nMore lines',
});
const allows = (why: Extract<Answer, { decision: 'allow' }>['why']): Answer => ({
  decision: 'allow',
  why,
  toPerson: 'ralph-loop: what happened\nMore lines',
});
const at = (iteration: number): Pick<StopResult, 'attempt'> => ({ attempt: { iteration, maxIterations: 5 } });
const result = (answer: Answer, more: Partial<StopResult> = {}): StopResult => ({
  answer,
  root: '/p',
  ...more,
});

interface Row {
  readonly what: string;
  readonly result: StopResult;
  readonly expected: Partial<Notification> | undefined;
}

const ROWS: readonly Row[] = [
  {
    what: 'the first block of a loop',
    result: result(blocks('gates-failed'), at(1)),
    expected: {
      event: 'blocked',
      reason: 'ralph-loop: stop blocked: Gate `test` failed.',
      iteration: 1,
      max: 5,
    },
  },
  { what: 'a further block of a loop', result: result(blocks('gates-failed'), at(2)), expected: undefined },
  { what: 'a stop that waits for a gate', result: result(blocks('still-running')), expected: undefined },
  { what: 'the next step of typed gates', result: result(blocks('next-step'), at(1)), expected: undefined },
  { what: 'a pass', result: result(allows('commands-passed'), at(1)), expected: undefined },
  { what: 'a turn that changed nothing', result: result(allows('unchanged')), expected: undefined },
  {
    what: 'an escalation',
    result: result(allows('escalated'), at(2)),
    expected: { event: 'escalated', reason: 'ralph-loop: what happened', iteration: 2 },
  },
  {
    what: 'the last attempt',
    result: result(allows('cap-reached'), at(5)),
    expected: { event: 'unresolved', iteration: 5 },
  },
  {
    what: 'typed gates that end in spite of a pass of the project',
    result: result(allows('commands-passed'), { ...at(1), chain: result(allows('escalated'), at(3)) }),
    expected: { event: 'escalated', iteration: 3 },
  },
];

plainTest.each(ROWS)('notifies of $what: $expected.event', ({ result: given, expected }) => {
  const notification = notificationOf(stopEvent(), given);
  if (expected === undefined) expect(notification).toBeUndefined();
  else expect(notification).toMatchObject({ project: '/p', ...expected });
});

test.for([
  ['linux', { DISPLAY: ':0' }, 'notify-send'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'notify-send'],
  ['linux', {}, undefined],
  ['linux', { DISPLAY: ':0', PATH: '/nowhere' }, undefined],
  ['darwin', {}, 'osascript'],
  ['darwin', { SSH_CONNECTION: '10.0.0.2 50022 10.0.0.1 22' }, undefined],
  ['freebsd', { DISPLAY: ':0' }, undefined],
] as const)('a desktop on %s with %j is notified by %s', ([platform, env, program], { makeProject }) => {
  const project = makeProject({ 'bin/notify-send': '' });
  const command = desktopCommand({ platform, env: { PATH: project.path('bin'), ...env } });
  expect(command?.split(' ')[0]).toBe(program);
});
