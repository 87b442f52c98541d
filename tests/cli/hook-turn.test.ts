import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { hookProcessAnswers, logOf, mainStops, sessionOf } from '../helpers/stops.ts';
import { types } from '../helpers/typed-gates.ts';

const RED = { 'worktree.yaml': worktreeYaml(['false']), '.gitignore': '.trellis/.ralph/\n' };

describe.concurrent('the built program', () => {
  test('allows a turn that changed nothing, and judges it again after a reset', async ({ makeProject }) => {
    const project = gitProject(makeProject, RED);
    expect(await hookProcessAnswers(project, types(project, 'why?'))).toEqual({});
    expect(await hookProcessAnswers(project, mainStops(project))).toEqual({});
    expect(logOf(project).map(({ why }) => why)).toEqual(['unchanged']);
    expect((await ralphLoop(project, ['status'])).stdout).toContain('allowed: unchanged');

    await ralphLoop(project, ['reset']);
    expect(await hookProcessAnswers(project, mainStops(project))).toMatchObject({ decision: 'block' });
  });

  test.for([
    { where: 'without a config', files: {}, git: true },
    { where: 'outside of a repository', files: RED, git: false },
  ])('records nothing at a prompt $where', async ({ files, git }, { makeProject }) => {
    const project = makeProject(files, { git });
    expect(await hookProcessAnswers(project, types(project, 'why?'))).toEqual({});
    expect(project.has(`@/turn-${sessionOf(project)}.json`)).toBe(false);
    expect(project.has('.trellis')).toBe(false);
  });
});
