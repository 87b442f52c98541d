import { findAgentProject } from '../../config/discover.ts';
import { readStdin, write } from '../../hook/io.ts';
import { statusLineText } from '../../messages/status-line.ts';
import { readSessionNow } from '../../report/session-now.ts';

/** The host writes at once, and waits for the line. */
const STDIN_MS = 1000;

/** `ralph-loop statusline`: one line about the session that the host reports; none where there is nothing to say. It never fails. */
export async function statusline(): Promise<void> {
  try {
    const { session_id: id, workspace, cwd } = parsed(readStdin(STDIN_MS));
    const { current_dir: current, project_dir: project } = fieldsOf(workspace);
    const directories = [current, cwd, project].filter((path) => typeof path === 'string' && path !== '');
    const found = findAgentProject(String(directories[0] ?? process.cwd()), directories.map(String));
    if (!found.ok) return;
    const now = new Date();
    const session = await readSessionNow(found.value.root, now, id);
    const { coloured, plain } = await import('../../messages/paint.ts');
    // Hosts read the line through a pipe, and show its colours.
    write(1, `${statusLineText(session, now, process.env.NO_COLOR ? plain : coloured)}\n`);
  } catch {
    // A host would show an error in place of the line.
  }
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
