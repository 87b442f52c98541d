import { findAgentProject } from '../../config/discover.ts';
import { readStdin, write } from '../../hook/io.ts';
import { statusLineText } from '../../messages/status-line.ts';
import { type LogRecord, readLastStops } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { unfinishedRuns } from '../../verification/live-runs.ts';

/** The host writes at once, and waits for the line. */
const STDIN_MS = 1000;

/** `ralph-loop statusline`: one line about the session that the host reports; none where there is nothing to say. It never fails. */
export async function statusline(): Promise<void> {
  try {
    const { session_id: session, workspace, cwd } = parsed(readStdin(STDIN_MS));
    const { current_dir: current, project_dir: project } = fieldsOf(workspace);
    const directories = [current, cwd, project].filter((path) => typeof path === 'string' && path !== '');
    const found = findAgentProject(String(directories[0] ?? process.cwd()), directories.map(String));
    if (!found.ok) return;
    const { root } = found.value;
    const now = new Date();
    const last = readLastStops(ralphDirectory(root)).findLast(
      (stop) => hasResult(stop) && (session === undefined || stop.session === session),
    );
    const runs =
      unfinishedRuns(root).length > 0 ? await (await import('../../report/runs.ts')).readRuns(root, now) : [];
    const { coloured, plain } = await import('../../messages/paint.ts');
    // Hosts read the line through a pipe, and show its colours.
    write(1, `${statusLineText({ last, runs }, now, process.env.NO_COLOR ? plain : coloured)}\n`);
  } catch {
    // A host would show an error in place of the line.
  }
}

/** What was ignored, or changed nothing, says nothing about the gates. */
function hasResult({ answer, gates }: LogRecord): boolean {
  return answer === 'block' || gates.length > 0;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
