import { parseJson } from '../config/parse-json.ts';
import { type ConfigProblem, formatProblem } from '../config/validate.ts';
import { JsonDocument } from './json-document.ts';
import { type EditedFile, type McpServer, SERVER_NAME } from './mcp-server.ts';
import { tableAt } from './parse-data.ts';

const SERVERS = 'mcpServers';

/**
 * Names our server in a host's JSON file; what somebody has added to it stays.
 *
 * @param server undefined takes it out again
 */
export function editJsonServer(path: string, text: string, server: McpServer | undefined): EditedFile {
  const { value, problems } = readServers(text);
  if (problems.length > 0) return { problems: problems.map((problem) => formatProblem(path, problem)) };
  const servers = tableAt(value, SERVERS);
  const document = new JsonDocument(text);
  if (server === undefined) {
    if (!Object.hasOwn(servers, SERVER_NAME)) return { text };
    document.removeWithHolders([SERVERS, SERVER_NAME]);
    return { text: document.text.replace(/\s+/g, '') === '{}' ? undefined : document.text };
  }
  const present = tableAt(servers, SERVER_NAME);
  const wanted = { ...present, ...server };
  if (JSON.stringify(wanted) === JSON.stringify(present)) return { text };
  document.set([SERVERS, SERVER_NAME], wanted);
  return { text: document.text };
}

/** What is not as the host wants it, on the way to the servers, is a problem. */
function readServers(text: string): { readonly value: unknown; readonly problems: readonly ConfigProblem[] } {
  if (text.trim() === '') return { value: {}, problems: [] };
  const { root, problems } = parseJson(text);
  const servers = root?.entries?.find(({ key }) => key === SERVERS)?.node;
  const places = [
    { node: root, what: 'the file' },
    { node: servers, what: `"${SERVERS}"` },
  ];
  const wrong = places.flatMap(({ node, what }): ConfigProblem[] => {
    if (!node || node.entries) return [];
    const found = JSON.stringify(node.value).slice(0, 60);
    return [{ ...node.at, message: `found ${found}, expected ${what} to be an object` }];
  });
  return { value: root?.value, problems: problems.length > 0 ? problems : wrong };
}
