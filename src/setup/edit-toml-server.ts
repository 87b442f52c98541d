import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { type EditedFile, type McpServer, SERVER_NAME } from './mcp-server.ts';
import { parseData, type Table, tableAt } from './parse-data.ts';

const SERVERS = 'mcp_servers';
const TABLE = `[${SERVERS}.${SERVER_NAME}]`;
const HEADER = /^\s*\[/;
/** The header of our table, or of one in it, as we and Codex write it. */
const OUR_HEADER = new RegExp(`^\\s*\\[${SERVERS}\\.${SERVER_NAME}(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`);
const COMMENT = /^\s*#/;

/**
 * Names our server in a host's TOML file; what somebody has added to it stays.
 *
 * @param server undefined takes it out again
 */
export function editTomlServer(path: string, text: string, server: McpServer | undefined): EditedFile {
  const read = parseData(path, text);
  if ('why' in read) return { problems: [`${path} ${read.why}`] };
  const servers = tableAt(read.data, SERVERS);
  const { [SERVER_NAME]: _, ...others } = servers;
  const ours = server && { [SERVER_NAME]: { ...tableAt(servers, SERVER_NAME), ...server } };
  const wanted = withServers(read.data, { ...others, ...ours });
  if (isDeepStrictEqual(wanted, withServers(read.data, servers))) return { text };
  const after = withoutOurs(text) + (ours === undefined ? '' : stringify({ [SERVERS]: ours }));
  return holds(path, after, wanted) ? { text: after || undefined } : { problems: [byHand(path, server)] };

  function withoutOurs(text: string): string {
    const rest = withoutTable(text);
    if (ours === undefined || rest.trim() === '') return rest;
    return rest.endsWith('\n') ? `${rest}\n` : `${rest}\n\n`;
  }
}

/** The tables go up to the next one; comments stay, of which nobody knows whose they are. */
function withoutTable(text: string): string {
  let isOurs = false;
  const kept = text.split('\n').filter((line) => {
    if (HEADER.test(line)) isOurs = OUR_HEADER.test(line);
    return !isOurs || COMMENT.test(line);
  });
  return kept.join('\n');
}

/**
 * The text was edited by its lines: one of a string or a list may look like a header, and the same server may be written
 * in other ways. So what came of it is read again.
 */
function holds(path: string, text: string, wanted: Table): boolean {
  const read = parseData(path, text);
  return 'data' in read && isDeepStrictEqual(withServers(read.data, tableAt(read.data, SERVERS)), wanted);
}

/** Read from text, as what it is compared with is. */
function withServers(data: Table, servers: Table): Table {
  return parse(stringify({ ...data, [SERVERS]: servers }));
}

function byHand(path: string, server: McpServer | undefined): string {
  const what = server
    ? `add ${TABLE} by hand: ${stringify({ ...server })
        .trim()
        .replace('\n', ', ')}`
    : `take ${TABLE} out by hand`;
  return `${path} is written in a way that is not changed here without a loss: ${what}`;
}
