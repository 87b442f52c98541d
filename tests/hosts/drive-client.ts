import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { readLog } from '../../src/loop/execution-log.ts';
import type { LogRecord } from '../../src/loop/log-record.ts';
import { ralphDirectory } from '../../src/loop/loop-location.ts';
import type { Files, Project } from '../helpers/project.ts';
import type { Client, EndedClient, Place } from './client.ts';
import type { Command } from './install-client.ts';
import type { ModelRequest } from './model-request.ts';
import { type ModelScript, startScriptedModelServer } from './scripted-model-server.ts';

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
    const place: Place = { home: project.home, project: project.root, serverUrl: server.url };
    await writeFiles(project.home, client.homeFiles?.(place) ?? {});
    const { stdout, stderr } = await execa(program, [...before, ...client.arguments(place)], {
      ...inside(project, client.environment(place)),
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

/** Nothing of the person's own environment or home: neither their settings nor their login may reach the client. */
function inside(project: Project, more: Readonly<Record<string, string>> = {}) {
  const env = { ...project.environment, GIT_CONFIG_NOSYSTEM: '1', ...more };
  return { cwd: project.root, env, extendEnv: false } as const;
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
