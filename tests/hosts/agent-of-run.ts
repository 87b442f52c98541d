import { onTestFinished } from 'vitest';
import type { Project } from '../helpers/project.ts';
import type { Client } from './client.ts';
import type { Command } from './install-client.ts';
import {
  type ModelScript,
  type ScriptedModelServer,
  startScriptedModelServer,
} from './scripted-model-server.ts';
import { settleClient } from './settle-client.ts';

/** A client that `ralph-loop run` can drive. */
export interface AgentOfRun {
  readonly server: ScriptedModelServer;
  /** The arguments of `ralph-loop` that drive it. */
  readonly run: readonly string[];
  /** What it needs in the environment of `run`. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Settles a client as a coder in a project with a `spec.md`, with `script` for a model until the test has ended.
 *
 * @param words its command line without a prompt, which it reads on stdin
 */
export async function agentOfRun(
  client: Client,
  program: Command,
  words: readonly string[],
  project: Project,
  script: ModelScript,
): Promise<AgentOfRun> {
  const server = await startScriptedModelServer(script);
  onTestFinished(() => server.close());
  const { environment } = await settleClient(client, project, server.url);
  const loop = ['run', '--agent', 'coder', '--task', 'TASK-001', '--prompt-file', 'spec.md'];
  return { server, run: [...loop, '--', ...program, ...words], env: environment };
}
