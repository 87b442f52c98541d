import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { bytes, git, gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { hookAnswers, mainStops } from '../helpers/stops.ts';

/** A repository on its default branch, with gates that append to `ran`. */
function project(makeProject: MakeProject, gates: readonly string[], files: Files = {}): Project {
  return gitProject(makeProject, {
    'worktree.yaml': worktreeYaml(gates),
    '.gitignore': 'ran\nfail\n.trellis\n',
    'src/a.js': '',
    'docs/a.md': '',
    ...files,
  });
}

const ran = (of: Project) => (of.has('ran') ? of.read('ran') : '');
const stops = async (of: Project) => (await hookAnswers(of, mainStops(of))).decision ?? 'allow';

function commitAll(of: Project) {
  git(of, 'add', '--all');
  git(of, 'commit', '--message=more');
}

describe.concurrent('a stop runs a gate with paths', () => {
  const gate = "{ name: t, run: 'echo t >> ran', paths: ['src/**'] }";

  test.for<readonly [when: string, change: (of: Project) => void, output: string]>([
    ['never without a change', () => {}, ''],
    ['never after a change elsewhere', (of) => of.write({ 'docs/a.md': 'x' }), ''],
    ['after a change that matches', (of) => of.write({ 'src/a.js': 'x' }), 't\n'],
    ['after a file was moved out', (of) => renameSync(of.path('src/a.js'), of.path('a.js')), 't\n'],
    ['after a file was deleted', (of) => rmSync(of.path('src/a.js')), 't\n'],
    ['where there is no git', (of) => rmSync(of.path('.git/HEAD')), 't\n'],
  ])('%s', async ([, change, output], { makeProject }) => {
    const of = project(makeProject, [gate]);
    change(of);

    expect(await stops(of)).toBe('allow');
    expect(ran(of)).toBe(output);
  });
});

describe.concurrent('on the default branch', () => {
  const gate = "{ name: t, run: 'echo t >> ran; test ! -e fail', paths: ['src/**'] }";

  test('a commit does not hide a failure from the gate', async ({ makeProject }) => {
    const of = project(makeProject, [gate]);
    of.write({ 'src/a.js': 'x', fail: '' });
    const first = await stops(of);
    commitAll(of);

    expect([first, await stops(of)]).toEqual(['block', 'block']);
    rmSync(of.path('fail'));
    expect([await stops(of), ran(of)]).toEqual(['allow', 't\nt\nt\n']);
  });

  test('a revert does not hide a failure from the gate', async ({ makeProject }) => {
    const of = project(makeProject, [gate]);
    of.write({ 'src/a.js': 'x', fail: '' });
    const first = await stops(of);
    of.write({ 'src/a.js': '' });

    expect([first, await stops(of)]).toEqual(['block', 'block']);
    rmSync(of.path('fail'));
    expect([await stops(of), await stops(of), ran(of)]).toEqual(['allow', 'allow', 't\nt\nt\n']);
  });

  test('what was committed since the last pass counts, and no longer after the next', async ({
    makeProject,
  }) => {
    const of = project(makeProject, [gate]);
    await stops(of);
    of.write({ 'src/b.js': '' });
    commitAll(of);

    expect([await stops(of), ran(of)]).toEqual(['allow', 't\n']);
    expect([await stops(of), ran(of)]).toEqual(['allow', 't\n']);
  });
});

describe.concurrent('{changed_files} in a gate', () => {
  const lines = (of: Project) => ran(of).split('\n').filter(Boolean);

  test('is each changed file as it is named', async ({ makeProject }) => {
    const of = project(makeProject, [
      '{ name: t, run: \'for f in {changed_files}; do test -f "$f" && printf "<%s>\\n" "$f" >> ran; done\' }',
    ]);
    const names = [
      ' a',
      '"',
      "it's",
      '$(touch x)',
      '`touch x`',
      '-rf',
      '*',
      'a\\b',
      '\u00fc',
      ';',
      '!a',
      '~',
      '#',
    ];
    of.write(Object.fromEntries(names.map((name) => [name, ''])));

    expect(await stops(of)).toBe('allow');
    expect(lines(of).toSorted()).toEqual(
      names.map((name) => `<${name === '-rf' ? './-rf' : name}>`).toSorted(),
    );
    expect(of.has('x')).toBe(false);
  });

  test('is relative to the directory of the gate', async ({ makeProject }) => {
    const of = project(makeProject, [
      "{ name: t, run: 'cat {changed_files} >> ../ran', cwd: src, paths: ['src/**'] }",
    ]);
    of.write({ 'src/a.js': 'content', 'b.js': 'other' });

    expect([await stops(of), ran(of)]).toEqual(['allow', 'content']);
  });

  test('is all of 10,000 files, in batches', async ({ makeProject }) => {
    const of = project(makeProject, [
      '{ name: t, run: \'printf "%s\\n" {changed_files} >> ran; echo >> ran\' }',
    ]);
    const names = Array.from({ length: 10_000 }, (_, n) => `src/long-name-of-a-file-${n}.js`);
    of.write(Object.fromEntries(names.map((name) => [name, ''])));

    expect(await stops(of)).toBe('allow');
    expect(lines(of)).toEqual(names.toSorted());
    expect(ran(of).split('\n\n').length).toBeGreaterThan(2);
  });

  test('is checked again when the same files differ from another base', async ({ makeProject }) => {
    const gates = ["{ name: t, run: 'echo {changed_files} >> ran' }"];
    const config = worktreeYaml(gates, 'ralph:\n  when: always\n');
    const of = project(makeProject, gates, { 'worktree.yaml': config });
    of.write({ 'src/b.js': '' });
    commitAll(of);
    of.write({ 'src/c.js': '' });
    const first = await stops(of);
    git(of, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');

    expect([first, await stops(of)]).toEqual(['allow', 'allow']);
    expect(lines(of)).toEqual(['src/c.js', 'src/b.js src/c.js']);
  });

  test.for<readonly [what: string, change: (of: Project) => void, reason: RegExp]>([
    [
      'the name of a changed file is not UTF-8',
      (of) => writeFileSync(bytes(of.root, 'caf\xe9'), ''),
      /Gate "t" could not be started: \{changed_files\} cannot name caf.: the name is not UTF-8/,
    ],
    [
      'there is no git',
      (of) => rmSync(of.path('.git/HEAD')),
      /Gate "t" could not be started: the files for \{changed_files\} are not known: git rev-parse: not a git repository/,
    ],
  ])('blocks the stop where %s', async ([, change, reason], { makeProject }) => {
    const of = project(makeProject, ["{ name: t, run: 'true {changed_files}' }"]);
    change(of);

    expect(await hookAnswers(of, mainStops(of))).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(reason),
    });
  });
});
