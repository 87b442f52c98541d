import { repositoryAround } from '../config/discover.ts';
import { type LogRecord, readLastStops } from '../state/execution-log.ts';
import { projectsBelow, ralphDirectory } from '../state/paths.ts';
import { readWorktrees } from './worktrees.ts';

/** A call of the hook, as `ralph-loop status --json` prints it. */
export interface LastCall extends LogRecord {
  /** Absolute directory of the project that judged the stop, where it is another one of the repository. */
  readonly project?: string;
}

/**
 * The last call of the hook in a repository. The config nearest to the agent judges its stops, so a session that began in
 * one project may be judged by a project below it, or in another working tree.
 *
 * @param log of the project, oldest first
 */
export function lastCallAround(root: string, log: readonly LogRecord[]): LastCall | null {
  const places = [repositoryAround(root) ?? root, ...readWorktrees(root).map((worktree) => worktree.root)];
  const others = new Set(places.flatMap(projectsBelow).filter((project) => project !== root));
  const calls: LastCall[] = [...others].flatMap((project) => {
    const call = readLastStops(ralphDirectory(project)).findLast(isCall);
    return call ? [{ ...call, project }] : [];
  });
  const own = log.findLast(isCall);
  return (
    [...(own ? [own] : []), ...calls].toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))[0] ?? null
  );
}

/** Neither a tool of MCP nor a command in a terminal is a call of the hook. */
function isCall({ host }: LogRecord): boolean {
  return host !== 'mcp' && host !== 'terminal';
}
