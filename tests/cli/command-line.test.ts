import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop, shell } from '../helpers/bin.ts';
import { test } from '../helpers/project.ts';

const COMMANDS = [
  'hook',
  'demo',
  'init',
  'doctor',
  'verify',
  'why',
  'gate',
  'status',
  'run',
  'cancel',
  'watch',
  'reset',
  'report',
  'history',
  'mcp',
  'uninstall',
  'completion',
];
const CHECKPOINT = [
  'checkpoint',
  ...['create', 'list', 'show', 'restore', 'drop'].map((name) => `checkpoint ${name}`),
];

describe.concurrent('the command line', () => {
  test.for(['subagent-stop', ...COMMANDS, ...CHECKPOINT])(
    'of %s has a help page with an example',
    async (command, { makeProject }) => {
      const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), [...command.split(' '), '--help']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const example = stdout.slice(stdout.indexOf('Example'));
      const name = command === 'subagent-stop' ? 'hook' : command;
      expect(example).toMatch(new RegExp(`ralph-loop(?:-cli)? ${name}`));
      expect(stdout).not.toContain('(default: false)');
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test('lists every command in its help', async ({ makeProject }) => {
    const { exitCode, stdout } = await ralphLoop(makeProject(), ['--help']);
    expect(exitCode).toBe(0);
    for (const command of [...COMMANDS, 'checkpoint'])
      expect(stdout).toMatch(new RegExp(`^  ${command}`, 'm'));
  });

  test('without a command prints the help on stderr, exit 2', async ({ makeProject }) => {
    const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), []);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('verify');
  });

  test.for([
    { typed: 'verfy', meant: 'verify' },
    { typed: 'stats', meant: 'status' },
    { typed: 'rest', meant: 'reset' },
    { typed: 'hok', meant: 'hook' },
    // Not "reset", which is spelt alike.
    { typed: 'test', meant: 'verify' },
    { typed: 'check', meant: 'verify' },
    { typed: 'setup', meant: 'init' },
    { typed: 'remove', meant: 'uninstall' },
  ])('suggests $meant for the unknown command $typed, exit 2', async ({ typed, meant }, { makeProject }) => {
    const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), [typed]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`unknown command '${typed}'\n(Did you mean ${meant}?)\n`);
  });

  test.for([
    [['status', '--jsn'], 'ralph-loop status'],
    [['reset', 'everything'], 'ralph-loop reset'],
    [['checkpoint', 'show'], 'ralph-loop checkpoint show'],
    [['--jsn'], 'ralph-loop'],
  ] as const)(
    '%j is a usage error, exit 2, which names the help of the command',
    async ([args, command], { makeProject }) => {
      const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^error: /);
      expect(stderr).toContain(`See '${command} --help'.\n`);
    },
  );

  test.for(['constructor', 'xyzzy'])('suggests nothing for %s', async (typed, { makeProject }) => {
    const { exitCode, stderr } = await ralphLoop(makeProject(), [typed]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: unknown command '${typed}'\nSee 'ralph-loop --help'.\n`,
    });
  });

  test.for(['--version', '-v'])(
    'prints the version of the package with %s',
    async (flag, { makeProject }) => {
      const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      expect(await ralphLoop(makeProject(), [flag])).toMatchObject({
        exitCode: 0,
        stdout: `${version}\n`,
      });
    },
  );
});

describe.concurrent('a command whose output cannot be written fails with the reason:', () => {
  test
    .runIf(existsSync('/dev/full'))
    .for(['status --json', 'receipt --json', 'report', 'verify', 'verify --json'])(
    '%s',
    async (command, { makeProject }) => {
      const project = makeProject({ 'worktree.yaml': 'verify:\n  - "true"\n' });
      expect(await shell(project, `ralph_loop ${command} > /dev/full`)).toEqual(
        expect.objectContaining({
          exitCode: 1,
          stderr: 'The output is not complete: no space left on device\n',
        }),
      );
    },
  );
});
