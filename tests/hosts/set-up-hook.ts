import { relative } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { timeoutInUnit } from '../../src/hosts/host.ts';
import { HOSTS, type HostName } from '../../src/hosts/registry.ts';
import { ralphLoop } from '../helpers/bin.ts';
import type { Project } from '../helpers/project.ts';

export interface HookSetUp {
  readonly gates: readonly string[];
  /** Whether turns that changed nothing are judged, as those of most scripts are. */
  readonly when?: 'always' | 'changed';
  /** How a block is answered. */
  readonly answer?: 'block' | 'context';
  /** Replaces the long timeout that `init` writes. */
  readonly timeoutSeconds?: number;
  /** Whether the host is to start ralph-loop as an MCP server too. */
  readonly mcp?: boolean;
}

/** How long before the timeout of the host the answer must be written. */
const MARGIN_SECONDS = 2;

/** Sets up the project with `init`. */
export async function setUpHook(
  project: Project,
  host: HostName,
  { gates, when = 'always', answer = 'block', timeoutSeconds, mcp = false }: HookSetUp,
): Promise<void> {
  await execa('git', ['init', '--quiet'], {
    cwd: project.root,
    env: { ...project.environment, GIT_CONFIG_NOSYSTEM: '1' },
    extendEnv: false,
  });
  const run = await ralphLoop(project, [
    'init',
    ...['--yes', '--host', host],
    ...(mcp ? ['--mcp'] : []),
    ...['--gates', ...gates],
  ]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const { path, isOfUser } = hookFileOf(project, host);
  // What the person adds by hand.
  if (isOfUser)
    project.write({ [path]: run.stdout.match(/^\[\[hooks\]\]\n(?:\w+ = .*\n)*/gm)?.join('\n') ?? '' });
  const config = project.read('worktree.yaml');
  const [before, after] = /^ralph:\n/m.test(config)
    ? config.split(/(?<=^ralph:\n)/m)
    : [`${config}ralph:\n`, ''];
  // However long a client takes between two stops, a gate that goes on is not ended by its own limit.
  const settings = `  when: ${when}\n  answer: ${answer}\n  command_timeout: 3600\n`;
  project.write({ 'worktree.yaml': `${before}${settings}${after}` });
  if (timeoutSeconds !== undefined) shorten(project, host, timeoutSeconds);
}

/** The path of the host's hooks, relative to the project. */
function hookFileOf({ home, root }: Project, name: HostName) {
  const host = HOSTS.find((known) => known.name === name);
  if (!host) throw new Error(`there is no host ${name}`);
  const { hookFile, timeout } = host;
  return { path: hookFile.path.replace('~', relative(root, home)), isOfUser: hookFile.isOfUser, timeout };
}

/** Returns the same entries with shorter timeouts. */
function shorten(project: Project, name: HostName, timeoutSeconds: number): void {
  const { path, timeout } = hookFileOf(project, name);
  const text = project
    .read(path)
    .replace(/--deadline \d+/g, `--deadline ${timeoutSeconds - MARGIN_SECONDS}`)
    .replace(/(?<="timeout(?:Sec)?": |timeout = )\d+/g, String(timeoutInUnit(timeout, timeoutSeconds)));
  project.write({ [path]: text });
}
