import packageJson from '../../../package.json' with { type: 'json' };
import { serve } from '../../mcp/server.ts';
import { runCommand } from '../../process/run-command.ts';

/**
 * `ralph-loop mcp`: serves a client on stdin and stdout. The process lives until the client closes stdin or a signal
 * ends it, and as long after that as it takes to end the commands that run.
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.close());
  return 0;
}
