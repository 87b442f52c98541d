import type { KnownHost } from '../hosts/host.ts';
import { editJsonServer } from './edit-json-server.ts';
import { editTomlServer } from './edit-toml-server.ts';
import type { FileChange } from './file-change.ts';
import type { Program } from './find-program.ts';
import { type EditedFile, type McpServer, SERVER_NAME, serverOf } from './mcp-server.ts';
import { joined, NOTHING, type Plan, type ReadFile } from './plan.ts';

/**
 * Plans that hosts start ralph-loop as an MCP server.
 *
 * @param read reads a file of the project
 */
export function planMcp(hosts: readonly KnownHost[], program: Program, read: ReadFile): Plan {
  const server = serverOf(program);
  return joined(
    hosts.map(({ title, mcpFile: path }) => {
      if (path === undefined)
        return {
          ...NOTHING,
          remarks: [`${title} names its MCP servers outside of the project: add "${SERVER_NAME} mcp" there.`],
        };
      return planFile(path, read, (text) => edit(path, text, server));
    }),
  );
}

/** Plans that no host does. */
export function planNoMcp(hosts: readonly KnownHost[], read: ReadFile): Plan {
  return joined(
    hosts.flatMap(({ mcpFile: path }) => {
      if (path === undefined) return [];
      // What never was ours may be broken.
      return planFile(path, read, (text) =>
        text.includes(SERVER_NAME) ? edit(path, text, undefined) : { text },
      );
    }),
  );
}

function planFile(path: string, read: ReadFile, edited: (text: string) => EditedFile): Plan {
  const file = read(path);
  if ('why' in file) return { ...NOTHING, problems: [file.why] };
  const { text: before } = file;
  const result = edited(before ?? '');
  if ('problems' in result) return { ...NOTHING, problems: result.problems };
  const changes: FileChange[] = result.text === (before ?? '') ? [] : [{ path, before, after: result.text }];
  return { ...NOTHING, changes };
}

function edit(path: string, text: string, server: McpServer | undefined): EditedFile {
  return path.endsWith('.toml') ? editTomlServer(path, text, server) : editJsonServer(path, text, server);
}
