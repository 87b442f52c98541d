import { formatProblem } from '../config/config-problem.ts';
import { parseJson } from '../config/parse-json.ts';
import type { KnownHost } from '../hosts/host.ts';
import type { FileChange } from './file-change.ts';
import type { Program } from './find-program.ts';
import { JsonDocument } from './json-document.ts';
import { joined, NOTHING, type Plan, type ReadFile } from './plan.ts';

const NAME = 'ralph-loop';

/**
 * Plans that hosts start ralph-loop as an MCP server.
 *
 * @param read reads a file of the project
 */
export function planMcp(hosts: readonly KnownHost[], program: Program, read: ReadFile): Plan {
  return joined(
    hosts.map(({ title, mcpFile: path }) => {
      if (path === undefined)
        return {
          ...NOTHING,
          remarks: [`${title} names its MCP servers outside of the project: add "${NAME} mcp" there.`],
        };
      return planFile(path, read, (text) => withServer(path, text, program));
    }),
  );
}

/** Plans that no host does. */
export function planNoMcp(hosts: readonly KnownHost[], read: ReadFile): Plan {
  return joined(
    hosts.flatMap(({ mcpFile: path }) =>
      path === undefined ? [] : [planFile(path, read, (text) => withoutServer(path, text))],
    ),
  );
}

function planFile(path: string, read: ReadFile, edit: (text: string) => string | undefined): Plan {
  const file = read(path);
  if ('why' in file) return { ...NOTHING, problems: [file.why] };
  const { text: before } = file;
  const { problems } = isToml(path) || !before?.trim() ? { problems: [] } : parseJson(before);
  if (problems.length > 0)
    return { ...NOTHING, problems: problems.map((problem) => formatProblem(path, problem)) };
  const after = edit(before ?? '');
  const changes: FileChange[] = after === (before ?? '') ? [] : [{ path, before, after }];
  return { ...NOTHING, changes };
}

function withServer(path: string, text: string, program: Program): string {
  const server = serverOf(program);
  if (isToml(path)) {
    const rest = withoutTable(text);
    const gap = rest.trim() === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
    return `${rest}${gap}${TABLE}\ncommand = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`;
  }
  const present: unknown = parseJson(text).root?.value;
  const { mcpServers } = (present ?? {}) as { readonly mcpServers?: Readonly<Record<string, unknown>> };
  if (JSON.stringify(mcpServers?.[NAME]) === JSON.stringify(server)) return text;
  const document = new JsonDocument(text);
  document.set(['mcpServers', NAME], server);
  return document.text;
}

function withoutServer(path: string, text: string): string | undefined {
  if (!text.includes(NAME)) return text;
  if (isToml(path)) return withoutTable(text) || undefined;
  const { mcpServers } = (parseJson(text).root?.value ?? {}) as { readonly mcpServers?: object };
  if (!mcpServers || !(NAME in mcpServers)) return text;
  const document = new JsonDocument(text);
  document.removeWithHolders(['mcpServers', NAME]);
  return document.text.replace(/\s+/g, '') === '{}' ? undefined : document.text;
}

/**
 * Finds a file of the project, `$0`, from a directory below, and starts it where it stands. No `${…}` and no name of a
 * variable is in it, which hosts would put values in the place of.
 */
const START = 'exec node "$(until [ -f "$0" ] || [ . -ef / ]; do cd ..; done; pwd)/$0" mcp';

/** Claude Code and Codex start servers where they were started themselves, though they look for them upwards. */
function serverOf(program: Program): { readonly command: string; readonly args: readonly string[] } {
  if (program.kind === 'on-path') return { command: NAME, args: ['mcp'] };
  if (program.kind === 'on-machine') return { command: 'node', args: [program.path, 'mcp'] };
  return { command: 'sh', args: ['-c', START, program.path] };
}

const TABLE = `[mcp_servers.${NAME}]`;

/** A TOML file without our table, which goes up to the next one. */
function withoutTable(text: string): string {
  const start = text.indexOf(TABLE);
  if (start === -1) return text;
  const next = text.slice(start + 1).search(/^\[/m);
  const before = text.slice(0, start).replace(/\n\n$/, '\n');
  return next === -1 ? before : before + text.slice(start + 1 + next);
}

function isToml(path: string): boolean {
  return path.endsWith('.toml');
}
