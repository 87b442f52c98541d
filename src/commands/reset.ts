import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { findProject } from '../config/find-project.ts';
import { count } from '../feedback/wording.ts';
import { leftovers, loopFiles, peekLoop, removeLoop } from '../loop/loop-file.ts';
import { ralphDirectory } from '../loop/loop-location.ts';

/**
 * `ralph-loop reset`: removes the state of every loop of this project; with `--all` whatever else ralph-loop has
 * written here too: gate outputs, the execution log, state files that were set aside.
 *
 * @returns the exit code
 */
export async function reset({ all }: { readonly all: boolean }): Promise<number> {
  const found = findProject(process.cwd(), { needsRepository: false });
  if (!found.found) {
    print(
      'Nothing to reset: no worktree.yaml or gate.config.json was found here or in the directories above.',
    );
    return 0;
  }
  const { root } = found.project;
  let removed = 0;
  for (const path of loopFiles(root)) {
    const state = peekLoop(path);
    if (!removeLoop(path)) continue;
    removed++;
    const what = state
      ? `loop ${state.task}, at iteration ${state.iteration}`
      : 'a loop whose state was unreadable';
    print(`Removed ${relative(root, path)}: ${what}`);
  }
  const others = all ? leftovers(root) : [];
  for (const path of others) {
    rmSync(path, { recursive: true, force: true });
    print(
      `Removed ${relative(root, path)}${path === ralphDirectory(root) ? ': gate outputs and the execution log' : ''}`,
    );
  }
  if (removed + others.length === 0) print('Nothing to reset.');
  else if (removed > 0) print(`${count(removed, 'loop')} reset.`);
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
