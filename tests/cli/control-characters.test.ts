import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type Project, test } from '../helpers/project.ts';
import { checkStops, hookAnswers } from '../helpers/stops.ts';
import { canHaveTerminal, inTerminal } from '../helpers/terminal.ts';

const ESC = '\x1b';
/** Writes to the clipboard, renames the window, clears the screen, hides text, overwrites it, and reverses it. */
const HOSTILE =
  '\x1b]52;c;ZXZpbA==\x07\x1b]0;window\x1b\\\x1b[2J\x1b[8mover\rwritten\b\u009b2K\u202eevil\u2066 VISIBLE \x1b]8;;never ended';
/** What `paint` adds. */
const OUR_COLOURS = new RegExp(`${ESC}\\[(?:3[1239]|[12]|22)m`, 'g');
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u;

function hostileProject(makeProject: (files: Record<string, string>) => Project): Project {
  const text = JSON.stringify(HOSTILE);
  return makeProject({
    '.trellis/.current-task': `tasks/demo ${HOSTILE.replace('\r', '')}\n`,
    '.trellis/tasks/demo/task.json': JSON.stringify({ title: HOSTILE }),
    '.trellis/worktree.yaml': `verify:\n  - name: ${text}\n    run: ${JSON.stringify(`printf '${HOSTILE}\\n'; exit 1`)}\n    description: ${text}\n`,
    'spec.md': HOSTILE,
    '.trellis/.ralph-state.json': JSON.stringify({
      task: `tasks/demo ${HOSTILE}`,
      iteration: 1,
      started_at: '2026-01-01T00:00:00',
    }),
  });
}

/** Commands, and what each shows of the names. */
const COMMANDS: [args: readonly string[], shows: string][] = [
  [['verify'], 'VISIBLE'],
  [['verify', '--verbose'], 'VISIBLE'],
  [['verify', '--json'], 'VISIBLE'],
  [['verify', '--dry-run'], 'VISIBLE'],
  [['verify', '--dry-run', '--json'], 'VISIBLE'],
  [['verify', '--only', HOSTILE], 'VISIBLE'],
  [['why'], 'VISIBLE'],
  [['why', HOSTILE], 'VISIBLE'],
  [['status'], 'VISIBLE'],
  [['status', '--json'], 'VISIBLE'],
  [['watch'], 'VISIBLE'],
  [['report'], 'VISIBLE'],
  [['doctor'], ''],
  [['doctor', '--json'], ''],
  [['checkpoint', 'list'], ''],
  [['init', '--print', '--yes', '--host', 'codex'], ''],
  [['cancel', HOSTILE], 'VISIBLE'],
  [['run', '--print-prompt', '--task', 'a', '--prompt-file', 'spec.md', '--', 'cat'], 'VISIBLE'],
  [['run', '--task', HOSTILE, '--prompt-file', 'spec.md', '--', 'cat'], ''],
  [['reset', '--all'], ''],
];

test('no command prints a control character of a project or a gate', async ({ makeProject }) => {
  const project = hostileProject(makeProject);
  await ralphLoop(project, ['hook'], { input: JSON.stringify(checkStops(project)) });
  for (const [args, shows] of COMMANDS) {
    const { stdout, stderr } = await ralphLoop(project, args);
    expect.soft(stdout + stderr, args.join(' ')).toContain(shows);
    expect.soft(stdout + stderr, args.join(' ')).not.toMatch(CONTROLS);
    if (args.includes('--json')) JSON.parse(stdout);
  }
});

test('the reason of a block contains no control character of a project or a gate', async ({
  makeProject,
}) => {
  const project = hostileProject(makeProject);
  const { reason = '' } = await hookAnswers(project, checkStops(project));
  expect(reason).toContain('VISIBLE');
  expect(reason).not.toMatch(CONTROLS);
});

test('the page of a report contains no control character of a project', async ({ makeProject }) => {
  const project = hostileProject(makeProject);
  await ralphLoop(project, ['hook'], { input: JSON.stringify(checkStops(project)) });
  await ralphLoop(project, ['report', '--html', 'page.html']);
  expect(project.read('page.html')).toContain('VISIBLE');
  expect(project.read('page.html')).not.toMatch(CONTROLS);
});

describe
  .skipIf(!canHaveTerminal)
  .concurrent('in a terminal, only our own colours and cursor are written by', () => {
    test.for([['verify'], ['verify --verbose'], ['why'], ['why --full'], ['status --all']])(
      '%s',
      async ([args = ''], { makeProject }) => {
        const project = hostileProject(makeProject);
        await ralphLoop(project, ['verify']);
        const { running, screen } = inTerminal(project, args, { PAGER: 'no-pager' });
        await running;
        expect(screen()).toContain('VISIBLE');
        // A live line goes to its start and clears itself.
        const rest = screen()
          .replaceAll('\r\n', '\n')
          .replaceAll(`${ESC}[1G${ESC}[K`, '')
          .replaceAll(OUR_COLOURS, '');
        expect(rest).not.toMatch(CONTROLS);
      },
    );
  });
