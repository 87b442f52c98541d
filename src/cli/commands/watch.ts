import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cancelByName } from '../../agent-run/cancel.ts';
import { rootAround } from '../../config/root-around.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { maskTexts } from '../../process/mask-text.ts';
import { secretsIn } from '../../process/secrets.ts';
import { readStatus, type Status } from '../../report/read-status.ts';
import { statusText } from '../../report/status-text.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { boardOf } from '../../watch/board-of.ts';
import { boardText } from '../../watch/board-text.ts';
import { readTasks, taskNames, tasksDirectory } from '../../watch/read-tasks.ts';
import { watchFiles } from '../../watch/watch-files.ts';
import { feedbackLines } from './watch-feedback.ts';

/**
 * `ralph-loop watch`: the loops of this project as a board that changes with them; printed once where there is no
 * terminal.
 *
 * @returns the exit code: 0, or 128 and the number of the signal that ended it
 */
export async function watch(): Promise<number> {
  const { stdin, stdout } = process;
  const cwd = process.cwd();
  const paint = stdout.hasColors?.() ? coloured : plain;
  const status = await readStatus(cwd, new Date());
  const root = status.project?.root ?? rootAround(cwd) ?? cwd;
  if (isNoProject(status)) return print(statusText(status, cwd, new Date(), paint));
  const secrets = secretsIn(process.env);
  const board = (known: Status) => boardOf(known, maskTexts(readTasks(root), secrets));
  if (!stdin.isTTY || !stdout.isTTY || process.env.TERM === 'dumb')
    return print(boardText(board(status), new Date().toISOString()));

  const { showBoard } = await import('../../watch/show-board.tsx');
  return showBoard(board(status), {
    stdin,
    stdout,
    paint,
    follow: (show) =>
      watchFiles(
        () => watchedDirectories(root),
        async () => {
          const now = board(await readStatus(cwd, new Date()));
          show(now);
          return now.slots.length > 0;
        },
      ),
    feedback: (card, columns) => feedbackLines(root, card, { from: cwd, now: new Date(), paint, columns }),
    cancel: (name) => cancelled(root, name),
  });
}

async function cancelled(root: string, name: string): Promise<string> {
  const told = await cancelByName(root, name, { now: () => new Date(), env: process.env });
  return told.ok ? told.value.replaceAll('\n', ' ') : told.failure.message;
}

/** What `status` has nothing to tell of, a board has nothing to show of either. */
function isNoProject({ project, chains, promise_loops }: Status): boolean {
  return project === null && chains.length === 0 && promise_loops.length === 0;
}

/** Where state is kept; the project's own directory, which sees many changes, only until there is any. */
function watchedDirectories(root: string): string[] {
  const trellis = join(root, '.trellis');
  if (!existsSync(trellis)) return [root];
  const tasks = tasksDirectory(root);
  return [trellis, ralphDirectory(root), tasks, ...taskNames(root).map((name) => join(tasks, name))];
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
