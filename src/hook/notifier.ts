import { closeSync, constants, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/files.ts';
import { environmentOfGates } from '../gates/nesting.ts';
import { notifyFailedText } from '../messages/person.ts';
import { isOnPath } from '../process/own-command.ts';
import { runCommand } from '../process/run-command.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { leaveNotice } from '../state/notices.ts';
import { stateDirectory } from '../state/paths.ts';
import type { Notification } from './notify.ts';

const TIMEOUT_SECONDS = 10;

/**
 * Runs a notification, in a process that nobody waits for.
 *
 * @param args directory of the project, the file with the notification, the value of `notify`, and the person's terminal
 */
export async function runNotification([
  root = '',
  inputPath = '',
  wanted = '',
  terminal = '',
]: readonly string[]): Promise<void> {
  if (wanted !== 'bell' && wanted !== 'desktop') return runNotifyCommand(root, inputPath, wanted);
  const command = wanted === 'desktop' ? desktopCommand(process) : undefined;
  if (command !== undefined) return runNotifyCommand(root, inputPath, command, textOf(inputPath));
  rmSync(inputPath, { force: true });
  if (terminal !== '') ringBell(terminal);
}

function textOf(inputPath: string): string {
  const { reason }: Notification = JSON.parse(readRegularFile(inputPath) ?? '{}');
  return reason;
}

/** The command that shows the text of a notification, `$RALPH_TEXT`, on the desktop; undefined where there is none. */
export function desktopCommand({
  platform,
  env,
}: {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}): string | undefined {
  if (platform === 'darwin' && env.SSH_CONNECTION === undefined)
    return `osascript -e 'on run texts' -e 'display notification (item 1 of texts) with title "ralph-loop"' -e 'end run' "$RALPH_TEXT"`;
  const hasDesktop = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && isOnPath('notify-send', env.PATH);
  return platform === 'linux' && hasDesktop
    ? 'notify-send --app-name=ralph-loop -- "$RALPH_TEXT"'
    : undefined;
}

/** @param terminal absolute path; one that is gone, or that a person has stopped, rings no bell */
function ringBell(terminal: string): void {
  try {
    const descriptor = openSync(terminal, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    writeSync(descriptor, '\x07');
    closeSync(descriptor);
  } catch {
    // The log and the host's messages have what happened.
  }
}

/**
 * Runs the command of a notification. The person reads of a failure at the next stop, and not again until the command has
 * worked or is another one.
 */
async function runNotifyCommand(root: string, inputPath: string, command: string, text = ''): Promise<void> {
  const { env } = process;
  const directory = stateDirectory(root);
  const logPath = join(directory, 'notify.log');
  const failedPath = join(directory, 'notify-failed.txt');
  const { end } = await runCommand(
    {
      command,
      inputPath,
      cwd: root,
      // An agent that the command starts is not guarded.
      env: { ...environmentOfGates(root, env), RALPH_LOOP: '1', ...(text !== '' && { RALPH_TEXT: text }) },
      secrets: secretsIn(env),
      timeoutMs: TIMEOUT_SECONDS * 1000,
      graceMs: 500,
      logPath,
    },
    {},
  );
  rmSync(inputPath, { force: true });
  if (end.how === 'exited' && end.exitCode === 0) {
    rmSync(failedPath, { force: true });
    return;
  }
  if (readRegularFile(failedPath) === command) return;
  writeFileSync(failedPath, command, { mode: 0o600 });
  const how =
    end.how === 'exited'
      ? `exited with ${end.exitCode}`
      : end.how === 'timed-out'
        ? `was ended after ${TIMEOUT_SECONDS} s`
        : end.how === 'not-started'
          ? `did not start: ${end.message}`
          : `was ended${end.how === 'killed' ? ` by ${end.signal}` : ''}`;
  leaveNotice(root, notifyFailedText(how, logPath));
}
