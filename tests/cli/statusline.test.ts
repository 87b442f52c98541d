import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookAnswers, mainStops, sessionOf } from '../helpers/stops.ts';

const line = (project: Project, input: string, env = {}) =>
  ralphLoop(project, ['statusline'], { input, env: { NO_COLOR: '1', ...env } });
const inSession = (project: Project, session = sessionOf(project)) =>
  JSON.stringify({ session_id: session, workspace: { current_dir: project.root } });

describe('the status line', () => {
  test('shows the last stop of its session, and not that of another one', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['{ name: test, run: "exit 1" }']) });
    await hookAnswers(project, mainStops(project));
    expect((await line(project, inSession(project))).stdout).toBe('ralph ✗ test 1/5\n');
    expect((await line(project, inSession(project, 'other'))).stdout).toBe('ralph no stop yet\n');
  });

  test('is coloured without a terminal, because hosts read it through a pipe', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']) });
    const { stdout } = await line(project, inSession(project), { NO_COLOR: '' });
    expect(stdout).toContain('\u001b[');
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"session_id'],
    ['JSON of other types', '{"session_id": 3, "workspace": [], "cwd": {}}'],
    ['a directory that is not there', '{"workspace": {"current_dir": "/nowhere/at/all"}}'],
  ])('prints nothing and exits with 0 for %s outside of a project', async (_, input) => {
    // `test.each` has no fixtures.
    const { exitCode, stdout, stderr } = await ralphLoop(
      { root: '/', environment: { PATH: process.env.PATH ?? '', HOME: '/nowhere' } } as unknown as Project,
      ['statusline'],
      { input },
    );
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('shows no error where the log is not one', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml(['true']),
      '.trellis/.ralph/log.jsonl': 'null\n[]\n{"time":"x","answer":"block","why":"y","gates":[null]}\n',
    });
    const { exitCode, stderr } = await line(project, inSession(project));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});
