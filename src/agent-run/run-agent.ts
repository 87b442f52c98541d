import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripAnsi } from '../diagnostics/line-text.ts';
import { killOrphans, TREE_VARIABLE, treeValue } from '../process/kill-orphans.ts';
import type { Recording } from '../process/recording.ts';
import type { CommandEnd, RunCommand } from '../process/run-command.ts';
import { AgentOutput } from './promise/agent-output.ts';

/** One run of an agent. */
export interface AgentCall {
  /** Argument by argument, or a line for the shell; `{prompt}` in it stands for the prompt. */
  readonly command: readonly string[] | string;
  readonly prompt: string;
  /** Absolute path of the directory that it works in. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutSeconds: number;
  /** Unique: every process that it starts is known by it. */
  readonly treeId: string;
  /** Absolute paths of the files that its prompt and its output are kept in. */
  readonly promptPath: string;
  readonly logPath: string;
}

/** How an agent ended, and what it said. */
export interface AgentProcessResult {
  readonly end: CommandEnd;
  readonly durationMs: number;
  /** The last message; cut at the front where it is very long. */
  readonly message: string;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** The last line of its stderr that has words; empty where there is none. */
  readonly errorLine: string;
}

/** From SIGTERM to SIGKILL for an agent that ran into its limit: some save their session then. */
const GRACE_MS = 2000;
const PLACEHOLDER = '{prompt}';

/**
 * Runs an agent to its end, and leaves nothing of it running. The prompt is on its stdin, unless its command names the
 * place for it.
 *
 * @param onSpawned told its pid before it begins
 * @throws where its files cannot be written
 */
export async function runAgent(
  call: AgentCall,
  runCommand: RunCommand,
  hooks: { readonly signal: AbortSignal; readonly onSpawned: (pid: number) => Promise<void> },
): Promise<AgentProcessResult> {
  const { cwd, env, timeoutSeconds, treeId, promptPath, logPath, prompt } = call;
  mkdirSync(dirname(promptPath), { recursive: true });
  writeFileSync(promptPath, prompt);
  const output = new AgentOutput();
  const {
    end,
    durationMs,
    output: recording,
  } = await runCommand(
    {
      ...shellCommand(call),
      cwd,
      env: { ...env, [TREE_VARIABLE]: treeValue(treeId, env) },
      timeoutMs: timeoutSeconds * 1000,
      graceMs: GRACE_MS,
      logPath,
      ...(takesPromptOnStdin(call.command) && { inputPath: promptPath }),
    },
    { ...hooks, onOutput: (stream, bytes) => stream === 'stdout' && output.write(bytes) },
  );
  killOrphans(treeId);
  return { end, durationMs, ...output.end(), errorLine: lastErrorLine(recording) };
}

export function takesPromptOnStdin(command: readonly string[] | string): boolean {
  return !(typeof command === 'string' ? command : command.join('\0')).includes(PLACEHOLDER);
}

function lastErrorLine({ head, tail }: Recording): string {
  const text = [...head, ...tail].map((piece) => (piece.stream === 'stderr' ? piece.text : '')).join('');
  const lines = stripAnsi(text)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? '';
}

/** In a line for the shell the prompt becomes `"$1"`, however the person quoted the place for it. */
function shellCommand({ command, prompt }: Pick<AgentCall, 'command' | 'prompt'>) {
  if (typeof command !== 'string')
    return {
      command: 'exec "$@"',
      args: command.map((argument) => argument.replaceAll(PLACEHOLDER, () => prompt)),
    };
  if (takesPromptOnStdin(command)) return { command };
  return { command: command.replace(/"\{prompt\}"|'\{prompt\}'|\{prompt\}/g, () => '"$1"'), args: [prompt] };
}
