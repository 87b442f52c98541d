import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { git, gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, test, trellisFiles } from '../helpers/project.ts';
import { checkStops, type HookOptions, hookAnswers } from '../helpers/stops.ts';

const UNCHANGED = 'Unchanged since iteration';
const UNTOUCHED = 'Nothing in the working tree has changed since your last stop';
/** The code of the error: it is in a full report, and not in a summary. */
const DETAIL = 'paint(wall)';
/** Fails in the same way until `message` changes; passes if the file `passes` exists. */
const GATE = `{ name: test, run: "test -e passes && exit 0; cat message detail; exit 1" }`;
const FILES: Files = {
  ...trellisFiles([GATE]),
  message: 'Error: expected red, got blue\n',
  detail: `  Expected: red\n  Received: blue\n  3 | ${DETAIL}\n`,
  'index.js': '',
};

/** Creates a project in a repository with all files committed. */
const makeRepository = (makeProject: MakeProject, files: Files = FILES) => gitProject(makeProject, files);

async function stop(project: Project, options: HookOptions = {}): Promise<string> {
  const { decision, reason = '' } = await hookAnswers(project, checkStops(project), options);
  expect(decision).toBe('block');
  return reason;
}

function expectFullReport(reason: string, iteration: number): void {
  expect(reason).toMatch(new RegExp(`^Iteration ${iteration}/5\\. Verification failed:\n`));
  expect(reason).toContain(DETAIL);
  expect(reason).not.toContain(UNCHANGED);
}

describe.concurrent('a failure that is the same as at the last stop', () => {
  test('without a change of the tree is reported as unchanged, without its output', async ({
    makeProject,
  }) => {
    const project = makeRepository(makeProject);
    const first = await stop(project);
    expectFullReport(first, 1);
    expect(first).not.toContain(UNTOUCHED);
    for (const iteration of [2, 3]) {
      const again = await stop(project);
      expect(again).toMatch(new RegExp(`^Iteration ${iteration}/5\\. Verification failed:\n`));
      expect(again).toContain(`${UNCHANGED} 1.`);
      expect(again).toContain(UNTOUCHED);
      expect(again).not.toContain(DETAIL);
      // Enough to know which failure it is, and where to read the rest.
      expect(again).toContain('\n  Error: expected red, got blue\n    Expected: red\n    Received: blue\n');
      expect(again).toContain('Full output: .trellis/.ralph/output/test.log');
      expect(again.length).toBeLessThan(first.length + 600);
    }
  });

  test.for([
    { done: 'a tracked file changed', act: (project: Project) => project.write({ 'index.js': 'changed' }) },
    { done: 'a file was added', act: (project: Project) => project.write({ 'src/new file.js': '' }) },
    { done: 'a file was removed', act: (project: Project) => git(project, 'rm', '--quiet', 'index.js') },
    {
      done: 'a change was committed',
      act: (project: Project) => {
        project.write({ 'index.js': 'changed' });
        git(project, 'commit', '--quiet', '--all', '--message', 'Try');
      },
    },
  ])('after $done is reported as unchanged, but the tree is not', async ({ act }, { makeProject }) => {
    const project = makeRepository(makeProject);
    await stop(project);
    act(project);
    const tried = await stop(project);
    expect(tried).toContain(`${UNCHANGED} 1:`);
    expect(tried).not.toContain(UNTOUCHED);
    expect(tried).not.toContain(DETAIL);
    // No change since then.
    expect(await stop(project)).toContain(UNTOUCHED);
  });

  test('after a second change of one file is not reported as an unchanged tree', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    project.write({ 'index.js': 'one', 'new.js': 'one' });
    await stop(project);
    project.write({ 'index.js': 'two' });
    expect(await stop(project)).not.toContain(UNTOUCHED);
    project.write({ 'new.js': 'two' });
    expect(await stop(project)).not.toContain(UNTOUCHED);
    git(project, 'add', '--all');
    expect(await stop(project)).toContain(UNTOUCHED);
  });

  test('after a change of an ignored file is reported as an unchanged tree', async ({ makeProject }) => {
    const project = makeRepository(makeProject, { ...FILES, '.gitignore': 'cache\n' });
    await stop(project);
    project.write({ cache: 'anew' });
    expect(await stop(project)).toContain(UNTOUCHED);
  });

  test('but has other errors is reported in full', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    await stop(project);
    await stop(project);
    project.write({ message: 'Error: there is no such colour\n' });
    const changed = await stop(project);
    expectFullReport(changed, 3);
    expect(changed).toContain('Error: there is no such colour');
    expect(changed).not.toContain(UNTOUCHED);
    expect(await stop(project)).toContain(`${UNCHANGED} 3.`);
  });

  test('but ended in another way is reported in full', async ({ makeProject }) => {
    const project = makeRepository(makeProject, {
      ...FILES,
      ...trellisFiles([`{ name: test, run: "cat message detail; . ./end" }`]),
      end: 'exit 1\n',
    });
    await stop(project);
    project.write({ end: 'kill -9 $$\n' });
    const killed = await stop(project);
    expectFullReport(killed, 2);
    expect(killed).toContain('was killed by SIGKILL');
  });

  test('except for times and durations is reported as unchanged', async ({ makeProject }) => {
    const gate = 'echo "Error: expected red, got blue (after $(date +%N) ms)"; exit 1';
    const project = makeRepository(makeProject, trellisFiles([gate]));
    await stop(project);
    expect(await stop(project)).toContain(`${UNCHANGED} 1.`);
  });

  test('outside of a repository is reported without a sentence about the tree', async ({ makeProject }) => {
    const project = makeProject(FILES);
    await stop(project);
    for (const _ of [2, 3]) {
      const again = await stop(project);
      expect(again).toContain(`${UNCHANGED} 1:`);
      expect(again).not.toContain(UNTOUCHED);
    }
  });

  test.for([
    { how: 'is not installed', git: 'echo "git: not found" >&2; exit 127\n' },
    { how: 'fails', git: 'exit 128\n' },
    { how: 'does not end', git: 'exec sleep 600\n' },
  ])(
    'where git $how is reported without a sentence about the tree',
    async ({ git: script }, { makeProject }) => {
      const project = makeRepository(makeProject);
      project.write({ '../bin/git': `#!/bin/sh\n${script}` });
      chmodSync(project.path('../bin/git'), 0o755);
      const env = { PATH: [project.path('../bin'), project.environment.PATH].join(delimiter) };
      await stop(project, { env });
      const again = await stop(project, { env });
      expect(again).toContain(`${UNCHANGED} 1:`);
      expect(again).not.toContain(UNTOUCHED);
    },
  );

  test('in a repository without a commit is reported as unchanged', async ({ makeProject }) => {
    const project = makeProject(FILES, { git: false });
    git(project, 'init', '--quiet');
    await stop(project);
    const again = await stop(project);
    expect(again).toContain(`${UNCHANGED} 1.`);
    project.write({ 'index.js': 'changed' });
    expect(await stop(project)).not.toContain(UNTOUCHED);
  });

  test('after a gate has written a file is reported as an unchanged tree', async ({ makeProject }) => {
    const gate = `{ name: test, run: "date +%N > 'a report.txt'; cat message detail; exit 1" }`;
    const project = makeRepository(makeProject, { ...FILES, ...trellisFiles([gate]) });
    await stop(project);
    expect(await stop(project)).toContain(UNTOUCHED);
    expect(await stop(project)).toContain(UNTOUCHED);
    project.write({ 'a report.txt': 'by the agent' });
    expect(await stop(project)).not.toContain(UNTOUCHED);
  });

  test('in one gate is summarized, and the other gates are reported in full', async ({ makeProject }) => {
    const lint = `{ name: lint, run: "cat lint; exit 1" }`;
    const files = {
      ...FILES,
      ...trellisFiles([lint, GATE], 'ralph:\n  fail_fast: false\n'),
      lint: 'Error: one\n',
    };
    const project = makeRepository(makeProject, files);
    await stop(project);
    project.write({ lint: 'Error: quite another\n' });
    const reason = await stop(project);
    expect(reason).toContain('\nError: quite another\n');
    expect(reason).toContain(`${UNCHANGED} 1:`);
    expect(reason).not.toContain(DETAIL);
  });
});

describe.concurrent('the recorded failure of the last stop', () => {
  test.for([
    { broken: 'empty', text: '' },
    { broken: 'half written', text: '{"time":"2026-01-' },
    { broken: 'a list', text: '[]' },
    { broken: 'null', text: 'null' },
    { broken: 'of another version', text: '{"time":"2026","task":".trellis/tasks/demo","iteration":1}' },
    {
      broken: 'of another type',
      text: JSON.stringify({
        time: '2026-01-31T10:30:00.000Z',
        task: '.trellis/tasks/demo',
        iteration: 1,
        tree: 7,
        gates: [
          { name: 'test', command: 'x', outcome: { reason: 'failed' }, errors: [7, null], excerpt: [] },
        ],
      }),
    },
  ])('is ignored when its file is $broken', async ({ text }, { makeProject }) => {
    const project = makeRepository(makeProject);
    const [file, stale] = ['@/failed-task.json', '@/failed-verify.json'];
    project.write({ [file]: text, [stale]: text });
    expectFullReport(await stop(project), 1);
    expect(JSON.parse(project.read(file))).toMatchObject({ iteration: 1, gates: [{ name: 'test' }] });
    project.write({ [file]: text });
    expectFullReport(await stop(project), 2);
    expect(await stop(project)).toContain(`${UNCHANGED} 2.`);
  });

  test('is ignored when its file is a directory', async ({ makeProject }) => {
    const project = makeRepository(makeProject, {
      ...FILES,
      '@/failed-task.json/inside': '',
    });
    expectFullReport(await stop(project), 1);
    expectFullReport(await stop(project), 2);
  });

  test('is removed after a pass', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    await stop(project);
    project.write({ passes: '' });
    expect(await hookAnswers(project, checkStops(project))).toEqual({});
    git(project, 'clean', '--quiet', '--force', 'passes');
    const next = await stop(project);
    expectFullReport(next, 1);
    expect(next).not.toContain(UNTOUCHED);
  });

  test('is not used after the limit', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    for (const _ of [1, 2, 3, 4]) await stop(project);
    expect((await hookAnswers(project, checkStops(project))).decision).not.toBe('block');
    const next = await stop(project);
    expectFullReport(next, 1);
    expect(next).not.toContain(UNTOUCHED);
  });

  test('is not used for another task', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    await stop(project);
    project.write({ '.trellis/.current-task': 'tasks/other\n', '.trellis/tasks/other/task.json': '{}\n' });
    // The blocks of this agent are counted from task to task.
    expectFullReport(await stop(project), 2);
  });

  test('is separate from that of verify', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(1);
    const reason = await stop(project);
    expectFullReport(reason, 1);
    expect(reason).not.toContain(UNTOUCHED);
    // A verify in between does not remove the failure of the stop.
    expect((await ralphLoop(project, ['verify'])).exitCode).toBe(1);
    expect(await stop(project)).toContain(UNTOUCHED);
  });

  test('is removed by reset', async ({ makeProject }) => {
    const project = makeRepository(makeProject);
    await stop(project);
    expect((await ralphLoop(project, ['reset'])).exitCode).toBe(0);
    expectFullReport(await stop(project), 1);
  });
});
