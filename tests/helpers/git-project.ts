import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Files, MakeProject, Project } from './project.ts';

const CONFIG = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];

/** Runs git in the project. @returns what it prints, a character a byte */
export function git(project: Project, ...args: readonly string[]): string {
  return execFileSync('git', [...CONFIG, ...args], {
    cwd: project.root,
    env: project.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'latin1',
  });
}

/** What stands at a path of the working tree: `file 644 <bytes>`, `link <target>`, `directory`. */
export type Tree = Readonly<Record<string, string>>;

export interface State {
  readonly tree: Tree;
  /** What git tells of it, with all that the index knows. */
  readonly status: readonly string[];
  readonly index: readonly string[];
}

/** All that a checkpoint has to bring back, and the ignored files. */
export function stateOf(project: Project): State {
  return {
    tree: treeOf(project),
    status: git(project, 'status', '--porcelain=v2', '-z', '--untracked-files=all').split('\0'),
    index: git(project, 'ls-files', '-s', '-v', '-z').split('\0'),
  };
}

/** Paths and contents are strings of a character a byte. Only directories that hold nothing are named. */
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

/** A path of the working tree as the file system wants it. */
export function bytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** A project that is a repository, with these files committed. */
export function gitProject(makeProject: MakeProject, files: Files = {}): Project {
  const project = makeProject({}, { git: false });
  git(project, 'init');
  project.write(files);
  git(project, 'add', '--all');
  git(project, 'commit', '--allow-empty', '--message=one');
  return project;
}
