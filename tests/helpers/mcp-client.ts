import { type CallToolResult, Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BIN } from './bin.ts';
import { test as base, type Project } from './project.ts';

type Arguments = Record<string, unknown>;
type Options = Parameters<Client['callTool']>[1];

/** What came of a tool's call; the structure is empty where it was an error. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Arguments;
}

/** A client of `ralph-loop mcp`, which runs in the project. */
export interface McpClient {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  call(tool: string, args?: Arguments, options?: Options): Promise<ToolAnswer>;
  /** Calls `prompt_engine`. */
  engine(args: Arguments, options?: Options): Promise<ToolAnswer>;
  /** Begins a chain and gives its id. */
  begin(command: string): Promise<string>;
  /** Ends the server as clients do: stdin is closed. */
  close(): Promise<void>;
}

/** @param mode which revisions of the protocol the client speaks; up to that of 2025 without it */
export type Connect = (
  project: Project,
  env?: Readonly<Record<string, string>>,
  mode?: VersionNegotiationMode,
) => Promise<McpClient>;

/** `test` with `connect`, whose servers end with the test. */
export const test = base.extend('connect', ({ task: _ }, { onCleanup }): Connect => {
  const clients: McpClient[] = [];
  onCleanup(async () => {
    for (const { close } of clients) await close();
  });
  return async (...args) => {
    const client = await connectMcp(...args);
    clients.push(client);
    return client;
  };
});

const connectMcp: Connect = async (project, env = {}, mode = 'legacy') => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd: project.root,
    env: { ...project.environment, ...env },
  });
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const call: McpClient['call'] = async (name, args = {}, options = {}) =>
    answerOf(await client.callTool({ name, arguments: args }, options));
  return {
    client,
    pid: transport.pid ?? 0,
    call,
    engine: (args, options) => call('prompt_engine', args, options),
    begin: async (command) => {
      const { text, structured } = await call('prompt_engine', { command });
      if (typeof structured.chain_id !== 'string') throw new Error(`no chain was begun: ${text}`);
      return structured.chain_id;
    },
    close: () => client.close(),
  };
};

function answerOf({ content, structuredContent = {}, isError = false }: CallToolResult): ToolAnswer {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { isError, text, structured: structuredContent as Arguments };
}
