import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { test as base } from 'vitest';
import { eventually } from './eventually.ts';
import { endProcess } from './processes.ts';
import { removeDirectory } from './remove-directory.ts';
import { useStateHome } from './state-home.ts';

/** Contents by path, relative to the project; `@/…` is in its state directory. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A project in a temporary directory, with a home and an environment of its own. */
export interface Project {
  /** Absolute and without symbolic links. It contains a blank, so that a missing quotation fails. */
  readonly root: string;
  readonly home: string;
  /** The whole environment of all processes, without variables of the user or the agent that runs the tests. */
  readonly environment: Readonly<Record<string, string>>;
  path(file: string): string;
  has(file: string): boolean;
  read(file: string): string;
  write(files: Files): void;
  /** Waits until a process of the test creates the file. */
  appears(file: string): Promise<unknown>;
  /** Waits for the pid that a process of the test writes to a file. The process is killed when the test ends. */
  pidIn(file: string): Promise<number>;
}

export type MakeProject = (files?: Files, options?: { readonly git?: boolean }) => Project;

/** Vitest's `test` with `makeProject`, whose projects and their known processes are removed with the test. */
export const test = base.extend('makeProject', ({ task: _ }, { onCleanup }): MakeProject => {
  const cleanups: (() => void)[] = [];
  onCleanup(() => {
    for (const cleanup of cleanups) cleanup();
  });
  return (files = {}, { git = true } = {}) => {
    const { project, remove } = createProject(
      git ? { '.git/HEAD': 'ref: refs/heads/main\n', ...files } : files,
    );
    cleanups.push(remove);
    return project;
  };
});

/** Returns a Trellis project with a current task; `verify` has the entries of `verify:`. */
export function trellisFiles(verify: readonly string[], more = ''): Files {
  return {
    '.trellis/.current-task': 'tasks/demo\n',
    '.trellis/tasks/demo/task.json': '{}\n',
    '.trellis/worktree.yaml': worktreeYaml(verify, more),
  };
}

/** Returns a worktree.yaml of commands, which are quoted for YAML, or of mappings (`{ name: a, run: b }`). */
export function worktreeYaml(verify: readonly string[], more = ''): string {
  const items = verify.map(
    (item) => `  - ${item.startsWith('{ ') ? item : `'${item.replaceAll("'", "''")}'`}\n`,
  );
  return `verify:\n${items.join('')}${more}`;
}

function createProject(files: Files): { project: Project; remove: () => void } {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'ralph test '));
  const [root, home, temporary] = [join(base, 'my project'), join(base, 'home'), join(base, 'tmp')];
  for (const directory of [root, home, temporary]) mkdirSync(directory);
  const pids: number[] = [];
  const stateHome = useStateHome();
  const state = join(stateHome.path, 'ralph-loop/projects', root);
  const path = (file: string) => join(/^@(?:\/|$)/.test(file) ? state : root, file);
  const project: Project = {
    root,
    home,
    environment: {
      // Gates run the same `node` as these tests.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: home,
      TMPDIR: temporary,
      XDG_STATE_HOME: stateHome.path,
      LC_ALL: 'C.UTF-8',
    },
    path,
    has: (file) => existsSync(path(file)),
    read: (file) => readFileSync(path(file), 'utf8'),
    write: (newFiles) => {
      for (const [file, content] of Object.entries(newFiles)) {
        mkdirSync(dirname(path(file)), { recursive: true });
        writeFileSync(path(file), content);
      }
    },
    appears: (file) => eventually(`${file} is there`, () => existsSync(path(file))),
    pidIn: async (file) => {
      const pid = await eventually(`${file} holds a pid`, () => pidIn(path(file)));
      pids.push(pid);
      return pid;
    },
  };
  project.write(files);
  const remove = () => {
    pids.forEach(endProcess);
    removeDirectory(state);
    stateHome.release();
    removeDirectory(base);
  };
  return { project, remove };
}

/** Undefined until the line is complete. */
function pidIn(path: string): number | undefined {
  return existsSync(path) ? Number(/^(\d+)\n/.exec(readFileSync(path, 'utf8'))?.[1]) || undefined : undefined;
}
