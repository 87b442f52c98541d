import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { checkpointRefs, created, expectFailure, restore, restored } from '../helpers/checkpoints.ts';
import { eventually } from '../helpers/eventually.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

/** Returns a PATH with a git that runs another command instead of one call. */
function pathWith({ home, environment }: Project, call: string, replacement: string): string {
  const script = `#!/bin/sh
case "$*" in *"${call}"*) ${replacement};; esac
PATH=\${PATH#*${delimiter}}
exec git "$@"
`;
  writeFileSync(join(home, 'git'), script);
  chmodSync(join(home, 'git'), 0o755);
  return `${home}${delimiter}${environment.PATH}`;
}

/** Creates a project with a checkpoint and later edits of all kinds. */
async function editedProject(makeProject: MakeProject) {
  const project = gitProject(makeProject, { a: '1', 'd/b': '1', x: '1' });
  project.write({ a: '2', new: '2' });
  git(project, 'add', 'a');
  const then = stateOf(project);
  const checkpoint = await created(project);
  project.write({ a: '3', 'd/b': '3', new: '3', 'since/x': '3' });
  git(project, 'rm', '--quiet', 'x');
  return { project, checkpoint, then, since: stateOf(project) };
}

/** The names of the files that a killed process has left in the repository and the temporary directory. */
function leftovers(project: Project): string[] {
  return [project.path('.git'), project.environment.TMPDIR ?? '']
    .flatMap((directory) => readdirSync(directory))
    .filter((name) => /lock$|ralph/.test(name));
}

const moments: [string, string][] = [
  ['while the present state is saved', 'hash-object'],
  ['after files were removed', 'cat-file --batch --buffer'],
  ['after files were written', 'update-index -q --refresh'],
];

describe.concurrent('a restore', () => {
  test.for(moments)(
    'that was killed %s is completed by another restore',
    async ([, call], { makeProject }) => {
      const { project, checkpoint, then, since } = await editedProject(makeProject);
      const env = { PATH: pathWith(project, call, 'kill -9 $PPID') };
      const { stdout, exitCode } = await ralphLoop(project, ['checkpoint', 'restore', checkpoint.id], {
        env,
      });
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: undefined });
      expect(stateOf(project)).not.toEqual(then);
      await eventually('the lock and the temporary files are gone', () => leftovers(project).length === 0);

      await restored(project, checkpoint);
      expect(stateOf(project)).toEqual(then);
      const [, rescue = ''] = checkpointRefs(project);
      await restored(project, { ...checkpoint, id: rescue.split('/').at(-1) ?? '' });
      expect(stateOf(project)).toEqual(since);
    },
  );

  test.for(moments.slice(1))(
    'that failed %s names the rescue checkpoint',
    async ([, call], { makeProject }) => {
      const { project, checkpoint, then, since } = await editedProject(makeProject);
      const PATH = pathWith(project, call, 'echo "fatal: no space left" >&2; exit 128');
      const env = { ...project.environment, PATH };
      const message = expectFailure(await restore(project, checkpoint.id, { env }));
      const [, rescue = ''] = checkpointRefs(project);
      expect(message).toBe(
        `git ${call.split(' ')[0]}: no space left. Checkpoint ${checkpoint.id} is only partly restored: fix the cause, then restore it again. The state before is saved as rescue checkpoint ${rescue.split('/').at(-1)}`,
      );
      expect(project.has('.git/index.lock')).toBe(false);

      await restored(project, checkpoint);
      expect(stateOf(project)).toEqual(then);
      await restored(project, { ...checkpoint, id: rescue.split('/').at(-1) ?? '' });
      expect(stateOf(project)).toEqual(since);
    },
  );

  test('removes the partial files of a killed restore', async ({ makeProject }) => {
    const { project, checkpoint, then } = await editedProject(makeProject);
    project.write({ '.ralph-restoring': 'half', 'd/.ralph-restoring': 'half' });
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
  });

  test('replaces the partial index of a killed restore', async ({ makeProject }) => {
    const { project, checkpoint, then } = await editedProject(makeProject);
    project.write({ '.git/ralph-index': 'half', '.git/ralph-index.lock': '' });
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
    expect(project.has('.git/ralph-index')).toBe(false);
  });
});
