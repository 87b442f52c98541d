import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { type Project, test, trellisFiles } from '../helpers/project.ts';
import { checkStops, hookAnswers, logOf, mainStops } from '../helpers/stops.ts';
import { typed } from '../helpers/typed-gates.ts';

const env = { CLAUDECODE: '1' };
const BY = "by an agent's shell (CLAUDECODE=1)";

describe('a command that the shell of an agent runs is in the log, and the person reads of it at the next stop:', () => {
  const block = (project: Project) => hookAnswers(project, checkStops(project), { env });
  test.for([
    { command: ['gate', 'skip'], files: {}, shown: /`ralph-loop gate skip [\w-]+` was run / },
    { command: ['gate', 'abort'], files: {}, shown: /`ralph-loop gate abort [\w-]+` was run / },
    { command: ['gate', 'retry'], files: {}, shown: /`ralph-loop gate retry [\w-]+` was run / },
    { command: ['reset'], files: trellisFiles(['false']), shown: /`ralph-loop reset` was run / },
    {
      command: ['reset', '--all'],
      files: trellisFiles(['false']),
      shown: /`ralph-loop reset --all` was run /,
    },
    { command: ['cancel'], files: trellisFiles(['false']), shown: /the loop was cancelled / },
  ])('$command', async ({ command, files, shown }, { makeProject }) => {
    const project = makeProject(files);
    if (command[0] === 'gate') await typed(project, 'Do it :: verify:"false"');
    else await block(project);
    expect((await ralphLoop(project, command, { env })).exitCode).toBe(0);
    // With --all, the project has no log any more.
    if (!command.includes('--all'))
      expect(logOf(project).at(-1)).toMatchObject({
        host: 'terminal',
        answer: 'ignore',
        why: expect.stringMatching(new RegExp(`^${command[0]}.*, by an agent's shell \\(CLAUDECODE=1\\)$`)),
      });

    const stop = command[0] === 'gate' ? mainStops(project) : checkStops(project);
    const { systemMessage = '' } = await hookAnswers(project, stop, { env });
    expect(systemMessage).toMatch(shown);
    expect(systemMessage).toContain(BY);
    const { systemMessage: later = '' } = await hookAnswers(project, stop, { env });
    expect(later).not.toContain(BY);
  });
});

test('a stop in a project without a config reports more than one command, and no more than five', async ({
  makeProject,
}) => {
  const project = makeProject();
  for (let n = 0; n < 7; n++) {
    await typed(project, 'Do it :: verify:"true"');
    await ralphLoop(project, ['gate', 'abort'], { env });
  }
  const { systemMessage = '' } = await hookAnswers(project, mainStops(project), { env });
  expect(systemMessage.match(/gate abort/g)).toHaveLength(5);
  expect(systemMessage).toMatch(/; and 2 more$/);
});

test.skipIf(namespaceProblem())(
  'a command that a person runs in a terminal is in the log alone',
  async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['false']));
    await hookAnswers(project, checkStops(project));
    // In a namespace of its own, no process above is that of a host.
    await inOwnNamespace(project, `script -qec '"${process.execPath}" "$RALPH_LOOP_BIN" reset' /dev/null`);
    expect(logOf(project).at(-1)?.why).toBe('reset, in a terminal');
    const { systemMessage } = await hookAnswers(project, checkStops(project), { env });
    expect(systemMessage).toBeUndefined();
  },
);
