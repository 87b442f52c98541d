import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { fingerprintTree } from '../../src/checkpoint/fingerprint-tree.ts';
import { bytes, git, gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test } from '../helpers/project.ts';

function fingerprintOf(project: Project, env: NodeJS.ProcessEnv = project.environment, root = project.root) {
  const { signal } = new AbortController();
  const except = project.path('x.json');
  return fingerprintTree(root, { env, signal, timeoutMs: 60_000, except });
}

/** Creates a repository of two committed files, one of them changed since, and an untracked file. */
function repository(makeProject: MakeProject, files: Files = {}): Project {
  const project = gitProject(makeProject, {
    'a.txt': 'a',
    'b.txt': 'b',
    '.gitignore': 'ignored/\n',
    ...files,
  });
  project.write({ 'a.txt': 'dirty', 'new.txt': 'untracked' });
  return project;
}

describe.concurrent('the fingerprint changes with', () => {
  const changes: [string, (project: Project) => void][] = [
    ['a change of a clean file', ({ write }) => write({ 'b.txt': 'c' })],
    ['another change of a changed file', ({ write }) => write({ 'a.txt': 'other' })],
    ['another change of a changed file that keeps its size', ({ write }) => write({ 'a.txt': 'dirtz' })],
    ['a changed file that is changed back to its committed content', ({ write }) => write({ 'a.txt': 'a' })],
    ['a change of an untracked file', ({ write }) => write({ 'new.txt': 'Untracked' })],
    ['a new file', ({ write }) => write({ 'newer.txt': '' })],
    ['a new file in an untracked directory', ({ write }) => write({ 'x/y/z.txt': '' })],
    ['a removed file', ({ path }) => rmSync(path('b.txt'))],
    ['a removed untracked file', ({ path }) => rmSync(path('new.txt'))],
    ['a new symbolic link', ({ path }) => symlinkSync('gone', path('link'))],
    ['the mode of a file', ({ path }) => chmodSync(path('b.txt'), 0o755)],
    [
      'a tracked file that becomes a link',
      ({ path }) => {
        rmSync(path('b.txt'));
        symlinkSync('a.txt', path('b.txt'));
      },
    ],
    ['the task file of Trellis', ({ write }) => write({ '.trellis/tasks/a/task.json': '{}' })],
    [
      'a file whose name only begins like one of ralph-loop',
      ({ write }) => write({ '.trellis/.ralphx': '' }),
    ],
    ['the settings of Trellis', ({ write }) => write({ '.trellis/worktree.yaml': 'verify: []\n' })],
  ];
  test.for(changes)('%s', async ([, change], { makeProject }) => {
    const project = repository(makeProject);
    const before = await fingerprintOf(project);
    change(project);

    expect(before).toMatch(/^[\da-f]{64}$/);
    expect(await fingerprintOf(project)).not.toBe(before);
  });
});

describe.concurrent('the fingerprint does not change', () => {
  const changes: [string, (project: Project) => void][] = [
    ['when nothing has changed', () => {}],
    [
      'when a file is rewritten with the same content',
      ({ write }) => write({ 'a.txt': 'dirty', 'b.txt': 'b' }),
    ],
    ['when only the time of a file changes', ({ path }) => utimesSync(path('a.txt'), 1, 1)],
    ['with the result files of a run', ({ write }) => write({ 'gate-results-12.json': '1', 'x.json': '{}' })],
    ['with a new ignored file', ({ write }) => write({ 'ignored/x': '' })],
    ['with a new empty directory', ({ path }) => mkdirSync(path('empty'))],
    ['with a staged change', (project) => git(project, 'add', '--all')],
    ['with a file whose addition is only intended', (project) => git(project, 'add', '-N', 'new.txt')],
    [
      'with a commit',
      (project) => {
        git(project, 'add', '--all');
        git(project, 'commit', '-m', 'two');
      },
    ],
    ['with an empty commit', (project) => git(project, 'commit', '--allow-empty', '-m', 'two')],
    ['with a branch of the same files', (project) => git(project, 'switch', '-c', 'other')],
    ['with the state file of Trellis', ({ write }) => write({ '.trellis/.ralph-state.json': '{}' })],
    [
      'with the logs of ralph-loop',
      ({ write }) => write({ '.trellis/.ralph/output/a.log': '', '.trellis/.ralph/x.json': '' }),
    ],
    [
      'with the logs of ralph-loop in a nested project',
      ({ write }) => write({ 'sub/.trellis/.ralph/log.jsonl': '' }),
    ],
  ];
  test.for(changes)('%s', async ([, change], { makeProject }) => {
    const project = repository(makeProject);
    const before = await fingerprintOf(project);
    change(project);

    expect(before).toMatch(/^[\da-f]{64}$/);
    expect(await fingerprintOf(project)).toBe(before);
  });

  test('with committed logs of ralph-loop that have changed since', async ({ makeProject }) => {
    const project = repository(makeProject, { '.trellis/.ralph-state.json': '1', '.trellis/.ralph/x': '1' });
    const before = await fingerprintOf(project);
    project.write({ '.trellis/.ralph-state.json': '2', '.trellis/.ralph/x': '2' });

    expect(await fingerprintOf(project)).toBe(before);
  });
});

describe.concurrent('the fingerprint includes the content of the untracked file', () => {
  test.for([
    'with blanks.txt',
    'umläut.txt',
    '検証 🎉.txt',
    '"quoted".txt',
    'two\nlines.txt',
    'back\\slash.txt',
    ' blank.txt',
    'ähm ä/ö ö.txt',
    '-n',
  ])('%j', async (name, { makeProject }) => {
    const project = repository(makeProject);
    project.write({ [name]: 'one' });
    const before = await fingerprintOf(project);
    project.write({ [name]: 'two' });

    expect(await fingerprintOf(project)).not.toBe(before);
  });
});

describe.concurrent('the fingerprint of a project in a subdirectory of a repository', () => {
  const setUp = (makeProject: MakeProject) => {
    const project = repository(makeProject);
    project.write({ 'my sub/a.txt': 'one', 'other/b.txt': 'one' });
    return {
      project,
      fingerprint: () => fingerprintOf(project, project.environment, project.path('my sub')),
    };
  };

  test('changes with the files of the project', async ({ makeProject }) => {
    const { project, fingerprint } = setUp(makeProject);
    const before = await fingerprint();
    project.write({ 'my sub/a.txt': 'two' });

    expect(before).toMatch(/^[\da-f]{64}$/);
    expect(await fingerprint()).not.toBe(before);
  });

  test('does not change with the files of ralph-loop', async ({ makeProject }) => {
    const { project, fingerprint } = setUp(makeProject);
    const before = await fingerprint();
    project.write({ 'my sub/.trellis/.ralph/x.json': '', 'my sub/.trellis/.ralph-state.json': '' });

    expect(await fingerprint()).toBe(before);
  });
});

describe.concurrent('the fingerprint changes with a file that keeps its size and time,', () => {
  const hide: [string, (project: Project) => void][] = [
    ['whose content git has seen', (project) => git(project, 'status')],
    ['assumed to be unchanged', (project) => git(project, 'update-index', '--assume-unchanged', 'b.txt')],
    ['outside of a sparse checkout', (project) => git(project, 'update-index', '--skip-worktree', 'b.txt')],
    ['where git compares only seconds', (project) => git(project, 'config', 'core.checkStat', 'minimal')],
    ['whose line ends git does not see', (project) => git(project, 'config', 'core.autocrlf', 'input')],
    ['whose attributes hide it', ({ write }) => write({ '.git/info/attributes': '* ident text=auto\n' })],
    ['while git waits for a lock', ({ write }) => write({ '.git/index.lock': '' })],
  ];
  test.for(hide)('%s', async ([, hidden], { makeProject }) => {
    const project = repository(makeProject);
    project.write({ 'b.txt': '$Id: 1$\n\r\n' });
    hidden(project);
    const { atime, mtime } = statSync(project.path('b.txt'));
    const before = await fingerprintOf(project);
    project.write({ 'b.txt': '$Id: 1$\r\n\n' });
    utimesSync(project.path('b.txt'), atime, mtime);

    expect(before).toMatch(/^[\da-f]{64}$/);
    expect(await fingerprintOf(project)).not.toBe(before);
  });
});

describe.concurrent('the fingerprint is the same twice, and changes, with', () => {
  const rows: [string, (project: Project) => void, (project: Project) => void][] = [
    [
      'a FIFO in the place of a tracked file',
      ({ path }) => {
        rmSync(path('b.txt'));
        execFileSync('mkfifo', [path('b.txt')]);
      },
      ({ path }) => rmSync(path('b.txt')),
    ],
    [
      'a link to a device',
      ({ path }) => symlinkSync('/dev/zero', path('zero')),
      ({ path }) => rmSync(path('zero')),
    ],
    [
      'a file outside of the tree that a link leads to',
      ({ path, home }) => {
        writeFileSync(`${home}/x`, 'one');
        symlinkSync(`${home}/x`, path('link'));
      },
      ({ home }) => writeFileSync(`${home}/x`, 'two'),
    ],
    [
      'a directory of another repository that a link leads to',
      (project) => {
        mkdirSync(`${project.home}/other/d`, { recursive: true });
        git(project, 'init', `${project.home}/other`);
        writeFileSync(`${project.home}/other/d/x`, 'one');
        symlinkSync(`${project.home}/other/d`, project.path('link'));
      },
      ({ home }) => writeFileSync(`${home}/other/d/x`, 'two'),
    ],
    [
      'an untracked repository in the repository',
      (project) => {
        git(project, 'init', 'inner');
        project.write({ 'inner/x': 'one' });
        git(project, '-C', 'inner', 'add', '.');
        git(project, '-C', 'inner', 'commit', '-m', 'x');
      },
      ({ write }) => write({ 'inner/x': 'two' }),
    ],
    [
      'files that are not merged',
      (project) => {
        git(project, 'stash');
        project.write({ 'a.txt': 'theirs' });
        git(project, 'commit', '-am', 'two');
        expect(() => git(project, 'stash', 'pop')).toThrow();
      },
      ({ write }) => write({ 'a.txt': 'merged' }),
    ],
    [
      'a name that is not UTF-8',
      ({ root }) => writeFileSync(bytes(root, '\xff'), 'one'),
      ({ root }) => writeFileSync(bytes(root, '\xff'), 'two'),
    ],
  ];
  test.for(rows)('%s', async ([, prepare, change], { makeProject }) => {
    const project = repository(makeProject);
    prepare(project);
    const before = await fingerprintOf(project);

    expect(before).toMatch(/^[\da-f]{64}$/);
    expect(await fingerprintOf(project)).toBe(before);
    change(project);
    expect(await fingerprintOf(project)).not.toBe(before);
  });
});

test('the fingerprint of a project includes the files beside it in its repository', async ({
  makeProject,
}) => {
  const project = repository(makeProject);
  project.write({ 'sub/x': '' });
  const fingerprint = () => fingerprintOf(project, project.environment, project.path('sub'));
  const before = await fingerprint();
  project.write({ 'b.txt': 'c' });

  expect(before).toMatch(/^[\da-f]{64}$/);
  expect(await fingerprint()).not.toBe(before);
});

test('a repository without a commit has a fingerprint', async ({ makeProject }) => {
  const project = makeProject({ 'a.txt': 'a' }, { git: false });
  git(project, 'init');
  const before = await fingerprintOf(project);
  project.write({ 'a.txt': 'b' });

  expect(before).toMatch(/^[\da-f]{64}$/);
  expect(await fingerprintOf(project)).not.toBe(before);
});

describe.concurrent('there is no fingerprint', () => {
  test('of a project that the repository around it ignores', async ({ makeProject }) => {
    const project = repository(makeProject);
    project.write({ 'ignored/sub/x': '' });

    expect(await fingerprintOf(project, project.environment, project.path('ignored/sub'))).toBeUndefined();
  });

  test('with a damaged repository in the repository', async ({ makeProject }) => {
    const project = repository(makeProject);
    git(project, 'init', 'inner');
    project.write({ 'inner/x': 'one' });
    git(project, '-C', 'inner', 'add', '.');
    git(project, '-C', 'inner', 'commit', '-m', 'x');
    git(project, 'add', 'inner');
    rmSync(project.path('inner/.git/HEAD'));

    expect(await fingerprintOf(project)).toBeUndefined();
  });

  test('without a repository', async ({ makeProject }) => {
    const project = makeProject({ 'a.txt': 'a' }, { git: false });

    expect(await fingerprintOf(project)).toBeUndefined();
  });

  test('without git', async ({ makeProject }) => {
    const project = repository(makeProject);
    const env = { ...project.environment, PATH: dirname(project.home) };

    expect(await fingerprintOf(project, env)).toBeUndefined();
  });

  test('when git does not answer within the timeout', async ({ makeProject }) => {
    const project = repository(makeProject);
    const { signal } = new AbortController();
    project.write({ 'bin/git': '#!/bin/sh\nexec sleep 600\n' });
    execFileSync('chmod', ['+x', project.path('bin/git')]);
    const env = { ...project.environment, PATH: `${project.path('bin')}:${project.environment.PATH}` };

    expect(await fingerprintTree(project.root, { env, signal, timeoutMs: 100 })).toBeUndefined();
  });

  test('when the signal is aborted', async ({ makeProject }) => {
    const project = repository(makeProject);
    const options = { env: project.environment, signal: AbortSignal.abort(), timeoutMs: 60_000 };

    expect(await fingerprintTree(project.root, options)).toBeUndefined();
  });
});

describe.concurrent('the fingerprint runs no program that the repository names in', () => {
  // Each needs only files that are in `.git`, or in the working tree.
  const settings: readonly { setting: string; value?: string; attributes?: string }[] = [
    { setting: 'core.fsmonitor' },
    { setting: 'core.hooksPath', value: 'hooks' },
    { setting: 'filter.evil.clean', attributes: '* filter=evil\n' },
    { setting: 'filter.evil.process', attributes: '* filter=evil\n' },
    { setting: 'filter.a=b.clean=c.clean', attributes: '* filter=a=b.clean=c\n' },
    { setting: 'diff.evil.textconv', attributes: '* diff=evil\n' },
    { setting: 'diff.evil.command', attributes: '* diff=evil\n' },
    { setting: 'diff.external' },
    { setting: 'core.pager' },
    { setting: 'core.sshCommand' },
    { setting: 'core.editor' },
    { setting: 'alias.status' },
    { setting: 'credential.helper' },
    { setting: 'gpg.program' },
    { setting: 'interactive.diffFilter' },
  ];
  test.for(settings)('$setting', async ({ setting, value, attributes = '' }, { makeProject }) => {
    const project = repository(makeProject, { '.gitattributes': attributes });
    const program = '#!/bin/sh\ntouch ran\ncat\n';
    project.write({
      evil: program,
      'hooks/post-index-change': program,
      '.git/hooks/post-index-change': program,
    });
    execFileSync('chmod', ['+x', 'evil', 'hooks/post-index-change', '.git/hooks/post-index-change'], {
      cwd: project.root,
    });
    // Git compares the content of a file whose time alone has changed.
    utimesSync(project.path('b.txt'), 1, 1);
    git(project, 'config', setting, value ?? './evil');
    expect(await fingerprintOf(project)).toMatch(/^[\da-f]{64}$/);
    expect(project.has('ran')).toBe(false);
  });

  test('the config of a submodule', async ({ makeProject }) => {
    const { project } = withSubmodule(makeProject);
    project.write({ evil: '#!/bin/sh\ntouch ran\ncat\n', 'sub/.gitattributes': '* filter=evil\n' });
    execFileSync('chmod', ['+x', 'evil'], { cwd: project.root });
    utimesSync(project.path('sub/s.txt'), 1, 1);
    for (const setting of ['filter.evil.clean', 'core.fsmonitor'])
      git(project, '-C', 'sub', 'config', setting, project.path('evil').replaceAll(' ', '\\ '));
    expect(await fingerprintOf(project)).toMatch(/^[\da-f]{64}$/);
    expect([project.has('ran'), project.has('sub/ran')]).toEqual([false, false]);
  });

  test('the remote of a partial clone whose objects are missing', async ({ makeProject }) => {
    const project = repository(makeProject);
    project.write({ evil: '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n' });
    execFileSync('chmod', ['+x', 'evil'], { cwd: project.root });
    const remote = {
      url: project.root,
      uploadpack: './evil',
      promisor: 'true',
      partialclonefilter: 'blob:none',
    };
    for (const [name, value] of Object.entries(remote)) git(project, 'config', `remote.o.${name}`, value);
    git(project, 'config', 'extensions.partialClone', 'o');
    const tree = git(project, 'rev-parse', 'HEAD^{tree}').trim();
    rmSync(project.path(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    await fingerprintOf(project);
    expect(project.has('ran')).toBe(false);
  });
});

/** Creates a repository with a submodule `sub`, whose file is `s.txt`. */
function withSubmodule(makeProject: MakeProject) {
  const inner = gitProject(makeProject, { 's.txt': 's' });
  const project = repository(makeProject);
  git(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', inner.root, 'sub');
  git(project, 'commit', '-m', 'sub');
  return { project };
}

test('the fingerprint changes with each change of a file in a submodule', async ({ makeProject }) => {
  const { project } = withSubmodule(makeProject);
  const fingerprints = [await fingerprintOf(project), await fingerprintOf(project)];
  expect(fingerprints[1]).toBe(fingerprints[0]);
  for (const content of ['t', 'u']) {
    project.write({ 'sub/s.txt': content });
    fingerprints.push(await fingerprintOf(project));
  }
  expect(new Set(fingerprints).size).toBe(3);
});

test('the fingerprint ends where a path of a submodule leads out of the project or back into it', async ({
  makeProject,
}) => {
  const project = repository(makeProject);
  symlinkSync('.', project.path('loop'));
  const paths = ['.', '..', '/', 'loop', 'loop/loop', 'gone'];
  const sections = paths.map((path, index) => `[submodule "${index}"]\n\tpath = ${path}\n`);
  project.write({ '.gitmodules': sections.join('') });
  expect(await fingerprintOf(project)).toMatch(/^[\da-f]{64}$/);
});

test('the fingerprint is taken without writing to the repository', async ({ makeProject }) => {
  const project = repository(makeProject);
  utimesSync(project.path('b.txt'), 1, 1);
  const before = project.read('.git/index');
  await fingerprintOf(project);

  expect(project.read('.git/index')).toBe(before);
});

test('the fingerprint is of the repository in the directory, not of the one in GIT_DIR', async ({
  makeProject,
}) => {
  const project = repository(makeProject);
  const env = {
    ...project.environment,
    GIT_DIR: `${project.home}/.git`,
    GIT_INDEX_FILE: `${project.home}/index`,
  };

  expect(await fingerprintOf(project, env)).toBe(await fingerprintOf(project));
});
