import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { LAUNCHER } from '../../src/process/own-command.ts';
import { escalate } from '../../src/verification/escalate.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';
import { hookAnswers, logOf, mainStops } from '../helpers/stops.ts';

const TEST = `import { expect, it } from 'vitest';
import { add } from '../src/add';

it('adds up', () => {
  expect(add(1, 2)).toBe(3);
});
`;
const SKIPPED = TEST.replace("it('", "it.skip('");

function guarded(makeProject: MakeProject, settings = ''): Project {
  return gitProject(makeProject, {
    'worktree.yaml': `verify:\n  - "true"\n${settings}`,
    'src/add.ts': 'export const add = (a: number, b: number) => a + b;\n',
    'tests/add.test.ts': TEST,
  });
}

/** A stop of Claude Code, which shows messages. */
const stops = (project: Project) => hookAnswers(project, mainStops(project), { env: { CLAUDECODE: '1' } });

describe.concurrent('a stop whose gates pass', () => {
  test('is blocked while a test is skipped that ran before', async ({ makeProject }) => {
    const project = guarded(makeProject);
    project.write({ 'tests/add.test.ts': SKIPPED });
    const { decision, reason } = await stops(project);
    expect({ decision, reason }).toEqual({
      decision: 'block',
      reason: expect.stringContaining('- tests/add.test.ts:4: `adds up` is skipped'),
    });
    expect(logOf(project).at(-1)).toMatchObject({
      why: 'integrity',
      iteration: 1,
      findings: [{ rule: 'test-skipped', severity: 'high', path: 'tests/add.test.ts', line: 4 }],
    });
    project.write({ 'tests/add.test.ts': TEST });
    expect((await stops(project)).decision).toBeUndefined();
  });

  test('is allowed at the limit of attempts, and the person reads what became weaker', async ({
    makeProject,
  }) => {
    const project = guarded(makeProject, 'ralph:\n  max_iterations: 2\n');
    project.write({ 'tests/add.test.ts': SKIPPED });
    await stops(project);
    const { decision, systemMessage } = await stops(project);
    expect({ decision, systemMessage }).toEqual({
      decision: undefined,
      systemMessage: expect.stringContaining('weakened: tests/add.test.ts:4: `adds up` is skipped'),
    });
  });

  test('is allowed when the agent escalates, and what was weaker then does not block again', async ({
    makeProject,
  }) => {
    const project = guarded(makeProject);
    project.write({ 'tests/add.test.ts': SKIPPED });
    expect((await stops(project)).reason).toContain(
      'If a change is right, the user decides: ralph-loop escalate "<reason>"',
    );
    const about = { reason: 'the test needs a network', by: 'in a terminal' };
    await escalate(project.root, about, { env: {}, now: new Date() });
    expect((await stops(project)).systemMessage).toBe(
      'ralph-loop: not passed, escalated in a terminal: the test needs a network; weakened: tests/add.test.ts:4: `adds up` is skipped',
    );

    project.write({ 'tests/add.test.ts': `// A comment moves it.\n${SKIPPED}` });
    const later = await stops(project);
    expect(later.decision).toBeUndefined();
    expect(later.systemMessage).toMatch(/^ralph-loop: 1 gate passed .*; weakened: tests\/add\.test\.ts:5: /);
    rmSync(project.path('tests/add.test.ts'));
    expect((await stops(project)).decision).toBe('block');
  });

  test.for([
    ['ralph:\n  integrity: warn\n', 'weakened: tests/add.test.ts:4'],
    ['ralph:\n  integrity_rules: {test-skipped: warn}\n', 'weakened: tests/add.test.ts:4'],
    ['ralph:\n  integrity: off\n', '1 gate passed'],
  ])('is allowed where the settings say so: %j', async ([settings = '', message = ''], { makeProject }) => {
    const project = guarded(makeProject, settings);
    project.write({ 'tests/add.test.ts': SKIPPED });
    const { decision, systemMessage } = await stops(project);
    expect({ decision, systemMessage }).toEqual({
      decision: undefined,
      systemMessage: expect.stringContaining(message),
    });
  });
});

test('an agent run does not accept a promise while a test is skipped that ran before', async ({
  makeProject,
}) => {
  const project = guarded(makeProject, 'ralph:\n  default_max_iterations: 1\n  coder: {max_iterations: 1}\n');
  const skips =
    "sed -i \"s/it('/it.skip('/\" tests/add.test.ts; echo '<promise>IMPLEMENTATION_COMPLETE</promise>'";
  const args = ['run', '--task', 'T1', '--prompt', 'Fix add.', '--', 'sh', '-c', skips];
  const { exitCode, stdout, stderr } = await ralphLoop(project, args);
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain(
    'tests became weaker since the run started: tests/add.test.ts:4: `adds up` is skipped',
  );
});

describe.concurrent('ralph-loop integrity', () => {
  test('prints the findings since HEAD, and fails while one would block a stop', async ({ makeProject }) => {
    const project = guarded(makeProject);
    expect(await ralphLoop(project, ['integrity'])).toMatchObject({
      exitCode: 0,
      stdout: 'No test or check became weaker since HEAD.\n',
    });
    rmSync(project.path('tests/add.test.ts'));
    const { exitCode, stdout } = await ralphLoop(project, ['integrity', '--json']);
    expect({ exitCode, findings: JSON.parse(stdout).findings }).toEqual({
      exitCode: 1,
      findings: [
        {
          rule: 'test-deleted',
          severity: 'high',
          path: 'tests/add.test.ts',
          line: 4,
          message: '`adds up` is deleted',
        },
      ],
    });
  });

  test('finds nothing in what init writes, and all in a launcher that was changed', async ({
    makeProject,
  }) => {
    const project = guarded(makeProject);
    const hosts = ['claude-code', 'opencode', 'pi'];
    await ralphLoop(project, ['init', '--yes', '--gates', 'true', '--host', ...hosts]);
    expect((await ralphLoop(project, ['integrity'])).stdout).toBe(
      'No test or check became weaker since HEAD.\n',
    );
    appendFileSync(project.path(LAUNCHER), 'process.exit(0);\n');
    const { stdout } = await ralphLoop(project, ['integrity']);
    expect(stdout).toContain('loading the file ends the process with success');
  });

  test('compares with the named revision', async ({ makeProject }) => {
    const project = guarded(makeProject);
    project.write({ 'tests/add.test.ts': SKIPPED });
    git(project, 'commit', '--all', '--message=skip');
    expect((await ralphLoop(project, ['integrity'])).exitCode).toBe(0);
    const { exitCode, stdout } = await ralphLoop(project, ['integrity', '--base', 'HEAD~1']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout:
        'high   tests/add.test.ts:4  test-skipped\n       `adds up` is skipped\n\n1 finding since HEAD~1: 1 high\n',
    });
  });

  test.for([
    [['--base', 'nowhere'], 'git knows no revision "nowhere"'],
    [['--base', '--help'], 'git knows no revision "--help"'],
  ] as const)('refuses %j', async ([args, message], { makeProject }) => {
    const { exitCode, stderr } = await ralphLoop(guarded(makeProject), ['integrity', ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${message}\n` });
  });

  test('names the errors of the config, and compares all the same', async ({ makeProject }) => {
    const project = guarded(makeProject, 'ralph:\n  integrity: blok\n');
    project.write({ 'tests/add.test.ts': SKIPPED });
    const { exitCode, stderr } = await ralphLoop(project, ['integrity']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'worktree.yaml:4:14: found text "blok" for "integrity", expected block, warn or off\n',
    });
  });

  test('needs a git repository', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': 'verify: [true]\n' }, { git: false });
    const { exitCode, stderr } = await ralphLoop(project, ['integrity']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('is not in a git repository'),
    });
  });
});
