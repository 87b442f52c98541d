import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { removeAgentRun } from '../../agent-run/cancel.ts';
import { shownPath } from '../../base/files.ts';
import { count } from '../../base/text.ts';
import { findProject, rootAround } from '../../config/discover.ts';
import { agentRunPosition } from '../../messages/agent-run.ts';
import { readCaller } from '../../process/caller.ts';
import { agentRunFiles } from '../../state/agent-run.ts';
import { pendingEscalations, removeEscalations } from '../../state/escalations.ts';
import { ralphDirectory, stateDirectory } from '../../state/paths.ts';
import { endLeftoverTrees } from '../../state/running-trees.ts';
import {
  leftoverFiles,
  readStopLoop,
  removeBlockCounts,
  removeStopLoop,
  stopLoopFiles,
} from '../../state/stop-loop.ts';
import { removeTurns } from '../../state/turn.ts';
import { logCommand, reportCommand } from '../record-command.ts';
import { EXIT, print } from '../terminal.ts';

const UNREADABLE = 'a loop with unreadable state';

/**
 * `ralph-loop reset`: deletes the state of every loop of this project; with `--all` also gate outputs, the execution
 * log and state files that were set aside. An agent run in progress keeps its state and the directory that it writes to.
 *
 * @returns the exit code: 0 done, 1 an agent run was kept
 */
export async function reset({ all = false }: { readonly all?: boolean }): Promise<number> {
  const cwd = process.cwd();
  const found = findProject(cwd, { needsRepository: false });
  const root = found.ok ? found.value.root : (rootAround(cwd) ?? cwd);
  await endLeftoverTrees(root);
  if (!found.ok && agentRunFiles(root).length === 0) {
    print('Nothing to reset: no worktree.yaml or gate.config.json in this directory or its parents.');
    return EXIT.ok;
  }
  const runs = await removeAgentRuns(root);
  const escalations = await removeEscalated(root);
  const loops = removeHookLoops(root) + runs.removed;
  const directories: Readonly<Record<string, string>> = {
    [stateDirectory(root)]: 'state',
    [ralphDirectory(root)]: 'gate outputs and the execution log',
  };
  const others = all ? leftoverFiles(root).filter((path) => runs.kept === 0 || !(path in directories)) : [];
  for (const path of others) {
    rmSync(path, { recursive: true, force: true });
    print(`Removed ${shownPath(root, path)}${path in directories ? `: ${directories[path]}` : ''}`);
  }
  if (all && runs.kept > 0)
    print(`Kept ${relative(root, ralphDirectory(root))}: an agent run in progress writes to it.`);
  const removed = loops + escalations + others.length;
  if (removed > 0) await record(root, all);
  if (loops > 0) print(`${count(loops, 'loop')} reset.`);
  else if (removed === 0 && runs.kept === 0) print('Nothing to reset.');
  return runs.kept > 0 ? EXIT.failed : EXIT.ok;
}

/** With `--all` in the user's log, because the project has none any more. */
async function record(root: string, all: boolean): Promise<void> {
  const command = all ? 'reset --all' : 'reset';
  const caller = readCaller(process.env);
  await logCommand(all ? undefined : root, command, caller);
  reportCommand(root, command, caller);
}

/** @returns how many of the removed escalations no stop has used */
async function removeEscalated(root: string): Promise<number> {
  const pending = await pendingEscalations(root, new Date());
  removeEscalations(root);
  for (const { gate, reason } of pending)
    print(`Removed an escalation${gate === undefined ? '' : ` of \`${gate}\``}: ${reason}`);
  return pending.length;
}

/** @returns how many were removed */
function removeHookLoops(root: string): number {
  removeBlockCounts(root);
  removeTurns(root);
  let removed = 0;
  for (const path of stopLoopFiles(root)) {
    const state = readStopLoop(path);
    if (!removeStopLoop(path)) continue;
    removed++;
    const loop = state ? `loop ${state.task}, at iteration ${state.iteration}` : UNREADABLE;
    print(`Removed ${shownPath(root, path)}: ${loop}`);
  }
  return removed;
}

/** @returns how many were removed, and how many kept because they are in progress */
async function removeAgentRuns(root: string): Promise<{ removed: number; kept: number }> {
  const counts = { removed: 0, kept: 0 };
  for (const path of agentRunFiles(root)) {
    const result = await removeAgentRun(root, path);
    if (!result.ok) {
      counts.kept++;
      print(`Kept ${shownPath(root, path)}: ${result.failure.message}`);
      continue;
    }
    counts.removed++;
    const run = result.value ? `agent run ${agentRunPosition(result.value)}` : UNREADABLE;
    print(`Removed ${shownPath(root, path)}: ${run}`);
  }
  return counts;
}
