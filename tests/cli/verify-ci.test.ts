import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { decisionOf, hookAnswers, mainStops } from '../helpers/stops.ts';

const TEST = `import { test } from 'node:test';
import assert from 'node:assert';
test('adds', () => {
  assert.equal(1 + 2, 3);
});
`;
const FILES = {
  'worktree.yaml': worktreeYaml([
    '{ name: lint, run: "echo ran >> lint.ran" }',
    `{ name: docs, run: "exit 1", paths: ['docs/**'] }`,
  ]),
  '.gitignore': '*.ran\n',
  'src/a.js': 'export const a = 1;\n',
  'tests/add.test.js': TEST,
};

/** A repository with a branch that is to be merged into `main`. */
function branchWith(makeProject: MakeProject, changes: Record<string, string>): Project {
  const project = gitProject(makeProject, FILES);
  git(project, 'switch', '--create', 'feature');
  project.write(changes);
  return project;
}

/** A clone as CI systems make it. */
function cloneOf(makeProject: MakeProject, { root }: Project, ...options: string[]): Project {
  const clone = makeProject({}, { git: false });
  git(clone, 'clone', '--quiet', ...options, '--branch', 'feature', `file://${root}`, 'clone');
  return { ...clone, root: join(clone.root, 'clone') };
}

const CHANGES: readonly (readonly [
  name: string,
  changes: Record<string, string>,
  decision: 'allow' | 'block',
])[] = [
  ['nothing is wrong', { 'src/a.js': 'export const a = 2;\n' }, 'allow'],
  ['a gate fails that the change affects', { 'docs/a.md': 'a\n' }, 'block'],
  ['a test is skipped', { 'tests/add.test.js': TEST.replace("test('", "test.skip('") }, 'block'],
  [
    'a gate is removed',
    { 'worktree.yaml': worktreeYaml(['{ name: lint, run: "echo ran >> lint.ran" }']) },
    'block',
  ],
  ['every gate is removed', { 'worktree.yaml': 'verify: []\n' }, 'block'],
];

describe.concurrent('verify --ci', () => {
  test.for(CHANGES)(
    'in a fresh clone has the verdict of the hook where %s',
    async ([, changes, decision], { makeProject }) => {
      const project = branchWith(makeProject, {});
      await hookAnswers(project, {
        ...mainStops(project),
        hook_event_name: 'UserPromptSubmit',
        prompt: 'go',
      });
      project.write(changes);
      expect(decisionOf(await hookAnswers(project, mainStops(project)))).toBe(decision);

      git(project, 'add', '--all');
      git(project, 'commit', '--quiet', '--message=two');
      const clone = cloneOf(makeProject, project);
      const { exitCode } = await ralphLoop(clone, ['verify', '--ci', '--base', 'origin/main']);
      expect(exitCode).toBe(decision === 'allow' ? 0 : 1);
    },
  );

  test('runs what has passed with the same files, and leaves the state of the machine as it was', async ({
    makeProject,
  }) => {
    const project = branchWith(makeProject, {});
    await ralphLoop(project, ['verify']);
    const before = existsSync(project.path('@/checked-commit.json'));
    const { exitCode } = await ralphLoop(project, ['verify', '--ci', '--base', 'main']);
    expect({ exitCode, ran: project.read('lint.ran') }).toEqual({ exitCode: 0, ran: 'ran\nran\n' });
    expect(existsSync(project.path('@/checked-commit.json'))).toBe(before);
  });

  test('runs every gate where there is nothing to compare with', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify', '--ci', '--no-fail-fast']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✓ lint[\s\S]*⊘ docs .*not affected/);
    expect(stderr).toContain('There is nothing to compare with');
  });

  test.for([
    [['--depth=1'], 'origin/main', 'git fetch --unshallow origin main:refs/remotes/origin/main'],
    [[], 'origin/mian', 'git fetch origin mian:refs/remotes/origin/mian'],
    [
      ['--depth=1'],
      'HEAD~1',
      'git fetch --unshallow (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)',
    ],
  ] as const)('in a clone with %s says how to fetch %s', async ([options, base, fetch], { makeProject }) => {
    const project = branchWith(makeProject, {});
    git(project, 'commit', '--allow-empty', '--quiet', '--message=two');
    const clone = cloneOf(makeProject, project, ...options);
    const { exitCode, stdout, stderr } = await ralphLoop(clone, ['verify', '--ci', '--base', base]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`git knows no revision "${base}"`);
    expect(stderr).toContain(fetch);
  });

  test.for([
    [['--sarif', 'worktree.yaml'], 'Cannot write worktree.yaml: it exists and is no earlier report'],
    [['--junit', 'worktree.yaml'], 'Cannot write worktree.yaml: it exists and is no earlier report'],
    [['--sarif', 'src'], 'Cannot write src: it is a directory'],
    [['--sarif', ''], 'Cannot write : the name is empty'],
    [['--sarif', '--junit'], 'Cannot write --junit: it looks like an option'],
    [['--sarif', 'pipe'], 'Cannot write pipe: it is not a regular file'],
    [['--sarif', 'a', '--junit', './a'], '--sarif and --junit name the same file: a'],
  ] as const)('runs no gate where it could not write %j', async ([args, says], { makeProject }) => {
    const project = gitProject(makeProject, FILES);
    await execa('mkfifo', [project.path('pipe')]);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify', '--ci', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(project.has('lint.ran')).toBe(false);
  });

  test('replaces the reports of an earlier run', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    const args = ['verify', '--ci', '--no-fail-fast', '--sarif', 'out/s.json', '--junit', 'out/j.xml'];
    await ralphLoop(project, args);
    expect((await ralphLoop(project, args)).exitCode).toBe(0);
  });

  test('finds the base with git before 2.24', async ({ makeProject }) => {
    const project = branchWith(makeProject, {});
    const bin = join(project.home, 'bin');
    const rejects = 'case "$*" in *--end-of-options*) exit 128;; esac';
    const others = 'PATH=$(echo "$PATH" | cut -d: -f2-) exec git "$@"';
    project.write({ '../home/bin/git': `#!/bin/sh\n${rejects}\n${others}\n` });
    chmodSync(join(bin, 'git'), 0o755);
    const PATH = `${bin}:${project.environment.PATH}`;
    const run = await ralphLoop(project, ['verify', '--ci', '--base', 'main'], { env: { PATH } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.for([
    ['mian', 'did you mean "main"? Otherwise fetch it: git fetch'],
    ['feature', 'did you mean "origin/feature"?'],
    ['nothing-like-it', 'check the name, or fetch it: git fetch'],
    ['', 'Empty value for --base, expected a revision of git.'],
  ])('says what is wrong with the base "%s"', async ([base = '', message], { makeProject }) => {
    const clone = cloneOf(makeProject, branchWith(makeProject, {}));
    git(clone, 'switch', '--quiet', 'main');
    git(clone, 'branch', '--quiet', '--delete', '--force', 'feature');
    const { exitCode, stdout, stderr } = await ralphLoop(clone, ['verify', '--ci', '--base', base]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('needs a base in a clone of the commit of a pull request alone', async ({ makeProject }) => {
    const { root } = branchWith(makeProject, {});
    const clone = makeProject({}, { git: false });
    git(clone, 'init', '--quiet');
    git(clone, 'fetch', '--quiet', '--depth=1', `file://${root}`, 'feature:refs/remotes/pull/7/merge');
    git(clone, 'checkout', '--quiet', 'refs/remotes/pull/7/merge');
    const { exitCode, stdout, stderr } = await ralphLoop(clone, ['verify', '--ci']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('the default branch is not in this clone, which is shallow');
    expect(stderr).toContain('--base');
  });

  test.for([
    [['--base', 'main'], '--base needs --ci'],
    [['--sarif', 'x'], '--sarif needs --ci'],
    [['--ci', '--base', 'main'], 'is not in a git repository: there is no main to compare with'],
  ] as const)('refuses %j outside of a repository', async ([args, message], { makeProject }) => {
    const project = makeProject(FILES, { git: false });
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('takes the base of a pull request from the variables of the CI system', async ({ makeProject }) => {
    const project = branchWith(makeProject, { 'tests/add.test.js': TEST.replace("test('", "test.skip('") });
    git(project, 'commit', '--all', '--quiet', '--message=two');
    const base = git(project, 'rev-parse', 'main').trim();
    const clone = cloneOf(makeProject, project);
    const environments: readonly Record<string, string>[] = [
      { GITHUB_BASE_REF: 'main' },
      { CI_MERGE_REQUEST_DIFF_BASE_SHA: base },
      // GitLab sets both where it judges the merged result.
      { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD', CI_MERGE_REQUEST_TARGET_BRANCH_SHA: base },
    ];
    for (const env of environments) {
      const { exitCode, stdout } = await ralphLoop(clone, ['verify', '--ci', '--json'], { env });
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: 'failed',
        base: expect.stringContaining(base.slice(0, 9)),
        findings: [{ rule: 'test-skipped', path: 'tests/add.test.js' }],
      });
    }
  });

  test('judges no pull request in a clone that has its target checked out', async ({ makeProject }) => {
    const project = branchWith(makeProject, {});
    const clone = cloneOf(makeProject, project);
    const run = await ralphLoop(clone, ['verify', '--ci'], { env: { GITHUB_BASE_REF: 'main' } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('HEAD is in origin/main already, so there is no change to judge');
  });

  test('gives GitHub Actions annotations of its own, and none that a gate prints', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, {
      'worktree.yaml': worktreeYaml([
        `echo '::error::forged'; echo 'src/a.js:1:2: error: 100% wrong'; exit 1`,
      ]),
      'src/a.js': '\n',
    });
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path('summary.md') };
    const { stdout } = await ralphLoop(project, ['verify', '--ci', '--verbose'], { env });
    const [first = '', ...lines] = stdout.trimEnd().split('\n');
    const token = /^::stop-commands::([\w-]{36})$/.exec(first)?.[1];
    const resumed = lines.indexOf(`::${token}::`);
    expect(lines.indexOf('::error::forged')).toBeLessThan(resumed);
    expect(lines.slice(resumed + 1)).toEqual([
      expect.stringMatching(/^::error file=src\/a\.js,line=1,title=.*::src\/a\.js:1:2: error: 100%25 wrong$/),
    ]);
    expect(project.read('summary.md')).toMatch(/^### ralph-loop: failed/);
    expect((await ralphLoop(project, ['verify', '--ci'])).stdout).not.toMatch(/^::/m);
  });

  test('writes its files into directories that are not there yet, and fails where it cannot', async ({
    makeProject,
  }) => {
    const project = branchWith(makeProject, {});
    const good = ['verify', '--ci', '--base', 'main', '--sarif', 'out/a/r.sarif', '--junit', 'out/b/r.xml'];
    expect((await ralphLoop(project, good)).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(project.path('out/a/r.sarif'), 'utf8')).runs[0].results).toEqual([]);
    expect(project.read('out/b/r.xml')).toContain('<testcase classname="ralph-loop.gates" name="lint"');
    const bad = await ralphLoop(project, ['verify', '--ci', '--base', 'main', '--sarif', 'src/a.js/r.sarif']);
    expect(bad.exitCode).toBe(1);
    expect(bad.stderr).toContain('src/a.js/r.sarif cannot be written');
  });
});
