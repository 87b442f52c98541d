import { describe, expect } from 'vitest';
import { agentRunOf } from '../helpers/agent-run.ts';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { test } from '../helpers/project.ts';

const FILE = '.trellis/.ralph/promise-T1.json';
const problem = namespaceProblem();
const RUN = { ...agentRunOf(), task_id: 'T1' };

const FIELDS: readonly Readonly<Record<string, unknown>>[] = [
  { id: '' },
  { id: 'PATH=' },
  { driver: { pid: -1, started: null } },
  { driver: { pid: 0, started: null } },
  { agent: { pid: 1, started: null } },
];

describe.skipIf(problem)(
  `a state file of an agent run that this program did not write${problem ? ` (skipped: ${problem})` : ''}`,
  () => {
    test.for(FIELDS.map((fields) => ({ shown: JSON.stringify(fields), fields })))(
      'ends no process at cancel, run --resume and reset: $shown',
      async ({ fields }, { makeProject }) => {
        const project = makeProject({
          'worktree.yaml': 'verify:\n  - "true"\n',
          [FILE]: JSON.stringify({ ...RUN, ...fields }),
        });
        const printed = await inOwnNamespace(
          project,
          `sleep 600 & for command in 'cancel T1' 'run --resume T1' reset; do ralph_loop $command; done; kill -0 $! && echo survived`,
        );
        expect(printed).toMatch(/promise-T1\.json is not the state of an agent run: no process was ended/);
        expect(printed).toMatch(/survived$/);
      },
    );

    test('ends no process that has the pid of the agent and was started at another time', async ({
      makeProject,
    }) => {
      const project = makeProject({ [FILE]: '' });
      const run = JSON.stringify({ ...RUN, driver: null, agent: { pid: 'PID', started: 'STARTED' } });
      for (const started of ['null', '"12"']) {
        const printed = await inOwnNamespace(
          project,
          `setsid sleep 600 & sleep 0.1; printf '%s' '${run}' | sed "s/\\"PID\\"/$!/; s/\\"STARTED\\"/${started.replaceAll('"', '\\"')}/" > ${FILE}
ralph_loop cancel T1; kill -0 $! && echo survived`,
        );
        expect(printed).toMatch(/^Cancelled .*\nsurvived$/);
      }
    });
  },
);
