import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { BIN } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectGone } from '../helpers/processes.ts';
import { type Project, test, worktreeYaml } from '../helpers/project.ts';
import { sleepLong, waitFor } from '../helpers/puppets.ts';

/** util-linux's `script` gives a command a terminal; others take other arguments. */
const canHaveTerminal = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();
if (!canHaveTerminal) console.log('skipped: there is no util-linux `script` to make a terminal with');

const COLUMNS = 60;
/** The cursor goes to the start of its line. */
const TO_START = '\x1b[1G';

/** Runs `ralph-loop verify` in a terminal of 60 columns; what is written to its stdin is typed. */
function inTerminal(project: Project, args = '', env: Readonly<Record<string, string>> = {}) {
  const command = `stty cols ${COLUMNS} rows 24; exec "${process.execPath}" "${BIN}" verify ${args}`;
  const running = execa('script', ['-qec', command, '/dev/null'], {
    cwd: project.root,
    env: { ...project.environment, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    stdin: 'pipe',
  });
  let screen = '';
  running.stdout.on('data', (text) => {
    screen += text;
  });
  return { running, screen: () => screen };
}

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
    { name: 'as long as it gets', gate: 'a-very-long-name-'.repeat(20) },
    { name: 'wide', gate: '検証する'.repeat(20) },
  ])(
    'draws one line that moves, never wider than the terminal: a name that is $name',
    async ({ gate }, { makeProject }) => {
      const project = makeProject({
        'worktree.yaml': worktreeYaml([`{ name: ${gate}, run: "${waitFor('go').replaceAll('"', '\\"')}" }`]),
      });
      const { running, screen } = inTerminal(project);
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

  test('in colour, unless NO_COLOR is set', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['true']) });
    const isColoured = (text: string) => text.split('\x1b[').some((sequence) => /^\d+m/.test(sequence));
    const [coloured, plain] = [inTerminal(project), inTerminal(project, '', { NO_COLOR: '1' })];
    await Promise.all([coloured.running, plain.running]);
    expect(isColoured(coloured.screen())).toBe(true);
    expect(plain.screen()).toContain('1 gate passed');
    expect(isColoured(plain.screen())).toBe(false);
  });

  test('ends at Ctrl-C with nothing left running', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([sleepLong('a.pid'), 'touch second']) });
    const { running, screen } = inTerminal(project);
    const pid = await project.pidIn('a.pid');
    running.stdin.write('\x03');
    expect((await running).exitCode).toBe(130);
    expect(screen()).toContain('Interrupted');
    await expectGone(pid);
    expect(project.has('second')).toBe(false);
  });

  test('--verbose prints what the gates print, and draws nothing over it', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo printed']) });
    const { running, screen } = inTerminal(project, '--verbose');
    await running;
    expect(stripVTControlCharacters(screen())).toContain('\r\nprinted\r\n');
    expect(screen()).not.toContain(TO_START);
  });

  test('--json writes JSON alone', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo printed']) });
    const { running, screen } = inTerminal(project, '--json');
    await running;
    expect(JSON.parse(screen())).toMatchObject({ verdict: 'passed' });
  });
});
