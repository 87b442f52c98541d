import { describe, expect, test } from 'vitest';
import type { TranscriptEvent } from '../../../src/history/events.ts';
import { judgeTurn, type TranscriptProject } from '../../../src/history/judge-turn.ts';
import { turnsOf } from '../../../src/history/turns.ts';

const PROJECT: TranscriptProject = {
  root: '/shop',
  gates: ['npm test', 'npm run lint'],
  stops: new Map(),
  ralphLoopSince: undefined,
};

/** The events of a turn, one second after another. */
type Step = readonly TranscriptEvent[];
let calls = 0;
const edit = (path = 'sum.ts', exit: number | null = 0): Step => {
  const call = `${++calls}`;
  return [
    { kind: 'edit', at: 0, call, path },
    { kind: 'result', at: 0, call, exit },
  ];
};
const run = (command: string, exit: number | null): Step => {
  const call = `${++calls}`;
  return [
    { kind: 'command', at: 0, call, command },
    { kind: 'result', at: 0, call, exit },
  ];
};
const say = (text: string): Step => [{ kind: 'message', at: 0, text }];
const prompt: Step = [{ kind: 'prompt', at: 0 }];
const interrupted: Step = [{ kind: 'interrupted', at: 0 }];
const done = say('Done: the cart adds the shipping costs.');

function turns(...steps: readonly Step[]) {
  const events = steps.flat().map((event, index) => ({ ...event, at: index * 1000 }) as TranscriptEvent);
  return [...turnsOf([{ kind: 'session', id: 's', cwd: '/shop' }, ...events])];
}

function judged(steps: readonly Step[], project: Partial<TranscriptProject> = {}) {
  return turns(prompt, ...steps).map((turn) => judgeTurn(turn, { ...PROJECT, ...project }))[0];
}

describe('a claim is', () => {
  test.each<[string, string, readonly Step[]]>([
    ['verified', 'after a gate that passed', [edit(), run('npm test', 0), done]],
    [
      'verified',
      'after a failure that passed at last',
      [edit(), run('npm test', 1), run('npm test', 0), done],
    ],
    ['verified', 'by one gate of two', [edit(), run('npm run lint', 0), done]],
    ['verified', 'although an edit after it failed', [edit(), run('npm test', 0), edit('a.ts', null), done]],
    [
      'verified',
      'although it wrote a plan after it',
      [edit(), run('npm test', 0), edit('/notes/plan.md'), done],
    ],
    [
      'verified',
      'by a run of all gates after a failure',
      [edit(), run('npm test', 1), run('ralph-loop verify', 0), done],
    ],
    ['stale', 'if it edited after the gates', [edit(), run('npm test', 0), edit(), done]],
    ['stale', 'if the gates had failed before it edited', [run('npm test', 1), edit(), done]],
    ['failed', 'if the last run failed', [edit(), run('npm test', 0), run('npm test', 1), done]],
    ['failed', 'if one of two gates failed', [edit(), run('npm test', 1), run('npm run lint', 0), done]],
    ['never_ran', 'if no gate ran', [edit(), run('npx vitest run', 0), done]],
    ['unknown', 'if the exit code is hidden', [edit(), run('npm test | tail', 0), done]],
    ['unknown', 'if there is no exit code', [edit(), run('npm test', null), done]],
    [
      'unknown',
      'if the last run of a gate is hidden',
      [edit(), run('npm test', 0), run('npm test | tail', 0), done],
    ],
  ])('%s %s', (evidence, _, steps) => {
    expect(judged(steps)).toEqual({ evidence });
  });

  test('verified by a stop at which ralph-loop ran the gates', () => {
    const stops = new Map([['s', [{ at: 60_000, passed: true }]]]);
    expect(judged([edit(), done], { stops })).toEqual({ evidence: 'verified' });
  });

  test('failed by the stop that allowed it after the limit, whatever had passed before', () => {
    const stops = new Map([['s', [{ at: 60_000, passed: false }]]]);
    expect(judged([edit(), run('npm test', 0), done], { stops })).toEqual({ evidence: 'failed' });
  });

  test('stale if it edited after the stop', () => {
    const stops = new Map([['s', [{ at: 500, passed: false }]]]);
    expect(judged([edit(), done], { stops })).toEqual({ evidence: 'stale' });
  });

  test('not verified by the stop of another session', () => {
    const stops = new Map([['t', [{ at: 60_000, passed: true }]]]);
    expect(judged([edit(), done], { stops })).toEqual({ evidence: 'never_ran' });
  });
});

describe('a turn is no claim', () => {
  test.each<[string, string, readonly Step[]]>([
    ['no-edits', 'if it edited nothing', [run('npm test', 0), done]],
    ['no-edits', 'if all edits failed', [edit('sum.ts', null), done]],
    ['no-edits', 'if it edited outside of the project only', [edit('/home/dev/.claude/plans/a.md'), done]],
    ['interrupted', 'if a person interrupted it', [edit(), say('I go on.'), interrupted]],
    ['no-message', 'if it ends with a call', [say('I begin.'), edit()]],
    [
      'question',
      'if it asks something',
      [edit(), say('Added.\n\nShould I run the tests too? They are slow.')],
    ],
    ['not-done', 'if it says what is left', [edit(), say('I added it. The export is not yet implemented.')]],
    ['not-done', 'if it says that tests fail', [edit(), say('Added. Two tests still fail.')]],
  ])('(%s) %s', (leftOut, _, steps) => {
    expect(judged(steps)).toEqual({ leftOut });
  });
});

test('a question that the last paragraph only quotes is not asked', () => {
  expect(judged([edit(), say('Why?\n\nThe dialog asks "Delete it?" now.')])).toEqual({
    evidence: 'never_ran',
  });
});

test('a prompt ends the turn before it, and its edits do not count for the next', () => {
  const [first, second] = turns(prompt, edit(), done, prompt, run('npm test', 0), done);
  expect([first?.edits.length, second?.edits.length, first?.nextAt]).toEqual([1, 0, second?.startedAt]);
});

test('a command that ends in the background has its last result', () => {
  const [start, end] = run('npm test', null);
  const late = { ...end, exit: 1 } as TranscriptEvent;
  expect(turns(prompt, [start, end, late] as Step)[0]?.commands[0]?.exit).toBe(1);
});
