import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Files, Project } from '../helpers/project.ts';
import type { Client, Place } from './client.ts';

/**
 * Makes a project's home that of a client, whose model is at `serverUrl`.
 *
 * @returns what the client adds to the project's environment, which has nothing of the person's own: neither their
 * settings nor their login may reach it
 */
export async function settleClient(
  client: Client,
  project: Project,
  serverUrl: string,
): Promise<{ readonly place: Place; readonly environment: Readonly<Record<string, string>> }> {
  const place: Place = { home: project.home, project: project.root, serverUrl };
  await writeFiles(project.home, client.homeFiles?.(place) ?? {});
  return { place, environment: { GIT_CONFIG_NOSYSTEM: '1', ...client.environment(place) } };
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
