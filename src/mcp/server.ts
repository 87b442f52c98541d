import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Result } from '../base/result.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { BoundedStdioTransport } from './bounded-input.ts';
import { chainAnswer } from './chain-answer.ts';
import {
  escalateAnswer,
  escalateCall,
  escalateTool,
  statusAnswer,
  statusTool,
  verifyAnswer,
  verifyCall,
  verifyTool,
} from './project-tools.ts';
import { promptEngine, promptEngineCall } from './prompt-engine.ts';
import { getTemplatePrompt, listTemplatePrompts } from './template-prompts.ts';
import { type CallContext, callContext, type ServerOptions, toolResult } from './tool-call.ts';

/** For agents without a hook this is all that makes them verify their work. */
const INSTRUCTIONS =
  'Before you say that work in this project is done, call verify: it runs the gates of the project (lint, type check, tests, …). If a gate fails, fix the cause, not the gate, and call verify again. Say that the work is done only if verify has passed since your last edit. If a gate is wrong or cannot be satisfied, call escalate, and say so. prompt_engine takes a task with gates (:: verify:"npm test") and verifies the work until they pass; status shows the loops and chains of the project.';

/** Serves the tools and prompts on stdin and stdout, until the client is gone or the server is closed. */
export function serve(options: ServerOptions): StdioServerHandle {
  return serveStdio(() => createServer(options), { transport: new BoundedStdioTransport() });
}

/** The server, not yet connected to a client. */
export function createServer(options: ServerOptions): McpServer {
  const { version, cwd, env } = options;
  const mcp = new McpServer({ name: 'ralph-loop', version }, { instructions: INSTRUCTIONS });
  const handler =
    <Args>(tool: (args: Args, call: CallContext) => Promise<Result<{ readonly content: string }>>) =>
    async (args: Args, request: ServerContext) => {
      const call = callContext(options, request);
      const answer = call.ok ? await tool(args, call.value) : call;
      return toolResult(maskTexts(answer, secretsIn(env)));
    };
  mcp.registerTool(
    'prompt_engine',
    {
      title: 'Prompt engine',
      description:
        'Gives a task, step by step, and verifies the work by its gates: commands that must exit with 0, and criteria that the work must be reviewed by. Call it with command first, then with chain_id and user_response when the work is done; each answer says what to call next.',
      inputSchema: promptEngineCall,
      outputSchema: chainAnswer,
      annotations: { openWorldHint: false },
    },
    handler(promptEngine),
  );
  mcp.registerTool(
    'verify',
    {
      title: 'Verify',
      // Clients that do not pass the instructions on pass this.
      description:
        "Runs the project's own gates now (lint, type check, tests, …), and shows what fails. Call it after your last edit, before you say that the work is done.",
      inputSchema: verifyCall,
      outputSchema: verifyAnswer,
      annotations: { openWorldHint: false },
    },
    handler(verifyTool),
  );
  mcp.registerTool(
    'escalate',
    {
      title: 'Escalate',
      description:
        'Says that a gate is wrong or cannot be satisfied, instead of weakening it. The next stop is allowed, does not count as passed, and the user reads the reason.',
      inputSchema: escalateCall,
      outputSchema: escalateAnswer,
      annotations: { openWorldHint: false },
    },
    handler(escalateTool),
  );
  mcp.registerTool(
    'status',
    {
      title: 'Status',
      description: 'Shows the loops and the chains of the project.',
      outputSchema: statusAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (request) => handler((_: unknown, call) => statusTool(call))(undefined, request),
  );
  const { server } = mcp;
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', () => listTemplatePrompts(cwd));
  server.setRequestHandler('prompts/get', ({ params }) =>
    getTemplatePrompt(cwd, params.name, params.arguments),
  );
  return mcp;
}
