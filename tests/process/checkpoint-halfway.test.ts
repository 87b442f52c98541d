import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { checkpointRefs, created, restore, restored } from '../helpers/checkpoints.ts';
import { git, gitProject, stateOf } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

/** A PATH with a git that does something else when it is called in this way. */
function pathWith({ home, environment }: Project, call: string, instead: string): string {
  const script = `#!/bin/sh
case "$*" in *"${call}"*) ${instead};; esac
PATH=\${PATH#*${delimiter}}
exec git "$@"
`;
  writeFileSync(join(home, 'git'), script);
  chmodSync(join(home, 'git'), 0o755);
  return `${home}${delimiter}${environment.PATH}`;
}

/** A checkpoint, and edits of all kinds since. */
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

// Each with what is done by then.
const moments = [
  { moment: 'after files were removed', call: 'cat-file --batch --buffer' },
  { moment: 'after files were written', call: 'update-index -q --refresh' },
];

describe.concurrent('a restoration that ends halfway', () => {
  test.for(moments)('killed $moment: is done by doing it again', async ({ call }, { makeProject }) => {
    const { project, checkpoint, then, since } = await editedProject(makeProject);
    const env = { PATH: pathWith(project, call, 'kill -9 $PPID') };
    const { stdout, exitCode } = await ralphLoop(project, ['checkpoint', 'restore', checkpoint.id], { env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: undefined });
    expect(stateOf(project)).not.toEqual(then);
    expect(project.has('.git/index.lock')).toBe(true);

    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
    expect(project.has('.git/index.lock')).toBe(false);
    const [, rescue = ''] = checkpointRefs(project);
    await restored(project, { ...checkpoint, id: rescue.split('/').at(-1) ?? '' });
    expect(stateOf(project)).toEqual(since);
  });

  test.for(moments)('failed $moment: names the rescue', async ({ call }, { makeProject }) => {
    const { project, checkpoint, then, since } = await editedProject(makeProject);
    const PATH = pathWith(project, call, 'echo "fatal: no space left" >&2; exit 128');
    const { why } = (await restore(project, checkpoint.id, { env: { ...project.environment, PATH } })) as {
      why: string;
    };
    const [, rescue = ''] = checkpointRefs(project);
    expect(why).toBe(
      `git ${call.split(' ')[0]}: no space left. Checkpoint ${checkpoint.id} is restored in part only: repair that, and restore it again. What was there before is kept as the rescue checkpoint ${rescue.split('/').at(-1)}`,
    );
    expect(project.has('.git/index.lock')).toBe(false);

    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
    await restored(project, { ...checkpoint, id: rescue.split('/').at(-1) ?? '' });
    expect(stateOf(project)).toEqual(since);
  });

  test('what a killed one was writing is no file of the project', async ({ makeProject }) => {
    const { project, checkpoint, then } = await editedProject(makeProject);
    project.write({ '.ralph-restoring': 'half', 'd/.ralph-restoring': 'half' });
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
  });

  test('an index that a killed one was writing is written again', async ({ makeProject }) => {
    const { project, checkpoint, then } = await editedProject(makeProject);
    project.write({ '.git/ralph-index': 'half', '.git/ralph-index.lock': '' });
    await restored(project, checkpoint);
    expect(stateOf(project)).toEqual(then);
    expect(project.has('.git/ralph-index')).toBe(false);
  });
});
