import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

export type ClientInstallation =
  | { readonly installed: true; readonly executable: string; readonly version: string }
  | { readonly installed: false; readonly reason: string };

const PACKAGE = '@anthropic-ai/claude-code';
const PINNED_VERSION = '2.1.197';

/** The cache lies outside the repository, so that a 240 MB client outlives `git clean` and is never linted or packed. */
export async function installClaudeCode(): Promise<ClientInstallation> {
  // A bare `vitest run` finds these tests too; it shall not download anything.
  if (!process.env.RALPH_TEST_HOSTS) return { installed: false, reason: 'opt in with `npm run test:hosts`' };
  const cache = path.join(
    process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
    'ralph-loop',
    'hosts',
  );
  const wanted = process.env.RALPH_TEST_CLAUDE_VERSION || PINNED_VERSION;
  const pinned = await installVersion(cache, wanted);
  if (pinned.installed || wanted !== PINNED_VERSION || !pinned.reason.includes('ETARGET')) return pinned;
  return installVersion(cache, 'latest');
}

async function installVersion(cache: string, wanted: string): Promise<ClientInstallation> {
  const version = /^\d+\.\d+\.\d+/.test(wanted) ? wanted : await resolveTag(wanted);
  if (version === undefined) return { installed: false, reason: `npm does not resolve ${PACKAGE}@${wanted}` };
  const folder = path.join(cache, `claude-code@${version}`);
  const present = await findRunnable(folder);
  if (present !== undefined) return present;
  const problem = await download(cache, folder, version);
  if (problem !== undefined)
    return { installed: false, reason: `npm install ${PACKAGE}@${version}: ${problem}` };
  const fresh = await findRunnable(folder);
  return fresh ?? { installed: false, reason: `${PACKAGE}@${version} has no executable that runs here` };
}

/** Installs beside the final folder and renames: an interrupted download is never taken for an installation. */
async function download(cache: string, folder: string, version: string): Promise<string | undefined> {
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(path.join(cache, 'installing-'));
  try {
    await writeFile(path.join(staging, 'package.json'), '{"private":true}\n');
    const result = await npm(['install', '--prefix', staging, '--ignore-scripts', `${PACKAGE}@${version}`]);
    if (result.failed) return firstErrors(result.stderr) || result.shortMessage;
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
    return undefined;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * The package's own `claude` works only after its postinstall, which npm may refuse to run. The program itself comes
 * in a package a platform, and runs from there; releases from before that split have a plain script in `.bin`.
 */
async function findRunnable(folder: string): Promise<ClientInstallation | undefined> {
  const modules = path.join(folder, 'node_modules');
  const scope = path.join(modules, '@anthropic-ai');
  const packages = await readdir(scope).catch(() => []);
  const native = packages
    .filter((name) => name.startsWith('claude-code-'))
    .map((name) => path.join(scope, name));
  const program = process.platform === 'win32' ? 'claude.exe' : 'claude';
  for (const executable of [...native, path.join(modules, '.bin')].map((place) =>
    path.join(place, program),
  )) {
    const { stdout, failed } = await execa(executable, ['--version'], { reject: false, timeout: 30_000 });
    const version = /^\d+\.\d+\.\d+\S*/.exec(stdout ?? '')?.[0];
    if (!failed && version !== undefined) return { installed: true, executable, version };
  }
  return undefined;
}

async function resolveTag(tag: string): Promise<string | undefined> {
  const { failed, stdout } = await npm(['view', `${PACKAGE}@${tag}`, 'version']);
  return failed ? undefined : /^\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
}

function npm(args: string[]) {
  // Without a network npm's own retries take over a minute to say so.
  const quick = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=1000'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return execa('npm', [...args, ...quick, ...quiet], { reject: false, timeout: 300_000 });
}

function firstErrors(stderr: string): string {
  return stderr.split('\n').slice(0, 2).join(' ').replaceAll('npm error ', '');
}
