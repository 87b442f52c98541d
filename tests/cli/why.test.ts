import { rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { ralphLoop, shell } from '../helpers/bin.ts';
import { type Files, type Project, test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { checkStops, hookAnswers, mainStops } from '../helpers/stops.ts';
import { COLUMNS, canHaveTerminal, inTerminal } from '../helpers/terminal.ts';
import { stops, typed } from '../helpers/typed-gates.ts';

const NOTHING = 'No failure is recorded: no gate has failed, or all gates have passed since.\n';
const LOG = (gate: string) => `.trellis/.ralph/output/${gate}.log`;
/** Two gates; each fails until a file of its name is there. */
const TWO: Files = {
  'worktree.yaml': worktreeYaml([
    `{ name: lint, run: "test -e lint || { echo 'Error: unused variable'; exit 3; }" }`,
    `{ name: test, run: "test -e test || { echo 'Error: expected 1, got 2'; exit 4; }" }`,
  ]),
};

async function why(project: Project, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(project, ['why', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

async function verify(project: Project, exitCode: number, ...args: string[]): Promise<void> {
  expect(await ralphLoop(project, ['verify', ...args])).toMatchObject({ exitCode, stderr: '' });
}

describe.concurrent('why', () => {
  test('shows the failed gate of verify, how it ended, its excerpt and its log', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    const text = await why(project);
    expect(text).toMatch(
      /^✗ lint exited with code 3, after \d+.* m?s\n {2}(?:just now|\d+ s ago), in verify\n/,
    );
    expect(text).toContain('\n  $ test -e lint || ');
    expect(text).toContain('\n    Error: unused variable\n');
    expect(text).toMatch(new RegExp(`\\n    Full output: ${LOG('lint')}\\n$`));
    // A gate that was not run did not fail.
    expect(text).not.toContain('✗ test');
    expect(project.read(LOG('lint'))).toBe('Error: unused variable\n');
  });

  test('names no log that is gone', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    rmSync(project.path(LOG('lint')));
    expect(await why(project)).not.toContain('Full output');
    expect(JSON.parse(await why(project, '--json')).gates).toMatchObject([{ name: 'lint', log: null }]);
  });

  test('shows all gates that failed, or the named one', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1, '--no-fail-fast');
    const both = await why(project);
    expect(both.match(/^✗ \w+ exited with code \d/gm)).toEqual([
      '✗ lint exited with code 3',
      '✗ test exited with code 4',
    ]);
    const one = await why(project, 'test');
    expect(one).toMatch(/^✗ test exited with code 4/);
    expect(one).toContain('    Error: expected 1, got 2\n');
    expect(one).not.toContain('lint');
  });

  test.for([
    { name: 'tset', message: 'No failure of "tset" is recorded; did you mean "test"?\n' },
    { name: 'LINT', message: 'No failure of "LINT" is recorded; did you mean "lint"?\n' },
    { name: 'compile', message: 'No failure of "compile" is recorded; gates that failed: lint, test\n' },
  ])('fails for the gate $name, which has not failed', async ({ name, message }, { makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1, '--no-fail-fast');
    for (const args of [[name], [name, '--full']])
      expect(await ralphLoop(project, ['why', ...args])).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: message,
      });
  });

  test('says that no failure is recorded if no gate has failed', async ({ makeProject }) => {
    const project = makeProject(TWO);
    for (const args of [[], ['test'], ['--full']]) expect(await why(project, ...args)).toBe(NOTHING);
    for (const other of [makeProject(trellisFiles(['false'])), makeProject()])
      expect(await why(other)).toBe(NOTHING);
  });

  test('says that no failure is recorded after verify has passed', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    project.write({ lint: '', test: '' });
    await verify(project, 0);
    expect(await why(project)).toBe(NOTHING);
    expect(await why(project, 'lint')).toBe(NOTHING);
  });

  test('says that no failure is recorded after a stop has passed', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await hookAnswers(project, mainStops(project));
    expect(await why(project)).toContain('Error: unused variable');
    project.write({ lint: '', test: '' });
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
    expect(await why(project)).toBe(NOTHING);
  });

  test('says that no failure is recorded if a stop failed and verify has passed since, and vice versa', async ({
    makeProject,
  }) => {
    const project = makeProject(TWO);
    await hookAnswers(project, mainStops(project));
    project.write({ lint: '', test: '' });
    await verify(project, 0);
    expect(await why(project)).toBe(NOTHING);
    await shell(project, 'rm lint');
    await verify(project, 1);
    project.write({ lint: '' });
    expect(await hookAnswers(project, mainStops(project))).toEqual({});
    expect(await why(project)).toBe(NOTHING);
  });

  test('does not treat an older failure as newer after a run of one gate', async ({ makeProject }) => {
    const project = makeProject(TWO);
    const remembered = () => JSON.parse(project.read('@/failed-verify.json')).gates;
    await verify(project, 1, '--no-fail-fast');
    const [, test] = remembered();
    await hookAnswers(project, mainStops(project));
    project.write({ lint: '' });
    await verify(project, 0, 'lint');
    expect(remembered()).toEqual([test]);
    expect(await why(project)).toContain('at iteration 1 of');
  });

  test('keeps the failures of other gates when one gate passes alone', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1, '--no-fail-fast');
    project.write({ lint: '' });
    await verify(project, 0, 'lint');
    expect(await why(project)).toMatch(/^✗ test exited with code 4/);
  });

  test.for([
    { where: 'a repository', options: { git: true }, from: 'src/deep' },
    { where: 'a directory', options: { git: false }, from: '.' },
  ])(
    'shows the failure of typed gates in $where without a config, from $from',
    async ({ options, from }, { makeProject }) => {
      const project = makeProject({ 'src/deep/a.txt': '' }, options);
      await typed(project, 'fix it :: verify:"echo broken; exit 3"');
      await stops(project);
      const { stdout } = await ralphLoop(project, ['why'], { cwd: project.path(from) });
      expect(stdout).toMatch(/^✗ echo broken; exit 3 exited with code 3/);
    },
  );

  test('shows the later failure of a stop and of verify', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['{ name: test, run: "cat message; exit 1" }']));
    project.write({ message: 'Error: in verify\n' });
    await verify(project, 1);
    project.write({ message: 'Error: at a stop\n' });
    await hookAnswers(project, checkStops(project));
    const ofStop = await why(project);
    expect(ofStop).toMatch(/\n {2}(?:just now|\d+ s ago), at iteration 1 of \.trellis\/tasks\/demo\n/);
    expect(ofStop).toContain('Error: at a stop');
    expect(ofStop).not.toContain('in verify');
    await hookAnswers(project, checkStops(project));
    expect(await why(project)).toMatch(/at iteration 2 of .*, unchanged since iteration 1\n/);
    project.write({ message: 'Error: in verify again\n' });
    await verify(project, 1);
    expect(await why(project)).toMatch(/(?:just now|ago), in verify\n[\s\S]*Error: in verify again\n/);
  });

  test('works in a subdirectory with blanks in its name', async ({ makeProject }) => {
    const project = makeProject({ ...TWO, 'packages/a b/index.js': '' });
    const cwd = project.path('packages/a b');
    const verified = await ralphLoop(project, ['verify'], { cwd });
    expect(verified.stdout).toContain(`Full output: ../../${LOG('lint')}\n`);
    const excerpt = await ralphLoop(project, ['why'], { cwd });
    expect(excerpt).toMatchObject({ exitCode: 0, stderr: '' });
    expect(excerpt.stdout).toContain(`Full output: ../../${LOG('lint')}`);
    const whole = await ralphLoop(project, ['why', '--full'], { cwd });
    expect(whole).toMatchObject({ exitCode: 0, stderr: '', stdout: 'Error: unused variable\n' });
  });

  test.for([
    { broken: 'half a file', text: '{"time":"2026-' },
    { broken: 'another version', text: '{"time":"2026-01-31T10:30:00.000Z","gates":[{"name":"a"}]}' },
    { broken: 'another form', text: '[]' },
  ])('ignores a failure file that is $broken', async ({ text }, { makeProject }) => {
    const project = makeProject({ ...TWO, '@/failed-task.json': text });
    expect(await why(project)).toBe(NOTHING);
    await verify(project, 1);
    expect(await why(project)).toMatch(/^✗ lint /);
  });
});

describe.concurrent('why --full', () => {
  test('prints the whole log to a pipe', async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml(['{ name: test, run: "seq 1 300000; exit 1" }']),
    });
    await verify(project, 1);
    const whole = await why(project, '--full');
    // Not as a matcher: the difference would be long.
    expect(whole === project.read(LOG('test'))).toBe(true);
    expect(whole.split('\n')).toHaveLength(300_001);
    const cut = await shell(project, 'ralph_loop why --full | head -n 2');
    expect(cut).toMatchObject({ exitCode: 0, stdout: '1\n2\n', stderr: '' });
  });

  test('prints the names of several gates, and no name for one gate', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1, '--no-fail-fast');
    expect(await why(project, '--full')).toBe(
      `==> ${LOG('lint')} <==\nError: unused variable\n==> ${LOG('test')} <==\nError: expected 1, got 2\n`,
    );
    expect(await why(project, 'test', '--full')).toBe('Error: expected 1, got 2\n');
  });

  test('fails if the log was removed', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    await shell(project, 'rm -r .trellis/.ralph/output');
    const { exitCode, stdout, stderr } = await ralphLoop(project, ['why', '--full']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('No full output');
    expect(await why(project)).toContain('Error: unused variable');
  });
});

/** What `ralph-loop why` leaves on a terminal of 60 columns. */
async function whyInTerminal(project: Project, args = '', env: Readonly<Record<string, string>> = {}) {
  const { exitCode, stdout } = await inTerminal(project, `why ${args}`, env).running;
  return { exitCode, screen: stdout, lines: stripVTControlCharacters(stdout).split('\r\n') };
}

describe.skipIf(!canHaveTerminal).concurrent('why in a terminal', () => {
  const WORDS = 'words that follow one another '.repeat(8).trim();
  test.for([
    { long: 'its output', gate: `{ name: test, run: "cat words; exit 1" }` },
    { long: 'a line without a blank', gate: `{ name: test, run: "tr ' ' _ < words; exit 1" }` },
    { long: 'its command', gate: `{ name: test, run: "echo ${WORDS} > kept; exit 1" }` },
    { long: 'its name', gate: `{ name: ${'a-very-long-name-'.repeat(8)}, run: "exit 1" }` },
    { long: 'how it ended', gate: `{ name: the-unit-tests, run: "no-such-program-is-here" }` },
  ])('is never wider than the terminal with a long value: $long', async ({ gate }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([gate]), words: `Error: ${WORDS}\n` });
    await verify(project, 1);
    const { exitCode, lines } = await whyInTerminal(project);
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^✗ /);
    expect(lines.filter((line) => [...line].length > COLUMNS)).toEqual([]);
  });

  test('prints colours unless NO_COLOR is set, and never to a pipe', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    const coloured = await whyInTerminal(project);
    expect(coloured.screen).toContain('\x1b[31mError: unused variable');
    const uncoloured = await whyInTerminal(project, '', { NO_COLOR: '1' });
    expect(uncoloured.screen).toContain('    Error: unused variable');
    expect(uncoloured.screen).not.toContain('\x1b');
    expect(await why(project)).not.toContain('\x1b');
  });

  test('runs $PAGER with its options on every log with --full', async ({ makeProject }) => {
    const project = makeProject({
      ...TWO,
      'a pager.sh': 'for word; do echo "[$word]"; done > paged; echo "paged to a terminal: $(tty)"\n',
    });
    await verify(project, 1, '--no-fail-fast');
    const PAGER = `sh "${project.path('a pager.sh')}" --option`;
    const { exitCode, screen } = await whyInTerminal(project, '--full', { PAGER });
    expect(exitCode).toBe(0);
    expect(project.read('paged')).toBe(
      `[--option]\n[${project.path(LOG('lint'))}]\n[${project.path(LOG('test'))}]\n`,
    );
    expect(screen).toMatch(/^paged to a terminal: \/dev\/.*\r\n$/);
  });

  test('prints the log without a pager with --full', async ({ makeProject }) => {
    const project = makeProject(TWO);
    await verify(project, 1);
    const { exitCode, lines } = await whyInTerminal(project, '--full', { PAGER: 'no-such-pager' });
    expect(exitCode).toBe(0);
    expect(lines).toContain('Error: unused variable');
  });
});
