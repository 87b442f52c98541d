import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../base/files.ts';
import { environmentOfGates } from '../gates/nesting.ts';
import { notifyFailedText } from '../messages/person.ts';
import { runCommand } from '../process/run-command.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { leaveNotice } from '../state/notices.ts';
import { stateDirectory } from '../state/paths.ts';

const TIMEOUT_SECONDS = 10;

/**
 * Runs the command of a notification, in a process that nobody waits for. The person reads of a failure at the next stop,
 * and not again until the command has worked or is another one.
 *
 * @param args directory of the project, the file with the notification, and the command
 */
export async function runNotification([
  root = '',
  inputPath = '',
  command = '',
]: readonly string[]): Promise<void> {
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
      env: { ...environmentOfGates(root, env), RALPH_LOOP: '1' },
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
