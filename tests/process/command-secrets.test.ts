import { describe, expect } from 'vitest';
import type { CommandHooks, CommandSpec } from '../../src/process/run-command.ts';
import { type Project, test } from '../helpers/project.ts';
import { runShell, textOf } from '../helpers/run-shell.ts';
import { waitFor } from '../helpers/shell-commands.ts';

/** Runs a command with a secret in its environment. @returns its output as recorded, in the log and in events */
async function runWithSecret(
  project: Project,
  command: string,
  more: Partial<CommandSpec> = {},
  hooks: CommandHooks = {},
) {
  let emitted = '';
  const { end, output } = await runShell(
    project,
    command,
    {
      env: { ...project.environment, DEPLOY_TOKEN: 'hunter2-hunter2' },
      logPath: project.path('gate.log'),
      ...more,
    },
    {
      ...hooks,
      onOutput: (stream, bytes) => {
        emitted += bytes.toString();
        hooks.onOutput?.(stream, bytes);
      },
    },
  );
  return { end, texts: [textOf(output), project.read('gate.log'), emitted] };
}

const everywhere = (text: string) => [text, text, text];

describe.concurrent('recording, log and events contain no secret', () => {
  test.for([
    { what: 'printed on stdout', command: 'echo "a $DEPLOY_TOKEN b"', text: 'a *** b\n' },
    { what: 'printed on stderr', command: 'echo "a $DEPLOY_TOKEN b" >&2', text: 'a *** b\n' },
    { what: 'at the end of the output', command: 'printf "a $DEPLOY_TOKEN"', text: 'a ***' },
    {
      what: 'that is printed in full, but may contain a part of it',
      command: 'printf "a hunter2-hun"',
      text: 'a hunter2-hun',
    },
    { what: 'in a printed environment', command: 'env | grep DEPLOY', text: 'DEPLOY_TOKEN=***\n' },
    {
      what: 'of a well-known kind',
      command: `printf 'ghp_'; for i in 1 2 3 4 5 6 7 8 9; do printf 'aB3d'; done; echo .`,
      text: '***.\n',
    },
  ])('$what', async ({ command, text }, { makeProject }) => {
    expect((await runWithSecret(makeProject(), command)).texts).toEqual(everywhere(text));
  });

  test('printed in pieces, with the other stream in between', async ({ makeProject }) => {
    const project = makeProject();
    const onOutput = (_: string, bytes: Buffer) => project.write({ [bytes.toString().trim()]: '' });
    const { texts } = await runWithSecret(
      project,
      [
        "printf 'a hunter2'; echo one >&2",
        waitFor('one'),
        "printf -- '-hun'; echo two >&2",
        waitFor('two'),
        "printf 'ter2 d\\n'",
      ].join('\n'),
      {},
      { onOutput },
    );
    for (const text of texts) {
      expect(text.replaceAll(/one\n|two\n/g, '')).toBe('a *** d\n');
      expect(text).toMatch(/one\n(.|\n)*two\n/);
    }
  });

  test('printed before the timeout on an unfinished line', async ({ makeProject }) => {
    const { end, texts } = await runWithSecret(
      makeProject(),
      'printf "$DEPLOY_TOKEN hunter2"; exec sleep 60',
      {
        timeoutMs: 3000,
      },
    );
    expect(end).toEqual({ how: 'timed-out' });
    expect(texts).toEqual(everywhere('*** hunter2'));
  });
});

test('recording, log and events contain other output unchanged', async ({ makeProject }) => {
  const { texts } = await runWithSecret(makeProject(), "printf 'hunter2-hunter\\0333\\n'");
  expect(texts).toEqual(everywhere('hunter2-hunter\x1b3\n'));
});
