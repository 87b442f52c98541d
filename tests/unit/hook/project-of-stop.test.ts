import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { writeNewChain } from '../../../src/state/chain-store.ts';
import { chainOf, step } from '../../helpers/chain.ts';
import { type Files, type Project, test } from '../../helpers/project.ts';
import {
  checkStops,
  gateHookAnswers,
  hookAnswers,
  logOf,
  mainStops,
  OWN_USER_LOG,
  sessionOf,
} from '../../helpers/stops.ts';
import { verifyGate } from '../../helpers/typed-prompt.ts';

const FAILING = { 'worktree.yaml': 'verify:\n  - pwd; exit 1\n' };
const STATE = '.trellis/.ralph';

/** What happened before the stop, and the directory that the event reports then. */
interface Wandering {
  readonly to: string;
  readonly files?: Files;
  readonly cwd: string;
  readonly before?: (project: Project) => void;
}

const wanderings: Wandering[] = [
  { to: 'a directory outside of every repository', cwd: '../elsewhere' },
  { to: 'a directory outside that is gone', cwd: '../elsewhere/gone' },
  { to: 'a repository that it has just made', files: { 'sub/.git/HEAD': '' }, cwd: 'sub' },
  { to: 'a submodule', files: { 'sub/.git': 'gitdir: ../.git/modules/sub\n' }, cwd: 'sub' },
  { to: 'a clone beside the project', files: { '../clone/.git/HEAD': '' }, cwd: '../clone/src' },
  {
    to: 'a worktree beside it that has no config',
    files: { '../tree/.git': 'gitdir: ../my project/.git/worktrees/tree\n' },
    cwd: '../tree',
  },
  { to: 'the root of the file system', cwd: '/' },
  {
    to: 'a loop of links',
    cwd: '../loop',
    before: (project) => symlinkSync('loop', project.path('../loop')),
  },
];

const hosts: [string, object, (root: string) => Record<string, string>][] = [
  ['Claude Code', {}, (root) => ({ CLAUDECODE: '1', CLAUDE_PROJECT_DIR: root })],
  ['a host with a slash at the end of the variable', {}, (root) => ({ CLAUDE_PROJECT_DIR: `${root}/` })],
  ['Qwen', { timestamp: 'x' }, (root) => ({ QWEN_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: '/nowhere' })],
];

describe.concurrent.for(hosts)('the hook of %s guards the project of the host', ([, fields, envOf]) => {
  test.for(wanderings)('after the agent went to $to', async ({ files, cwd, before }, { makeProject }) => {
    const project = makeProject({ ...FAILING, ...files });
    mkdirSync(project.path('../elsewhere'));
    before?.(project);
    const event = mainStops(project, { ...fields, cwd: join(project.root, cwd) });
    const at = cwd === '/' ? { ...event, cwd } : event;
    const { decision, reason } = await hookAnswers(project, at, { env: envOf(project.root), cwd: '/' });
    expect(decision).toBe('block');
    // Gates run, and the attempt is counted, in the project.
    expect(reason).toContain(project.root);
    expect(logOf(project)).toMatchObject([{ answer: 'block', iteration: 1 }]);
  });
});

describe.concurrent('the hook', () => {
  const at = (project: Project, path: string) => mainStops(project, { cwd: project.path(path) });
  const hostOf = (path: string) => ({ env: { ...OWN_USER_LOG.env, CLAUDE_PROJECT_DIR: path } });

  test('guards the project around a nested repository where the host reports no directory', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...FAILING, 'sub/.git/HEAD': '' });
    const codex = { ...at(project, 'sub'), turn_id: 't' };
    expect((await hookAnswers(project, codex)).reason).toContain(project.root);
    expect(project.has('sub/.trellis')).toBe(false);
  });

  test('guards a worktree by its own config, not by that of the host', async ({ makeProject }) => {
    const project = makeProject({
      ...FAILING,
      '../tree/.git': 'gitdir: ../my project/.git/worktrees/tree\n',
      '../tree/worktree.yaml': 'verify: ["true"]\n',
    });
    expect(await hookAnswers(project, at(project, '../tree'), hostOf(project.root))).toEqual({});
    expect(project.has(STATE)).toBe(false);
  });

  test('guards a package of a monorepo by its own config', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, 'packages/ui/worktree.yaml': 'verify: ["true"]\n' });
    expect(await hookAnswers(project, at(project, 'packages/ui'), hostOf(project.root))).toEqual({});
  });

  test('guards the second folder of a workspace, if the first has no config', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, '../docs/.git/HEAD': '' });
    const { cwd: _, ...event } = at(project, '.');
    const cursor = {
      ...event,
      cursor_version: '3',
      workspace_roots: [project.path('../docs'), project.root],
    };
    expect(await hookAnswers(project, { ...cursor, hook_event_name: 'stop', status: 'completed' })).toEqual({
      followup_message: expect.stringContaining('pwd; exit 1'),
    });
  });

  test('guards a subagent that works outside of the project', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const event = checkStops(project, { cwd: '/' });
    expect((await hookAnswers(project, event, hostOf(project.root))).decision).toBe('block');
  });

  test('of ralph-gate guards the project of the host, and runs the gates there', async ({ makeProject }) => {
    const gates = [{ name: 'where', command: 'basename "$PWD"; exit 1' }];
    const project = makeProject({ 'gate.config.json': JSON.stringify({ gates }), 'sub/.git/HEAD': '' });
    for (const cwd of ['/', project.path('sub')])
      expect(
        (await gateHookAnswers(project, mainStops(project, { cwd }), hostOf(project.root))).reason,
      ).toContain('my project');
  });

  test('uses the config that is named on its command line, from outside of the project', async ({
    makeProject,
  }) => {
    const gates = JSON.stringify({ gates: [{ name: 'where', command: 'basename "$PWD"; exit 1' }] });
    const project = makeProject({ 'conf/gates.json': gates });
    for (const config of ['conf/gates.json', project.path('conf/gates.json')]) {
      const options = { ...hostOf(project.root), args: ['--config', config] };
      expect((await hookAnswers(project, mainStops(project, { cwd: '/' }), options)).reason).toContain(
        'my project',
      );
    }
  });

  test.for([
    ['is empty', ''],
    ['is relative', '.'],
    ['names a directory that is gone', '/gone/project'],
    ['names a file', 'worktree.yaml'],
    ['names a project without a config', '../other'],
  ] as const)(
    'ignores a stop outside of the project if the variable %s',
    async ([, path], { makeProject }) => {
      const project = makeProject({ ...FAILING, '../other/.git/HEAD': '' });
      const value = /^[.w]./.test(path) ? project.path(path) : path;
      const event = mainStops(project, { cwd: '/', session_id: project.root });
      expect(await hookAnswers(project, event, hostOf(value))).toEqual({});
      expect(project.has(STATE)).toBe(false);
      expect(logOf(project, 'user')).toMatchObject([{ why: '/ is not in a git repository' }]);
    },
  );

  test('verifies the gates of a session that are kept in a nested repository', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, 'sub/.git/HEAD': '' });
    const chain = chainOf({
      session: sessionOf(project),
      atStop: 'block',
      steps: [step('one', verifyGate('echo typed; exit 1'))],
    });
    await writeNewChain(project.path('sub'), chain);
    const { reason } = await hookAnswers(project, at(project, 'sub'), hostOf(project.root));
    expect(reason).toContain('typed');
  });

  test('verifies the gates that were typed in the project after the agent went elsewhere', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'sub/.git/HEAD': '' });
    const link = project.path('../link');
    symlinkSync(project.root, link);
    const prompt = {
      hook_event_name: 'UserPromptSubmit',
      session_id: sessionOf(project),
      cwd: project.path('sub'),
    };
    for (const host of [hostOf(project.root), hostOf(link)])
      await hookAnswers(project, { ...prompt, prompt: 'fix it :: verify:"pwd | sed s,.*/,,; exit 1"' }, host);
    for (const cwd of ['/', project.path('sub'), project.root])
      expect((await hookAnswers(project, mainStops(project, { cwd }), hostOf(link))).reason).toContain(
        'my project',
      );
    expect(project.has('sub/.trellis')).toBe(false);
  });
});

describe.concurrent('in a repository without a config, the hook leaves no files and logs at home', () => {
  const rows: [string, object | string, RegExp][] = [
    [
      'a stop of the main agent',
      { hook_event_name: 'Stop' },
      /^no worktree\.yaml was found in .*my project$/,
    ],
    ['a stop of a subagent', { hook_event_name: 'SubagentStop', agent_type: 'check' }, /^no worktree\.yaml/],
    [
      'a stop that is not checked',
      { hook_event_name: 'Stop', cursor_version: '3', status: 'aborted' },
      /^the turn was aborted$/,
    ],
    ['an event that is no stop', { hook_event_name: 'Notification' }, /is not a stop$/],
    ['input that is not JSON', 'x', /^stdin is not JSON/],
  ];
  test.for(rows)('%s', async ([, event, why], { makeProject }) => {
    const project = makeProject({ 'src/a.js': '' });
    rmSync(project.path('.git/HEAD'));
    const sent =
      typeof event === 'string' ? event : { session_id: project.root, cwd: project.path('src'), ...event };
    const env = { ...OWN_USER_LOG.env, CLAUDE_PROJECT_DIR: project.root };
    expect(await hookAnswers(project, sent, { env })).toEqual({});
    expect(project.has('.trellis')).toBe(false);
    expect(logOf(project, 'user')).toMatchObject([{ answer: 'ignore', why: expect.stringMatching(why) }]);
  });

  test('a stop that ralph-gate is called for', async ({ makeProject }) => {
    const project = makeProject({ '.trellis/spec.md': '' });
    const event = mainStops(project, { session_id: project.root });
    expect(await gateHookAnswers(project, event, OWN_USER_LOG)).toEqual({});
    expect(project.has(STATE)).toBe(false);
    expect(logOf(project, 'user')).toMatchObject([
      { why: expect.stringMatching(/^no gate config was found/) },
    ]);
  });
});
