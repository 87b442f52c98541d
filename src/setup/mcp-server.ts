import type { Program } from './find-program.ts';

/** How a host starts a server, as every host's file has it. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A file as it is to become, undefined where it is to go; or why it cannot be changed without a loss. */
export type EditedFile = { readonly text: string | undefined } | { readonly problems: readonly string[] };

export const SERVER_NAME = 'ralph-loop';

/**
 * Finds a file of the project, `$0`, from a directory below, and starts it where it stands. No `${…}` and no name of a
 * variable is in it, which hosts would put values in the place of.
 */
const START = 'exec node "$(until [ -f "$0" ] || [ . -ef / ]; do cd ..; done; pwd)/$0" mcp';

/** Claude Code and Codex start servers where they were started themselves, though they look for them upwards. */
export function serverOf(program: Program): McpServer {
  if (program.kind === 'on-path') return { command: 'ralph-loop', args: ['mcp'] };
  if (program.kind === 'on-machine') return { command: 'node', args: [program.path, 'mcp'] };
  return { command: 'sh', args: ['-c', START, program.path] };
}
