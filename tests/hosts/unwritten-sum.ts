import { gitProject } from '../helpers/git-project.ts';
import { type MakeProject, type Project, worktreeYaml } from '../helpers/project.ts';
import type { Client } from './client.ts';
import type { ModelReply, ToolCall } from './model-reply.ts';

export const SPECIFICATION = 'Write sum.mjs, which exports sum(a, b).';
/** What its gate wants, and what it finds out. */
export const SUM = 'export const sum = (a, b) => a + b;';
export const PRODUCT = 'export const sum = (a, b) => a * b;';

/** A project that specifies a module and tests it, and lacks it. */
export function unwrittenSum(makeProject: MakeProject): Project {
  const test = [
    "import { equal } from 'node:assert/strict';",
    "import { sum } from './sum.mjs';",
    'equal(sum(2, 3), 5);',
  ];
  return gitProject(makeProject, {
    'spec.md': `${SPECIFICATION}\n`,
    'worktree.yaml': worktreeYaml(['{ name: test, run: node sum.test.mjs }']),
    'sum.test.mjs': `${test.join('\n')}\n`,
  });
}

/** How the model writes the module. */
export function writesSum(client: Client, source: string): ToolCall {
  return client.shellCall(`echo '${source}' > sum.mjs`);
}

/** The model's last message, which promises that the work is done. */
export function claims(message: string): ModelReply {
  return { text: `${message}\n\n<promise>IMPLEMENTATION_COMPLETE</promise>` };
}
