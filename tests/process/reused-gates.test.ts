import { readFileSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { CommandGate } from '../../src/gates/types.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { failuresPath, outputDirectory } from '../../src/state/paths.ts';
import { runAndRecord } from '../../src/verification/run-and-record.ts';
import type { VerificationRequest } from '../../src/verification/types.ts';
import { shellGate } from '../helpers/gate-results.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, test } from '../helpers/project.ts';

interface Change {
  readonly gate?: Partial<CommandGate>;
  readonly request?: Partial<VerificationRequest>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: string;
}

/** Outside of the tree, so that the gates that count change nothing in it. */
const COUNT = 'echo x >> "$TMPDIR/count"';

/** Runs gates in a repository; `count` is how often the command ran since the last call. */
function repository(makeProject: MakeProject) {
  const project = gitProject(makeProject, { 'a.txt': 'a', '.gitignore': 'ignored/\n', 'ignored/x': 'x' });
  let counted = 0;
  const count = () => {
    const total = countIn(project);
    const since = total - counted;
    counted = total;
    return since;
  };
  const run = async ({ gate, request, env, now = '2026-01-31T10:30:00.000Z' }: Change = {}) => {
    const { signal } = new AbortController();
    const gates = request?.gates ?? [shellGate('test', { command: COUNT, cwd: project.root, ...gate })];
    const { result } = await runAndRecord(
      {
        root: project.root,
        failFast: true,
        outputDirectory: outputDirectory(project.root),
        failures: { path: failuresPath(project.root, 'verify'), covers: 'all' },
        ...request,
        gates,
      },
      { runCommand, now: () => new Date(now), env: { ...project.environment, ...env }, signal },
    );
    return { ran: count(), verdict: result.verdict, results: result.results };
  };
  return { project, run };
}

function countIn({ environment }: Project): number {
  try {
    return readFileSync(`${environment.TMPDIR}/count`, 'utf8').length / 2;
  } catch {
    return 0;
  }
}

test('a gate that has passed does not run again on the same files, and says when it passed', async ({
  makeProject,
}) => {
  const { run } = repository(makeProject);
  expect(await run()).toMatchObject({ ran: 1, verdict: 'passed' });
  expect(await run({ now: '2026-01-31T10:33:00.000Z' })).toMatchObject({
    ran: 0,
    verdict: 'passed',
    results: [{ outcome: { reason: 'passed' }, reused: '2026-01-31T10:30:00.000Z' }],
  });
});

describe.concurrent('a gate that has passed does not run again after', () => {
  const npx = {
    npm_execpath: '/npm',
    npm_command: 'exec',
    npm_config_user_agent: 'npm',
    npm_config_userconfig: '',
  };
  const rows: [string, (project: Project) => Change | undefined][] = [
    ['a commit', (project) => void git(project, 'commit', '--allow-empty', '-m', 'two')],
    ['an agent has committed the work', (project) => void git(project, 'add', '--all')],
    ['a change of a file that git ignores', ({ write }) => write({ 'ignored/x': 'y' }) as undefined],
    [
      'its order, name and timeout have changed',
      () => ({ gate: { name: 'unit', order: 3, timeoutSeconds: 7 } }),
    ],
    ['the clock was set back', () => ({ now: '2020-01-01T00:00:00.000Z' })],
    [
      'variables of the host and the terminal differ',
      () => ({ env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/x', TERM: 'dumb', SHLVL: '9' } }),
    ],
    ['PATH has entries twice', ({ environment: { PATH = '' } }) => ({ env: { PATH: `${PATH}:${PATH}` } })],
    [
      'npx set its variables, and a directory with nothing but this program in the PATH',
      (project) => {
        project.write({ 'node_modules/.bin/ralph-loop': '', '.git/info/exclude': 'node_modules\n' });
        const bin = project.path('node_modules/.bin');
        const env = {
          ...npx,
          npm_config_userconfig: `${project.home}/.npmrc`,
          PATH: `${bin}:${project.environment.PATH}`,
        };
        return { env };
      },
    ],
  ];
  test.for(rows)('%s', async ([, change], { makeProject }) => {
    const { project, run } = repository(makeProject);
    expect((await run()).ran).toBe(1);
    expect(await run(change(project))).toMatchObject({ ran: 0, verdict: 'passed' });
  });
});

describe.concurrent('a gate that has passed runs again', () => {
  const inputs = { gate: { inputs: ['ignored/'] } };
  const rows: [string, (project: Project) => Change | undefined, Change?][] = [
    ['after a change of a file', ({ write }) => write({ 'a.txt': 'b' }) as undefined],
    [
      'after a change of a file that git is told not to watch',
      (project) => {
        git(project, 'update-index', '--assume-unchanged', 'a.txt');
        project.write({ 'a.txt': 'b' });
        return undefined;
      },
    ],
    [
      'after a change of an ignored file that its inputs name',
      ({ write }) => {
        write({ 'ignored/x': 'y' });
        return inputs;
      },
      inputs,
    ],
    [
      'after a new ignored file in a directory that its inputs name',
      ({ write }) => {
        write({ 'ignored/d/y': '' });
        return inputs;
      },
      inputs,
    ],
    ['after a change of an ignored lockfile', ({ write }) => write({ 'yarn.lock': 'b' }) as undefined],
    [
      'after an installation of packages',
      ({ write }) => write({ 'node_modules/.package-lock.json': '' }) as undefined,
    ],
    ['with another PATH', ({ environment: { PATH } }) => ({ env: { PATH: `/tmp/fake:${PATH}` } })],
    ['with a variable that tests may read', () => ({ env: { SKIP_SLOW: '1' } })],
    [
      'with settings of npm that name another shell',
      () => ({ env: { npm_config_script_shell: '/bin/true' } }),
    ],
    [
      'without such settings in a file',
      () => ({ env: { npm_execpath: 'x', npm_config_userconfig: '/tmp/rc' } }),
    ],
    ['with another command', () => ({ gate: { command: `${COUNT}; true` } })],
    ['in another directory', ({ path }) => ({ gate: { cwd: path('ignored') } })],
    ['when it must not be reused', () => ({ gate: { reuse: false } })],
    ['when no gate must be reused', () => ({ request: { reuse: false } })],
    [
      'after its pass was changed',
      (project) => {
        const passes = JSON.parse(project.read('@/passes.json'));
        passes.entries[0].durationMs += 1;
        project.write({ '@/passes.json': JSON.stringify(passes) });
        return undefined;
      },
    ],
    ['after its passes were damaged', ({ write }) => write({ '@/passes.json': '[' }) as undefined],
    ['after a reset', ({ path }) => rmSync(path('@'), { recursive: true }) as undefined],
  ];
  test.for(rows)('%s', async ([, change, first], { makeProject }) => {
    const { project, run } = repository(makeProject);
    project.write({ '.git/info/exclude': 'yarn.lock\nnode_modules\n', 'yarn.lock': 'a' });
    expect((await run(first)).ran).toBe(1);
    expect((await run(first)).ran).toBe(0);
    expect(await run(change(project))).toMatchObject({ ran: 1, verdict: 'passed' });
  });

  test('when its command names git and only the index has changed', async ({ makeProject }) => {
    const { project, run } = repository(makeProject);
    const gate = { command: `${COUNT}; git diff --quiet` };
    expect(await run({ gate })).toMatchObject({ ran: 1 });
    expect(await run({ gate })).toMatchObject({ ran: 0 });
    git(project, 'rm', '--cached', 'a.txt');
    expect(await run({ gate })).toMatchObject({ ran: 1 });
  });

  test('in another checkout of the repository', async ({ makeProject }) => {
    const [one, other] = [repository(makeProject), repository(makeProject)];
    expect((await one.run()).ran).toBe(1);
    other.project.write({ '@/passes.json': one.project.read('@/passes.json') });
    expect((await other.run()).ran).toBe(1);
  });
});

describe.concurrent('a pass is not recorded', () => {
  const rows: [string, Partial<CommandGate>][] = [
    ['when the gate changes the tree', { command: `${COUNT}; date +%N >> a.txt` }],
    ['when a file changes while the gate runs', { command: `${COUNT}; echo $$ > new.txt` }],
    [
      'when a file that inputs names changes',
      { command: `${COUNT}; echo $$ >> ignored/x`, inputs: ['ignored/**'] },
    ],
    ['when the gate fails', { command: `${COUNT}; false` }],
  ];
  test.for(rows)('%s', async ([, gate], { makeProject }) => {
    const { project, run } = repository(makeProject);
    const [before, input] = [
      project.read('a.txt'),
      project.has('ignored/x') ? project.read('ignored/x') : '',
    ];
    project.write({ 'ignored/x': input });
    expect((await run({ gate })).ran).toBe(1);
    // The files are again as they were when the run began, and not as the gate found them all the time.
    project.write({ 'a.txt': before, 'ignored/x': input });
    rmSync(project.path('new.txt'), { force: true });
    expect((await run({ gate })).ran).toBe(1);
  });

  test('outside of git', async ({ makeProject }) => {
    const { project, run } = repository(makeProject);
    rmSync(project.path('.git'), { recursive: true });
    expect((await run()).ran).toBe(1);
    expect((await run()).ran).toBe(1);
  });
});

test('only the gates that failed run again on the same files', async ({ makeProject }) => {
  const { project, run } = repository(makeProject);
  const gates = ['build', 'fail'].map((name) =>
    shellGate(name, { command: `${COUNT}; test ${name} = build`, cwd: project.root }),
  );
  expect(await run({ request: { gates } })).toMatchObject({ ran: 2, verdict: 'failed' });
  expect(await run({ request: { gates } })).toMatchObject({ ran: 1, verdict: 'failed' });
});

test('a build of other files is not taken for that of these', async ({ makeProject }) => {
  const { project, run } = repository(makeProject);
  const gates = [
    shellGate('build', { command: 'cp a.txt ignored/built', cwd: project.root }),
    shellGate('test', {
      command: `${COUNT}; test -e ignored/ready && cmp a.txt ignored/built`,
      cwd: project.root,
    }),
  ];
  expect(await run({ request: { gates } })).toMatchObject({ verdict: 'failed' });
  project.write({ 'a.txt': 'b' });
  expect(await run({ request: { gates } })).toMatchObject({ verdict: 'failed' });
  project.write({ 'a.txt': 'a', 'ignored/ready': '' });
  expect(await run({ request: { gates } })).toMatchObject({ verdict: 'passed' });
});
