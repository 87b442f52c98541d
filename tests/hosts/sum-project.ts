import { gitProject } from '../helpers/git-project.ts';
import { type Files, type MakeProject, type Project, worktreeYaml } from '../helpers/project.ts';
import type { Client } from './client.ts';
import type { ModelReply, ToolCall } from './model-reply.ts';

export const SPECIFICATION = 'Write sum.mjs, which exports sum(a, b).';
/** The source that passes the gate, and one that fails it. */
export const SUM = 'export const sum = (a, b) => a + b;';
export const PRODUCT = 'export const sum = (a, b) => a * b;';

const TEST = [
  "import { equal } from 'node:assert/strict';",
  "import { sum } from './sum.mjs';",
  'equal(sum(2, 3), 5);',
];

/** The specification and the test of a module that is missing. */
export const SUM_FILES: Files = { 'spec.md': `${SPECIFICATION}\n`, 'sum.test.mjs': `${TEST.join('\n')}\n` };

/** Creates a project with these files, whose gate is the test. */
export function sumProject(makeProject: MakeProject): Project {
  return gitProject(makeProject, {
    ...SUM_FILES,
    'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']),
  });
}

/** Returns the tool call that writes the module. */
export function writeSum(client: Client, source: string): ToolCall {
  return client.shellCall(`echo '${source}' > sum.mjs`);
}

/** Returns a last message with a promise. */
export function claims(message: string): ModelReply {
  return { text: `${message}\n\n<promise>IMPLEMENTATION_COMPLETE</promise>` };
}
