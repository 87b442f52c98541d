import { jsonText } from '../../base/text.ts';
import { write } from '../../hook/io.ts';
import { readProjectStatus, statusText } from '../../report/status.ts';
import { EXIT, forStdout, stdoutPaint } from '../terminal.ts';

/**
 * `ralph-loop status`: the loops, chains and agent runs of this project.
 *
 * @returns the exit code
 */
export async function status({ json = false }: { readonly json?: boolean }): Promise<number> {
  const now = new Date();
  const read = await readProjectStatus(process.cwd(), now);
  const text = json ? jsonText(read) : statusText(read, process.cwd(), now, stdoutPaint());
  write(1, `${forStdout(text)}\n`);
  return EXIT.ok;
}
