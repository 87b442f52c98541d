import { expect, test } from 'vitest';
import { unguardedReason } from '../../../src/hook/triage.ts';
import { stopEvent } from '../../helpers/stop-event.ts';

test.each([
  [{ agent: 'check' }, ['check'], undefined],
  [{ agent: 'main', isMain: true }, ['main', 'check'], undefined],
  [{ agent: 'main', isMain: true }, ['check'], 'agent "main" is not among check'],
  [{ agent: 'main', isMain: false }, ['main', 'check'], 'a subagent called "main" is not the main agent'],
  [{ agent: 'main', isMain: false }, ['check'], 'a subagent called "main" is not the main agent'],
  [{ agent: 'Check' }, ['check'], 'agent "Check" is not among check'],
  [{ agent: 'check ' }, ['check'], 'agent "check " is not among check'],
  [{ agent: 'checker' }, ['main', 'check'], 'agent "checker" is not among main, check'],
  [{ agent: 'chec' }, ['check'], 'agent "chec" is not among check'],
  [{ agent: 'check' }, [], 'agent "check" is not among '],
  [{ agent: '' }, ['check'], 'the event names no agent'],
  [{ agent: '' }, [''], 'the event names no agent'],
  [{ agent: 'check', finishPhase: true }, ['check'], 'the finish phase is not guarded'],
])('the reason why a stop of %j is not guarded, if %j are: %s', (fields, agents, why) => {
  expect(unguardedReason(stopEvent(fields), agents)).toBe(why);
});
