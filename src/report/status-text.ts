import { relative } from 'node:path';
import { agentRunLines } from '../messages/agent-run.ts';
import { chainLine } from '../messages/chain.ts';
import type { Paint } from '../messages/paint.ts';
import { loopLines } from '../messages/status.ts';
import type { Status } from './read-status.ts';

/**
 * A project's status as people read it.
 *
 * @param from absolute directory that paths are given from
 */
export function statusText(status: Status, from: string, now: Date, paint: Paint): string {
  const { project, loops, last_call } = status;
  const chains = status.chains.map((chain) => `Chain     ${chainLine(chain)}`);
  const promises = agentRunLines(status.promise_loops, paint);
  if (!project) {
    const stops = chains.length > 0 ? 'judges stops by what was typed alone:' : 'allows every stop.';
    const none = `No worktree.yaml or gate.config.json was found here or in the directories above: the hook ${stops}`;
    return [none, ...promises, ...chains].join('\n');
  }
  const { config, gate_config = config, problems } = project;
  const files = [...new Set([config, gate_config])].flatMap((path) => path ?? []);
  return [
    `Config    ${files.map((path) => relative(from, path)).join(', ') || 'none; the current task is guarded by markers'}`,
    ...problems.map((problem) => `          ${paint('red', problem)}`),
    ...promises,
    ...chains,
    ...loopLines(loops, last_call ?? undefined, now, paint),
  ].join('\n');
}
