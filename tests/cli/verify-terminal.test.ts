import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { expectGone } from '../helpers/processes.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { sleepLong, waitFor } from '../helpers/shell-commands.ts';
import { COLUMNS, canHaveTerminal, inTerminal } from '../helpers/terminal.ts';

/** The cursor goes to the start of its line. */
const TO_START = '\x1b[1G';

/** Each state of the line that is drawn over and over. */
const drawnLines = (screen: string) =>
  screen
    .replaceAll(TO_START, '\n')
    .split(/[\r\n]+/)
    .map((line) => stripVTControlCharacters(line));

/** In columns; everything beyond ASCII that gates are called here is two wide, apart from our own marks. */
const widthOf = (line: string) =>
  [...line].reduce((width, character) => width + (/[\u2e80-\u{1faff}]/u.test(character) ? 2 : 1), 0);

describe.skipIf(!canHaveTerminal).concurrent('verify in a terminal', () => {
  test.for([
    { name: 'short', gate: 'lint' },
    { name: 'as long as possible', gate: 'a-very-long-name-'.repeat(20) },
    { name: 'wide', gate: '検証する'.repeat(20) },
  ])(
    'redraws one line, never wider than the terminal, for a name that is $name',
    async ({ gate }, { makeProject }) => {
      const project = makeProject({
        'worktree.yaml': worktreeYaml([`{ name: ${gate}, run: "${waitFor('go').replaceAll('"', '\\"')}" }`]),
      });
      const { running, screen } = inTerminal(project, 'verify');
      const frames = () => new Set(screen().match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu));
      await eventually('the line has moved', () => frames().size >= 3);
      const whileRunning = screen();
      project.write({ go: '' });
      expect((await running).exitCode).toBe(0);
      expect(whileRunning).not.toContain('\n');
      expect(Math.max(...drawnLines(whileRunning).map(widthOf))).toBeLessThanOrEqual(COLUMNS);
      const [last = ''] = screen()
        .split('\r\n')
        .filter((line) => line.includes('✓'));
      expect(last.slice(last.lastIndexOf(TO_START))).toContain('✓');
      expect(screen()).toContain('1 gate passed');
    },
  );

  test('shows all gates that run at the same time in one line, then those that are left', async ({
    makeProject,
  }) => {
    const waits = (file: string) => waitFor(file).replaceAll('"', '\\"');
    const gates = [`{ name: lint, run: "${waits('go')}" }`, `{ name: test, run: "${waits('go-on')}" }`];
    const project = makeProject({ 'worktree.yaml': worktreeYaml(gates, 'ralph:\n  jobs: 2\n') });
    const { running, screen } = inTerminal(project, 'verify');
    const shows = (text: string) => () => drawnLines(screen()).some((line) => line.includes(text));
    await eventually('both gates are shown', shows(' lint, test  '));
    project.write({ go: '' });
    await eventually('the other gate is shown', () =>
      drawnLines(screen()).some((line) => /^. test {2}/u.test(line)),
    );
    project.write({ 'go-on': '' });
    expect((await running).exitCode).toBe(0);
    const lines = drawnLines(screen());
    expect(lines.findIndex((line) => line.includes('✓ lint'))).toBeLessThan(
      lines.findIndex((line) => line.includes('✓ test')),
    );
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(COLUMNS);
  });

  test('prints colours unless NO_COLOR is set', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']) });
    const isColoured = (text: string) => text.split('\x1b[').some((sequence) => /^\d+m/.test(sequence));
    const [coloured, plain] = [
      inTerminal(project, 'verify'),
      inTerminal(project, 'verify', { NO_COLOR: '1' }),
    ];
    await Promise.all([coloured.running, plain.running]);
    expect(isColoured(coloured.screen())).toBe(true);
    expect(plain.screen()).toContain('1 gate passed');
    expect(isColoured(plain.screen())).toBe(false);
  });

  test('ends with all its gates at Ctrl-C', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([sleepLong('a.pid'), 'touch second']) });
    const { running, screen } = inTerminal(project, 'verify');
    const pid = await project.pidIn('a.pid');
    running.stdin.write('\x03');
    expect((await running).exitCode).toBe(130);
    expect(screen()).toContain('Interrupted');
    await expectGone(pid);
    expect(project.has('second')).toBe(false);
  });

  test('prints the output of the gates with --verbose, and draws nothing over it', async ({
    makeProject,
  }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo printed']) });
    const { running, screen } = inTerminal(project, 'verify --verbose');
    await running;
    expect(stripVTControlCharacters(screen())).toContain('\r\nprinted\r\n');
    expect(screen()).not.toContain(TO_START);
  });

  test('prints only JSON with --json', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo printed']) });
    const { running, screen } = inTerminal(project, 'verify --json');
    await running;
    expect(JSON.parse(screen())).toMatchObject({ verdict: 'passed' });
  });
});
