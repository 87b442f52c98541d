import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { sarifText } from '../../src/report/ci/sarif.ts';
import { ACTION_TEXT, type Job, runAction, STEPS } from '../helpers/action.ts';
import { BIN } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type Comment, canHaveGh, pullRequest } from '../helpers/github.ts';
import { type Files, type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';

const HOSTILE = 'a $(touch pwned) `touch pwned` "; touch pwned; \n::error::x <b> @all';
const TEST = `import { test } from 'node:test';
test('adds', () => {});
`;
const FILES: Files = {
  'worktree.yaml': worktreeYaml([`{ name: ${JSON.stringify(HOSTILE)}, run: "test ! -e broken" }`]),
  '.gitignore': 'node_modules\n',
  'tests/add.test.js': TEST,
};
/** What GitHub keeps: `main`, the branch of a pull request, and the two merged. */
function repository(makeProject: MakeProject, files: Files = FILES, changes: Files = {}): Project {
  const origin = gitProject(makeProject, files);
  git(origin, 'switch', '--quiet', '--create', 'feature');
  commit(origin, changes);
  merge(origin);
  return origin;
}

function commit(project: Project, changes: Files): void {
  project.write(changes);
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--allow-empty', '--message=more');
}

function merge(origin: Project): void {
  git(origin, 'switch', '--quiet', '--detach', 'main');
  git(origin, 'merge', '--quiet', '--no-ff', '--message=merged', 'feature');
  git(origin, 'update-ref', 'refs/pull/7/merge', 'HEAD');
}

/** What actions/checkout leaves: no local branch, and no ref that names the default branch. */
function cloneOf(makeProject: MakeProject, origin: Project): Project {
  const project = makeProject({}, { git: false });
  git(project, 'init', '--quiet', '--template=');
  git(project, 'remote', 'add', 'origin', `file://${origin.root}`);
  const refs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/pull/7/merge:refs/remotes/pull/7/merge'];
  git(project, 'fetch', '--quiet', 'origin', ...refs);
  git(project, 'checkout', '--quiet', '--force', 'refs/remotes/pull/7/merge');
  install(project);
  return project;
}

/** The merge of a pull request, in a clone that has installed ralph-loop. */
const checkout = (makeProject: MakeProject, files?: Files, changes?: Files): Project =>
  cloneOf(makeProject, repository(makeProject, files, changes));

function install(project: Project): void {
  mkdirSync(project.path('node_modules/.bin'), { recursive: true });
  symlinkSync(BIN, project.path('node_modules/.bin/ralph-loop-cli'));
}

const revision = (project: Project, name: string) => git(project, 'rev-parse', name).trim();

/** The event of a pull request, which is not commented. */
const OPENED: Job = {
  inputs: { comment: 'false' },
  event: { pull_request: { number: 7, base: { ref: 'main' }, head: { sha: '1'.repeat(40) } } },
};

describe('action.yml', () => {
  test('puts no input and no text of an event into a script', () => {
    for (const { name, run = '' } of STEPS) expect(run, name).not.toContain('${{');
  });

  test('has a shell for every script, and a value for every input', () => {
    const { inputs, runs } = parse(ACTION_TEXT);
    expect(runs.using).toBe('composite');
    for (const { run, shell, uses } of runs.steps)
      expect([run !== undefined, shell]).toEqual(uses ? [false, undefined] : [true, 'bash']);
    for (const input of Object.values(inputs))
      expect(input).toMatchObject({ description: expect.any(String), default: expect.any(String) });
  });
});

describe.concurrent('the action in a repository that has installed ralph-loop', () => {
  test.for([
    ['success', 'where every gate passes', {}, /passed/],
    ['failure', 'where a gate fails', { broken: '' }, /failed/],
    [
      'failure',
      'where a test is skipped',
      { 'tests/add.test.js': TEST.replace('test(', 'test.skip(') },
      /became weaker/,
    ],
  ] as const)(
    'ends with %s %s, and shows it on the page of the job',
    async ([conclusion, , changes, shows], { makeProject }) => {
      const project = checkout(makeProject, FILES, changes);
      const run = await runAction(project, OPENED);
      expect(run).toMatchObject({
        conclusion,
        outcomes: {
          'Look for Node.js': 'success',
          'Install Node.js': 'skipped',
          'Run the gates': 'success',
          'Comment on the pull request': 'skipped',
          Judge: conclusion,
        },
      });
      expect(run.summary).toMatch(shows);
      expect(run.summary).toContain('Compared with `the merge base with origin/main (');
      expect(project.has('pwned')).toBe(false);
    },
  );

  test('lets no output of a gate control the job', async ({ makeProject }) => {
    const script =
      'echo "::error::forged"; echo "::set-output name=code::0"; echo code=0 >> "$GITHUB_OUTPUT"; exit 1';
    const project = checkout(makeProject, { ...FILES, 'worktree.yaml': worktreeYaml([script]) });
    const { conclusion, stdout } = await runAction(project, OPENED);
    expect(conclusion).toBe('failure');
    const token = /^::stop-commands::(.+)$/m.exec(stdout)?.[1];
    const stopped = stdout.slice(stdout.indexOf('::stop-commands::'), stdout.indexOf(`::${token}::`));
    expect(stdout.replace(stopped, '')).not.toMatch(/^::error::forged/m);
  });

  test.for([
    ['a base with commands of the shell', { base: '$(touch pwned)`touch pwned`' }],
    ['a base with quotation marks and blanks', { base: `' "; touch pwned; #` }],
    ['a base that is an option', { base: '--json' }],
    ['a base of two lines', { base: 'main\ntouch pwned' }],
    ['a file that cannot be written', { sarif: 'worktree.yaml/$(touch pwned).sarif' }],
  ])('fails, and runs nothing else, with %s', async ([, inputs], { makeProject }) => {
    const project = checkout(makeProject);
    const run = await runAction(project, { ...OPENED, inputs: { ...OPENED.inputs, ...(inputs as object) } });
    expect(run.conclusion).toBe('failure');
    expect(project.has('pwned')).toBe(false);
  });

  test('fails, and runs nothing else, with a version with commands of the shell', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    const inputs = { version: '1 $(touch pwned); touch pwned' };
    const run = await runAction(project, { inputs, event: {}, env: { npm_config_offline: 'true' } });
    expect(run).toMatchObject({
      conclusion: 'failure',
      outcomes: { 'Run the gates': 'success', Judge: 'failure' },
    });
    expect(run.stderr).toMatch(/npm (?:ERR!|error)/);
    expect(project.has('pwned')).toBe(false);
  });

  test('writes files whose names have blanks and quotation marks', async ({ makeProject }) => {
    const project = checkout(makeProject);
    const inputs = { ...OPENED.inputs, sarif: `out/a 'b".sarif`, junit: 'out/$(touch pwned).xml' };
    expect(await runAction(project, { ...OPENED, inputs })).toMatchObject({ conclusion: 'success' });
    expect([project.has(inputs.sarif), project.has(inputs.junit), project.has('pwned')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('judges a project below the root of a workspace, with the program of the root', async ({
    makeProject,
  }) => {
    const project = checkout(makeProject, {
      '.gitignore': 'node_modules\n',
      'packages/my ui/package.json': '{}\n',
      'packages/my ui/worktree.yaml': worktreeYaml(['test -e ../../node_modules']),
    });
    const inputs = { ...OPENED.inputs, 'working-directory': 'packages/my ui' };
    const run = await runAction(project, { ...OPENED, inputs });
    expect(run).toMatchObject({ conclusion: 'success', summary: expect.stringContaining('passed (1 gate') });
  });

  test('installs Node.js where there is none, or one that is too old', async ({ makeProject }) => {
    const project = checkout(makeProject);
    project.write({ 'bin/node': '#!/bin/sh\nexit 1\n' });
    chmodSync(project.path('bin/node'), 0o755);
    const env = { PATH: `${project.path('bin')}:${project.environment.PATH}` };
    const { outcomes } = await runAction(project, { ...OPENED, env });
    expect(outcomes['Install Node.js']).toBe('used');
  });
});

describe.concurrent('the base of the action is', () => {
  const skipped = { 'tests/add.test.js': TEST.replace('test(', 'test.skip(') };

  test('the target of the pull request as it is merged, not as it was when the pull request was opened', async ({
    makeProject,
  }) => {
    const origin = repository(makeProject, FILES, { 'a.md': 'a\n' });
    const event = { ...OPENED.event, before: revision(origin, 'feature') };
    git(origin, 'switch', '--quiet', 'main');
    // A person merged it.
    commit(origin, skipped);
    merge(origin);
    const run = await runAction(cloneOf(makeProject, origin), { ...OPENED, event });
    expect(run).toMatchObject({ conclusion: 'success', summary: expect.not.stringContaining('weaker') });
  });

  test('what precedes a group of the merge queue', async ({ makeProject }) => {
    const origin = repository(makeProject, FILES, skipped);
    const base_sha = revision(origin, 'main');
    const clone = cloneOf(makeProject, origin);
    const { conclusion, summary } = await runAction(clone, { event: { merge_group: { base_sha } } });
    expect(conclusion).toBe('failure');
    expect(summary).toContain('became weaker');
    expect(summary).toContain(`the merge base with ${base_sha}`);
  });
});

describe.concurrent('the base of the action after a push', () => {
  const skipped = { 'tests/add.test.js': TEST.replace('test(', 'test.skip(') };
  const NONE = '0000000000000000000000000000000000000000';

  test('is what was there before', async ({ makeProject }) => {
    const project = checkout(makeProject, FILES, skipped);
    const { conclusion, summary } = await runAction(project, {
      event: { before: revision(project, 'origin/main') },
    });
    expect(conclusion).toBe('failure');
    expect(summary).toContain('became weaker');
  });

  test.for([
    ['of a new branch', NONE],
    ['that was forced', 'a'.repeat(40)],
  ])('%s is the default branch', async ([, before = ''], { makeProject }) => {
    const project = checkout(makeProject, FILES, skipped);
    const { conclusion, summary } = await runAction(project, { event: { before } });
    expect(conclusion).toBe('failure');
    expect(summary).toContain('the default branch');
  });

  test('is to be fetched in a clone of one commit', async ({ makeProject }) => {
    const origin = repository(makeProject);
    const project = makeProject({}, { git: false });
    git(project, 'clone', '--quiet', '--depth=1', '--branch=feature', `file://${origin.root}`, '.');
    install(project);
    const { conclusion, stderr } = await runAction(project, {
      event: { before: revision(origin, 'main') },
    });
    expect(conclusion).toBe('failure');
    expect(stderr).toContain('actions/checkout: fetch-depth: 0');
  });
});

describe.skipIf(!canHaveGh)('the comment of the action', () => {
  test('is written once, and changed by every later run', async ({ makeProject }) => {
    const project = checkout(makeProject, FILES, { broken: '' });
    // One of a person, and more than one page of others.
    const forged: Comment = { id: 1, user: { type: 'User' }, body: '<!-- ralph-loop verify -->\npassed' };
    const others = Array.from(
      { length: 120 },
      (_, index): Comment => ({ id: index + 2, user: { type: 'Bot' }, body: 'x' }),
    );
    const github = await pullRequest([forged, ...others]);
    const job = { ...OPENED, inputs: {}, env: github.environment };
    expect((await runAction(project, job)).conclusion).toBe('failure');
    git(project, 'rm', '--quiet', 'broken');
    expect((await runAction(project, job)).conclusion).toBe('success');

    expect(github.writes).toEqual([
      'POST /repos/owner/name/issues/7/comments',
      'PATCH /repos/owner/name/issues/comments/122',
    ]);
    expect(github.comments[0]).toEqual(forged);
    const { body = '' } = github.comments.at(-1) ?? {};
    expect(body).toMatch(
      /^<!-- ralph-loop verify -->\n### ralph-loop: passed[\s\S]*\n\nThis is about 1{40}\.\n$/,
    );
    expect(body).toContain('``a $(touch pwned) `touch pwned` "; touch pwned; ::error::x <b> @all``');
    expect(project.has('pwned')).toBe(false);
  });

  test('is another one for each project of a repository', async ({ makeProject }) => {
    const project = checkout(makeProject, { ...FILES, 'ui/worktree.yaml': worktreeYaml(['true']) });
    const github = await pullRequest([]);
    for (const directory of ['.', 'ui', '.', 'ui'])
      await runAction(project, {
        ...OPENED,
        inputs: { 'working-directory': directory },
        env: github.environment,
      });
    expect(github.comments.map(({ body }) => body.split('\n', 1)[0])).toEqual([
      '<!-- ralph-loop verify -->',
      '<!-- ralph-loop verify: ui -->',
    ]);
  });

  const NOWHERE = 'http://127.0.0.1:1';

  test.for([
    ['for a pull request from a fork, which has no permission', 403, {}],
    ['while GitHub does not answer', 503, {}],
    ['without a network', 200, { HTTP_PROXY: NOWHERE, http_proxy: NOWHERE }],
  ] as const)(
    'is left out %s: a warning says so, and the result is the same',
    async ([, refuse, network], { makeProject }) => {
      const project = checkout(makeProject);
      const github = await pullRequest([], { refuse });
      const env = { ...github.environment, ...network };
      const run = await runAction(project, { ...OPENED, inputs: {}, env });
      expect(run).toMatchObject({
        conclusion: 'success',
        outcomes: { 'Comment on the pull request': 'success' },
      });
      expect(run.stdout).toMatch(/^::warning title=ralph-loop::The comment cannot be written/m);
      expect(github.comments).toEqual([]);
    },
  );

  test.for([
    ['verify has not run', { base: 'no-such-branch' }],
    ['the step before has failed', { 'working-directory': 'no such directory' }],
  ])('says that the gates did not run where %s', async ([, inputs], { makeProject }) => {
    const project = checkout(makeProject);
    const github = await pullRequest([]);
    await runAction(project, { ...OPENED, inputs: {}, env: github.environment });
    const job = { ...OPENED, inputs: inputs as Record<string, string>, env: github.environment };
    expect((await runAction(project, job)).conclusion).toBe('failure');
    expect(github.comments.at(-1)?.body).toMatch(
      /^<!-- ralph-loop verify.*-->\n### ralph-loop: the gates did not run/,
    );
  });
});

const PAGE = readFileSync(new URL('../../docs/pull-requests.md', import.meta.url), 'utf8');
const [, GITLAB = ''] = /## GitLab\n\n```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];

test('the page for GitLab writes no report of code quality where the gates did not run', async ({
  makeProject,
}) => {
  const project = makeProject();
  await execa('bash', ['-c', parse(GITLAB).gates.after_script[0]], { cwd: project.root });
  expect(project.has('gl-code-quality-report.json')).toBe(false);
});

test('the page for GitLab turns SARIF into a report of code quality', async ({ makeProject }) => {
  const [script] = parse(GITLAB).gates.after_script;
  const place = { path: 'a b.ts', line: 3 };
  const problem = { rule: 'test-skipped', level: 'error', place, title: 't', message: 'm' } as const;
  const report = { verdict: 'failed', base: 'b', durationMs: 0, gates: [], findings: [] } as const;
  const project = makeProject({
    'ralph.sarif': sarifText({ ...report, problems: [problem] }, 'worktree.yaml'),
  });
  await execa('bash', ['-c', script], { cwd: project.root });
  expect(JSON.parse(project.read('gl-code-quality-report.json'))).toEqual([
    {
      check_name: 'test-skipped',
      description: 'm',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'a b.ts', lines: { begin: 3 } },
    },
  ]);
});
