import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop, startRalphLoop } from '../helpers/bin.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Files, test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { ignoreTerm, sleepLong, waitFor } from '../helpers/shell-commands.ts';
import {
  checkStops,
  hookAnswers,
  hookProcessAnswers,
  logOf,
  mainStops,
  startHook,
} from '../helpers/stops.ts';

/** Commands of gates, which run at the same time. */
function parallel(gates: Readonly<Record<string, string>>, jobs: string, more = ''): Files {
  const items = Object.entries(gates).map(
    ([name, run]) => `  - { name: ${name}, run: '${run.replaceAll("'", "''")}'${more} }\n`,
  );
  return { 'worktree.yaml': `verify:\n${items.join('')}ralph:\n  jobs: ${jobs}\n` };
}

/** A command that ends only while another one runs, too. */
const meets = (own: string, other: string) => `touch ${own}; ${waitFor(other)}`;
/** Fails if another such command runs at the same time. */
const LOCK = 'mkdir lock && node -e 0 && rmdir lock';

const outcomesIn = (stdout: string): unknown =>
  JSON.parse(stdout).gates.map(({ name, outcome }: Record<string, string>) => `${name} ${outcome}`);

describe.concurrent('verify with several jobs', () => {
  test('runs gates that wait for each other, and reports them in the order of the list', async ({
    makeProject,
  }) => {
    const project = makeProject(parallel({ a: meets('a', 'b'), b: meets('b', 'a') }, '2'));
    const { stdout, exitCode } = await ralphLoop(project, ['verify', '--json']);
    expect(exitCode).toBe(0);
    expect(outcomesIn(stdout)).toEqual(['a passed', 'b passed']);
    expect(JSON.parse(stdout).gates.map(({ log }: { log: string }) => log)).toEqual([null, null]);
  });

  test('runs exclusive gates alone', async ({ makeProject }) => {
    const gates = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`g${n}`, LOCK]));
    const project = makeProject(parallel(gates, '6', ', exclusive: true'));
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
  });

  test('ends the process groups of the others when one fails, but not those that do not block', async ({
    makeProject,
  }) => {
    const gates = [
      `{ name: a, run: "${waitFor('a.pid').replaceAll('"', '\\"')}; ${waitFor('b.pid').replaceAll('"', '\\"')}; exit 3" }`,
      `{ name: sleeps, run: "${sleepLong('a.pid')}" }`,
      `{ name: ignores, run: '${ignoreTerm('b.pid')}' }`,
      `{ name: warns, run: "while [ -e running ]; do sleep 0.01; done; touch warned", blocking: false }`,
      '{ name: later, run: "touch later" }',
    ];
    const project = makeProject({
      'worktree.yaml': worktreeYaml(gates, 'ralph:\n  jobs: 4\n'),
      running: '',
    });
    const running = startRalphLoop(project, ['verify', '--json']);
    const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
    await expectGone(...pids);
    // The gate that does not block has outlived them.
    rmSync(project.path('running'));
    const { stdout, exitCode } = await running;
    expect(exitCode).toBe(1);
    expect(outcomesIn(stdout)).toEqual([
      'a failed',
      'sleeps skipped',
      'ignores skipped',
      'warns passed',
      'later skipped',
    ]);
    expect([project.has('warned'), project.has('later')]).toEqual([true, false]);
  });

  test('reports a gate that another one kills as killed', async ({ makeProject }) => {
    // A gate that does not block is not ended when the other one fails, so its own result is certain.
    const project = makeProject({
      'worktree.yaml': worktreeYaml(
        [
          `{ name: killer, run: '${waitFor('b.pid').replaceAll("'", "''")}; kill -s KILL -- "-$(cat b.pid)"', blocking: false }`,
          '{ name: victim, run: "echo $$ > b.new; mv b.new b.pid; exec sleep 600" }',
        ],
        'ralph:\n  jobs: 2\n',
      ),
    });
    const { stdout, exitCode } = await ralphLoop(project, ['verify', '--json']);
    expect(exitCode).toBe(1);
    expect(outcomesIn(stdout)).toEqual(['killer passed', 'victim killed']);
  });

  test('prints whole lines, each after the name of its gate, with --verbose', async ({ makeProject }) => {
    const says = (own: string, other: string) =>
      `printf "${own} "; ${meets(own, other)}; printf "1\\n${own} 2"; echo "${own} 3" >&2`;
    const project = makeProject(parallel({ a: says('a', 'bb'), bb: says('bb', 'a') }, '2'));
    const { stdout } = await ralphLoop(project, ['verify', '--verbose']);
    const lines = stdout.split('\n').filter((line) => line.includes('|'));
    expect(lines.toSorted()).toEqual([
      'a  | a 1',
      'a  | a 2',
      'a  | a 3',
      'bb | bb 1',
      'bb | bb 2',
      'bb | bb 3',
    ]);
  });

  test('keeps the output, the excerpt and the log of each gate apart', async ({ makeProject }) => {
    const fails = (own: string, other: string) => `${meets(own, other)}; echo "Error: why ${own}"; exit 1`;
    const files = parallel({ A: fails('one', 'two'), a: fails('two', 'one') }, '2');
    const project = makeProject({
      'worktree.yaml': `${files['worktree.yaml']}  fail_fast: false\n`,
    });
    const { stdout } = await ralphLoop(project, ['verify']);
    expect(stdout).toMatch(/^▸ A\n▸ a\n/);
    expect(stdout).toMatch(/✗ A .*\n {4}Error: why one\n {4}Full output: .*\/A\.log\n/);
    expect(stdout).toMatch(/✗ a .*\n {4}Error: why two\n {4}Full output: .*\/a-2\.log\n/);
    expect(project.read('.trellis/.ralph/output/a-2.log')).toBe('Error: why two\n');
  });

  test('runs a gate that is asked for without those that it needs', async ({ makeProject }) => {
    const gates = ['{ name: build, run: "touch built" }', '{ name: test, run: "true", needs: [build] }'];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates) });
    const { stdout, exitCode } = await ralphLoop(project, ['verify', 'test', '--json']);
    expect(exitCode).toBe(0);
    expect(outcomesIn(stdout)).toEqual(['test passed']);
    expect(project.has('built')).toBe(false);
  });

  test('shows needs and exclusive with --dry-run --json', async ({ makeProject }) => {
    const gates = ['{ name: a, run: x }', '{ name: b, run: x, needs: [a], exclusive: true }'];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates) });
    const { stdout } = await ralphLoop(project, ['verify', '--dry-run', '--json']);
    const [a, b] = JSON.parse(stdout);
    expect(b).toMatchObject({ needs: ['a'], exclusive: true });
    expect(Object.keys(a)).not.toContain('needs');
  });

  test('reports a cycle in needs, and exits with 2', async ({ makeProject }) => {
    const gates = ['{ name: a, run: x, needs: [b] }', '{ name: b, run: x, needs: [a] }'];
    const { stderr, exitCode } = await ralphLoop(makeProject({ 'worktree.yaml': worktreeYaml(gates) }), [
      'verify',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^worktree\.yaml:3:32: found a cycle in "needs": a → b → a, /);
  });
});

describe.concurrent('a stop with several jobs', () => {
  test('is blocked when one of several gates fails, and what failed starts first at the next stop', async ({
    makeProject,
  }) => {
    const more = `ralph:\n  jobs: 2\n`;
    const gates = (...names: readonly string[]) =>
      trellisFiles(
        names.map((name) => `{ name: ${name}, run: "echo ${name} >> started; test ${name} != c" }`),
        more,
      );
    const project = makeProject(gates('a', 'b', 'c'));
    expect((await hookAnswers(project, checkStops(project))).decision).toBe('block');
    project.write({ started: '' });
    expect((await hookAnswers(project, checkStops(project))).decision).toBe('block');
    expect(project.read('started').split('\n').slice(0, 2)).toContain('c');
    expect(logOf(project).map((record) => record.gates.map(({ name }) => name))).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  test('ends all gates when the host ends the hook', async ({ makeProject }) => {
    const names = ['a', 'b', 'c', 'd'];
    const gates = parallel(Object.fromEntries(names.map((name) => [name, ignoreTerm(`${name}.pid`)])), '4');
    const project = makeProject(gates);
    const hook = startHook(project, mainStops(project));
    const pids = await Promise.all(names.map((name) => project.pidIn(`${name}.pid`)));
    hook.kill('SIGTERM');
    expect((await hook).exitCode).toBe(143);
    await expectGone(...pids);
    expect(logOf(project)).toMatchObject([
      { answer: 'none', gates: names.map((name) => ({ name, outcome: 'interrupted' })) },
    ]);
  });

  test('is blocked as incomplete when several gates run at the deadline', async ({ makeProject }) => {
    const project = makeProject(
      parallel({ a: ignoreTerm('a.pid'), b: sleepLong('b.pid'), c: 'touch c' }, '2'),
    );
    const { reason } = await hookProcessAnswers(project, mainStops(project), { args: ['--deadline', '4'] });
    expect(reason).toMatch(/^Iteration 1\/5\. Verification incomplete:/);
    await expectGone(...(await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')])));
    expect(logOf(project)).toMatchObject([
      { gates: [{ outcome: 'out-of-time' }, { outcome: 'out-of-time' }, { outcome: 'skipped' }] },
    ]);
  });

  test('masks a secret of one gate in the output of another', async ({ makeProject }) => {
    const gates = [
      `{ name: a, run: "${meets('a', 'b').replaceAll('"', '\\"')}", env: { A_TOKEN: hunter2-hunter2 } }`,
      `{ name: b, run: "${meets('b', 'a').replaceAll('"', '\\"')}; echo Error hunter2-hunter2; exit 1" }`,
    ];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates, 'ralph:\n  jobs: 2\n') });
    const { reason } = await hookAnswers(project, mainStops(project));
    expect(reason).toContain('Error ***');
    expect(reason).not.toContain('hunter2');
  });
});
