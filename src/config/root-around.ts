import { findProject } from './find-project.ts';

/** The project, or the repository, around a directory: where what has no config of its own is kept. */
export function rootAround(cwd: string): string | undefined {
  const found = findProject(cwd);
  return found.found ? found.project.root : found.repository;
}

/** A process whose directory was removed has none; the root of the file system is nobody's project. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
