import { findProject } from '../config/find-project.ts';

/** The project, or the repository, that the hook was called in: its log tells of input that names none. */
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
