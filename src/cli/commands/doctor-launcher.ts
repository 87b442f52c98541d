import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { oneLine } from '../../base/text.ts';
import { isCurrentLauncher } from '../../hosts/own-files.ts';
import { LAUNCHER, permanentDirectories } from '../../process/own-command.ts';
import type { Finding } from '../../setup/check-project.ts';

const INIT = 'ralph-loop init';
/** Starting Node takes a fraction of a second on an idle machine. */
const TIMEOUT_MS = 30_000;

/**
 * Checks that the launcher finds a program that runs, and that it is the launcher of this version.
 *
 * @param root absolute directory of the project
 * @param files the project's files that start the launcher
 */
export function examineLauncher(root: string, files: readonly string[]): Finding[] {
  if (files.length === 0 || !existsSync(join(root, LAUNCHER))) return [];
  const about = 'Launcher';
  const findings: Finding[] = [startLauncher(root)];
  if (!isCurrentLauncher(readFileSync(join(root, LAUNCHER), 'utf8')))
    findings.push({ about, level: 'warning', what: `${LAUNCHER} is outdated.`, fix: INIT });
  if (isIgnored(root, LAUNCHER) && files.some((file) => !isIgnored(root, file)))
    findings.push({
      about,
      level: 'warning',
      what: `git ignores ${LAUNCHER}: a clone or a worktree does not have it, and its hooks fail.`,
      fix: `git add --force ${LAUNCHER}`,
    });
  return findings;
}

/** Starts the program as a host would: without npx's additions to PATH. */
function startLauncher(root: string): Finding {
  const about = 'Launcher';
  const PATH = permanentDirectories(process.env.PATH).join(delimiter);
  const { status, stdout, stderr, error } = spawnSync('node', [join(root, LAUNCHER), '--version'], {
    cwd: root,
    env: { ...process.env, PATH },
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
  if (status === 0) return { about, level: 'ok', what: `${LAUNCHER} starts ralph-loop ${stdout.trim()}.` };
  const what = error ? `${LAUNCHER} cannot be started: ${error.message}` : oneLine(stderr, 500);
  return {
    about,
    level: 'error',
    what,
    fix: 'Until then, each agent is blocked once, and may stop unverified.',
  };
}

/** Whether git ignores a file that it does not track. */
function isIgnored(root: string, path: string): boolean {
  return spawnSync('git', ['check-ignore', '--quiet', path], { cwd: root, stdio: 'ignore' }).status === 0;
}
