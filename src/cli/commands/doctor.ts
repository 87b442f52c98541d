import { homedir } from 'node:os';
import { realPathOf } from '../../base/files.ts';
import { readCurrentTask } from '../../config/current-task.ts';
import { defaultSettings } from '../../config/defaults.ts';
import { readProject } from '../../config/read-project.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { maskTexts } from '../../process/mask-text.ts';
import { secretsIn } from '../../process/secrets.ts';
import { checkConfig } from '../../setup/check-config.ts';
import { checkGates } from '../../setup/check-gates.ts';
import { checkHooks } from '../../setup/check-hooks.ts';
import { checkTrust } from '../../setup/check-trust.ts';
import { hostsNamed } from '../../setup/detect-hosts.ts';
import { type FoundHooks, findHooks } from '../../setup/find-hooks.ts';
import type { Finding } from '../../setup/finding.ts';
import { findPlace, type Place } from '../../setup/place.ts';
import { gateSecondsOf } from '../../setup/plan-setup.ts';
import { readLog } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { findingLines } from './doctor-report.ts';
import { checkCalls, checkState } from './doctor-state.ts';
import { canStart, isFound, readText, scriptsOf } from './doctor-surroundings.ts';

export interface DoctorOptions {
  /** Names of hosts, with commas between; undefined: those that have a hook of ours. */
  readonly host?: string | undefined;
  readonly json: boolean;
  /** Send a stop through each hook. */
  readonly fire: boolean;
}

const EXIT = { well: 0, ill: 1, usage: 2 } as const;

/**
 * `ralph-loop doctor`: whether the hook really fires, and what to do where it would not. It writes nothing.
 *
 * @returns the exit code: 0 nothing keeps the hook from working, 1 something does, 2 usage
 */
export async function doctor({ host, json, fire }: DoctorOptions): Promise<number> {
  const named = host === undefined ? undefined : hostsNamed(host.split(','));
  if (named && 'problem' in named) {
    process.stderr.write(`${named.problem}\n`);
    return EXIT.usage;
  }
  const place = findPlace(process.cwd());
  const findings =
    'refused' in place
      ? [{ about: 'Project', level: 'error' as const, what: place.refused, mend: 'git init' }]
      : await examine(place, named?.hosts, fire);
  const said = maskTexts(findings, secretsIn(process.env));
  const isWell = said.every(({ level }) => level !== 'error');
  const root = 'refused' in place ? null : place.root;
  if (json) print(JSON.stringify({ project: root, ok: isWell, findings: said }, null, 2));
  else print(findingLines(said, process.stdout.hasColors?.() ? coloured : plain).join('\n'));
  return isWell ? EXIT.well : EXIT.ill;
}

async function examine(
  { root, project }: Place,
  named: readonly KnownHost[] | undefined,
  isFiring: boolean,
): Promise<Finding[]> {
  const task = readCurrentTask(root);
  const config = project
    ? await readProject(project, task)
    : { settings: defaultSettings('stand-alone'), gates: [], problems: [], notes: [] };
  const { agents, maxIterations, stateTimeoutMinutes } = config.settings;
  const demands = {
    agents,
    maxIterations,
    gateSeconds: gateSecondsOf(config.gates),
    canStart: (command: string) => canStart(command, root),
  };
  const read = (file: string) => readText(file, root);
  const log = readLog(ralphDirectory(root));
  const now = new Date();
  // In the home directory, a project's settings are the person's own: they are read once.
  const isHome = root === realPathOf(homedir());
  const readSettings = (file: string) => (isHome && file.startsWith('~/') ? undefined : read(file));
  const found = (named ?? HOSTS).map((host) => ({ host, hooks: findHooks(host, readSettings) }));
  const installed = named ? found : found.filter(({ host, hooks }) => hasOwn(host, hooks));
  const firing = isFiring ? await import('./doctor-fire.ts') : undefined;
  const ofHosts = installed.flatMap(({ host, hooks }): Finding[] => [
    ...checkHooks(host, hooks, demands),
    ...checkTrust(host, root, hooks.hooks, { env: process.env, read }),
    checkCalls(host, log, now),
    ...(firing ? hooks.hooks.map((hook) => firing.fireHook(host, hook, root)) : []),
  ]);
  return [
    ...(project ? checkConfig(project, config, task) : [NO_CONFIG]),
    ...checkGates(config.gates, { isFound, scriptsOf }),
    ...checkState(root, stateTimeoutMinutes, now),
    ...(installed.length === 0 ? [NO_HOOKS] : []),
    ...ofHosts,
  ];
}

const NO_CONFIG: Finding = {
  about: 'Config',
  level: 'error',
  what: 'There is no worktree.yaml or gate.config.json: every stop is allowed.',
  mend: 'ralph-loop init',
};

const NO_HOOKS: Finding = {
  about: 'Hooks',
  level: 'error',
  what: 'No host has a hook of ralph-loop in this project.',
  mend: 'ralph-loop init',
};

/** A host that would run the hooks of another's files need not be used here. */
function hasOwn({ hookFile }: KnownHost, { hooks, problems, misplaced, plugins }: FoundHooks): boolean {
  const own = [hookFile.path, ...hookFile.otherPaths];
  return (
    plugins.length > 0 ||
    hooks.some(({ file }) => own.includes(file)) ||
    [...problems, ...misplaced].some((said) => own.some((file) => said.startsWith(file)))
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
