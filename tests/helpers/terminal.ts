import { execFileSync } from 'node:child_process';
import { execa } from 'execa';
import { BIN } from './bin.ts';
import type { Project } from './project.ts';

/** Whether `script` of util-linux is installed, which runs a command in a terminal. */
export const canHaveTerminal = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();
if (!canHaveTerminal) console.log('skipped: there is no util-linux `script` to make a terminal with');

export const COLUMNS = 60;

/** Runs `ralph-loop ${args}` in a terminal of 60 columns; text that is written to its stdin is typed. */
export function inTerminal(project: Project, args: string, env: Readonly<Record<string, string>> = {}) {
  const command = `stty cols ${COLUMNS} rows 24; exec "${process.execPath}" "${BIN}" ${args}`;
  const running = execa('script', ['-qec', command, '/dev/null'], {
    cwd: project.root,
    env: { ...project.environment, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    stdin: 'pipe',
  });
  let screen = '';
  running.stdout.on('data', (text) => {
    screen += text;
  });
  return { running, screen: () => screen };
}
