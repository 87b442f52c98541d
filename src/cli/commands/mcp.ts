import packageJson from '../../../package.json' with { type: 'json' };
import { serve } from '../../mcp/server.ts';
import { runCommand } from '../../process/run-command.ts';
import { EXIT, onInterrupt } from '../terminal.ts';

/**
 * `ralph-loop mcp`: serves a client on stdin and stdout. The process lives until the client closes stdin or a signal
 * arrives, and until the commands that are running then have been ended.
 *
 * @returns the exit code of that end
 */
export async function mcp(): Promise<number> {
  const server = serve({
    version: packageJson.version,
    cwd: process.cwd(),
    runCommand,
    env: process.env,
    now: () => new Date(),
  });
  onInterrupt(() => server.close());
  return EXIT.ok;
}
