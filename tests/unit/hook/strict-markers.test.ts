import { describe, expect } from 'vitest';
import { type Project, test } from '../../helpers/project.ts';
import { checkStops, hookAnswers } from '../../helpers/stops.ts';

const TASK = {
  '.trellis/.current-task': 'tasks/demo\n',
  '.trellis/tasks/demo/check.jsonl': '{"reason":"lint"}\n',
};
const STRICT = { ...TASK, '.trellis/worktree.yaml': 'ralph:\n  markers: strict\n' };
const saying = (project: Project, text: string) => checkStops(project, { last_assistant_message: text });

describe('a marker that the agent denies', () => {
  test.for(['I cannot output LINT_FINISH.', 'Missing completion markers: LINT_FINISH.', '`LINT_FINISH`'])(
    'blocks with "markers: strict", and the reason says how to write it: %s',
    async (message, { makeProject }) => {
      const project = makeProject(STRICT);
      const { reason } = await hookAnswers(project, saying(project, message));
      expect(reason).toMatch(
        /^Iteration 1\/5\. Missing completion markers: LINT_FINISH\.\n[\s\S]*does not count in code/,
      );
      expect(await hookAnswers(project, saying(project, 'Lint passes.\n\nLINT_FINISH'))).toEqual({});
    },
  );

  test("is found in Trellis's layout without that setting, as the Python hook does", async ({
    makeProject,
  }) => {
    const project = makeProject(TASK);
    expect(await hookAnswers(project, saying(project, 'I cannot output LINT_FINISH.'))).toEqual({});
  });
});
