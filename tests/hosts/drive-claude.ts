import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { CHECK_AGENT_MARK, type CommandHook, createClaudeProject } from './claude-project.ts';
import { type HookRun, hookComplaints, readHookRuns, type StreamEvent } from './hook-run.ts';
import type { ModelReply } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { startScriptedModelServer } from './scripted-model-server.ts';

export interface ClaudeScenario {
  readonly executable: string;
  readonly hook: CommandHook;
  /** What the check agent answers, each time it is asked. */
  readonly checkAgent: (request: ModelRequest) => ModelReply;
}

export interface ClaudeRun {
  /** The last line of the stream: how the client says it ended. */
  readonly result: StreamEvent | undefined;
  readonly checkRequests: readonly ModelRequest[];
  readonly serverFailures: readonly string[];
  readonly hookRuns: readonly HookRun[];
  readonly hookComplaints: readonly string[];
}

/** `claude -p go` in a project of its own: the main model hands the work to the check agent once, then says it is done. */
export async function driveClaude({ executable, hook, checkAgent }: ClaudeScenario): Promise<ClaudeRun> {
  const project = await createClaudeProject(hook);
  const server = await startScriptedModelServer((request) =>
    isCheckAgent(request) ? checkAgent(request) : mainModel(request),
  );
  try {
    const { stdout } = await execa(executable, [...CLAUDE_FLAGS, '--debug-file', project.debugFile], {
      cwd: project.directory,
      env: { ...project.environment, ANTHROPIC_BASE_URL: server.url },
      extendEnv: false,
      stdin: 'ignore',
      timeout: 150_000,
    });
    const stream = stdout.split('\n').map((line): StreamEvent => JSON.parse(line));
    const hookRuns = readHookRuns(stream);
    return {
      result: stream.findLast(({ type }) => type === 'result'),
      checkRequests: server.requests.filter(isCheckAgent),
      serverFailures: server.failures,
      hookRuns,
      hookComplaints: hookComplaints(hookRuns, await readFile(project.debugFile, 'utf8')),
    };
  } finally {
    await server.close();
    await project.remove();
  }
}

const CLAUDE_FLAGS = [
  ...['-p', 'go', '--permission-mode', 'bypassPermissions'],
  ...['--output-format', 'stream-json', '--verbose', '--include-hook-events'],
];

function isCheckAgent(request: ModelRequest): boolean {
  return request.system.includes(CHECK_AGENT_MARK);
}

/** Background errands, such as naming the session, have no Agent tool: they get the closing words. */
function mainModel({ tools, messages }: ModelRequest): ModelReply {
  const delegated = messages.some(({ role }) => role === 'assistant');
  if (delegated || !tools.includes('Agent')) return { text: 'The work is done.' };
  return { tool: 'Agent', input: { description: 'Check', prompt: 'Check it.', subagent_type: 'check' } };
}
