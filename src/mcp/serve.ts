import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { type CallContext, callContext, type ServerEffects } from './call-context.ts';
import { chainAnswer } from './chain-answer.ts';
import { promptEngine, promptEngineCall } from './prompt-engine.ts';
import { statusAnswer, statusTool } from './status-tool.ts';
import { getTemplatePrompt, listTemplatePrompts } from './template-prompts.ts';
import { type Problem, toolAnswer } from './tool-answer.ts';
import { verifyAnswer, verifyCall, verifyTool } from './verify-tool.ts';

const INSTRUCTIONS =
  'prompt_engine takes a task with gates (:: verify:"npm test") and verifies the work until they hold; verify runs the gates of the project; status tells how its loops and chains are.';

/** Serves the tools and prompts on stdin and stdout, until the client is gone or the server is closed. */
export function serve(effects: ServerEffects): StdioServerHandle {
  return serveStdio(() => serverOf(effects));
}

function serverOf(effects: ServerEffects): McpServer {
  const { version, cwd } = effects;
  const mcp = new McpServer({ name: 'ralph-loop', version }, { instructions: INSTRUCTIONS });
  const answering =
    <Call>(tool: (call: Call, context: CallContext) => Promise<{ readonly content: string } | Problem>) =>
    async (call: Call, context: ServerContext) => {
      const where = callContext(effects, context);
      const answer = 'problem' in where ? where : await tool(call, where);
      return toolAnswer(maskTexts(answer, secretsIn(effects.env)));
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
    answering(promptEngine),
  );
  mcp.registerTool(
    'verify',
    {
      title: 'Verify',
      description: "Runs the project's own gates now (lint, type check, tests, …), and tells what fails.",
      inputSchema: verifyCall,
      outputSchema: verifyAnswer,
      annotations: { openWorldHint: false },
    },
    answering(verifyTool),
  );
  mcp.registerTool(
    'status',
    {
      title: 'Status',
      description: 'Tells how the loops and the chains of the project are.',
      outputSchema: statusAnswer,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (context) => answering((_: unknown, where) => statusTool(where))(undefined, context),
  );
  const { server } = mcp;
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', () => listTemplatePrompts(cwd));
  server.setRequestHandler('prompts/get', ({ params }) =>
    getTemplatePrompt(cwd, params.name, params.arguments),
  );
  return mcp;
}
