import { mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { cancelStopLoop } from '../../../src/state/stop-loop.ts';
import { git, gitProject } from '../../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test, worktreeYaml } from '../../helpers/project.ts';
import {
  checkStops,
  gateHookAnswers,
  type HookAnswer,
  hookAnswers,
  logOf,
  mainStops,
  sessionOf,
} from '../../helpers/stops.ts';

// The gate fails while a file of the project says so.
const GATE = '! grep -q red src.txt';
const FILES = { '.gitignore': 'ignored\n.trellis/.ralph/\n', 'src.txt': 'red\n' };
const STAND_ALONE = { ...FILES, 'worktree.yaml': worktreeYaml([GATE]) };
const TRELLIS_WITH_MAIN = (when: string) => ({
  ...FILES,
  '.gitignore': `${FILES['.gitignore']}.trellis/.ralph-state.json\n`,
  '.trellis/.current-task': 'tasks/demo\n',
  '.trellis/worktree.yaml': worktreeYaml([GATE], `ralph:\n  agents: [main, check]\n${when}`),
});

const CLAUDE = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
const answers = (project: Project, event: object, env = {}): Promise<HookAnswer> =>
  hookAnswers(project, event, { env: { ...CLAUDE, ...env } });
const prompts = (project: Project, prompt = 'why is it so?', more: Readonly<Record<string, unknown>> = {}) =>
  answers(project, mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt, ...more }));
const edits = (project: Project, text = 'red again\n') => project.write({ 'src.txt': text });
const turnFile = (project: Project) => `@/turn-${sessionOf(project)}.json`;

/** Returns why the stop was allowed or blocked, as the log has it, last. */
async function stops(project: Project, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  await answers(project, mainStops(project, more));
  return logOf(project).at(-1)?.why ?? 'nothing';
}

const project = (makeProject: MakeProject, files: Files = STAND_ALONE) => gitProject(makeProject, files);

describe('a turn that changed nothing is allowed without a run:', () => {
  test('a question after a prompt, although a gate fails', async ({ makeProject }) => {
    const red = project(makeProject);
    expect(await prompts(red)).toEqual({});
    expect(await answers(red, mainStops(red))).toEqual({});
    expect(logOf(red)).toMatchObject([
      { why: 'unchanged', answer: 'allow', task: null, iteration: null, gates: [] },
    ]);
    expect(await stops(red)).toBe('unchanged');
  });

  test('the turn after a stop that has passed', async ({ makeProject }) => {
    const green = project(makeProject, { ...STAND_ALONE, 'src.txt': 'green\n' });
    expect(await stops(green)).toBe('commands-passed');
    expect(await stops(green)).toBe('unchanged');
  });

  test('the turn after a stop that was allowed at the limit', async ({ makeProject }) => {
    const red = project(makeProject, {
      ...STAND_ALONE,
      'worktree.yaml': worktreeYaml([GATE], 'ralph:\n  max_iterations: 1\n'),
    });
    expect(await stops(red)).toBe('cap-reached');
    expect(await stops(red)).toBe('unchanged');
  });

  test('a session that is resumed on another day', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    await stops(red);
    const turn = JSON.parse(red.read(turnFile(red)));
    red.write({ [turnFile(red)]: JSON.stringify({ ...turn, since: '2020-01-01T00:00:00.000Z' }) });
    await prompts(red, 'where were we?');
    expect(await stops(red)).toBe('unchanged');
  });

  test.for<{ what: string; change: (project: Project) => void }>([
    { what: 'files that git ignores', change: ({ write }) => write({ ignored: 'x' }) },
    {
      what: 'the outputs of ralph-loop',
      change: ({ write }) => write({ '.trellis/.ralph/output/x.log': 'x' }),
    },
    { what: 'only times', change: ({ path }) => utimesSync(path('src.txt'), 1, 1) },
    {
      what: 'a file and reverts it',
      change: (changed) => {
        edits(changed);
        edits(changed, FILES['src.txt']);
      },
    },
  ])('one that changes $what', async ({ change }, { makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    change(red);
    expect(await stops(red)).toBe('unchanged');
  });

  test('in the Trellis layout with `when: changed`', async ({ makeProject }) => {
    const red = project(makeProject, TRELLIS_WITH_MAIN('  when: changed\n'));
    await prompts(red);
    expect(await stops(red)).toBe('unchanged');
  });

  test('with a broken config', async ({ makeProject }) => {
    const broken = project(makeProject, { ...STAND_ALONE, 'worktree.yaml': 'verify:\n  - rnu: x\n' });
    await prompts(broken);
    expect(await stops(broken)).toBe('unchanged');
    edits(broken);
    expect(await stops(broken)).toBe('config-broken');
  });

  test('unless its gates became weaker, which the person reads', async ({ makeProject }) => {
    const green = project(makeProject, {
      ...STAND_ALONE,
      'src.txt': 'green\n',
      '.gitignore': 'worktree.yaml\n.trellis\n',
    });
    await prompts(green);
    await stops(green);
    // The config is no file of the tree here.
    green.write({ 'worktree.yaml': worktreeYaml(['true']) });
    expect((await answers(green, mainStops(green))).reason).toContain('is gone');
    rmSync(green.path('worktree.yaml'));
    expect((await answers(green, mainStops(green))).reason).toContain('`worktree.yaml` is gone');
  });

  test('and neither counts nor ends the loop', async ({ makeProject }) => {
    const red = project(makeProject);
    expect(await stops(red)).toBe('gates-failed');
    expect(await stops(red)).toBe('gates-failed');
    await prompts(red);
    expect(await stops(red)).toBe('unchanged');
    edits(red);
    await stops(red);
    expect(logOf(red).at(-1)).toMatchObject({ why: 'gates-failed', iteration: 3 });
  });
});

describe('the gates run', () => {
  test.for<{ what: string; change: (project: Project) => void }>([
    { what: 'a file', change: (changed) => edits(changed) },
    { what: 'a new file', change: ({ write }) => write({ new: '' }) },
    { what: 'a file outside of the project', change: ({ write }) => write({ 'packages/b/new': '' }) },
    {
      what: 'the config',
      change: ({ write }) => write({ 'packages/a/worktree.yaml': worktreeYaml(['false', 'true']) }),
    },
    {
      what: 'and commits a file',
      change: (changed) => {
        edits(changed);
        git(changed, 'commit', '--all', '--message=done');
      },
    },
    { what: 'the commit alone', change: (changed) => git(changed, 'commit', '--allow-empty', '--message=x') },
  ])('at a turn that changes $what', async ({ change }, { makeProject }) => {
    const files = { ...FILES, 'packages/a/worktree.yaml': worktreeYaml(['false']) };
    const red = project(makeProject, files);
    const cwd = { cwd: red.path('packages/a') };
    await prompts(red, 'go', cwd);
    change(red);
    const { decision } = await answers(red, mainStops(red, cwd));
    expect(decision).toBe('block');
  });

  test('after a blocked stop, although nothing has changed since', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    edits(red);
    for (const iteration of [1, 2]) {
      await stops(red);
      expect(logOf(red).at(-1)).toMatchObject({ why: 'gates-failed', iteration });
    }
  });

  test('at the first stop of a session without a prompt', async ({ makeProject }) => {
    expect(await stops(project(makeProject))).toBe('gates-failed');
  });

  test('at a stop of another session', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    expect(await stops(red, { session_id: `${sessionOf(red)}-b` })).toBe('gates-failed');
  });

  test('at a stop without a session', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red, 'go', { session_id: undefined });
    expect(await stops(red, { session_id: undefined })).toBe('gates-failed');
  });

  test('at the stop of a subagent', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    expect(await answers(red, checkStops(red))).toMatchObject({ decision: 'block' });
  });

  test('with `when: always`, and nothing is recorded at a prompt', async ({ makeProject }) => {
    for (const more of ['ralph:\n  when: always\n', 'ralph: { "when": "always" }\n']) {
      const red = project(makeProject, { ...FILES, 'worktree.yaml': worktreeYaml([GATE], more) });
      await prompts(red);
      expect(red.has(turnFile(red))).toBe(false);
      expect(await stops(red)).toBe('gates-failed');
    }
  });

  test('in the Trellis layout', async ({ makeProject }) => {
    const red = project(makeProject, TRELLIS_WITH_MAIN(''));
    await prompts(red);
    expect(red.has(turnFile(red))).toBe(false);
    expect(await stops(red)).toBe('gates-failed');
  });

  test('in `ralph-gate --hook`', async ({ makeProject }) => {
    const red = project(makeProject, {
      ...FILES,
      'gate.config.json': JSON.stringify({ gates: [{ name: 'g', command: GATE }] }),
    });
    await prompts(red);
    expect(await gateHookAnswers(red)).toMatchObject({ decision: 'block' });
  });

  test('without git', async ({ makeProject }) => {
    // The helper writes a .git that git does not accept.
    const red = makeProject(STAND_ALONE);
    await prompts(red);
    expect(await stops(red)).toBe('gates-failed');
  });

  test('if the agent has gone to another repository inside of the project', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    mkdirSync(red.path('ignored'));
    git(red, 'init', 'ignored');
    expect(await stops(red, { cwd: red.path('ignored') })).toBe('gates-failed');
  });

  test.for<{ what: string; break: (project: Project) => void }>([
    { what: 'removed', break: (broken) => rmSync(broken.path(turnFile(broken))) },
    { what: 'no JSON', break: (broken) => broken.write({ [turnFile(broken)]: '{' }) },
    ...[null, { tree: 5 }].map((value) => ({
      what: JSON.stringify(value),
      break: (broken: Project) => broken.write({ [turnFile(broken)]: JSON.stringify(value) }),
    })),
    {
      what: 'a link',
      break: (broken) => {
        broken.write({ ignored: broken.read(turnFile(broken)) });
        rmSync(broken.path(turnFile(broken)));
        symlinkSync('/dev/zero', broken.path(turnFile(broken)));
      },
    },
    {
      what: 'a directory',
      break: (broken) => {
        rmSync(broken.path(turnFile(broken)));
        mkdirSync(broken.path(turnFile(broken)));
      },
    },
  ])('if the record of the turn is $what', async ({ break: breaks }, { makeProject }) => {
    const red = project(makeProject);
    await prompts(red);
    breaks(red);
    expect(await stops(red)).toBe('gates-failed');
  });

  test('if state is in the tree, where the agent could write the record', async ({ makeProject }) => {
    const red = project(makeProject);
    const env = { HOME: '', XDG_STATE_HOME: '' };
    const home = process.env.HOME;
    const state = process.env.XDG_STATE_HOME;
    Object.assign(process.env, env);
    try {
      await prompts(red, 'go', {});
      expect(await stops(red)).toBe('gates-failed');
    } finally {
      Object.assign(process.env, { HOME: home ?? '', XDG_STATE_HOME: state ?? '' });
    }
  });

  test('at the stop after a cancelled loop, which allows it, and not later', async ({ makeProject }) => {
    const red = project(makeProject);
    await stops(red);
    const loop = `@/loop-${sessionOf(red)}.main.json`;
    await cancelStopLoop(red.path(loop), 'in a terminal');
    await prompts(red);
    expect(await stops(red)).toBe('cancelled');
    edits(red);
    expect(await stops(red)).toBe('gates-failed');
  });
});

describe('work that no stop has verified is not undone by', () => {
  test.for<{ what: string; prompt: string }>([
    { what: 'a message that the person types while the agent works', prompt: 'and the docs?' },
    { what: "Qwen Code's empty prompt after a tool", prompt: '' },
    {
      what: 'the end of a task in the background',
      prompt: '<task-notification>\ndone\n</task-notification>',
    },
  ])('$what', async ({ prompt }, { makeProject }) => {
    const red = project(makeProject);
    await prompts(red, 'go');
    edits(red);
    await prompts(red, prompt);
    expect(await stops(red)).toBe('gates-failed');
  });

  test.for(['', '<task-notification>x</task-notification>'])(
    'a turn that began with the prompt %j of the host',
    async (prompt, { makeProject }) => {
      const green = project(makeProject, { ...STAND_ALONE, 'src.txt': 'green\n' });
      await stops(green);
      edits(green);
      await prompts(green, prompt);
      await prompts(green, 'and the docs?');
      expect(await stops(green)).toBe('gates-failed');
    },
  );

  test('the reason of the block, which Qwen Code sends as a prompt', async ({ makeProject }) => {
    const red = project(makeProject);
    await prompts(red, 'go');
    edits(red);
    const { reason = '' } = await answers(red, mainStops(red));
    await prompts(red, `Stop hook feedback:\n${reason}`);
    expect(await stops(red)).toBe('gates-failed');
    await prompts(red, 'leave it red');
    expect(await stops(red)).toBe('unchanged');
  });

  test('a prompt after a turn that was interrupted, until eight hours have passed', async ({
    makeProject,
  }) => {
    const red = project(makeProject);
    await prompts(red, 'go');
    edits(red);
    const turn = JSON.parse(red.read(turnFile(red)));
    red.write({ [turnFile(red)]: JSON.stringify({ ...turn, since: '2020-01-01T00:00:00.000Z' }) });
    await prompts(red, 'what have you done?');
    expect(await stops(red)).toBe('unchanged');
  });
});
