import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { JsonDocument } from '../base/json-document.ts';
import { success } from '../base/result.ts';
import { parseJson } from '../config/parse-json.ts';
import { type ConfigProblem, formatProblem } from '../config/validate.ts';
import type { KnownHost } from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.ts';
import { LAUNCHER } from '../process/own-command.ts';
import { HOOKLESS_AGENTS, type HooklessAgent } from './hookless-agents.ts';
import { parseData, type Table, tableAt } from './parse-data.ts';
import { type EditedFile, EMPTY_PLAN, joinPlans, type Plan, planEdit, type ReadFile } from './plan.ts';

/** How a host starts a server; all hosts' files have these keys. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

const SERVER_NAME = 'ralph-loop';

/** The project's files in which agents find their MCP servers. */
export const MCP_FILES: readonly string[] = [...HOSTS, ...HOOKLESS_AGENTS].flatMap(
  ({ mcpFile }) => mcpFile ?? [],
);

/**
 * Plans that these hosts start ralph-loop as an MCP server, and the agents without hooks that are used in the project.
 *
 * @param root absolute directory of the project, for settings outside of it
 * @param isInProject whether the project has a file or directory
 */
export function planMcp(
  hosts: readonly KnownHost[],
  root: string,
  isInProject: (path: string) => boolean,
  read: ReadFile,
): Plan {
  const agents = HOOKLESS_AGENTS.filter(({ projectFiles }) => projectFiles.some(isInProject));
  return joinPlans([
    ...hosts.map(({ title, mcpFile }) =>
      mcpFile !== undefined
        ? planServer(mcpFile, read)
        : remark(
            `${title} has no MCP configuration in the project: add "${SERVER_NAME} mcp" to its own settings.`,
          ),
    ),
    ...agents.map((agent) => planAgent(agent, root, read)),
  ]);
}

function planServer(path: string, read: ReadFile): Plan {
  return planEdit(path, read, (text = '') => editServer(path, text, SERVER));
}

function planAgent({ title, lacks, mcpFile, settings }: HooklessAgent, root: string, read: ReadFile): Plan {
  const weaker = `${title} ${lacks}: the MCP server asks its model to call verify, and blocks nothing.`;
  if (mcpFile !== undefined) return joinPlans([planServer(mcpFile, read), remark(weaker)]);
  if (settings === undefined) return remark(weaker);
  // A server of the user is started in any directory.
  const server: McpServer = { command: 'sh', args: ['-c', `cd "$0" && exec node ${LAUNCHER} mcp`, root] };
  const entry = JSON.stringify({ [settings.key]: { [SERVER_NAME]: server } }, null, 2);
  return remark(`${weaker} Add it to ${settings.place}:\n\n${entry}\n`);
}

function remark(text: string): Plan {
  return { ...EMPTY_PLAN, remarks: [text] };
}

/** Plans that these files start ralph-loop as an MCP server no more. */
export function planMcpRemoval(paths: readonly string[], read: ReadFile): Plan {
  return joinPlans(
    paths.map((path) =>
      // A file that does not mention the server can be broken.
      planEdit(path, read, (text) =>
        text?.includes(SERVER_NAME) ? editServer(path, text, undefined) : success({ text }),
      ),
    ),
  );
}

/**
 * Finds a file of the project, `$0`, from a directory inside it, and starts it: Claude Code and Codex find their files in
 * parent directories, but start servers in their own working directory. It has no `${…}` and no variable name, which hosts
 * would replace.
 */
const START = 'exec node "$(until [ -f "$0" ] || [ . -ef / ]; do cd ..; done; pwd)/$0" mcp';
const SERVER: McpServer = { command: 'sh', args: ['-c', START, LAUNCHER] };

/**
 * Adds the server to a host's file, or removes it. Keys that a person added to the server stay.
 *
 * @param server undefined removes it
 */
export function editServer(path: string, text: string, server: McpServer | undefined): EditedFile {
  return path.endsWith('.toml') ? editToml(path, text, server) : editJson(path, text, server);
}

const JSON_KEY = 'mcpServers';

function editJson(path: string, text: string, server: McpServer | undefined): EditedFile {
  const { value, problems } = readJsonServers(text);
  if (problems.length > 0)
    return { ok: false, failure: problems.map((problem) => formatProblem(path, problem)) };
  const servers = tableAt(value, JSON_KEY);
  const document = new JsonDocument(text);
  if (server === undefined) {
    if (!Object.hasOwn(servers, SERVER_NAME)) return success({ text });
    document.removeWithEmptyParents([JSON_KEY, SERVER_NAME]);
    return success({ text: document.text.replace(/\s+/g, '') === '{}' ? undefined : document.text });
  }
  const present = tableAt(servers, SERVER_NAME);
  const wanted = { ...present, ...server };
  if (JSON.stringify(wanted) === JSON.stringify(present)) return success({ text });
  document.set([JSON_KEY, SERVER_NAME], wanted);
  return success({ text: document.text });
}

function readJsonServers(text: string): {
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
} {
  if (text.trim() === '') return { value: {}, problems: [] };
  const { root, problems } = parseJson(text);
  const servers = root?.entries?.find(({ key }) => key === JSON_KEY)?.node;
  const nodes = [
    { node: root, what: 'the file' },
    { node: servers, what: `"${JSON_KEY}"` },
  ];
  const mismatches = nodes.flatMap(({ node, what }): ConfigProblem[] => {
    if (!node || node.entries) return [];
    const found = JSON.stringify(node.value).slice(0, 60);
    return [{ ...node.at, message: `found ${found}, expected ${what} to be an object` }];
  });
  return { value: root?.value, problems: problems.length > 0 ? problems : mismatches };
}

const TOML_KEY = 'mcp_servers';
const TABLE = `[${TOML_KEY}.${SERVER_NAME}]`;
const HEADER = /^\s*\[/;
/** The header of the server's table, or of a table in it, as ralph-loop and Codex write it. */
const OWN_HEADER = new RegExp(`^\\s*\\[${TOML_KEY}\\.${SERVER_NAME}(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`);
const COMMENT = /^\s*#/;

function editToml(path: string, text: string, server: McpServer | undefined): EditedFile {
  const file = parseData(path, text);
  if (!file.ok) return { ok: false, failure: [`${path} ${file.failure.message}`] };
  const servers = tableAt(file.value, TOML_KEY);
  const { [SERVER_NAME]: _, ...others } = servers;
  const own = server && { [SERVER_NAME]: { ...tableAt(servers, SERVER_NAME), ...server } };
  const wanted = withServers(file.value, { ...others, ...own });
  if (isDeepStrictEqual(wanted, withServers(file.value, servers))) return success({ text });
  const rest = withoutOwnTables(text);
  const gap = rest.trim() === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  const after = own === undefined ? rest : `${rest}${gap}${stringify({ [TOML_KEY]: own })}`;
  return hasServers(path, after, wanted)
    ? success({ text: after || undefined })
    : { ok: false, failure: [manualEdit(path, server)] };
}

/** A table ends at the next header. Its comments stay, because they may belong to that header. */
function withoutOwnTables(text: string): string {
  let isOwn = false;
  const kept = text.split('\n').filter((line) => {
    if (HEADER.test(line)) isOwn = OWN_HEADER.test(line);
    return !isOwn || COMMENT.test(line);
  });
  return kept.join('\n');
}

/**
 * Parses the edited text again: the edit goes by lines, and a line of a string or a list can look like a header, or the
 * server can be written in another way.
 */
function hasServers(path: string, text: string, wanted: Table): boolean {
  const file = parseData(path, text);
  return file.ok && isDeepStrictEqual(withServers(file.value, tableAt(file.value, TOML_KEY)), wanted);
}

/** Parsed from text, so that it can be compared with a parsed file. */
function withServers(data: Table, servers: Table): Table {
  return parse(stringify({ ...data, [TOML_KEY]: servers }));
}

function manualEdit(path: string, server: McpServer | undefined): string {
  const entry =
    server &&
    stringify({ ...server })
      .trim()
      .replace('\n', ', ');
  const action = entry === undefined ? `remove ${TABLE} by hand` : `add ${TABLE} by hand: ${entry}`;
  return `${path} has a form that ralph-loop cannot edit safely: ${action}`;
}
