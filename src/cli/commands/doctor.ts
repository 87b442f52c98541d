import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { realPathOf } from '../../base/files.ts';
import { count, jsonText, oneLine } from '../../base/text.ts';
import { readCurrentTask } from '../../config/discover.ts';
import { readProject } from '../../config/load.ts';
import { defaultSettings } from '../../config/settings.ts';
import type { CommandGate } from '../../gates/types.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { HOSTS } from '../../hosts/registry.ts';
import type { Paint, Style } from '../../messages/paint.ts';
import { ago, answerOf } from '../../messages/status.ts';
import { DEFAULT_SHELL } from '../../process/run-command.ts';
import { secretsIn } from '../../process/secrets/environment.ts';
import { maskTexts } from '../../process/secrets/masker.ts';
import { checkHooks, checkTrust } from '../../setup/check-hooks.ts';
import { checkConfig, checkGates, type Finding } from '../../setup/check-project.ts';
import { findSetupTarget, hostsNamed, type SetupTarget } from '../../setup/detect.ts';
import { type FoundHooks, findHooks } from '../../setup/hook-files.ts';
import { gateSecondsOf } from '../../setup/plan-setup.ts';
import { isOnPath, startedProgram } from '../../setup/program.ts';
import { existingDirectory, readOnlyReason } from '../../setup/write-changes.ts';
import { type LogRecord, readLog } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { isExpired, leftoverFiles, readStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';
import { EXIT, fail, print, stdoutPaint } from '../terminal.ts';
import { fireHook } from './doctor-fire.ts';

interface DoctorOptions {
  /** Names of hosts; undefined: those that have a hook of ralph-loop. */
  readonly host?: readonly string[] | undefined;
  readonly json?: boolean;
  /** Send a test stop through each hook. */
  readonly fire?: boolean;
}

/**
 * `ralph-loop doctor`: checks that the hooks work, and shows how to fix what does not. It writes nothing.
 *
 * @returns the exit code: 0 no errors, 1 errors, 2 usage
 */
export async function doctor({ host, json, fire = false }: DoctorOptions): Promise<number> {
  const named = host === undefined ? undefined : hostsNamed(host);
  if (named && !named.ok) return fail(named.failure.message, EXIT.usage);
  const target = findSetupTarget(process.cwd());
  const findings = maskTexts(
    target.ok
      ? await examine(target.value, named?.value, fire)
      : [{ about: 'Project', level: 'error' as const, what: target.failure.message, fix: 'git init' }],
    secretsIn(process.env),
  );
  const ok = findings.every(({ level }) => level !== 'error');
  const project = target.ok ? target.value.root : null;
  if (json) {
    // The JSON has a fix as `mend`.
    const fields = findings.map(({ fix: mend, ...finding }) => ({ ...finding, mend }));
    print(jsonText({ project, ok, findings: fields }));
  } else print(findingLines(findings, stdoutPaint()));
  return ok ? EXIT.ok : EXIT.failed;
}

const NO_CONFIG: Finding = {
  about: 'Config',
  level: 'error',
  what: 'No worktree.yaml or gate.config.json found: every stop is allowed.',
  fix: 'ralph-loop init',
};

const NO_HOOKS: Finding = {
  about: 'Hooks',
  level: 'error',
  what: 'No hook of ralph-loop is installed in this project.',
  fix: 'ralph-loop init',
};

async function examine(
  { root, project }: SetupTarget,
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
  // In the home directory, the settings of the project are those of the user, and are read once.
  const isHome = root === realPathOf(homedir());
  const readSettings = (file: string) => (isHome && file.startsWith('~/') ? undefined : read(file));
  const found = (named ?? HOSTS).map((host) => ({ host, hooks: findHooks(host, readSettings) }));
  const installed = named ? found : found.filter(({ host, hooks }) => hasOwnFile(host, hooks));
  const hostFindings = installed.flatMap(({ host, hooks }): Finding[] => [
    ...checkHooks(host, hooks, demands),
    ...checkTrust(host, root, hooks.hooks, { env: process.env, read }),
    checkCalls(host, log, now),
    ...(isFiring ? hooks.hooks.map((hook) => fireHook(host, hook, root)) : []),
  ]);
  return [
    ...(project ? checkConfig(project, config, task) : [NO_CONFIG]),
    ...checkGates(config.gates, { isFound, scriptsOf }),
    ...checkState(root, stateTimeoutMinutes, now),
    ...(installed.length === 0 ? [NO_HOOKS] : []),
    ...hostFindings,
  ];
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

/** Whether the count can be written, and what expired or broken state is left over. */
function checkState(root: string, timeoutMinutes: number, now: Date): Finding[] {
  const about = 'State';
  const directory = ralphDirectory(root);
  const why = readOnlyReason(existingDirectory(directory));
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
          fix: 'Make it writable for the user who runs the agent.',
        },
  ];
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
function checkCalls(host: KnownHost, log: readonly LogRecord[], now: Date): Finding {
  const last = log.findLast((record) => record.host === host.name);
  const about = host.title;
  if (last) {
    const seconds = Math.round((now.getTime() - Date.parse(last.time)) / 1000);
    return { about, level: 'ok', what: `Last called the hook ${ago(seconds)}: ${answerOf(last)}.` };
  }
  return {
    about,
    level: 'warning',
    what: 'Has never called the hook in this project.',
    fix:
      host.trust?.instructions ??
      'Let an agent finish a task, then run doctor again; or test the hook now with --fire.',
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
  const lines = subjects.flatMap((subject) => [
    paint('bold', subject),
    ...findings.filter(({ about }) => about === subject).flatMap((finding) => linesOf(finding, paint)),
  ]);
  return [...lines, '', summaryOf(findings)];
}

function linesOf({ level, what, fix }: Finding, paint: Paint): string[] {
  const { mark, style } = MARKS[level];
  // A gate without a name is called by its command, which may be a script of several lines.
  const line = `  ${paint(style, mark)} ${oneLine(what, MAX_CHARACTERS)}`;
  return [line, ...(fix === undefined ? [] : [`    → ${oneLine(fix, MAX_CHARACTERS)}`])];
}

function summaryOf(findings: readonly Finding[]): string {
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (kind) => findings.filter(({ level }) => level === kind).length,
  ) as [number, number];
  return errors + warnings === 0
    ? 'No problems found.'
    : `${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}
