import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { agentRunOf, noPromiseRecord, savedRun } from '../helpers/agent-run.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { chainOf, savedChain } from '../helpers/chain.ts';
import { git } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test, trellisFiles } from '../helpers/project.ts';
import { logText, sampleLog } from '../helpers/sample-log.ts';
import { checkStops, hookAnswers, LOG_FILE } from '../helpers/stops.ts';

const PAGE = readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8');
/** The keys of these the project chooses. */
const NAMED_BY_PROJECT = ['env'];
/** The page names these, but not what is in them. */
const UNLISTED = [
  ...NAMED_BY_PROJECT,
  'loops',
  'chains',
  'promise_loops',
  'last_call',
  'iterations',
  'periods',
];

/** The keys of the objects in a document, except below `without`. */
function keysIn(value: unknown, without: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysIn(item, without));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    key,
    ...(without.includes(key) ? [] : keysIn(member, without)),
  ]);
}

/** A project in which every command has something to print. */
async function fullProject(makeProject: MakeProject): Promise<Project> {
  const project = makeProject(
    {
      ...trellisFiles(['{ name: lint, run: "echo no; kill -9 $$", env: { MY_NAME: x }, description: d }']),
      ...savedRun(agentRunOf({ last: noPromiseRecord('no') })),
      ...savedChain(chainOf()),
      [LOG_FILE]: logText(sampleLog(40)),
    },
    { git: false },
  );
  git(project, 'init');
  await ralphLoop(project, ['checkpoint', 'create', 'a label']);
  await hookAnswers(project, checkStops(project));
  return project;
}

describe.concurrent('the JSON has keys in snake_case, and the page docs/json.md lists those, of', () => {
  test.for([
    'verify --json',
    'verify --dry-run --json',
    'why --json',
    'status --json',
    'doctor --json',
    'report --json',
    'history --json',
    'receipt --json',
    'checkpoint list --json',
  ])('%s', async (command, { makeProject }) => {
    const project = await fullProject(makeProject);
    const { stdout } = await ralphLoop(project, command.split(' '));
    const document: unknown = JSON.parse(stdout);
    expect(keysIn(document, NAMED_BY_PROJECT)).not.toEqual([]);
    expect(
      keysIn(document, NAMED_BY_PROJECT).filter((key) => !/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(key)),
    ).toEqual([]);
    const row = PAGE.split('\n').find((line) => line.includes(`\`${command}\``)) ?? '';
    expect(keysIn(document, UNLISTED).filter((key) => !row.includes(`\`${key}\``))).toEqual([]);
  });
});

describe.concurrent('why --json', () => {
  test('shows how each gate ended, with its log relative to the project', async ({ makeProject }) => {
    const project = await fullProject(makeProject);
    const { stdout } = await ralphLoop(project, ['why', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      loop: '.trellis/tasks/demo',
      iteration: 1,
      gates: [
        {
          name: 'lint',
          outcome: 'killed',
          exit: null,
          signal: 'SIGKILL',
          since_iteration: 1,
          log: '.trellis/.ralph/output/lint.log',
        },
      ],
    });
    expect((await ralphLoop(project, ['why', 'lint', '--json'])).stdout).toBe(stdout);
  });

  test('has no gates if no failure is recorded', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphLoop(makeProject(), ['why', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ loop: null, iteration: null, gates: [] });
  });
});

test.for([
  ['why', '--json', '--full'],
  ['report', '--json', '--html', 'page.html'],
])('%s %s %s is a usage error', async (args, { makeProject }) => {
  const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('cannot be used with');
});

test('report --json has the figures of an empty log', async ({ makeProject }) => {
  const { stdout } = await ralphLoop(makeProject(), ['report', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    since: null,
    from: null,
    totals: { loops: 0, first_try_rate: null },
  });
});
