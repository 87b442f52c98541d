import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { removeAgentRun } from '../../agent-run/cancel.ts';
import { count } from '../../base/text.ts';
import { findProject } from '../../config/find-project.ts';
import { rootAround } from '../../config/root-around.ts';
import { whereItIs } from '../../messages/promise-loop-texts.ts';
import { agentRunFiles } from '../../state/agent-run.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { leftoverFiles, readStopLoop, removeStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';

const EXIT = { done: 0, left: 1 } as const;
const UNREADABLE = 'a loop whose state was unreadable';

/**
 * `ralph-loop reset`: removes the state of every loop of this project; with `--all` whatever else ralph-loop has
 * written here too: gate outputs, the execution log, state files that were set aside. A loop that a process drives is
 * left to it, and so is then the directory that it writes to.
 *
 * @returns the exit code: 0 done, 1 where a loop was left
 */
export async function reset({ all }: { readonly all: boolean }): Promise<number> {
  const cwd = process.cwd();
  const found = findProject(cwd, { needsRepository: false });
  const root = found.found ? found.project.root : (rootAround(cwd) ?? cwd);
  if (!found.found && agentRunFiles(root).length === 0) {
    print(
      'Nothing to reset: no worktree.yaml or gate.config.json was found here or in the directories above.',
    );
    return EXIT.done;
  }
  const { removed, driven } = await removePromiseLoops(root);
  const loops = removeHookLoops(root) + removed;
  const others = all ? leftoverFiles(root).filter((path) => !driven || path !== ralphDirectory(root)) : [];
  for (const path of others) {
    rmSync(path, { recursive: true, force: true });
    print(
      `Removed ${relative(root, path)}${path === ralphDirectory(root) ? ': gate outputs and the execution log' : ''}`,
    );
  }
  if (all && driven)
    print(`Left ${relative(root, ralphDirectory(root))}: a loop is driven that writes there.`);
  if (loops > 0) print(`${count(loops, 'loop')} reset.`);
  else if (others.length === 0 && !driven) print('Nothing to reset.');
  return driven ? EXIT.left : EXIT.done;
}

/** @returns how many */
function removeHookLoops(root: string): number {
  let removed = 0;
  for (const path of stopLoopFiles(root)) {
    const state = readStopLoop(path);
    if (!removeStopLoop(path)) continue;
    removed++;
    const what = state ? `loop ${state.task}, at iteration ${state.iteration}` : UNREADABLE;
    print(`Removed ${relative(root, path)}: ${what}`);
  }
  return removed;
}

/** @returns how many, and whether one is left since a process drives it */
async function removePromiseLoops(root: string): Promise<{ removed: number; driven: boolean }> {
  let removed = 0;
  let driven = false;
  for (const path of agentRunFiles(root)) {
    const result = await removeAgentRun(root, path);
    if (!result.ok) {
      driven = true;
      print(`Left ${relative(root, path)}: ${result.failure.message}`);
      continue;
    }
    removed++;
    const what = result.value ? `promise loop ${whereItIs(result.value)}` : UNREADABLE;
    print(`Removed ${relative(root, path)}: ${what}`);
  }
  return { removed, driven };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
