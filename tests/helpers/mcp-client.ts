import {
  type CallToolResult,
  Client,
  InMemoryTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createServer } from '../../src/mcp/server.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { BIN } from './bin.ts';
import { test as base, type Project } from './project.ts';

type Arguments = Record<string, unknown>;
type Options = Parameters<Client['callTool']>[1];

/** The answer of a tool; the structure is empty for an error. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Arguments;
}

/** A client of a server in the project. */
export interface McpClient {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  call(tool: string, args?: Arguments, options?: Options): Promise<ToolAnswer>;
  /** Calls `prompt_engine`. */
  engine(args: Arguments, options?: Options): Promise<ToolAnswer>;
  /** Starts a chain and returns its id. */
  start(command: string): Promise<string>;
  /** Ends the server as clients do: closes stdin. */
  close(): Promise<void>;
}

/** @param mode the protocol revisions of the client; by default up to that of 2025 */
export type Connect = (
  project: Project,
  env?: Readonly<Record<string, string>>,
  mode?: VersionNegotiationMode,
) => Promise<McpClient>;

/** `test` with `connect`, whose servers are processes that end with the test. */
export const test = withConnect(async (project, env = {}, mode = 'legacy') => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd: project.root,
    env: { ...project.environment, ...env },
  });
  const client = await connected(transport, mode);
  return clientOf(client, transport.pid ?? 0);
});

/** `test` with `connect`, whose servers run in this process. Their commands are real. */
export const testInProcess = withConnect(async (project, env = {}, mode = 'legacy') => {
  const [transport, serverTransport] = InMemoryTransport.createLinkedPair();
  const server = createServer({
    version: '0',
    cwd: project.root,
    runCommand,
    env: { ...project.environment, ...env },
    now: () => new Date(),
  });
  await server.connect(serverTransport);
  return clientOf(await connected(transport, mode), process.pid);
});

function withConnect(connect: Connect) {
  return base.extend('connect', ({ task: _ }, { onCleanup }): Connect => {
    const clients: McpClient[] = [];
    onCleanup(async () => {
      for (const { close } of clients) await close();
    });
    return async (...args) => {
      const client = await connect(...args);
      clients.push(client);
      return client;
    };
  });
}

async function connected(transport: Transport, mode: VersionNegotiationMode): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

function clientOf(client: Client, pid: number): McpClient {
  const call: McpClient['call'] = async (name, args = {}, options = {}) =>
    answerOf(await client.callTool({ name, arguments: args }, options));
  return {
    client,
    pid,
    call,
    engine: (args, options) => call('prompt_engine', args, options),
    start: async (command) => {
      const { text, structured } = await call('prompt_engine', { command });
      if (typeof structured.chain_id !== 'string') throw new Error(`no chain was started: ${text}`);
      return structured.chain_id;
    },
    close: () => client.close(),
  };
}

function answerOf({ content, structuredContent = {}, isError = false }: CallToolResult): ToolAnswer {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { isError, text, structured: structuredContent as Arguments };
}
