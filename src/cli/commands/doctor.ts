import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { isInside, realPathOf, upwards } from '../../base/files.ts';
import { count, jsonText, oneLine, timeAgo } from '../../base/text.ts';
import { uptimeMs } from '../../base/time.ts';
import { decodePath } from '../../checkpoint/paths.ts';
import { type ProjectFiles, readCurrentTask } from '../../config/discover.ts';
import { readProject } from '../../config/load.ts';
import { defaultSettings } from '../../config/settings.ts';
import { needsChanges, planGates } from '../../gates/plan.ts';
import type { CommandGate, Gate } from '../../gates/types.ts';
import { copilot } from '../../hosts/copilot.ts';
import { isOfUser, type KnownHost, withUserFiles } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { Paint, Style } from '../../messages/paint.ts';
import { answerOf } from '../../messages/status.ts';
import { isOnPath, LAUNCHER } from '../../process/own-command.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { checkHooks, checkTrust } from '../../setup/check-hooks.ts';
import { checkConfig, checkGate, checkPaths, type Finding } from '../../setup/check-project.ts';
import { checkVsCode } from '../../setup/check-vs-code.ts';
import { findSetupTarget, hostsNamed, type SetupTarget, whereToStart } from '../../setup/detect.ts';
import { type FoundHook, type FoundHooks, findHooks } from '../../setup/hook-files.ts';
import { gateSecondsOf } from '../../setup/plan-setup.ts';
import { startedProgram } from '../../setup/program.ts';
import { existingDirectory, readOnlyReason } from '../../setup/write-changes.ts';
import { type LogRecord, readLog } from '../../state/execution-log.ts';
import { ignoredState, ralphDirectory, stateDirectory, userDirectory } from '../../state/paths.ts';
import { isExpired, leftoverFiles, readStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';
import { EXIT, fail, onInterrupt, print, stdoutPaint } from '../terminal.ts';
import { fireGates, fireHooks } from './doctor-fire.ts';
import { examineLauncher } from './doctor-launcher.ts';

interface DoctorOptions {
  /** Names of hosts; undefined: those that have a hook of ralph-loop. */
  readonly host?: readonly string[] | undefined;
  readonly json?: boolean;
  /** Run the gates, and send a test stop through each hook. */
  readonly fire?: boolean;
}

/**
 * `ralph-loop doctor`: checks that the hooks work, and shows how to fix what does not. It writes nothing.
 *
 * @returns the exit code: 0 no errors, 1 errors, 2 usage, 130 interrupted while gates ran
 */
export async function doctor({ host, json, fire = false }: DoctorOptions): Promise<number> {
  const named = host === undefined ? undefined : hostsNamed(host);
  if (named && !named.ok) return fail(named.failure.message, EXIT.usage);
  const target = findSetupTarget(process.cwd(), { orAround: true });
  const interrupted = new AbortController();
  if (fire) onInterrupt(() => interrupted.abort());
  const findings = maskTexts(
    target.ok
      ? await examine(target.value, named?.value, fire ? interrupted.signal : undefined)
      : [{ about: 'Project', level: 'error' as const, what: target.failure.message, fix: 'git init' }],
    secretsIn(process.env),
  );
  if (interrupted.signal.aborted) return EXIT.interrupted;
  const ok = findings.every(({ level }) => level !== 'error');
  const project = target.ok ? target.value.root : null;
  if (json) print(jsonText({ project, ok, findings }));
  else print(findingLines(findings, stdoutPaint()));
  return ok ? EXIT.ok : EXIT.failed;
}

function noConfig(): Finding {
  const directory = userDirectory(process.env);
  const log = directory === undefined ? '' : ` and logged in ${join(directory, 'log.jsonl')}`;
  return {
    about: 'Config',
    level: 'error',
    what: `No worktree.yaml or gate.config.json found: every stop is allowed${log}.`,
    fix: 'ralph-loop init',
  };
}

const NO_HOOKS: Finding = {
  about: 'Hooks',
  level: 'error',
  what: 'No hook of ralph-loop is installed in this project.',
  fix: 'ralph-loop init',
};

async function examine(
  { root, project, repository }: SetupTarget,
  named: readonly KnownHost[] | undefined,
  /** Given with `--fire`; aborting it ends the gates. */
  fired: AbortSignal | undefined,
): Promise<Finding[]> {
  const task = readCurrentTask(root);
  const config = project
    ? await readProject(project, task)
    : { settings: defaultSettings('stand-alone'), gates: [], problems: [], notes: [] };
  const { agents, when, maxIterations, answer, stateTimeoutMinutes } = config.settings;
  const here = realPathOf(process.cwd());
  const { directory, installed } = findInstalled(here, root, repository, named);
  const worktrees = linkedWorktrees(directory, repository);
  const demands = {
    agents,
    when,
    maxIterations,
    answer,
    gateSeconds: gateSecondsOf(config.gates),
    canStart: (command: string) => canStart(command, directory),
    worktreesWithoutProgram: (hook: FoundHook) =>
      canStart(hook.command, directory) ? worktrees.filter((worktree) => lacksProgram(hook, worktree)) : [],
  };
  const read = (file: string) => readText(file, directory);
  const log = readLog(ralphDirectory(root));
  const now = new Date();
  const gateFindings = [
    ...(await examineGates(config.gates, root, fired)),
    ...(project ? await examinePaths(config.gates, project) : []),
  ];
  const hostFindings: Finding[] = [];
  for (const { host, hooks } of installed)
    hostFindings.push(
      ...checkHooks(host, hooks, demands),
      ...checkPlace(host, directory, here, repository),
      ...checkTrust(host, directory, hooks.hooks, { env: process.env, read }),
      // Without a config, there is no log of the project.
      ...(project ? [checkCalls(host, log, { now, isFired: fired !== undefined })] : []),
      ...(fired ? await fireHooks(host, hooks.hooks, directory, fired) : []),
    );
  return [
    ...(project ? checkConfig(project, config, task) : [noConfig()]),
    ...gateFindings,
    ...checkGit(),
    ...checkState(root, stateTimeoutMinutes, now),
    ...(installed.length === 0 ? [NO_HOOKS] : []),
    ...examineLauncher(root, launchedBy(installed.flatMap(({ hooks }) => hooks.hooks))),
    ...hostFindings,
    ...checkVsCode(
      installed.flatMap(({ hooks }) => hooks.hooks),
      {
        directory,
        workspaces: upwards(here).filter((workspace) => isInside(repository ?? root, workspace)),
        hasCopilot:
          named?.includes(copilot) === true ||
          copilot.projectFiles.some((file) => existsSync(join(directory, file))),
        read: readText,
        canStart,
      },
    ),
  ];
}

interface InstalledHost {
  readonly host: KnownHost;
  readonly hooks: FoundHooks;
}

/**
 * The hosts whose settings have hooks, and the directory of the settings: the nearest with a hook, from the working
 * directory up to the root of the repository, or else the project's.
 */
function findInstalled(
  here: string,
  root: string,
  repository: string | undefined,
  named: readonly KnownHost[] | undefined,
): { readonly directory: string; readonly installed: readonly InstalledHost[] } {
  const isOfProject = ({ file }: FoundHook) => !isOfUser(file);
  const parents = upwards(here).filter((directory) => isInside(repository ?? root, directory));
  const found = parents.map((directory) => ({ directory, installed: installedIn(directory, named) }));
  return (
    found.find(({ installed }) => installed.some(({ hooks }) => hooks.hooks.some(isOfProject))) ?? {
      directory: root,
      installed: installedIn(root, named),
    }
  );
}

function installedIn(directory: string, named: readonly KnownHost[] | undefined): InstalledHost[] {
  // In the home directory, the settings of the project are those of the user, and are read once.
  const isHome = directory === realPathOf(homedir());
  const read = (file: string) => (isHome && file.startsWith('~/') ? undefined : readText(file, directory));
  const found = (named ?? HOSTS)
    .map((host) => withUserFiles(host, process.env))
    .map((host) => ({ host, hooks: findHooks(host, read) }));
  return named ? found : found.filter(({ host, hooks }) => hasOwnFile(host, hooks));
}

/** Whether the host, started in the working directory, reads the settings. */
function checkPlace(
  { title: about, hookFile }: KnownHost,
  directory: string,
  here: string,
  repository: string | undefined,
): Finding[] {
  const start = hookFile.isFoundBelow ? undefined : whereToStart(directory, here, repository);
  if (start === undefined) return [];
  if (directory === here) return [{ about, level: 'ok', what: start }];
  const what = `${about} has no hook if it is started here: its settings are in ${directory}.`;
  return [{ about, level: 'warning', what, fix: start }];
}

/** Absolute directories in the linked git worktrees that correspond to this one; none in a linked worktree itself. */
function linkedWorktrees(directory: string, repository: string | undefined): string[] {
  if (repository === undefined) return [];
  const { stdout } = spawnSync('git', ['worktree', 'list', '--porcelain'], {
    cwd: repository,
    encoding: 'utf8',
    timeout: GIT_TIMEOUT_MS,
  });
  const [main, ...linked] = worktreePaths(stdout ?? '');
  if (main === undefined || realPathOf(main) !== repository) return [];
  return linked.map((worktree) => join(worktree, relative(repository, directory))).filter(existsSync);
}

const GIT_TIMEOUT_MS = 5000;

function worktreePaths(porcelain: string): string[] {
  return porcelain.split('\n').flatMap((line) => /^worktree (.+)/.exec(line)?.[1] ?? []);
}

/** Whether a worktree has the settings with a hook, whose command cannot start there. */
function lacksProgram({ file, command }: FoundHook, worktree: string): boolean {
  const hasHook = isOfUser(file) || existsSync(join(worktree, file));
  return hasHook && !canStart(command, worktree);
}

/** Checks the gates; with a signal, runs those that can start. */
async function examineGates(
  gates: readonly Gate[],
  root: string,
  fired: AbortSignal | undefined,
): Promise<Finding[]> {
  const checked = planGates(gates.filter((gate) => gate.kind === 'command')).map((gate) => ({
    gate,
    finding: checkGate(gate, { isFound, scriptsOf }, gates),
  }));
  const [broken, usable] = [true, false].map((isBroken) =>
    checked.filter(({ finding }) => (finding.level === 'error') === isBroken),
  ) as [typeof checked, typeof checked];
  return [
    ...broken.map(({ finding }) => finding),
    ...(fired
      ? await fireGates(
          usable.map(({ gate }) => gate),
          root,
          fired,
        )
      : usable.map(({ finding }) => finding)),
  ];
}

/** Checks the patterns of the gates that depend on changes. */
async function examinePaths(
  gates: readonly Gate[],
  { root, config, gateConfig }: ProjectFiles,
): Promise<Finding[]> {
  const dependent = gates.filter((gate) => gate.kind === 'command').filter(needsChanges);
  if (dependent.length === 0) return [];
  const { listFiles } = await import('../../verification/changed-files.ts');
  const listed = await listFiles(root, { env: process.env, endAt: uptimeMs() + GIT_TIMEOUT_MS });
  const files: typeof listed = listed.ok ? { ok: true, value: listed.value.map(decodePath) } : listed;
  const path = gateConfig?.path ?? config?.path;
  const lines = path === undefined ? [] : (readText(path, root) ?? '').split('\n');
  const placeOf = (text: string) => {
    const index = lines.findIndex((line) => line.includes(text));
    return path === undefined || index === -1 ? '' : `${relative(root, path)}:${index + 1}: `;
  };
  return dependent.flatMap((gate) => checkPaths(gate, { files, placeOf }));
}

/** The project's files whose hooks start the launcher. */
function launchedBy(hooks: readonly FoundHook[]): string[] {
  const files = hooks.filter(({ command }) => command.includes(LAUNCHER)).map(({ file }) => file);
  return [...new Set(files)].filter((file) => !isOfUser(file));
}

/** A host that would also run the hooks in another host's files need not be used in this project. */
function hasOwnFile({ hookFile }: KnownHost, { hooks, problems, misplaced, plugins }: FoundHooks): boolean {
  const files = [hookFile.path, ...hookFile.otherPaths];
  return (
    plugins.length > 0 ||
    hooks.some(({ file }) => files.includes(file)) ||
    [...problems, ...misplaced].some((text) => files.some((file) => text.startsWith(file)))
  );
}

/** The first version with all options that are used, such as `--no-optional-locks`. */
const MIN_GIT = { major: 2, minor: 15 };

/** Without git, gates run at every stop all the same. */
function checkGit(): Finding[] {
  const { stdout } = spawnSync('git', ['--version'], { encoding: 'utf8', timeout: GIT_TIMEOUT_MS });
  const [version, major = 0, minor = 0] = /(\d+)\.(\d+)[\w.]*/.exec(stdout ?? '') ?? [];
  const isUsable =
    Number(major) > MIN_GIT.major || (Number(major) === MIN_GIT.major && Number(minor) >= MIN_GIT.minor);
  if (isUsable) return [];
  const needed = `git ${MIN_GIT.major}.${MIN_GIT.minor}`;
  const what = version === undefined ? 'git was not found on PATH' : `git ${version} is older than ${needed}`;
  return [
    {
      about: 'Git',
      level: 'warning',
      what: `${what}: checkpoints, changed files, receipts and the check for weaker tests may not work.`,
      fix: `Install ${needed} or later.`,
    },
  ];
}

/** Whether the count can be written, and what expired or broken state is left over. */
function checkState(root: string, timeoutMinutes: number, now: Date): Finding[] {
  const about = 'State';
  const directory = ralphDirectory(root);
  const place = existingDirectory(directory);
  const { blocks, bavail } = statfsSync(place);
  // A full disk refuses only what is written. A file system that does not count blocks has none at all.
  const isFull = blocks > 0 && bavail === 0;
  const why = readOnlyReason(place) ?? (isFull ? 'no space is left on the device' : undefined);
  const path = relative(root, directory);
  const expired = stopLoopFiles(root).flatMap((file) => {
    const state = readStopLoop(file);
    return state && state.iteration > 0 && isExpired(state, timeoutMinutes, now) ? [state.task] : [];
  });
  const broken = leftoverFiles(root).filter((file) => file.includes('.broken-'));
  const findings: Finding[] = [
    why === undefined
      ? { about, level: 'ok', what: `${path} is writable.` }
      : {
          about,
          level: 'error',
          what: `${path} is not writable: ${why}. Attempts are counted in the temporary directory, and nothing is logged.`,
          fix: isFull ? 'Free some space.' : 'Make it writable for the user who runs the agent.',
        },
  ];
  if (stateDirectory(root) === directory)
    findings.push({
      about,
      level: 'warning',
      what: `Counts and typed gates are in ${path}, where a repository can bring its own: there is no state directory that only this user can write.`,
      fix: 'Set HOME or XDG_STATE_HOME to a directory that this user can write.',
    });
  const ignored = ignoredState(root);
  if (ignored.length > 0)
    findings.push({
      about,
      level: 'warning',
      what: `State in the repository decides nothing: ${shortList(ignored)}.`,
      fix: 'ralph-loop reset --all',
    });
  if (expired.length > 0)
    findings.push({
      about,
      level: 'warning',
      what: `Expired loops: ${shortList(expired)}.`,
      fix: 'ralph-loop reset',
    });
  if (broken.length > 0)
    findings.push({
      about,
      level: 'warning',
      what: `Unreadable state files: ${shortList(broken.map((file) => relative(root, file)))}.`,
      fix: 'ralph-loop reset --all',
    });
  return findings;
}

/** When a host last called the hook. A host that never did and one whose stop was allowed need different fixes. */
function checkCalls(
  host: KnownHost,
  log: readonly LogRecord[],
  { now, isFired }: { readonly now: Date; readonly isFired: boolean },
): Finding {
  const last = log.findLast((record) => record.host === host.name);
  const about = host.title;
  if (last) {
    const when = timeAgo(now.getTime() - Date.parse(last.time));
    return { about, level: 'ok', what: `Last called the hook ${when}: ${answerOf(last)}.` };
  }
  return {
    about,
    level: 'warning',
    what: 'Has never called the hook in this project.',
    fix:
      host.trust?.instructions ??
      `Let an agent finish a task, then run doctor again${isFired ? '' : '; or test the hook now with --fire'}.`,
  };
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Whether the shell of a gate finds a program, or has a builtin of that name. */
function isFound(program: string, { cwd, env, inUserShell }: CommandGate): boolean {
  // The user's own shell may have aliases and functions that /bin/sh does not.
  const shells = [DEFAULT_SHELL, ...(inUserShell && process.env.SHELL ? [process.env.SHELL] : [])];
  return shells.some((shell) => {
    const { status } = spawnSync(shell, ['-c', `type ${program}`], {
      // A relative path starts at the directory of the gate.
      cwd: existsSync(cwd) ? cwd : undefined,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    return status === 0;
  });
}

/** Names of the scripts of the package.json in a gate's directory; undefined without one. */
function scriptsOf({ cwd }: CommandGate): string[] | undefined {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    return Object.keys(scripts);
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of the project or of the home directory; undefined if it cannot be read.
 *
 * @param file relative to the project, below `~`, or absolute
 */
function readText(file: string, root: string): string | undefined {
  const path = file.startsWith('~/')
    ? join(homedir(), file.slice(2))
    : isAbsolute(file)
      ? file
      : join(root, file);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the program that a hook's command starts exists. */
function canStart(command: string, root: string): boolean {
  const program = startedProgram(command, root);
  return program === undefined || (isAbsolute(program) ? existsSync(program) : isOnPath(program));
}

const MARKS: Readonly<Record<Finding['level'], { readonly mark: string; readonly style: Style }>> = {
  ok: { mark: '✓', style: 'green' },
  warning: { mark: '!', style: 'yellow' },
  error: { mark: '✗', style: 'red' },
};

/** More than any finding has, with a command in it. */
const MAX_CHARACTERS = 1000;

/** The findings by subject, each with its fix, and how many there are. */
function findingLines(findings: readonly Finding[], paint: Paint): string[] {
  const subjects = [...new Set(findings.map(({ about }) => about))];
  const lines = subjects.flatMap((subject) => {
    const found = findings.filter(({ about }) => about === subject);
    return [
      paint('bold', subject),
      ...found.flatMap((finding, index) => {
        // One fix for several findings follows the last of them.
        const isRepeated = finding.fix === found[index + 1]?.fix;
        return [findingLine(finding, paint), ...(isRepeated ? [] : fixLines(finding))];
      }),
    ];
  });
  return [...lines, '', summaryOf(findings)];
}

function findingLine({ level, what }: Finding, paint: Paint): string {
  const { mark, style } = MARKS[level];
  // A gate without a name is called by its command, which may be a script of several lines.
  return `  ${paint(style, mark)} ${oneLine(what, MAX_CHARACTERS)}`;
}

function fixLines({ fix }: Finding): string[] {
  return fix === undefined ? [] : [`    → ${oneLine(fix, MAX_CHARACTERS)}`];
}

function summaryOf(findings: readonly Finding[]): string {
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (kind) => findings.filter(({ level }) => level === kind).length,
  ) as [number, number];
  return errors + warnings === 0
    ? 'No problems found.'
    : `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
