import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cancelByName } from '../../agent-run/cancel.ts';
import { rootAround } from '../../config/discover.ts';
import { cleanLine } from '../../diagnostics/lines/line-text.ts';
import { type FailureLayout, failureLines } from '../../messages/results.ts';
import { wrapped } from '../../messages/wrapped.ts';
import { readCaller } from '../../process/caller.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskText, maskTexts } from '../../process/secrets/masker.ts';
import { readSessionNow } from '../../report/session-now.ts';
import { type ProjectStatus, readProjectStatus, statusText } from '../../report/status.ts';
import { readWorktrees, type Worktree } from '../../report/worktrees.ts';
import { readAgentRun } from '../../state/agent-run.ts';
import { chainTask } from '../../state/chain.ts';
import { allFailures } from '../../state/failures.ts';
import { ralphDirectory, stateDirectory } from '../../state/paths.ts';
import { runsDirectory, unfinishedRuns } from '../../verification/live-runs.ts';
import { boardOf, type Card, isMoving, type WorktreeNow } from '../../watch/board.ts';
import { boardText } from '../../watch/board-text.ts';
import { readTasks, taskNames, tasksDirectory } from '../../watch/read-tasks.ts';
import { watchFiles } from '../../watch/watch-files.ts';
import { EXIT, forStdout, print, stdoutPaint } from '../terminal.ts';

/**
 * `ralph-loop watch`: the loops of this project as a live board; printed once without a terminal.
 *
 * @returns the exit code: 0, or 128 and the number of the signal that ended it
 */
export async function watch(): Promise<number> {
  const { stdin, stdout } = process;
  const cwd = process.cwd();
  const paint = stdoutPaint();
  const status = await readProjectStatus(cwd, new Date());
  const root = status.project?.root ?? rootAround(cwd) ?? cwd;
  if (isEmpty(status)) {
    print(statusText(status, { from: cwd, now: new Date(), paint }));
    return EXIT.ok;
  }
  const secrets = secretsIn(process.env);
  const board = async (known: ProjectStatus) => {
    const worktrees = await Promise.all(readWorktrees(root).map((worktree) => worktreeNow(worktree, root)));
    return boardOf(known, maskTexts(readTasks(root), secrets), maskTexts(worktrees, secrets));
  };
  if (!stdin.isTTY || !stdout.isTTY || process.env.TERM === 'dumb') {
    print(boardText(await board(status), new Date().toISOString(), paint));
    return EXIT.ok;
  }
  const { showBoard } = await import('../../watch/show-board.tsx');
  return showBoard(await board(status), {
    stdin,
    stdout,
    paint,
    follow: (show) =>
      watchFiles(
        () => watchedDirectories(root),
        async () => {
          const now = await board(await readProjectStatus(cwd, new Date()));
          show(now);
          return isMoving(now);
        },
      ),
    feedback: (card, columns) =>
      feedbackLines(root, card, { from: cwd, now: new Date(), paint, columns }).map(forStdout),
    cancel: (name) => cancelLoop(root, name),
  });
}

async function worktreeNow({ name, branch, root }: Worktree, here: string): Promise<WorktreeNow> {
  return { name, branch, isHere: root === here, ...(await readSessionNow(root, new Date())) };
}

async function cancelLoop(root: string, name: string): Promise<string> {
  const cancelled = await cancelByName(root, name, {
    now: () => new Date(),
    env: process.env,
    by: readCaller(process.env).by,
  });
  return cancelled.ok ? cancelled.value.replaceAll('\n', ' ') : cancelled.failure.message;
}

/** Without a config, a chain and an agent run there is nothing to show on a board. */
function isEmpty({ project, chains, promise_loops }: ProjectStatus): boolean {
  return project === null && chains.length === 0 && promise_loops.length === 0;
}

/**
 * The directories with state. The project's own directory, which changes often, only until there is any, and never what is
 * above the state directory of the user, because much else changes in a home directory.
 */
function watchedDirectories(root: string): string[] {
  const trellis = join(root, '.trellis');
  const state = stateDirectory(root);
  if (!existsSync(trellis)) return [root, state];
  const tasks = tasksDirectory(root);
  return [
    trellis,
    ralphDirectory(root),
    state,
    runsDirectory(root),
    ...unfinishedRuns(root),
    tasks,
    ...taskNames(root).map((name) => join(tasks, name)),
    ...readWorktrees(root).flatMap((worktree) => [
      ralphDirectory(worktree.root),
      runsDirectory(worktree.root),
    ]),
  ];
}

interface CardLayout extends FailureLayout {
  readonly columns: number;
}

/** The last feedback that the agent of a card got, as `why` shows it; none before its first. */
function feedbackLines(root: string, card: Card, layout: CardLayout): string[] {
  return card.kind === 'task' ? agentRunFeedback(root, card.id, layout) : stopFeedback(root, card, layout);
}

function agentRunFeedback(root: string, task: string, { columns }: CardLayout): string[] {
  const run = readAgentRun(root, task);
  const text = run?.feedback ?? run?.last?.why;
  if (!text) return [];
  return maskText(text, secretsIn(process.env))
    .split('\n')
    .flatMap((line) => wrapped(cleanLine(line), columns));
}

function stopFeedback(root: string, { kind, id }: Card, layout: CardLayout): string[] {
  const key = kind === 'chain' ? chainTask({ id }) : id;
  const failures = allFailures(root).find(({ task }) => task === key);
  return failures ? failureLines(failures.gates, failures, layout) : [];
}
