import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { ralphLoop, shell } from '../helpers/bin.ts';
import { logRecord } from '../helpers/log-record.ts';
import { canBeOtherUser, makeReadOnly, ralphLoopAsOther } from '../helpers/other-user.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { iterationRecord, loggedGate, logText, sampleLog } from '../helpers/sample-log.ts';
import { checkStops, decisions, LOG_FILE } from '../helpers/stops.ts';
import { COLUMNS, canHaveTerminal, inTerminal } from '../helpers/terminal.ts';

const ROTATED_FILE = '.trellis/.ralph/log.1.jsonl';
const NO_LOOPS = 'The execution log of my project, .trellis/.ralph/log.jsonl, has no loops';

async function report(project: Project, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, ['report', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const passed = (task: string, days: number) =>
  logRecord({
    task,
    time: daysAgo(days),
    answer: 'allow',
    why: 'commands-passed',
    gates: [loggedGate('lint')],
  });

describe.concurrent('ralph-loop report', () => {
  test('reports the stops that the hook has logged', async ({ makeProject }) => {
    const project = makeProject(
      trellisFiles(['{ name: lint, run: "true" }', '{ name: test, run: "test -e ok" }']),
    );
    await decisions(project, checkStops(project), 6);
    project.write({ ok: '' });
    await decisions(project, checkStops(project), 2);
    const text = await report(project);
    expect(text).toMatch(/^my project: 3 loops, \d{4}-\d\d-\d\d/);
    expect(text).toContain('First try   33 %, 1 of 3\n');
    expect(text).toContain('Passed      2, at iteration 1.5 (median)\n');
    expect(text).toMatch(/Gates that fail most\n.*\n {2}test {5}8 {7}6 {2}75 %\n/);
    expect(text).toMatch(
      /\n {2}\S+ \d\d:\d\d {2}\.trellis\/tasks\/demo\n {4}limit reached, iteration 5\/5: test failed, exit 1\n$/,
    );
    expect(text).not.toContain('\x1b');
  });

  test('reads the rotated log first and skips invalid lines', async ({ makeProject }) => {
    const first = logRecord({ task: 'a', time: daysAgo(2) });
    const project = makeProject({
      [ROTATED_FILE]: logText([first]),
      [LOG_FILE]: `null\n[]\n{"time":7}\n${logText([{ ...passed('a', 1), iteration: 2 }, iterationRecord()])}half a li`,
    });
    const text = await report(project);
    expect(text).toContain(': 2 loops, ');
    expect(text).toMatch(/stop loops +1 +0 +1 +0 +0\n {2}agent runs +1 +1 +0 +0 +0\n/);
  });

  test.for([
    { name: 'no log', files: {} },
    { name: 'an empty log', files: { [LOG_FILE]: '' } },
    {
      name: 'a log without loops',
      files: { [LOG_FILE]: logText([logRecord({ task: null, answer: 'ignore', why: 'x' })]) },
    },
    { name: 'a log that is a directory', files: { [`${LOG_FILE}/x`]: '' } },
  ])('reports in the terminal and on the page that there is $name', async ({ files }, { makeProject }) => {
    const project = makeProject(files);
    expect(await report(project)).toBe(`${NO_LOOPS} yet.\n`);
    expect(await report(project, '--html', 'a.html')).toBe('Report written to a.html\n');
    expect(project.read('a.html')).toContain(`<p>${NO_LOOPS} yet.`);
  });

  test('reports the project around the current directory', async ({ makeProject }) => {
    const project = makeProject({ [LOG_FILE]: logText([passed('a', 1)]), 'src/deep/x': '' });
    const { stdout } = await ralphLoop(project, ['report', '--html', 'r.html'], {
      cwd: project.path('src/deep'),
    });
    expect(stdout).toBe('Report written to r.html\n');
    expect(project.read('src/deep/r.html')).toContain('<h1>my project</h1>');
  });

  test.for([
    { since: '30m', loops: 0 },
    { since: '36h', loops: 1 },
    { since: '7d', loops: 2 },
    { since: '2w', loops: 3 },
    { since: daysAgo(4).slice(0, 10), loops: 2 },
    { since: daysAgo(2), loops: 1 },
  ])('includes $loops of 3 loops with --since $since', async ({ since, loops }, { makeProject }) => {
    const project = makeProject({ [LOG_FILE]: logText([passed('a', 10), passed('b', 3), passed('c', 1)]) });
    const text = await report(project, '--since', since);
    if (loops === 0)
      expect(text).toMatch(new RegExp(`^${NO_LOOPS} since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\.\n$`));
    else expect(text).toContain(`: ${loops} loop`);
  });

  test.for(['yesterday', '7', '', '2026-02-31', '-7d'])(
    'rejects --since "%s"',
    async (since, { makeProject }) => {
      const project = makeProject();
      expect(await ralphLoop(project, ['report', `--since=${since}`, '--html', 'r.html'])).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `Invalid --since "${since}", expected 30m, 24h, 7d, 2w or a date like 2026-01-31.\n`,
      });
      expect(project.has('r.html')).toBe(false);
    },
  );

  test('prints no error when the reader of its output closes the pipe', async ({ makeProject }) => {
    const project = makeProject({ [LOG_FILE]: logText(sampleLog(300)) });
    const { stdout, stderr } = await shell(project, 'ralph_loop report | head -n 1');
    expect({ lines: stdout.split('\n').length, stderr }).toEqual({ lines: 2, stderr: '' });
  });
});

describe.concurrent('ralph-loop report --html', () => {
  const files = { [LOG_FILE]: logText(sampleLog(20)) };
  const left = (project: Project) => readdirSync(project.root).filter((name) => !name.startsWith('.'));

  test('replaces an earlier page, also through a symbolic link', async ({ makeProject }) => {
    const project = makeProject(files);
    await report(project, '--html', 'a.html');
    const earlier = project.read('a.html');
    project.write({ [LOG_FILE]: logText(sampleLog(40)) });
    symlinkSync('a.html', project.path('link.html'));
    await report(project, '--html', 'link.html');
    expect(project.read('a.html')).not.toBe(earlier);
    expect(lstatSync(project.path('link.html')).isSymbolicLink()).toBe(true);
    expect(left(project)).toEqual(['a.html', 'link.html']);
  });

  test.for([
    { name: 'a directory', path: 'out', exitCode: 2, problem: 'it is a directory; name a file in it' },
    {
      name: 'a file in a missing directory',
      path: 'no/r.html',
      exitCode: 2,
      problem: 'no such directory: no',
    },
    {
      name: 'another file',
      path: 'notes.html',
      exitCode: 2,
      problem: 'it exists and is no earlier report; remove it or use another name',
    },
    { name: 'a device', path: '/dev/null', exitCode: 2, problem: 'it is not a regular file' },
    {
      name: 'a name that is too long',
      path: `${'n'.repeat(300)}.html`,
      exitCode: 1,
      problem: 'name too long',
    },
    {
      name: 'a path below a file',
      path: 'notes.html/r.html',
      exitCode: 2,
      problem: 'no such directory: notes.html',
    },
  ])(
    'refuses to write to $name and changes no file',
    async ({ path, exitCode, problem }, { makeProject }) => {
      const project = makeProject({ ...files, 'notes.html': '<!doctype html>\n<html lang="en">mine' });
      mkdirSync(project.path('out'));
      const run = await ralphLoop(project, ['report', '--html', path]);
      expect(run).toMatchObject({ exitCode, stdout: '' });
      expect(run.stderr).toContain(`Cannot write ${path}: ${problem}`);
      expect(project.read('notes.html')).toBe('<!doctype html>\n<html lang="en">mine');
      expect(left(project)).toEqual(['notes.html', 'out']);
      expect(readdirSync(project.path('out'))).toEqual([]);
    },
  );

  test.skipIf(!canBeOtherUser)(
    'prints the reason when the directory is read-only',
    async ({ makeProject }) => {
      const project = makeProject(files);
      makeReadOnly(project);
      const run = await ralphLoopAsOther(project, ['report', '--html', 'r.html']);
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toContain('Cannot write r.html: permission denied');
    },
  );
});

describe.skipIf(!canHaveTerminal).concurrent('ralph-loop report in a terminal', () => {
  const project = { [LOG_FILE]: logText(sampleLog(300)) };

  test('fits the width of the terminal', async ({ makeProject }) => {
    const { stdout } = await inTerminal(makeProject(project), 'report').running;
    const lines = stripVTControlCharacters(stdout).split('\r\n');
    expect(lines).toContain('Slowest gates');
    expect(lines.filter((line) => [...line].length > COLUMNS)).toEqual([]);
  });

  test('prints bold titles unless NO_COLOR is set', async ({ makeProject }) => {
    const { stdout } = await inTerminal(makeProject(project), 'report').running;
    expect(stdout).toContain('\x1b[1mSlowest gates\x1b[22m\r\n');
    const uncoloured = await inTerminal(makeProject(project), 'report', { NO_COLOR: '1' }).running;
    expect(uncoloured.stdout).toContain('\r\nSlowest gates\r\n');
    expect(uncoloured.stdout).not.toContain('\x1b');
  });
});
