import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { NO_HOME } from '../helpers/no-home.ts';
import { type MakeProject, type Project, test, worktreeYaml } from '../helpers/project.ts';
import { AGENT_COMMAND, iterationsOf, RUN, scriptedAgent, WORK } from '../helpers/scripted-agent.ts';
import { hookAnswers, mainStops } from '../helpers/stops.ts';

const RECORD = '@/last-run.json';
const TEST = `import { test } from 'node:test';
import assert from 'node:assert';
test('adds', () => {
  assert.equal(1 + 2, 3);
});
`;
const FILES = {
  'worktree.yaml': worktreeYaml(['{ name: lint, run: "true" }', '{ name: test, run: "test ! -e broken" }']),
  'src/a.js': '\n',
  'tests/add.test.js': TEST,
};

async function receiptOf(project: Project, cwd = project.root) {
  const [{ stdout }, checked] = await Promise.all([
    ralphLoop(project, ['receipt', '--json'], { cwd }),
    ralphLoop(project, ['receipt', '--check'], { cwd }),
  ]);
  const receipt = JSON.parse(stdout);
  expect(checked.exitCode).toBe(receipt.status === 'PASS' ? 0 : 1);
  return receipt;
}

const verify = (project: Project, ...more: string[]) => ralphLoop(project, ['verify', ...more]);

/** What happens after a run of all gates that passed, and the receipt then. */
const ROWS: readonly (readonly [
  what: string,
  status: string,
  happens: (project: Project, makeProject: MakeProject) => unknown,
])[] = [
  ['nothing', 'PASS', () => {}],
  [
    'a commit of the same files',
    'PASS',
    (project) => {
      git(project, 'add', '--all');
      git(project, 'commit', '--allow-empty', '--message=two');
    },
  ],
  ['a changed file', 'STALE', (project) => project.write({ 'src/a.js': '1\n' })],
  ['a new file', 'STALE', (project) => project.write({ 'src/b.js': '' })],
  [
    'a change that is undone',
    'PASS',
    async (project) => {
      project.write({ 'src/a.js': '1\n' });
      await ralphLoop(project, ['receipt']);
      project.write({ 'src/a.js': '\n' });
    },
  ],
  [
    'a gate that is removed from the config',
    'STALE',
    (project) => project.write({ 'worktree.yaml': worktreeYaml(['{ name: lint, run: "true" }']) }),
  ],
  [
    'a failed run of these files',
    'FAIL',
    async (project) => {
      project.write({ broken: '' });
      await verify(project);
    },
  ],
  [
    'a failed run of one gate',
    'FAIL',
    async (project) => {
      project.write({ broken: '' });
      await verify(project, 'test');
    },
  ],
  [
    'a run of one gate after a change',
    'STALE',
    async (project) => {
      project.write({ 'src/a.js': '1\n' });
      await verify(project, 'lint');
    },
  ],
  ['a second run that reuses the passes', 'PASS', (project) => verify(project)],
  [
    'a record that is edited',
    'NONE',
    (project) => project.write({ [RECORD]: project.read(RECORD).replace('"passed"', '"passed" ') }),
  ],
  [
    'a record without a signature',
    'NONE',
    (project) => project.write({ [RECORD]: project.read(RECORD).replace(/^.*\n/, '') }),
  ],
  [
    'a record of another machine',
    'NONE',
    (project) =>
      project.write({ [RECORD]: project.read(RECORD).replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
  ],
  [
    'a record of another project',
    'NONE',
    async (project, makeProject) => {
      const other = gitProject(makeProject, FILES);
      await verify(other);
      project.write({ [RECORD]: other.read(RECORD) });
    },
  ],
  ['the loss of the record', 'NONE', (project) => project.write({ [RECORD]: '' })],
  ['a broken config', 'NONE', (project) => project.write({ 'worktree.yaml': 'verify: [\n' })],
];

describe.concurrent('a receipt', () => {
  test.for(ROWS)('after a pass and %s is %s', async ([, status, happens], { makeProject }) => {
    const project = gitProject(makeProject, FILES);
    expect((await receiptOf(project)).status).toBe('NONE');
    await verify(project);
    await happens(project, makeProject);
    const receipt = await receiptOf(project);
    expect(receipt).toMatchObject({ status, reason: expect.stringMatching(/./) });
  });

  test('is the same in a directory below the project, and another one in another working tree', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, FILES);
    await verify(project);
    expect((await receiptOf(project, project.path('src'))).status).toBe('PASS');
    git(project, 'worktree', 'add', '../other', '-b', 'other');
    expect((await receiptOf(project, project.path('../other'))).status).toBe('NONE');
  });

  test('binds a pass to commit, files, gates and time, and says what is not committed', async ({
    makeProject,
  }) => {
    const project = gitProject(makeProject, FILES);
    project.write({ 'src/a.js': '2\n' });
    await verify(project);
    await verify(project);
    const receipt = await receiptOf(project);
    const commit = git(project, 'rev-parse', 'HEAD').trim();
    expect(receipt).toMatchObject({
      status: 'PASS',
      commit,
      uncommitted: 1,
      tree: expect.stringMatching(/^[0-9a-f]{64}$/),
      run: {
        commit,
        tree: receipt.tree,
        verdict: 'passed',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        gates: [
          { name: 'lint', outcome: 'passed', reused: expect.any(String) },
          { name: 'test', outcome: 'passed', reused: expect.any(String) },
        ],
        signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  test('is FAIL after a stop that was blocked for a weaker test, and names it', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    project.write({ 'tests/add.test.js': TEST.replace("test('", "test.skip('") });
    await hookAnswers(project, mainStops(project));
    const { status, weakened, run } = await receiptOf(project);
    expect({ status, verdict: run.verdict }).toEqual({ status: 'FAIL', verdict: 'passed' });
    expect(weakened).toMatchObject([{ rule: 'test-skipped', path: 'tests/add.test.js' }]);
  });

  test('names what is weaker also after a run that compared nothing', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    project.write({ 'tests/add.test.js': TEST.replace("test('", "test.skip('") });
    await verify(project);
    expect(await receiptOf(project)).toMatchObject({ status: 'PASS', weakened: [{ rule: 'test-skipped' }] });
  });

  test('is FAIL after an escalation, and has its reason in code in Markdown', async ({ makeProject }) => {
    const project = gitProject(makeProject, FILES);
    project.write({ broken: '' });
    await ralphLoop(project, ['escalate', '--gate', 'test', '@all it needs <b>']);
    await hookAnswers(project, mainStops(project));
    expect(await receiptOf(project)).toMatchObject({
      status: 'FAIL',
      escalated: { gate: 'test', reason: '@all it needs <b>' },
    });
    const { stdout } = await ralphLoop(project, ['receipt', '--md']);
    expect(stdout).toMatch(/^\*\*ralph-loop: FAIL\*\*/);
    expect(stdout).toContain('- escalated: `test`: `@all it needs <b>`');
  });

  test.for([
    ['PASS', 'that passed', WORK, {}],
    ['FAIL', 'whose gates failed', `touch broken; ${WORK}`, {}],
    [
      'FAIL',
      'that weakened a test',
      `sed -i.bak 's/test(/test.skip(/' tests/add.test.js; rm tests/*.bak; ${WORK}`,
      {},
    ],
    [
      'PASS',
      'of a task, into whose file it writes its progress',
      WORK,
      { '.trellis/tasks/TASK-001/task.json': '{ "title": "Add", "status": "todo" }\n' },
    ],
    [
      'PASS',
      'of the gates of a gate config with a results file',
      WORK,
      {
        'worktree.yaml': 'ralph: { coder: { max_iterations: 1 } }\n',
        'gate.config.json':
          '{ "gates": [{ "name": "test", "command": "true" }], "outputPath": "results.json" }',
        'results.json': '{}',
      },
    ],
  ] as const)('is %s after an agent run %s', async ([status, , script, more], { makeProject }) => {
    const project = gitProject(makeProject, {
      ...FILES,
      'worktree.yaml': `${FILES['worktree.yaml']}ralph: { coder: { max_iterations: 1 } }\n`,
      'spec.md': 'Write it.\n',
      ...scriptedAgent(script),
      ...more,
    });
    await ralphLoop(project, [...RUN, ...AGENT_COMMAND]);
    expect(iterationsOf(project)).toHaveLength(1);
    expect(await receiptOf(project)).toMatchObject({ status, run: { gates: expect.any(Array) } });
    project.write({ 'src/a.js': '1\n' });
    expect((await receiptOf(project)).status).toBe('STALE');
  });

  test('is STALE where the gates themselves change files', async ({ makeProject }) => {
    const project = gitProject(makeProject, { 'worktree.yaml': worktreeYaml(['date +%N > made']) });
    await verify(project);
    expect(await receiptOf(project)).toMatchObject({
      status: 'STALE',
      reason: 'files changed while the gates ran',
    });
  });

  test('is PASS for a gate with {changed_files} that has passed', async ({ makeProject }) => {
    const project = gitProject(makeProject, { 'worktree.yaml': worktreeYaml(['echo {changed_files}']) });
    project.write({ 'a.txt': '' });
    await verify(project);
    expect((await receiptOf(project)).status).toBe('PASS');
  });

  test('is NONE outside of a project', async ({ makeProject }) => {
    expect((await receiptOf(makeProject())).status).toBe('NONE');
  });

  test.for([
    { where: 'outside of a repository', git: false, env: {}, why: /cannot be identified without git$/ },
    { where: 'without a state directory', git: true, env: { XDG_STATE_HOME: NO_HOME }, why: /no state dir/ },
  ])('$where is NONE, which another run does not change', async ({ git, env, why }, { makeProject }) => {
    const project = git ? gitProject(makeProject, FILES) : makeProject(FILES, { git: false });
    await ralphLoop(project, ['verify'], { env });
    const { stdout } = await ralphLoop(project, ['receipt', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'NONE',
      reason: expect.stringMatching(why),
    });
  });
});
