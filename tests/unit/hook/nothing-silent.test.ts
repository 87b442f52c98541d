import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { answerEvent } from '../../../src/hook/hook.ts';
import { type Project, test, trellisFiles, worktreeYaml } from '../../helpers/project.ts';
import { checkStops, hookAnswers, mainStops, sessionOf } from '../../helpers/stops.ts';

const CLAUDE = { CLAUDECODE: '1' };
const FAILING = { 'worktree.yaml': worktreeYaml(['exit 1']) };
const stops = (project: Project, env = {}) =>
  hookAnswers(project, mainStops(project), { env: { ...CLAUDE, ...env } });

function fifo(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

describe('the person reads something of a stop that follows a cheat:', () => {
  const names = (project: Project, form: RegExp) =>
    readdirSync(project.path('@')).filter((name) => form.test(name));

  test.for<{ cheat: string; cheats: (project: Project) => void; env?: object; reads: RegExp }>([
    {
      cheat: 'a FIFO as the lock of the count',
      cheats: (project) => fifo(join(project.path('@'), `${names(project, /^loop-.*json$/)[0]}.lock`)),
      reads: /./,
    },
    {
      cheat: 'a FIFO as the count',
      cheats: (project) => fifo(join(project.path('@'), names(project, /^loop-.*json$/)[0] ?? '')),
      reads: /./,
    },
    {
      cheat: 'a FIFO as the record of the session',
      cheats: (project) => {
        fifo(
          join(project.environment.XDG_STATE_HOME ?? '', `ralph-loop/sessions/${sessionOf(project)}.json`),
        );
        rmSync(project.path('worktree.yaml'));
      },
      reads: /not verified/,
    },
    { cheat: 'RALPH_LOOP=1', cheats: () => {}, env: { RALPH_LOOP: '1' }, reads: /Verification failed/ },
    {
      cheat: 'the variable of nested projects',
      cheats: () => {},
      env: { RALPH_LOOP_PROJECTS: 'ROOT' },
      reads: /was not verified/,
    },
  ])('$cheat', async ({ cheats, env = {}, reads }, { makeProject }) => {
    const project = makeProject(FAILING);
    await stops(project);
    cheats(project);
    const named = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === 'ROOT' ? project.root : value]),
    );
    const { reason = '', systemMessage = '' } = await stops(project, named);
    expect(`${systemMessage}${reason}`).toMatch(reads);
  });

  test('RALPH_LOOP=1 from the beginning of the session', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const { systemMessage } = await stops(project, { RALPH_LOOP: '1' });
    expect(systemMessage).toMatch(/not verified: RALPH_LOOP=1 .* no gate has started it/);
    const started = { RALPH_LOOP: '1', RALPH_LOOP_PROJECTS: '/another' };
    expect(await stops(makeProject(FAILING), started)).toEqual({});
    expect(await stops(makeProject(), { RALPH_LOOP: '1' })).toEqual({});
  });

  test('a hook that was killed before it had a result', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    await stops(project);
    const [count = ''] = names(project, /^loop-.*json$/);
    const state = JSON.parse(project.read(`@/${count}`));
    expect(state.open).toBeUndefined();
    // A process that has ended.
    const open = { pid: 2 ** 22 + 1, started: '1' };
    project.write({ [`@/${count}`]: JSON.stringify({ ...state, open }) });
    const LOST = 'the hook of the stop before this one was ended before it had a result';
    expect((await stops(project)).systemMessage).toContain(LOST);
    expect((await stops(project)).systemMessage).toBeUndefined();
  });

  test('a cancellation that is written into the state of a task', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exit 1']));
    const stop = () => hookAnswers(project, checkStops(project), { env: CLAUDE });
    await stop();
    const file = '.trellis/.ralph-state.json';
    const cancelled = { by: 'in a terminal' };
    project.write({ [file]: JSON.stringify({ ...JSON.parse(project.read(file)), cancelled }) });
    const { decision, systemMessage } = await stop();
    expect({ decision, systemMessage }).toEqual({
      decision: 'block',
      systemMessage: expect.stringContaining('ignored a cancellation in the state file'),
    });
    expect((await stop()).systemMessage).toBeUndefined();
  });

  test('an error of the hook itself', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    let printed = '';
    await answerEvent('ralph-loop', [], {
      env: { ...project.environment, ...CLAUDE },
      cwd: project.root,
      readStdin: () => JSON.stringify(mainStops(project)),
      write: (_, text) => {
        printed += text;
      },
      events: {
        on: () => {
          throw new Error('broken');
        },
      },
      startedAtMs: 0,
    });
    expect(JSON.parse(printed)).toEqual({
      systemMessage: expect.stringMatching(/internal error, the stop was allowed unverified: .*broken/),
    });
  });

  test('an empty .current-task', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['exit 1']));
    const stop = () => hookAnswers(project, checkStops(project), { env: CLAUDE });
    await stop();
    project.write({ '.trellis/.current-task': '' });
    expect((await stop()).reason).toMatch(/Verification failed/);
  });
});
