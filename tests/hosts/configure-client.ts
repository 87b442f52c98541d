import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Files, Project } from '../helpers/project.ts';
import type { Client, Place } from './client.ts';

/**
 * Writes the client's files into the home of a project, with the model at `serverUrl`.
 *
 * @returns the variables to add to the environment of the project, which has no settings or login of the user
 */
export async function configureClient(
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
    // A test may have added hooks to the user's settings.
    const added = await readFile(file).catch(() => '');
    await writeFile(file, `${content}${added}`);
  }
}
