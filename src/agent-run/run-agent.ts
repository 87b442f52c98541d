import { dirname } from 'node:path';
import { makeDirectory, writeFileAtomic } from '../base/files.ts';
import { stripAnsi } from '../base/text.ts';
import { after } from '../base/time.ts';
import type { Recording } from '../process/output.ts';
import {
  isSameProcess,
  killOrphans,
  signalGroup,
  TREE_VARIABLE,
  treeValue,
} from '../process/process-group.ts';
import type { CommandEnd, RunCommand } from '../process/run-command.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { AgentOutput } from './promise/agent-output.ts';

/** One start of an agent. */
export interface AgentCall {
  /** The arguments, or a line for the shell. `{prompt}` in it is replaced by the prompt. */
  readonly command: readonly string[] | string;
  readonly prompt: string;
  /** Absolute path of its working directory. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutSeconds: number;
  /** The id of the agent run. Every process that the agent starts inherits it in its environment. */
  readonly treeId: string;
  /** Absolute paths of the files for the prompt and the output. */
  readonly promptPath: string;
  readonly logPath: string;
}

export interface AgentProcessResult {
  readonly end: CommandEnd;
  readonly durationMs: number;
  /** The agent's last message, cut at the front if it is very long. */
  readonly message: string;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** The last line of its stderr that is not blank; empty when there is none. */
  readonly errorLine: string;
}

/** From SIGTERM to SIGKILL for an agent that timed out: some agents save their session in between. */
const TIMEOUT_GRACE_MS = 2000;
/** From SIGTERM to SIGKILL for an agent whose ralph-loop process was killed. */
const LEFTOVER_GRACE_MS = 1000;
const POLL_INTERVAL_MS = 20;
const PLACEHOLDER = '{prompt}';

/**
 * Runs an agent until it ends, and kills every process that it leaves behind. The agent reads the prompt on stdin, or
 * from an argument if its command has a placeholder for it.
 *
 * @param hooks `onSpawned` gets the agent's pid before the agent begins
 * @throws when the prompt or the log cannot be written
 */
export async function runAgent(
  call: AgentCall,
  runCommand: RunCommand,
  hooks: { readonly signal: AbortSignal; readonly onSpawned: (pid: number) => Promise<void> },
): Promise<AgentProcessResult> {
  const { cwd, env, timeoutSeconds, treeId, promptPath, logPath, prompt } = call;
  makeDirectory(dirname(promptPath), 0o700);
  writeFileAtomic(promptPath, prompt, { mode: 0o600 });
  const agentOutput = new AgentOutput();
  const { end, durationMs, output } = await runCommand(
    {
      ...shellCommand(call),
      cwd,
      env: { ...env, [TREE_VARIABLE]: treeValue(treeId, env) },
      secrets: secretsIn(env),
      timeoutMs: timeoutSeconds * 1000,
      graceMs: TIMEOUT_GRACE_MS,
      logPath,
      ...(takesPromptOnStdin(call.command) && { inputPath: promptPath }),
    },
    { ...hooks, onOutput: (stream, bytes) => stream === 'stdout' && agentOutput.write(bytes) },
  );
  return { end, durationMs, ...agentOutput.end(), errorLine: lastErrorLine(output) };
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

/** In a line for the shell, the placeholder becomes `"$1"`, whether it is quoted or not. */
function shellCommand({ command, prompt }: Pick<AgentCall, 'command' | 'prompt'>) {
  if (typeof command !== 'string')
    return {
      command: 'exec "$@"',
      args: command.map((argument) => argument.replaceAll(PLACEHOLDER, () => prompt)),
    };
  if (takesPromptOnStdin(command)) return { command };
  return { command: command.replace(/"\{prompt\}"|'\{prompt\}'|\{prompt\}/g, () => '"$1"'), args: [prompt] };
}

/** Ends the agent of a run whose ralph-loop process was killed, and every process that the agent has started. */
export async function endLeftoverAgent({ id, agent }: Pick<AgentRun, 'id' | 'agent'>): Promise<void> {
  if (agent && (await isSameProcess(agent))) {
    signalGroup(agent.pid, 'SIGTERM');
    for (
      let waited = 0;
      waited < LEFTOVER_GRACE_MS && (await isSameProcess(agent));
      waited += POLL_INTERVAL_MS
    )
      await after(POLL_INTERVAL_MS).promise;
    if (await isSameProcess(agent)) signalGroup(agent.pid, 'SIGKILL');
  }
  await killOrphans(id);
}
