import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files, MakeProject, Project } from './project.ts';

const CONFIG = [
  'user.name=t',
  'user.email=t@example.com',
  'init.defaultBranch=main',
  // A commit starts a second process for maintenance, which has nothing to do in a small repository.
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Runs git in the project. @returns stdout, one character per byte */
export function git(project: Project, ...args: readonly string[]): string {
  return execFileSync('git', [...CONFIG, ...args], {
    cwd: project.root,
    env: project.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'latin1',
  });
}

/** The working tree by path: `file 644 <bytes>`, `link <target>`, `directory` or `special`. */
export type Tree = Readonly<Record<string, string>>;

export interface State {
  readonly tree: Tree;
  /** The lines of `git status`, and all entries of the index. */
  readonly status: readonly string[];
  readonly index: readonly string[];
}

/** Returns everything that a checkpoint has to restore, and the ignored files. */
export function stateOf(project: Project): State {
  return {
    tree: treeOf(project),
    status: git(project, 'status', '--porcelain=v2', '-z', '--untracked-files=all').split('\0'),
    index: git(project, 'ls-files', '-s', '-v', '-z').split('\0'),
  };
}

/** Paths and contents have one character per byte. Only empty directories are listed. */
export function treeOf({ root }: Project): Tree {
  const tree: Record<string, string> = {};
  const walk = (directory: string): void => {
    const names = readdirSync(bytes(root, directory), { encoding: 'latin1' }).filter(
      (name) => name !== '.git',
    );
    if (names.length === 0 && directory !== '') tree[directory] = 'directory';
    for (const name of names) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const stats = lstatSync(bytes(root, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink())
        tree[path] = `link ${readlinkSync(bytes(root, path), { encoding: 'latin1' })}`;
      else if (stats.isFile())
        tree[path] = `file ${(stats.mode & 0o777).toString(8)} ${readFileSync(bytes(root, path), 'latin1')}`;
      else tree[path] = 'special';
    }
  };
  walk('');
  return tree;
}

/** Returns the absolute path of a file of the working tree, in bytes. */
export function bytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** Creates a project that is a repository with one commit of these files. */
export function gitProject(makeProject: MakeProject, files: Files = {}): Project {
  const project = makeProject(files, { git: false });
  const key = JSON.stringify(files);
  const template = templates.get(key);
  if (template === undefined) {
    git(project, 'init', '--template=');
    git(project, 'add', '--all');
    git(project, 'commit', '--allow-empty', '--message=one');
    templates.set(key, readRepository(project));
  } else {
    for (const [path, content] of template) {
      if (content === undefined) mkdirSync(project.path(path), { recursive: true });
      else writeFileSync(project.path(path), content);
    }
    // The index still has the inodes and times of the files of the template.
    git(project, 'update-index', '-q', '--refresh');
  }
  return project;
}

/** Contents by path, undefined for a directory, which precedes its files. */
type Repository = readonly (readonly [path: string, content: Buffer | undefined])[];

/** Repositories by the files of the project, so that git is started once instead of three times. */
const templates = new Map<string, Repository>();

function readRepository(project: Project): Repository {
  const names = readdirSync(project.path('.git'), { recursive: true, encoding: 'utf8' }).toSorted();
  return ['.git', ...names.map((name) => join('.git', name))].map((path) => {
    const isFile = lstatSync(project.path(path)).isFile();
    return [path, isFile ? readFileSync(project.path(path)) : undefined];
  });
}
