import { onTestFinished } from 'vitest';
import type { Project } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { configureClient } from './configure-client.ts';
import type { Command } from './install-client.ts';
import {
  type ModelScript,
  type ScriptedModelServer,
  startScriptedModelServer,
} from './scripted-model-server.ts';

/** A client that `ralph-loop run` can start. */
export interface AgentRunClient {
  readonly server: ScriptedModelServer;
  /** The arguments of `ralph-loop` that start it. */
  readonly run: readonly string[];
  /** Its variables in the environment of `run`. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Configures a client as a coder in a project with a `spec.md`, with `script` as the model until the test ends.
 *
 * @param words its command line without a prompt, which it reads from stdin
 */
export async function agentRunClient(
  client: Client,
  program: Command,
  words: readonly string[],
  project: Project,
  script: ModelScript,
): Promise<AgentRunClient> {
  const server = await startScriptedModelServer(script);
  onTestFinished(() => server.close());
  const { environment } = await configureClient(client, project, server.url);
  const loop = ['run', '--agent', 'coder', '--task', 'TASK-001', '--prompt-file', 'spec.md'];
  return { server, run: [...loop, '--', ...program, ...words], env: environment };
}
