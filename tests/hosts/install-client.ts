import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import type { Client } from './client.ts';

/** A program with its leading arguments. */
export type Command = readonly [program: string, ...before: string[]];

export type ClientInstallation =
  | { readonly installed: true; readonly command: Command; readonly version: string }
  | { readonly installed: false; readonly reason: string };

/**
 * Installs the pinned version of the client, or the one in `RALPH_TEST_<HOST>_VERSION`; the latest one if the registry
 * no longer has the pinned version. The cache is outside the repository, so that clients of up to 400 MB survive
 * `git clean` and are never linted or packed.
 */
export async function installClient(client: Client): Promise<ClientInstallation> {
  // A plain `vitest run` finds these tests too, and must not download anything.
  if (!process.env.RALPH_TEST_HOSTS) return { installed: false, reason: 'opt in with `npm run test:hosts`' };
  const variable = `RALPH_TEST_${client.host.toUpperCase().replaceAll('-', '_')}_VERSION`;
  const wanted = process.env[variable] || client.version;
  const pinned = await installVersion(client, wanted);
  if (pinned.installed || wanted !== client.version || !pinned.reason.includes('ETARGET')) return pinned;
  return installVersion(client, 'latest');
}

async function installVersion(client: Client, wanted: string): Promise<ClientInstallation> {
  const version = /^\d+\.\d+\.\d+/.test(wanted) ? wanted : await resolveTag(client.package, wanted);
  if (version === undefined)
    return { installed: false, reason: `npm does not resolve ${client.package}@${wanted}` };
  const folder = path.join(cacheFolder(), `${path.basename(client.package)}@${version}`);
  const present = await findRunnable(folder, client);
  if (present !== undefined) return present;
  const packages = [`${client.package}@${version}`, ...nodePackages(client)];
  const problem = await download(folder, packages);
  if (problem !== undefined)
    return { installed: false, reason: `npm install ${packages.join(' ')}: ${problem}` };
  const fresh = await findRunnable(folder, client);
  return fresh ?? { installed: false, reason: `${packages.join(' ')} has no executable that runs here` };
}

function cacheFolder(): string {
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return path.join(caches, 'ralph-loop', 'hosts');
}

/** Installs beside the final folder and renames it, so that an interrupted download is not used. */
async function download(folder: string, packages: readonly string[]): Promise<string | undefined> {
  await mkdir(path.dirname(folder), { recursive: true });
  const staging = await mkdtemp(path.join(path.dirname(folder), 'installing-'));
  try {
    await writeFile(path.join(staging, 'package.json'), '{"private":true}\n');
    const result = await npm(['install', '--prefix', staging, '--ignore-scripts', ...packages]);
    if (result.failed) return firstErrors(result.stderr) || result.shortMessage;
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
    return undefined;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Installs the Node version that the client needs, if the one that runs these tests is too old. */
function nodePackages({ node }: Client): string[] {
  if (!needsOwnNode(node)) return [];
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [`${prefix}-${platform}-${arch}@${node}`];
}

function needsOwnNode(node: string | undefined): node is string {
  return node !== undefined && Number.parseInt(process.versions.node, 10) < Number.parseInt(node, 10);
}

/**
 * Returns the program of a package. It may need a postinstall script, which npm may refuse to run, so the program of
 * a platform package is used if there is one.
 */
async function findRunnable(folder: string, client: Client): Promise<ClientInstallation | undefined> {
  const modules = path.join(folder, 'node_modules');
  const native = client.nativePackage ?? client.package;
  const scope = path.join(modules, path.dirname(native));
  const packages = await readdir(scope).catch(() => []);
  const natives = packages
    .filter((name) => name.startsWith(`${path.basename(native)}-`))
    .flatMap((name) => [path.join(scope, name), path.join(scope, name, 'bin')]);
  const program = process.platform === 'win32' ? `${client.program}.exe` : client.program;
  const ownNode = needsOwnNode(client.node);
  for (const place of [...natives, path.join(modules, '.bin')]) {
    const executable = path.join(place, program);
    const command: Command = ownNode ? [path.join(modules, '.bin', 'node'), executable] : [executable];
    // Files that a program unpacks at its first start stay in the cache.
    const env = { HOME: folder, XDG_CACHE_HOME: path.join(folder, '.cache') };
    const options = { env, reject: false, timeout: 30_000 };
    const { stdout, failed } = await execa(command[0], [...command.slice(1), '--version'], options);
    const version = /\d+\.\d+\.\d+(-[\w.]+)?/.exec(stdout ?? '')?.[0];
    if (!failed && version !== undefined) return { installed: true, command, version };
  }
  return undefined;
}

async function resolveTag(packageName: string, tag: string): Promise<string | undefined> {
  const { failed, stdout } = await npm(['view', `${packageName}@${tag}`, 'version']);
  return failed ? undefined : /^\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
}

function npm(args: string[]) {
  // Without a network, npm retries for more than a minute.
  const quick = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=1000'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return execa('npm', [...args, ...quick, ...quiet], { reject: false, timeout: 300_000 });
}

function firstErrors(stderr: string): string {
  return stderr.split('\n').slice(0, 2).join(' ').replaceAll('npm error ', '');
}
