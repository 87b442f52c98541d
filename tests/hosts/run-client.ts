import { execa } from 'execa';
import { type LogRecord, readLog } from '../../src/state/execution-log.ts';
import { ralphDirectory } from '../../src/state/paths.ts';
import type { Project } from '../helpers/project.ts';
import type { Client, EndedClient } from './client.ts';
import { configureClient } from './configure-client.ts';
import type { Command } from './install-client.ts';
import type { ModelRequest } from './model-request.ts';
import { type ModelScript, startScriptedModelServer } from './scripted-model-server.ts';

/** The results of a run, from the client, the model and ralph-loop. */
export interface ClientRun extends EndedClient {
  readonly requests: readonly ModelRequest[];
  readonly serverFailures: readonly string[];
  /** The records of ralph-loop. */
  readonly log: readonly LogRecord[];
  /** The complaints of the client about the hook. */
  readonly complaints: readonly string[];
}

/**
 * Runs one prompt in a project with an installed hook, with `script` as the model.
 *
 * @throws with the output of the client, if it fails
 */
export async function runClient(
  client: Client,
  [program, ...before]: Command,
  project: Project,
  script: ModelScript,
): Promise<ClientRun> {
  const server = await startScriptedModelServer(script);
  try {
    const { place, environment } = await configureClient(client, project, server.url);
    const { stdout, stderr } = await execa(program, [...before, ...client.arguments(place)], {
      cwd: project.root,
      env: { ...project.environment, ...environment },
      extendEnv: false,
      stdin: 'ignore',
      // Below the timeout of a test, so that the output of the client is still shown.
      timeout: 15 * 60_000,
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
