import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { gitProject } from '../helpers/git-project.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { expectGone } from '../helpers/processes.ts';
import { test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { leaveSession, sleepLong } from '../helpers/shell-commands.ts';
import { STATE_FILE } from '../helpers/stops.ts';

/** Each gate says in a file that it ran. */
const THREE = {
  'worktree.yaml': worktreeYaml([
    '{ name: lint, run: "echo linted; touch lint.ran" }',
    '{ name: test, run: "echo why >&2; touch test.ran; exit 3" }',
    '{ name: build, run: "touch build.ran" }',
  ]),
};
const PASSING = { 'worktree.yaml': worktreeYaml(['{ name: lint, run: "echo linted" }', 'true']) };

describe.concurrent('verify', () => {
  test('runs the gates in order until one fails, and exits with 1', async ({ makeProject }) => {
    const project = makeProject(THREE);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(
      /✓ lint .*\n[\s\S]*✗ test .*exited with code 3\n {4}why\n[\s\S]*⊘ build .*not run\n/u,
    );
    expect(stdout).toMatch(/\n1 of 3 gates failed in \S+ m?s\n$/);
    const [, log = ''] = /Full output: (.+)\n/.exec(stdout) ?? [];
    expect(project.read(log)).toBe('why\n');
    expect(['lint', 'test', 'build'].map((gate) => project.has(`${gate}.ran`))).toEqual([true, true, false]);
  });

  test('exits with 0 when all gates pass', async ({ makeProject }) => {
    const { exitCode, stdout, stderr } = await ralphLoop(makeProject(PASSING), ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/✓ lint .*\n[\s\S]*✓ true .*\n\n2 gates passed in \S+ m?s\n$/);
    expect(stdout).not.toContain('linted');
  });

  test('runs the later gates too with --no-fail-fast', async ({ makeProject }) => {
    const project = makeProject(THREE);
    const { exitCode, stdout } = await ralphLoop(project, ['verify', '--no-fail-fast']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ test [\s\S]*✓ build /);
    expect(project.has('build.ran')).toBe(true);
  });

  test.for([
    { args: ['build'], ran: ['build'] },
    { args: ['build', 'lint'], ran: ['lint', 'build'] },
    { args: ['--only', 'build', 'lint'], ran: ['lint', 'build'] },
    { args: ['lint', '--only', 'build'], ran: ['lint', 'build'] },
  ])('$args runs these alone', async ({ args, ran }, { makeProject }) => {
    const project = makeProject(THREE);
    const { exitCode, stdout } = await ralphLoop(project, ['verify', ...args]);
    expect(exitCode).toBe(0);
    expect([...stdout.matchAll(/✓ (\w+)/g)].map(([, name]) => name)).toEqual(ran);
    expect(project.has('test.ran')).toBe(false);
  });

  test('shows the gates with --dry-run, and runs nothing', async ({ makeProject }) => {
    const project = makeProject(THREE);
    const { exitCode, stdout } = await ralphLoop(project, ['verify', '--dry-run', 'lint', 'test']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^1\. lint: echo linted; touch lint\.ran\n.*120 s.*\n2\. test: /);
    expect(stdout).not.toContain('build');
    expect(project.has('lint.ran') || project.has('.trellis')).toBe(false);
  });

  test('prints the gates in order with --dry-run --json', async ({ makeProject }) => {
    const gates = [
      '{ name: b, run: "echo b", order: 2, timeout: 7, cwd: sub, env: { N: 1 }, blocking: false, description: why }',
      '{ name: off, run: "echo off", enabled: false }',
      'echo "a: b"',
      '{ name: a, run: "echo a", order: 1 }',
    ];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates), 'sub/file': '' });
    const { stdout } = await ralphLoop(project, ['verify', '--dry-run', '--json']);
    const plain = { kind: 'command', cwd: project.root, env: {}, timeout_seconds: 120, blocking: true };
    expect(JSON.parse(stdout)).toEqual([
      { ...plain, name: 'a', command: 'echo a', order: 1 },
      {
        ...plain,
        name: 'b',
        command: 'echo b',
        order: 2,
        timeout_seconds: 7,
        cwd: project.path('sub'),
        env: { N: '1' },
        blocking: false,
        description: 'why',
      },
      { ...plain, name: 'echo "a: b"', command: 'echo "a: b"', order: 100 },
    ]);
  });

  test('shows with --dry-run which gates no change affects', async ({ makeProject }) => {
    const gates = [
      "{ name: docs, run: 'echo d', paths: ['docs/**'] }",
      "{ name: src, run: 'echo {changed_files}', paths: ['src/**'] }",
    ];
    const project = gitProject(makeProject, { 'worktree.yaml': worktreeYaml(gates) });
    project.write({ 'src/a.js': '' });
    const [text, json] = await Promise.all(
      [[], ['--json']].map((more) => ralphLoop(project, ['verify', '--dry-run', ...more])),
    );

    expect(text?.stdout).toMatch(
      /^1\. docs: echo d\n {3}was not run: no changed file matches its paths, timeout 120 s\n2\. src: echo \{changed_files\}\n {3}timeout 120 s\n$/,
    );
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject([
      { name: 'docs', paths: ['docs/**'], affected: false },
      { name: 'src', affected: true },
    ]);
    expect(project.has('@/checked-commit.json')).toBe(false);
  });

  test('prints only the result with --json', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphLoop(makeProject(THREE), ['verify', '--json']);
    expect(exitCode).toBe(1);
    const ms = expect.any(Number);
    expect(JSON.parse(stdout)).toEqual({
      verdict: 'failed',
      duration_ms: ms,
      gates: [
        {
          name: 'lint',
          outcome: 'passed',
          exit: 0,
          duration_ms: ms,
          blocking: true,
          command: 'echo linted; touch lint.ran',
          log: '.trellis/.ralph/output/lint.log',
        },
        {
          name: 'test',
          outcome: 'failed',
          exit: 3,
          duration_ms: ms,
          blocking: true,
          command: 'echo why >&2; touch test.ran; exit 3',
          log: '.trellis/.ralph/output/test.log',
        },
        {
          name: 'build',
          outcome: 'skipped',
          exit: null,
          duration_ms: 0,
          blocking: true,
          command: 'touch build.ran',
          log: null,
        },
      ],
    });
  });

  test('prints the signal with --json', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['kill -KILL $$']) });
    const { stdout } = await ralphLoop(project, ['verify', '--json']);
    expect(JSON.parse(stdout).gates).toMatchObject([{ outcome: 'killed', signal: 'SIGKILL', exit: null }]);
  });

  test.for([
    { gates: 'that pass', files: PASSING, stdout: /^$/, exitCode: 0 },
    {
      gates: 'of which one fails',
      files: THREE,
      stdout: /^✗ test .*\n {4}why\n.*Full output.*\n\n1 of 3 gates failed in .*\n$/,
      exitCode: 1,
    },
    {
      gates: 'of which one fails without blocking',
      files: { 'worktree.yaml': worktreeYaml(['true', '{ name: audit, run: "exit 4", blocking: false }']) },
      stdout: /^⚠ audit .*\n$/,
      exitCode: 0,
    },
  ])(
    'prints only what failed of gates $gates with --quiet',
    async ({ files, stdout, exitCode }, { makeProject }) => {
      const run = await ralphLoop(makeProject(files), ['verify', '-q']);
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode, stderr: '' });
      expect(run.stdout).toMatch(stdout);
    },
  );

  test.for(['--verbose', '--json', '--dry-run'])(
    'with --quiet and %s is a usage error',
    async (flag, { makeProject }) => {
      const { exitCode, stderr } = await ralphLoop(makeProject(THREE), ['verify', '--quiet', flag]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('cannot be used with');
    },
  );

  test('prints the output of the gates with --verbose', async ({ makeProject }) => {
    const { stdout, exitCode } = await ralphLoop(makeProject(THREE), ['verify', '-v']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/▸ lint\nlinted\n✓ lint .*\n▸ test\nwhy\n✗ test /);
  });

  test('joins split characters with --verbose', async ({ makeProject }) => {
    const command = "printf 'a\\303'; sleep 0.05; printf '\\251b\\n'";
    const project = makeProject({ 'worktree.yaml': worktreeYaml([command]) });
    expect((await ralphLoop(project, ['verify', '--verbose'])).stdout).toContain('\naéb\n');
  });

  test('prints to a pipe without escape codes and carriage returns', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml(["printf '\\033[31mred\\033[0m\\r10%%\\r100%%\\n'; exit 1"]),
    });
    const { stdout } = await ralphLoop(project, ['verify'], { env: { TERM: 'xterm-256color' } });
    expect(stdout).toContain('    100%\n');
    expect([...stdout].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
  });

  test('does not change the state of a loop', async ({ makeProject }) => {
    const state = '{"task":".trellis/tasks/demo","iteration":3,"started_at":null}';
    const project = makeProject({ ...trellisFiles(['exit 1']), [STATE_FILE]: state });
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(1);
    project.write({ '.trellis/worktree.yaml': 'verify:\n  - true\n' });
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
    expect(project.read(STATE_FILE)).toBe(state);
  });

  test('runs in a nested directory, and outside of a repository', async ({ makeProject }) => {
    const project = makeProject({ ...PASSING, 'a/b/c': '' }, { git: false });
    expect((await ralphLoop(project, ['verify'], { cwd: project.path('a/b') })).exitCode).toBe(0);
  });

  test('ends even if a gate leaves a process in its own session that holds the pipe', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([leaveSession('a.pid')]) });
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
    await project.pidIn('a.pid');
  });

  test('kills a gate at its timeout, and reports it', async ({ makeProject }) => {
    const gate = `{ name: slow, run: "${sleepLong('a.pid')}", timeout: 2 }`;
    const project = makeProject({ 'worktree.yaml': worktreeYaml([gate]) });
    const { exitCode, stdout } = await ralphLoop(project, ['verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('timed out: it was still running after 2 s');
    await expectGone(await project.pidIn('a.pid'));
  });

  test('shows a non-blocking gate that fails as a warning', async ({ makeProject }) => {
    const gates = ['{ name: style, run: "exit 1", blocking: false }', 'no-such-program-anywhere'];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates) });
    const { exitCode, stdout } = await ralphLoop(project, ['verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /⚠ style .*\(non-blocking\)\n[\s\S]*✗ no-such-program-anywhere .*127.*not found\n/,
    );
    expect(stdout).toMatch(/\n1 of 2 gates failed in .*, 1 warning\n$/);
  });
});

test.skipIf(!canBeOtherUser)(
  'verify in a project that is read-only runs the gates, without logs',
  async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo printed', 'echo why; exit 3']) });
    makeReadOnly(project);
    const { exitCode, stdout, stderr } = await ralphLoopAsOther(project, ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/✓ echo printed [\s\S]*✗ echo why; exit 3 .*\n {4}why\n/);
    expect(stdout).not.toContain('Full output');
  },
);

describe.concurrent('verify has no gate to run, reports it and exits with 0, if', () => {
  test.for([
    { where: 'verify: is empty', files: { 'worktree.yaml': 'verify:\n' }, says: /there is nothing to run/ },
    { where: 'the file is empty', files: { 'worktree.yaml': '' }, says: /there is nothing to run/ },
    {
      where: 'markers are asked for',
      files: { ...trellisFiles([]), '.trellis/tasks/demo/check.jsonl': '{"reason":"lint"}\n' },
      says: /markers.*: LINT_FINISH/,
    },
  ])('$where', async ({ files, says }, { makeProject }) => {
    const project = makeProject(files);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(says);
    const json = await ralphLoop(project, ['verify', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ verdict: 'passed', duration_ms: 0, gates: [] });
    expect((await ralphLoop(project, ['verify', '--dry-run'])).exitCode).toBe(0);
  });
});

describe.concurrent('verify reports a usage error, exits with 2 and runs nothing for', () => {
  test.for([
    {
      call: 'an unknown gate',
      files: THREE,
      args: ['buil'],
      says: /Unknown gate "buil"; did you mean "build"\?/,
    },
    {
      call: 'an unknown gate among known ones',
      files: THREE,
      args: ['lint', '--only', 'nothing-like-it'],
      says: /lint, test, build/,
    },
    { call: 'an unknown option', files: THREE, args: ['--vebose'], says: /--vebose[\s\S]*--verbose/ },
    {
      call: 'no config',
      files: {},
      args: [],
      says: /No worktree\.yaml or gate\.config\.json was found[\s\S]*verify:\n {2}- /,
    },
    {
      call: 'a broken config',
      files: {
        'worktree.yaml':
          'verify:\n  - { name: a, rum: x }\n  - name: b\n    timeout: -1\n    run: touch lint.ran\n',
      },
      args: [],
      says: /^worktree\.yaml:2:[\s\S]*"rum"[\s\S]*\nworktree\.yaml:4:14: .*-1/,
    },
  ])('$call', async ({ files, args, says }, { makeProject }) => {
    const project = makeProject(files);
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['verify', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(project.has('lint.ran')).toBe(false);
  });
});
