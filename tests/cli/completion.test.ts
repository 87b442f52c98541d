import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type MakeProject, test } from '../helpers/project.ts';

async function scriptFor(makeProject: MakeProject, shell: string): Promise<string> {
  const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), ['completion', shell]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/** What bash offers for a command line, which ends with the word at the cursor. */
function offeredByBash(script: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const call = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _ralph_loop; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

const hasShell = (name: string) => spawnSync(name, ['--version']).error === undefined;

describe.concurrent('the completion for bash', () => {
  test.for<[string, string[]]>([
    ['ver', ['verify']],
    ['che', ['checkpoint']],
    ['--v', ['--version']],
    ['verify --n', ['--no-fail-fast']],
    ['verify lint --d', ['--dry-run']],
    ['verify --dry-run --js', ['--json']],
    ['checkpoint re', ['restore']],
    ['checkpoint list --j', ['--json']],
    ['completion ', ['bash', 'zsh', 'fish', '-h', '--help']],
    // A file follows.
    ['verify --config ', []],
    ['report --html ver', []],
    ['verify src/x', []],
  ])('offers, after "ralph-loop %s", %j', async ([typed, offered], { makeProject }) => {
    const script = await scriptFor(makeProject, 'bash');
    expect(offeredByBash(script, ['ralph-loop', ...typed.split(' ')])).toEqual(offered);
  });

  test('offers every option of every command that its help shows', async ({ makeProject }) => {
    const script = await scriptFor(makeProject, 'bash');
    const commands = offeredByBash(script, ['ralph-loop', '']).filter((word) => !word.startsWith('-'));
    expect(commands).toContain('watch');
    for (const command of commands.filter((name) => name !== 'help')) {
      const { stdout } = await ralphLoop(makeProject(), [command, '--help']);
      const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
      expect(offeredByBash(script, ['ralph-loop', command, '--'])).toEqual(flags);
    }
  });
});

test.for(['bash', 'zsh', 'fish'])(
  'the completion for %s is a valid script',
  async (shell, { makeProject, skip }) => {
    const script = await scriptFor(makeProject, shell);
    for (const word of ['no-fail-fast', 'restore', 'checkpoint']) expect(script).toContain(word);
    skip(!hasShell(shell), `${shell} is not installed`);
    // fish checks no script on its stdin.
    const project = makeProject({ script });
    const { status, stderr } = spawnSync(shell, ['-n', project.path('script')], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test('completion for an unknown shell is a usage error that names the shells', async ({ makeProject }) => {
  const { exitCode, stdout, stderr } = await ralphLoop(makeProject(), ['completion', 'tcsh']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('bash, zsh, fish');
});
