import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunReport } from '../../src/gates/report.ts';
import { stateDirectory } from '../../src/state/paths.ts';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { gateFiles } from '../helpers/gate-config.ts';
import { gitProject } from '../helpers/git-project.ts';
import { expectGone, isRunning } from '../helpers/processes.ts';
import { type MakeProject, type Project, test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { hookProcessAnswers, logOf, mainStops, startHook, stateOf } from '../helpers/stops.ts';

/** Counts its runs, and waits for a file outside of the tree; passes unless `broken` is there. */
const GATE =
  'echo $$ >> ../ran; until [ -e ../go ]; do sleep 0.02; done; if [ -e broken ]; then echo "Error: broken"; exit 1; fi';

const SLOW = { 'worktree.yaml': worktreeYaml([`{ name: slow, run: '${GATE}' }`]) };

function slowProject(makeProject: MakeProject): Project {
  return gitProject(makeProject, SLOW);
}

const outside = ({ root }: Project, name: string) => join(root, '..', name);
const go = (project: Project) => writeFileSync(outside(project, 'go'), '');
const pids = (project: Project) => {
  const path = outside(project, 'ran');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : [];
};
const runs = (project: Project) => pids(project).length;
const runDirectory = ({ root }: Project) => join(stateDirectory(root), 'runs');
const liveRuns = (project: Project) =>
  existsSync(runDirectory(project)) ? readdirSync(runDirectory(project)) : [];
const started = (project: Project, times = 1) =>
  eventually(`the gate has started ${times} times`, () => runs(project) >= times);
const ownerOf = (project: Project): number => {
  const [id = ''] = liveRuns(project);
  const text = readFileSync(join(runDirectory(project), id, 'run'), 'utf8');
  return JSON.parse(text.slice(text.indexOf('\n'))).owner.pid;
};

const isFollowed = (project: Project, pid: number | undefined) =>
  eventually('the run is followed', () =>
    liveRuns(project).some((id) => readdirSync(join(runDirectory(project), id)).includes(`follower-${pid}`)),
  );

/** The gate in `status --json`, while it runs. */
const RUNNING = {
  name: 'slow',
  outcome: null,
  started_at: expect.any(String),
  duration_ms: expect.any(Number),
  usual_ms: null,
};
const shownRuns = async (project: Project) =>
  JSON.parse((await ralphLoop(project, ['status', '--json'])).stdout).runs;

/** A deadline that is up once the gate has started. */
const AT_ONCE = { args: ['--deadline', '4'] };
const STILL_RUNNING = /^`slow` is still running \(\d+ s so far\)\. Run `ralph-loop wait`, then finish\.$/;

describe('a gate that takes longer than the host waits', () => {
  test('blocks the stop without using up an iteration, and the next stop takes its result', async ({
    makeProject,
  }) => {
    const project = slowProject(makeProject);
    const first = await hookProcessAnswers(project, mainStops(project), AT_ONCE);
    expect(first).toEqual({ decision: 'block', reason: expect.stringMatching(STILL_RUNNING) });
    go(project);
    const waited = await ralphLoop(project, ['wait']);
    expect(waited).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 gate passed') });
    expect(await hookProcessAnswers(project, mainStops(project))).toEqual({});
    expect(runs(project)).toBe(1);
    const log = logOf(project);
    expect(log.map(({ answer, why, iteration }) => ({ answer, why, iteration }))).toEqual([
      { answer: 'block', why: 'still-running', iteration: null },
      { answer: 'allow', why: 'commands-passed', iteration: 1 },
    ]);
  });

  test('gives its failure to `wait`, then to the next stop, and then runs again', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    project.write({ broken: '' });
    await hookProcessAnswers(project, mainStops(project), AT_ONCE);
    go(project);
    const waited = await ralphLoop(project, ['wait']);
    expect(waited).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('Error: broken') });
    const next = await hookProcessAnswers(project, mainStops(project));
    expect(next.reason).toMatch(/^Iteration 1\/5\.[\s\S]*Error: broken/);
    expect(runs(project)).toBe(1);
    const again = await hookProcessAnswers(project, mainStops(project));
    expect(again.reason).toMatch(/^Iteration 2\/5\./);
    expect(runs(project)).toBe(2);
  });

  test('is ended when the files have changed, and runs again', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    await hookProcessAnswers(project, mainStops(project), AT_ONCE);
    const [old = 0] = pids(project);
    expect(isRunning(old)).toBe(true);
    project.write({ 'new.txt': '' });
    const stop = startHook(project, mainStops(project));
    await started(project, 2);
    await expectGone(old);
    go(project);
    expect((await stop).stdout).toBe('');
    expect(runs(project)).toBe(2);
  });

  test('blocks three stops in a row; then it is ended, and the stop counts', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const reasons: (string | undefined)[] = [];
    for (let stop = 0; stop < 4; stop += 1)
      reasons.push((await hookProcessAnswers(project, mainStops(project), AT_ONCE)).reason);
    expect(reasons.slice(0, 3).every((reason) => STILL_RUNNING.test(reason ?? ''))).toBe(true);
    expect(reasons[3]).toMatch(/^Iteration 1\/5\. Verification incomplete/);
    expect(runs(project)).toBe(1);
    await expectGone(...pids(project));
  });

  test("leaves the count of Trellis's task as it was", async ({ makeProject }) => {
    const project = gitProject(makeProject, trellisFiles([`{ name: slow, run: '${GATE}' }`]));
    const event = { ...mainStops(project), hook_event_name: 'SubagentStop', agent_type: 'check' };
    await hookProcessAnswers(project, event, AT_ONCE);
    expect(stateOf(project)).toMatchObject({ task: '.trellis/tasks/demo', iteration: 0 });
    project.write({ broken: '' });
    go(project);
    expect((await hookProcessAnswers(project, event)).reason).toMatch(/^Iteration 1\/5\./);
    expect(stateOf(project)).toMatchObject({ iteration: 1 });
  });

  test('goes on when the host ends the hook', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const hook = startHook(project, mainStops(project));
    await started(project);
    hook.kill('SIGTERM');
    await hook;
    expect(pids(project).every(isRunning)).toBe(true);
    go(project);
    expect(await hookProcessAnswers(project, mainStops(project))).toEqual({});
    expect(runs(project)).toBe(1);
  });

  test('ends when a person ends the hook', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const hook = startHook(project, mainStops(project));
    await started(project);
    hook.kill('SIGINT');
    await hook;
    await expectGone(...pids(project));
    expect(liveRuns(project)).toEqual([]);
  });

  test('is waited for no longer than `wait` is told to', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const waited = await ralphLoop(project, ['wait', '--timeout', '2']);
    expect(waited).toMatchObject({
      exitCode: 124,
      stdout: expect.stringMatching(/^▸ slow\n\n`slow` is still running .* To wait on: ralph-loop wait\n$/),
    });
    go(project);
    expect(await ralphLoop(project, ['wait'])).toMatchObject({ exitCode: 0 });
    expect(runs(project)).toBe(1);
  });
});

test.for([
  ['SIGTERM, as an agent whose time is up does, goes on', 'SIGTERM', true],
  ['SIGINT, as a person does, ends', 'SIGINT', false],
] as const)('a run whose `wait` is ended by %s', async ([, signal, goesOn], { makeProject }) => {
  const project = slowProject(makeProject);
  const wait = startRalphLoop(project, ['wait']);
  await started(project);
  wait.kill(signal);
  expect((await wait).exitCode).toBe(130);
  const gates = pids(project);
  if (!goesOn) return expectGone(...gates);
  expect(gates.every(isRunning)).toBe(true);
  go(project);
  await expectGone(...gates);
});

describe('one run', () => {
  test('that is joined late has no result later than its end', async ({ makeProject }) => {
    const gates = [
      { name: 'slow', command: GATE },
      { name: 'other', command: 'true' },
    ];
    const project = gitProject(makeProject, gateFiles(gates, { outputPath: '../results-<pid>.json' }));
    const owner = startRalphLoop(project, ['verify']);
    await started(project);
    const follower = startHook(project, mainStops(project));
    await isFollowed(project, follower.pid);
    go(project);
    await Promise.all([owner, follower]);
    const { timestamp, results } = JSON.parse(
      readFileSync(outside(project, `results-${follower.pid}.json`), 'utf8'),
    );
    expect(results.map((result: RunReport) => result.timestamp <= timestamp)).toEqual([true, true]);
  });

  test('answers six subagents that stop at once', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const stops = Array.from({ length: 6 }, (_, n) =>
      startHook(project, {
        ...mainStops(project),
        hook_event_name: 'SubagentStop',
        agent_type: 'check',
        agent_id: `a${n}`,
      }),
    );
    await started(project);
    go(project);
    expect((await Promise.all(stops)).map(({ stdout }) => stdout)).toEqual(Array(6).fill(''));
    expect(runs(project)).toBe(1);
  });

  test('of a stop is joined by verify', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const stop = startHook(project, mainStops(project));
    await started(project);
    const verify = startRalphLoop(project, ['verify', '--json']);
    await isFollowed(project, verify.pid);
    go(project);
    expect(JSON.parse((await verify).stdout)).toMatchObject({ verdict: 'passed', gates: [{ joined: true }] });
    await stop;
    expect(runs(project)).toBe(1);
  });

  test('of a stop is shown by status and watch, with who waits for it, until it ends', async ({
    makeProject,
  }) => {
    const project = slowProject(makeProject);
    const stop = startHook(project, mainStops(project));
    await started(project);
    const verify = startRalphLoop(project, ['verify']);
    await isFollowed(project, verify.pid);
    expect(await shownRuns(project)).toEqual([{ waiting: 2, gates: [RUNNING] }]);
    const line = String.raw`slow: \d+ s so far; 2 processes wait for it$`;
    const { stdout: status } = await ralphLoop(project, ['status']);
    expect(status).toMatch(new RegExp(`^Running   ${line}`, 'm'));
    const { stdout: board } = await ralphLoop(project, ['watch']);
    expect(board).toMatch(new RegExp(`^VERIFICATION RUNS 1\n  ${line}`, 'm'));
    go(project);
    await Promise.all([stop, verify]);
    expect(await shownRuns(project)).toEqual([]);
  });

  test('whose owner was killed is not shown by status', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    await hookProcessAnswers(project, mainStops(project), AT_ONCE);
    await started(project);
    expect(await shownRuns(project)).toMatchObject([{ waiting: 0, gates: [{ name: 'slow' }] }]);
    const [gate = 0] = pids(project);
    const owner = ownerOf(project);
    process.kill(owner, 'SIGKILL');
    await expectGone(owner);
    expect(await shownRuns(project)).toEqual([]);
    go(project);
    await expectGone(gate);
  });

  test('of a stop goes on when verify, which follows it, is interrupted', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const stop = startHook(project, mainStops(project));
    await started(project);
    const verify = startRalphLoop(project, ['verify']);
    await isFollowed(project, verify.pid);
    verify.kill('SIGINT');
    expect(await verify).toMatchObject({
      exitCode: 130,
      stdout: expect.stringContaining('Interrupted; another process still runs the gates.'),
    });
    go(project);
    expect((await stop).stdout).toBe('');
    expect(runs(project)).toBe(1);
  });

  test('of verify is joined by a stop, which runs the gates itself when verify is interrupted', async ({
    makeProject,
  }) => {
    const project = slowProject(makeProject);
    const verify = startRalphLoop(project, ['verify']);
    await started(project);
    const stop = startHook(project, mainStops(project));
    await isFollowed(project, stop.pid);
    verify.kill('SIGINT');
    await verify;
    await started(project, 2);
    go(project);
    expect((await stop).stdout).toBe('');
    expect(runs(project)).toBe(2);
  });

  test('whose owner is killed is taken over, and nothing is left of it', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const stop = startHook(project, mainStops(project));
    await started(project);
    const [gate = 0] = pids(project);
    process.kill(ownerOf(project), 'SIGKILL');
    await started(project, 2);
    await expectGone(gate);
    go(project);
    expect((await stop).stdout).toBe('');
    expect(runs(project)).toBe(2);
  });

  test('whose directory is removed ends, and is started again', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    const stop = startHook(project, mainStops(project));
    await started(project);
    const [gate = 0] = pids(project);
    rmSync(runDirectory(project), { recursive: true });
    await started(project, 2);
    await expectGone(gate);
    go(project);
    expect((await stop).stdout).toBe('');
    expect(logOf(project).at(-1)?.notes).toEqual([expect.stringContaining('they were started again')]);
  });

  test('of another program is not believed', async ({ makeProject }) => {
    const project = slowProject(makeProject);
    project.write({ broken: '' });
    await hookProcessAnswers(project, mainStops(project), AT_ONCE);
    const [id = ''] = liveRuns(project);
    const frames = join(runDirectory(project), id, 'frames');
    const genuine = readFileSync(frames);
    const forged = Buffer.from(genuine);
    forged[forged.length - 1] = 255 - (forged.at(-1) ?? 0);
    writeFileSync(frames, forged);
    writeFileSync(join(runDirectory(project), id, 'finished'), '');
    go(project);
    expect((await hookProcessAnswers(project, mainStops(project))).reason).toContain('Error: broken');
  });
});
