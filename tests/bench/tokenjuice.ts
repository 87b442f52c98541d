import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '../helpers/feedback-cases.ts';
import { bareEnv } from './bench-project.ts';
import { EXCERPT_CHARACTERS, type Rule } from './compare-excerpts.ts';

const VERSION = '0.8.5';
const NAME = `tokenjuice ${VERSION}`;
/** Most cases take less than a second. */
const TIMEOUT_SECONDS = 30;

/**
 * tokenjuice has rules for many commands. It is installed in a temporary directory, called as its adapters for agents call
 * it, and has its default limit, then that of an excerpt.
 */
export function tokenjuiceRules(): Rule[] {
  const home = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  process.once('exit', () => rmSync(home, { recursive: true }));
  const install = ['install', '--prefix', home, '--ignore-scripts', `tokenjuice@${VERSION}`];
  if (spawnSync('npm', install, { stdio: 'ignore' }).status !== 0)
    return [{ name: `${NAME} (npm could not install it)`, excerpt: () => undefined }];
  const program = join(home, 'node_modules/tokenjuice/dist/cli/main.js');
  return [
    { name: `${NAME}, 1,200 characters (its default)`, options: {} },
    {
      name: `${NAME}, ${EXCERPT_CHARACTERS.toLocaleString('en')} characters`,
      options: { maxInlineChars: EXCERPT_CHARACTERS },
    },
  ].map(({ name, options }) => ({
    name,
    excerpt(recorded) {
      const { command, exit } = recorded;
      const input = {
        toolName: 'exec',
        command,
        stdout: outputOf(recorded, 1),
        stderr: outputOf(recorded, 2),
        combinedText: outputOf(recorded),
        // A signal has no code.
        exitCode: Number(exit) || 1,
      };
      const { status, stdout } = spawnSync(process.execPath, [program, 'reduce-json', '--no-stats'], {
        env: bareEnv(home),
        input: JSON.stringify({ input, options }),
        encoding: 'utf8',
        timeout: 1000 * TIMEOUT_SECONDS,
      });
      return status === 0 ? JSON.parse(stdout).inlineText : undefined;
    },
  }));
}
