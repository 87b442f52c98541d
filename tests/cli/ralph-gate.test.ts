import { symlinkSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { GATE_BIN, ralphGate } from '../helpers/bin.ts';
import { gateFiles, resultsFilesIn, resultsOf } from '../helpers/gate-config.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test } from '../helpers/project.ts';
import { sleepLong } from '../helpers/shell-commands.ts';
import { canHaveTerminal } from '../helpers/terminal.ts';

/** Each gate creates a file when it runs. */
const FIVE = gateFiles([
  { name: 'build', command: 'touch build.ran', order: 300 },
  { name: 'typecheck', command: 'echo why >&2; touch typecheck.ran; exit 3', order: 20 },
  { name: 'off', command: 'touch off.ran', order: 1, enabled: false },
  { name: 'style', command: 'echo ugly; touch style.ran; exit 4', order: 400, blocking: false },
  { name: 'lint', command: 'echo linted; touch lint.ran', order: 10, description: 'finds slips' },
]);
const NAMES = ['lint', 'typecheck', 'build', 'style', 'off'];
const ran = (project: Project) => NAMES.filter((name) => project.has(`${name}.ran`));
const PASSING = gateFiles([
  { name: 'lint', command: 'echo linted >&2' },
  { name: 'test', command: 'true' },
]);

describe.concurrent('ralph-gate', () => {
  test('runs the gates in order until one fails, and all non-blocking gates', async ({ makeProject }) => {
    const project = makeProject(FIVE);
    const { exitCode, stdout, stderr } = await ralphGate(project, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(
      /✓ lint .*\n[\s\S]*✗ typecheck .*exited with code 3\n {4}why\n[\s\S]*⊘ build .*not run\n[\s\S]*⚠ style .*\(non-blocking\)\n {4}ugly\n/u,
    );
    expect(stdout).toMatch(/\n1 of 4 gates failed in \S+ m?s, 1 warning\n$/);
    expect(stdout).not.toContain('off');
    expect(ran(project)).toEqual(['lint', 'typecheck', 'style']);
    const [, log = ''] = /Full output: (.+)\n/.exec(stdout) ?? [];
    expect(project.read(log)).toBe('why\n');
    expect(resultsOf(project)).toMatchObject({
      passed: false,
      results: [
        { name: 'lint', passed: true, exitCode: 0, stdout: 'linted\n', stderr: '' },
        { name: 'typecheck', passed: false, exitCode: 3, stdout: '', stderr: 'why\n' },
        { name: 'build', passed: true, exitCode: null, skipped: true },
        { name: 'style', passed: false, exitCode: 4, blocking: false },
      ],
      firstFailure: { name: 'typecheck' },
      warnings: ['style'],
    });
  });

  test('exits with 0 when the gates pass, with output on stderr', async ({ makeProject }) => {
    const project = makeProject(PASSING);
    const { exitCode, stdout, stderr } = await ralphGate(project, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/✓ lint .*\n[\s\S]*✓ test .*\n\n2 gates passed in \S+ m?s\n$/);
    expect(stdout).not.toContain('linted');
    expect(resultsOf(project)).toMatchObject({ passed: true, firstFailure: null, warnings: [] });
  });

  test('exits with 0 when only non-blocking gates fail', async ({ makeProject }) => {
    const project = makeProject(
      gateFiles([
        { name: 'style', command: 'exit 1', blocking: false },
        { name: 'test', command: 'true' },
      ]),
    );
    const { exitCode, stdout } = await ralphGate(project, []);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/⚠ style [\s\S]*✓ test [\s\S]*\n1 gate passed in \S+ m?s, 1 warning\n$/);
    expect(resultsOf(project)).toMatchObject({ passed: true, firstFailure: null, warnings: ['style'] });
  });

  test('runs the later gates too without fail-fast', async ({ makeProject }) => {
    const gates = ['a', 'b', 'c'].map((name) => ({ name, command: `touch ${name}.ran; test ${name} = b` }));
    const project = makeProject(gateFiles(gates, { failFast: false }));
    const { exitCode, stdout } = await ralphGate(project, []);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ a [\s\S]*✓ b [\s\S]*✗ c [\s\S]*\n2 of 3 gates failed/);
    expect(resultsOf(project).firstFailure).toMatchObject({ name: 'a' });
  });

  test('prints the output of the gates with --verbose', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphGate(makeProject(FIVE), ['--verbose']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /▸ lint\nlinted\n✓ lint .*\n▸ typecheck\nwhy\n✗ typecheck .*\n⊘ build .*\n▸ style\nugly\n/,
    );
  });

  test('runs one gate with --only, wherever it is in the order', async ({ makeProject }) => {
    const project = makeProject(FIVE);
    const { exitCode, stdout } = await ralphGate(project, ['--only', 'build']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✓ build [\s\S]*\n1 gate passed in/);
    expect(ran(project)).toEqual(['build']);
    expect(resultsOf(project).results.map(({ name }) => name)).toEqual(['build']);
    expect((await ralphGate(project, ['--only', 'typecheck'])).exitCode).toBe(1);
  });

  test('shows the shell and the gates in order with --dry-run, and runs nothing', async ({ makeProject }) => {
    const project = makeProject(FIVE);
    const { exitCode, stdout, stderr } = await ralphGate(project, ['--dry-run'], {
      env: { SHELL: '/bin/sh' },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Shell: \/bin\/sh\n1\. lint: echo linted; .*\n.*\border 10\b.*finds slips\n2\. typecheck: .*\n.*\border 20\b.*\n3\. build: .*\n.*\border 300\b.*\n4\. style: .*\n.*\border 400\b.*non-blocking.*\n$/,
    );
    expect(ran(project)).toEqual([]);
    expect(resultsFilesIn(project)).toEqual([]);
    expect(project.has('.trellis')).toBe(false);
  });

  test.for([
    { args: ['--dry-run', '--only', 'style'], says: /^Shell: .*\n1\. style: .*\n.*\n$/ },
    { args: ['--hook', '--dry-run'], says: /^Shell: .*\n1\. lint: [\s\S]*\n4\. style: / },
  ])('runs nothing with $args', async ({ args, says }, { makeProject }) => {
    const project = makeProject(FIVE);
    const { exitCode, stdout } = await ralphGate(project, args);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(says);
    expect(ran(project)).toEqual([]);
  });

  test('runs the gates in a nested working directory, and writes the results beside the config', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...gateFiles([{ name: 'where', command: 'pwd' }]), 'a/b c/file': '' });
    expect((await ralphGate(project, [], { cwd: project.path('a/b c') })).exitCode).toBe(0);
    expect(resultsOf(project).results).toMatchObject([{ stdout: `${project.path('a/b c')}\n` }]);
    expect(resultsFilesIn(project, 'a/b c')).toEqual([]);
  });

  test('runs outside of a repository', async ({ makeProject }) => {
    const project = makeProject(PASSING, { git: false });
    expect((await ralphGate(project, [])).exitCode).toBe(0);
  });

  test('reads the file of --config instead of the config in the working directory', async ({
    makeProject,
  }) => {
    const project = makeProject({
      ...FIVE,
      'conf/mine.json': '{"gates": [{"name": "mine", "command": "pwd"}]}',
      'a/file': '',
    });
    const { exitCode, stdout } = await ralphGate(project, ['--config', '../conf/mine.json'], {
      cwd: project.path('a'),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✓ mine /);
    expect(ran(project)).toEqual([]);
    expect(resultsOf(project, 'conf').results).toMatchObject([{ stdout: `${project.path('a')}\n` }]);
  });

  test('ignores the gates of a worktree.yaml', async ({ makeProject }) => {
    const project = makeProject({ ...PASSING, 'worktree.yaml': 'verify:\n  - touch verify.ran; exit 1\n' });
    expect((await ralphGate(project, [])).exitCode).toBe(0);
    expect(project.has('verify.ran')).toBe(false);
  });

  test('kills a gate at its timeout, and reports it', async ({ makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'slow', command: sleepLong('a.pid'), timeout: 2 }]));
    const { exitCode, stdout } = await ralphGate(project, []);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('timed out: it was still running after 2 s');
    expect(resultsOf(project)).toMatchObject({ firstFailure: { exitCode: null, reason: 'timed-out' } });
    await expectGone(await project.pidIn('a.pid'));
  });
});

describe.concurrent('a gate of a gate config', () => {
  const outputOf = async (project: Project, env: Readonly<Record<string, string>> = {}) => {
    await ralphGate(project, [], { env });
    return resultsOf(project).results.map(({ stdout, stderr }) => `${stdout}${stderr}`);
  };

  test('is run by the shell of the user', async ({ makeProject }) => {
    // A wrapper records which shell ran.
    const project = makeProject({
      ...gateFiles([{ name: 'shell', command: 'echo "run by $WRAPPER"' }]),
      'my shell': '#!/bin/sh\nWRAPPER=mine exec /bin/sh "$@"\n',
    });
    await execa('chmod', ['+x', project.path('my shell')]);
    expect(await outputOf(project, { SHELL: project.path('my shell') })).toEqual(['run by mine\n']);
    const dry = await ralphGate(project, ['--dry-run'], { env: { SHELL: project.path('my shell') } });
    expect(dry.stdout).toContain(`Shell: ${project.path('my shell')}\n`);
  });

  test.for([{ env: {} }, { env: { SHELL: '' } }] as { env: Record<string, string> }[])(
    'is run by sh in the environment $env, which sets no shell',
    async ({ env }, { makeProject }) => {
      const project = makeProject(gateFiles([{ name: 'shell', command: 'echo "$0"' }]));
      expect(await outputOf(project, env)).toEqual(['/bin/sh\n']);
      expect((await ralphGate(project, ['--dry-run'], { env })).stdout).toMatch(/^Shell: \/bin\/sh\n/);
    },
  );

  test.for(['/bin/false', '/bin/true', '/no/such/bash', '/no/such/program', 'rm -rf', '.'])(
    'does not pass if $SHELL is %s',
    async (SHELL, { makeProject }) => {
      const project = makeProject(gateFiles([{ name: 'test', command: 'touch test.ran' }]));
      const { exitCode, stdout } = await ralphGate(project, [], { env: { SHELL } });
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/✗ test /);
      expect(stdout).toContain(SHELL);
      expect(stdout).toContain('$SHELL');
      expect(project.has('test.ran')).toBe(false);
      expect(resultsOf(project)).toMatchObject({ passed: false, firstFailure: { reason: 'not-started' } });
    },
  );

  test('fails because of its missing directory, not because of the shell', async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'test', command: 'true', cwd: 'gone' }]),
      'my-shell': '#!/bin/sh\nexec /bin/sh "$@"\n',
    });
    await execa('chmod', ['+x', project.path('my-shell')]);
    for (const SHELL of ['/bin/sh', project.path('my-shell')]) {
      const { exitCode, stdout } = await ralphGate(project, [], { env: { SHELL } });
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`its directory ${project.path('gone')} does not exist`);
    }
  });

  test('inherits the environment, and adds its own variables', async ({ makeProject }) => {
    const project = makeProject(
      gateFiles([{ name: 'env', command: 'echo "$RALPH_LOOP/$MINE/$OWN/$N"', env: { OWN: 'two', N: 3 } }]),
    );
    expect(await outputOf(project, { MINE: 'one', OWN: 'x' })).toEqual(['1/one/two/3\n']);
  });

  test('runs in its own directory, which is relative to the config', async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'where', command: 'pwd', cwd: 'sub' }]),
      'sub/file': '',
      'a/file': '',
    });
    await ralphGate(project, [], { cwd: project.path('a') });
    expect(resultsOf(project).results).toMatchObject([{ stdout: `${project.path('sub')}\n` }]);
  });

  test('that reads stdin finds it empty', async ({ makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'read', command: 'cat; read x || echo "end"' }]));
    expect((await ralphGate(project, [], { input: 'typed\n' })).exitCode).toBe(0);
    expect(resultsOf(project).results).toMatchObject([{ stdout: 'end\n' }]);
  });

  test('that prints a long output has its head and its tail in the results', async ({ makeProject }) => {
    const project = makeProject(
      gateFiles([{ name: 'much', command: 'seq 1 300000; echo last >&2; exit 1' }]),
    );
    await ralphGate(project, []);
    const { stdout = '', stderr } = resultsOf(project).firstFailure ?? {};
    expect(stdout.startsWith('1\n2\n3\n')).toBe(true);
    expect(stdout.trimEnd().endsWith('\n300000')).toBe(true);
    expect(stdout).toMatch(/\n… \d+ bytes/);
    expect(stdout.length).toBeLessThan(330 * 1024);
    expect(stderr).toContain('last\n');
  });

  test.for([
    { name: '../../escape' },
    { name: '/etc/passwd' },
    { name: 'type check  now' },
    { name: 'x'.repeat(300) },
    { name: '検'.repeat(300) },
    { name: '..' },
    { name: '-rf' },
    { name: 'a\nb' },
  ])('has a log in the output directory with the name %j', async ({ name }, { makeProject }) => {
    const project = makeProject(gateFiles([{ name, command: 'echo printed; exit 1' }]));
    const { exitCode, stdout } = await ralphGate(project, []);
    expect(exitCode).toBe(1);
    const [, log = ''] = /Full output: (.+)\n/.exec(stdout) ?? [];
    expect(log).toMatch(/^\.trellis\/\.ralph\/output\/[^/]+\.log$/);
    expect(project.read(log)).toBe('printed\n');
    expect(resultsOf(project).results).toMatchObject([{ name }]);
  });

  test('has its secrets masked in the output and in all files', async ({ makeProject }) => {
    const [secret, own, token] = ['hunter2-hunter2', 'own-secret-of-a-gate-1', `ghp_${'aB3d'.repeat(9)}`];
    const command = `echo "$DEPLOY_TOKEN"; echo "$OWN_KEY" >&2; : ${token}; exit 3`;
    const project = makeProject(
      gateFiles([
        { name: `of ${token}`, command, env: { OWN_KEY: own } },
        { name: `warns of ${token}`, command, env: { OWN_KEY: own }, blocking: false },
      ]),
    );
    const env = { DEPLOY_TOKEN: secret };
    const { stdout, stderr, exitCode } = await ralphGate(project, ['--verbose'], { env });
    expect(exitCode).toBe(1);
    const [file = ''] = resultsFilesIn(project);
    const dry = await ralphGate(project, ['--dry-run'], { env });
    for (const text of [stdout + stderr, project.read(file), dry.stdout]) {
      expect(text).toContain('***');
      for (const hidden of [secret, own, token]) expect(text).not.toContain(hidden);
    }
    expect(resultsOf(project)).toMatchObject({
      firstFailure: { name: 'of ***', stdout: '***\n', stderr: '***\n' },
      warnings: ['warns of ***'],
    });
  });
});

describe.concurrent('the results file', () => {
  const failing = (outputPath: string) => gateFiles([{ name: 'test', command: 'exit 1' }], { outputPath });

  test('is at the path in the config, whose directories are created', async ({ makeProject }) => {
    const project = makeProject(failing('out/of/results-<pid>.json'));
    expect((await ralphGate(project, [])).exitCode).toBe(1);
    expect((await execa('ls', [project.path('out/of')])).stdout).toMatch(/^results-\d+\.json$/);
  });

  test.for([
    { what: 'there is a file in place of its directory', outputPath: 'file/results.json' },
    { what: 'there is a directory in its place', outputPath: '.git' },
    { what: 'its name is too long', outputPath: 'x'.repeat(300) },
    { what: 'the file system accepts no files', outputPath: '/proc/results.json' },
    { what: 'its directory cannot be created', outputPath: '/proc/results/results.json' },
    { what: 'there is a device in place of its directory', outputPath: '/dev/null/results.json' },
  ])(
    'is not written, which is reported and changes no exit code, if $what',
    async ({ outputPath }, { makeProject }) => {
      const project = makeProject({ ...failing(outputPath), file: '' });
      const failed = await ralphGate(project, []);
      expect(failed.exitCode).toBe(1);
      expect(failed.stdout).toMatch(/✗ test [\s\S]*\n1 of 1 gate failed/);
      expect(failed.stderr).toMatch(/^ralph-loop: the results file .+ cannot be written: .+\n$/);
      project.write(gateFiles([{ name: 'test', command: 'true' }], { outputPath }));
      const passed = await ralphGate(project, []);
      expect(passed.exitCode).toBe(0);
      expect(passed.stderr).toMatch(/^ralph-loop: the results file .+ cannot be written: .+\n$/);
    },
  );

  test('is removed after some days', async ({ makeProject }) => {
    const project = makeProject({
      ...gateFiles([{ name: 'test', command: 'exit 1' }]),
      'gate-results-1.json': '{}',
      'gate-results-2.json': '{}',
    });
    await execa('touch', ['-d', '2020-01-01', project.path('gate-results-1.json')]);
    symlinkSync('gate-results-3.json', project.path('gate-results-3.json'));
    const { exitCode, stderr } = await ralphGate(project, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(project.has('gate-results-1.json')).toBe(false);
    expect(project.has('gate-results-2.json')).toBe(true);
  });
});

describe.concurrent('ralph-gate has no gate to run, reports it and exits with 0, if', () => {
  test.for([
    { where: 'there is no config', files: {}, isRecorded: false },
    {
      where: 'there is a worktree.yaml only',
      files: { 'worktree.yaml': 'verify:\n  - touch test.ran\n' },
      isRecorded: false,
    },
    { where: 'its config has no gates', files: gateFiles([]), isRecorded: true },
    {
      where: 'all gates are disabled',
      files: gateFiles([{ name: 'test', command: 'touch test.ran', enabled: false }]),
      isRecorded: true,
    },
  ])('$where', async ({ files, isRecorded }, { makeProject }) => {
    const project = makeProject(files);
    const { exitCode, stdout, stderr } = await ralphGate(project, []);
    expect(exitCode).toBe(0);
    expect(stdout + stderr).toContain('there is nothing to run');
    expect(project.has('test.ran')).toBe(false);
    expect(resultsFilesIn(project)).toHaveLength(isRecorded ? 1 : 0);
    expect((await ralphGate(project, ['--dry-run'])).exitCode).toBe(0);
    expect(resultsFilesIn(project)).toHaveLength(isRecorded ? 1 : 0);
  });

  test('unless a gate is named, which is an error', async ({ makeProject }) => {
    const { exitCode, stderr } = await ralphGate(makeProject(), ['--only', 'test']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No gate.config.json was found');
  });
});

describe.concurrent('ralph-gate reports a usage error, exits with 2 and runs nothing for', () => {
  test.for([
    {
      call: 'an unknown gate',
      args: ['--only', 'typechek'],
      says: /Unknown gate "typechek"; did you mean "typecheck"\?/,
    },
    {
      call: 'a gate like no other',
      args: ['--only', 'deploy'],
      says: /"deploy".*\btypecheck, style, lint\b/,
    },
    { call: 'a gate that is disabled', args: ['--only', 'off'], says: /Unknown gate "off"/ },
    {
      call: 'a dry run of an unknown gate',
      args: ['--dry-run', '--only', 'lnit'],
      says: /did you mean "lint"\?/,
    },
    { call: 'no name', args: ['--only'], says: /--only/ },
    { call: 'an unknown option', args: ['--vebose'], says: /--vebose[\s\S]*--verbose/ },
    { call: 'a word too many', args: ['lint'], says: /too many arguments/ },
    {
      call: 'a config that is not there',
      args: ['--config', 'gone.json'],
      says: /^gone\.json:1:1: .*no such file/,
    },
  ])('$call', async ({ args, says }, { makeProject }) => {
    const project = makeProject(FIVE);
    const { exitCode, stdout, stderr } = await ralphGate(project, args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(ran(project)).toEqual([]);
    expect(resultsFilesIn(project)).toEqual([]);
  });
});

/** Brings the config of a project into a state that is no file of the usual kind. */
const STATES: { state: string; make: (path: string) => unknown }[] = [
  { state: 'a directory in place of the config', make: (path) => execa('mkdir', [path]) },
  { state: 'a link to itself in place of the config', make: (path) => symlinkSync('gate.config.json', path) },
  { state: 'a link to nothing in place of the config', make: (path) => symlinkSync('gone.json', path) },
  { state: 'a pipe in place of the config', make: (path) => execa('mkfifo', [path]) },
];

describe.concurrent('ralph-gate reports every problem, exits with 2 and runs nothing for', () => {
  const gate = '{"name": "test", "command": "touch test.ran"}';
  test.for([
    { broken: 'an empty config', text: '', says: [/^gate\.config\.json:1:1: .*empty/] },
    {
      broken: 'a config of malformed JSON',
      text: `{\n  "gates": [${gate}]\n`,
      says: [/^gate\.config\.json:3:1: .*not valid JSON/],
    },
    {
      broken: 'a config with wrong types',
      text: `{"gates": [\n{"name": "a", "command": "touch test.ran", "enabled": "false", "order": "10"}\n]}`,
      says: [
        /^gate\.config\.json:2:55: .*"false".*true or false/,
        /^gate\.config\.json:2:73: .*"10".*a number/,
      ],
    },
    {
      broken: 'a config with missing keys and a duplicate name',
      text: `{"gates": [${gate},\n{"name": "test", "command": "x"},\n{"name": "c"},\n{"command": "x"}]}`,
      says: [
        /^gate\.config\.json:2:10: .*"test" again/,
        /^gate\.config\.json:3:1: .*"command"/,
        /^gate\.config\.json:4:1: .*"name"/,
      ],
    },
    {
      broken: 'a config with a duplicate key',
      text: `{"gates": [],\n"gates": [${gate}]}`,
      says: [/^gate\.config\.json:2:1: .*"gates" again/],
    },
    {
      broken: 'a config with a list that is nested too deeply',
      text: `{"gates": [${gate}], "x": ${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
      says: [/^gate\.config\.json:\d+:\d+: .*too deeply/],
    },
  ])('$broken', async ({ text, says }, { makeProject }) => {
    const project = makeProject({ 'gate.config.json': text });
    const { exitCode, stdout, stderr } = await ralphGate(project, []);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual(says.map((problem) => expect.stringMatching(problem)));
    expect(project.has('test.ran')).toBe(false);
    expect(resultsOf(project)).toMatchObject({ passed: false, results: [] });
  });

  test.for(STATES)('$state', async ({ make }, { makeProject }) => {
    const project = makeProject();
    await make(project.path('gate.config.json'));
    const { exitCode, stdout, stderr } = await ralphGate(project, []);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^gate\.config\.json:1:1: ./);
  });
});

describe.concurrent('ralph-gate reads a config', () => {
  const gate = '{"name": "test", "command": "touch test.ran"}';
  test.for([
    { form: 'with a byte order mark', text: `\uFEFF{"gates": [${gate}]}` },
    { form: 'with comments', text: `// gates\n{"gates": [/* one */ ${gate}]}` },
    { form: 'with a trailing comma', text: `{"gates": [${gate},],}` },
    {
      form: 'with lists nested 4000 deep',
      text: `{"gates": [${gate}], "x": ${'['.repeat(4000)}${']'.repeat(4000)}}`,
    },
    {
      form: 'with lists nested 1500 deep, and a comment',
      text: `{/**/"gates": [${gate}], "x": ${'['.repeat(1500)}${']'.repeat(1500)}}`,
    },
  ])('$form', async ({ text }, { makeProject }) => {
    const project = makeProject({ 'gate.config.json': text });
    const { exitCode, stderr } = await ralphGate(project, []);
    // Both are accepted: that it is read, and that it is reported as nested too deeply.
    if (exitCode === 2 && stderr.includes('too deeply')) return;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(project.has('test.ran')).toBe(true);
  });

  test('through a symbolic link', async ({ makeProject }) => {
    const project = makeProject({ 'shared/gates.json': `{"gates": [${gate}]}` });
    symlinkSync('shared/gates.json', project.path('gate.config.json'));
    expect((await ralphGate(project, [])).exitCode).toBe(0);
    expect(resultsFilesIn(project)).toHaveLength(1);
  });
});

describe.skipIf(!canHaveTerminal).concurrent('ralph-gate in a terminal', () => {
  const screenOf = async (project: Project, env: Readonly<Record<string, string>> = {}) => {
    const { exitCode, stdout } = await execa(
      'script',
      ['-qec', `exec "${process.execPath}" "${GATE_BIN}"`, '/dev/null'],
      {
        cwd: project.root,
        env: { ...project.environment, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
        extendEnv: false,
        reject: false,
      },
    );
    return { exitCode, screen: stdout };
  };
  const GREEN = '\x1b[32m✓';

  test('prints colours unless NO_COLOR is set, and never to a pipe', async ({ makeProject }) => {
    const project = makeProject(FIVE);
    const coloured = await screenOf(project);
    expect(coloured.exitCode).toBe(1);
    expect(coloured.screen).toContain(GREEN);
    const plain = await screenOf(project, { NO_COLOR: '1' });
    expect(plain.screen).toContain('✓ lint');
    expect(plain.screen).not.toContain(GREEN);
    const { stdout } = await ralphGate(project, [], { env: { TERM: 'xterm-256color' } });
    expect(stdout).toContain('✓ lint');
    expect(stdout).not.toContain('\x1b');
  });
});
