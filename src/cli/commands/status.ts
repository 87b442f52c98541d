import { jsonText } from '../../base/text.ts';
import { write } from '../../hook/io.ts';
import { readProjectStatus, statusText } from '../../report/status.ts';
import { EXIT, fail, forStdout, stdoutPaint, unprintedText } from '../terminal.ts';

interface StatusOptions {
  readonly json?: boolean;
  /** List what has ended too. */
  readonly all?: boolean;
}

/**
 * `ralph-loop status`: the loops, chains and agent runs of this project.
 *
 * @returns the exit code
 */
export async function status({ json = false, all = false }: StatusOptions): Promise<number> {
  const now = new Date();
  const read = await readProjectStatus(process.cwd(), now);
  const text = json
    ? jsonText(read)
    : statusText(read, { from: process.cwd(), now, paint: stdoutPaint(), all });
  const unwritten = write(1, `${forStdout(text)}\n`);
  return unwritten ? fail(unprintedText(unwritten)) : EXIT.ok;
}
