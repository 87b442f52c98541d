import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { BIN, type Run } from './bin.ts';
import type { Project } from './project.ts';

/** Runs a command without the permissions of root, who may write everywhere. */
const PREFIX =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] : ['env'];

/** Whether there is a user for whom a project can be read-only; prints a message if there is none. */
export const canBeOtherUser = (() => {
  const [command = '', ...args] = [...PREFIX, process.execPath, '-e', '0'];
  try {
    execFileSync(command, args, { stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    console.log('skipped: there is no setpriv, or no node that another user may run');
    return false;
  }
})();

/**
 * Makes the project and its state readable for every user and writable only for root, and copies the program beside it.
 */
export function makeReadOnly(project: Project): void {
  const around = dirname(project.root);
  execFileSync('cp', ['-R', dirname(BIN), join(dirname(BIN), '../dist'), around]);
  chmodSync(around, 0o755);
  for (const directory of [project.home, project.environment.TMPDIR ?? '']) chmodSync(directory, 0o777);
  execFileSync('chmod', ['-R', 'a-w,a+rX', project.root]);
  if (!project.has('@/')) return;
  // The other user has no part in the state directory of the tests.
  const state = join(project.home, '.local/state/ralph-loop/projects', project.root);
  mkdirSync(state, { recursive: true });
  execFileSync('cp', ['-R', project.path('@'), state]);
  execFileSync('chmod', ['-R', 'a-w,a+rX', join(project.home, '.local')]);
}

/** Runs `ralph-loop` in a read-only project, as a user without write permission. */
export async function ralphLoopAsOther(project: Project, args: readonly string[], input = ''): Promise<Run> {
  const program = join(dirname(project.root), 'bin/ralph-loop.js');
  const [command = '', ...rest] = [...PREFIX, process.execPath, program, ...args];
  return await execa(command, rest, {
    cwd: project.root,
    // It cannot write the state directory of the tests.
    env: { ...project.environment, XDG_STATE_HOME: '' },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    input,
  });
}
