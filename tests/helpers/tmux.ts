import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { BIN } from './bin.ts';
import { eventually } from './eventually.ts';
import { endProcess } from './processes.ts';
import type { Project } from './project.ts';

export const canHaveTmux = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux');
  } catch {
    return false;
  }
})();
if (!canHaveTmux) console.log('skipped: tmux is not installed');

export interface Look {
  /** Of the screen, as `60x20`. */
  readonly size?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The screen of a program, and the actions of its user. */
export interface TmuxScreen {
  /** What is on the screen now, line by line. */
  shown(): string;
  /** Waits until a text, or a match, is on the screen. */
  shows(wanted: string | RegExp): Promise<string>;
  /** Waits until a text is no longer on the screen. */
  loses(unwanted: string): Promise<unknown>;
  /** Returns the screen with its colours as escape sequences. */
  painted(): string;
  /** Returns whether the alternate screen is active and whether the cursor is visible: `1 0`. */
  state(): string;
  /** Returns whether the terminal's bell has rung. */
  bell(): boolean;
  /** Presses keys by tmux's names: `Down`, `Enter`, `Escape`, or characters. */
  press(...keys: readonly string[]): void;
  resize(columns: number, rows: number): void;
  /** Closes the terminal. */
  close(): void;
}

/**
 * Runs `ralph-loop ${args}` in tmux, with a line before it and its exit code after it on the main screen. Its pid is in
 * the file `pid`, and the settings of the terminal before and after it are in `before` and `after`.
 */
export function onScreen(project: Project, args: string, look: Look = {}): TmuxScreen {
  const run = `sh -c 'echo $$ > pid; exec "$0" "$@"' '${process.execPath}' '${BIN}' ${args}`;
  // Until the program reads keys itself, Ctrl-C is a signal to all processes of the terminal.
  const command = `trap : INT; stty -g > before; echo first screen; ${run}; echo "exit $?"; stty -g > after; exec cat`;
  return openScreen(project, command, look);
}

/** Runs a command line of the shell in tmux, in the project. */
export function openScreen(
  project: Project,
  command: string,
  { size = '60x20', env = {} }: Look = {},
): TmuxScreen {
  const [columns = '', rows = ''] = size.split('x');
  const options = {
    cwd: project.root,
    encoding: 'utf8',
    env: { ...project.environment, TMUX_TMPDIR: join(project.root, '..', 'tmp'), SHELL: '/bin/sh', ...env },
  } as const;
  // A separate server without the settings of the user.
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', ['-L', 't', '-f', '/dev/null', ...words], options);
  tmux('new-session', '-d', '-x', columns, '-y', rows, command);
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  // The processes of a closed screen get SIGHUP.
  const close = () => endProcess(server);
  onTestFinished(close);
  const shown = () => tmux('capture-pane', '-p');
  return {
    shown,
    async shows(wanted) {
      let now = '';
      const look = () => {
        now = shown();
        return typeof wanted === 'string' ? now.includes(wanted) : wanted.test(now);
      };
      await eventually(`${wanted} is on the screen`, look).catch((error) => {
        throw new Error(`${error.message}, which is\n${now}`);
      });
      return now;
    },
    loses: (unwanted) => eventually(`"${unwanted}" is gone`, () => !shown().includes(unwanted)),
    painted: () => tmux('capture-pane', '-p', '-e'),
    state: () => tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}').trim(),
    bell: () => tmux('display-message', '-p', '#{window_bell_flag}').trim() === '1',
    press: (...keys) => {
      for (const key of keys) tmux('send-keys', key);
    },
    resize: (width, height) => {
      tmux('resize-window', '-x', String(width), '-y', String(height));
    },
    close,
  };
}
