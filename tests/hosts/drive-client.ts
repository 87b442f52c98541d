import { execa } from 'execa';
import { type LogRecord, readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import type { Project } from '../helpers/project.ts';
import type { Client, EndedClient } from './client.ts';
import type { Command } from './install-client.ts';
import type { ModelRequest } from './model-request.ts';
import { type ModelScript, startScriptedModelServer } from './scripted-model-server.ts';
import { settleClient } from './settle-client.ts';

/** How a client's run went, as the client itself, the model and ralph-loop saw it. */
export interface ClientRun extends EndedClient {
  readonly requests: readonly ModelRequest[];
  readonly serverFailures: readonly string[];
  /** What ralph-loop answered. */
  readonly log: readonly LogRecord[];
  /** What the client held against the hook. */
  readonly complaints: readonly string[];
}

/**
 * Runs one prompt in a project whose hook is set up already, with `script` for a model.
 *
 * @throws with all that the client said, where it fails
 */
export async function driveClient(
  client: Client,
  [program, ...before]: Command,
  project: Project,
  script: ModelScript,
): Promise<ClientRun> {
  const server = await startScriptedModelServer(script);
  try {
    const { place, environment } = await settleClient(client, project, server.url);
    const { stdout, stderr } = await execa(program, [...before, ...client.arguments(place)], {
      cwd: project.root,
      env: { ...project.environment, ...environment },
      extendEnv: false,
      stdin: 'ignore',
      // Below the limit of a test, so that what the client has said is still shown.
      timeout: 150_000,
    });
    const ended: EndedClient = { home: project.home, stdout, stderr };
    return {
      ...ended,
      requests: server.requests,
      serverFailures: server.failures,
      log: readLog(ralphDirectory(project.root)),
      complaints: client.complaints(ended),
    };
  } finally {
    await server.close();
  }
}
