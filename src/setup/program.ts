import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { upwards } from '../base/files.ts';
import type { HookFile } from '../hosts/host.ts';
import { isOnPath, LAUNCHER, PACKAGE } from '../process/own-command.ts';

/** The program that the launcher of the hooks will find. */
export type Program =
  /** In the project: its file, or the file of Yarn's Plug'n'Play that has it. The path is relative to the root. */
  | { readonly kind: 'in-project'; readonly path: string; readonly isThere: boolean }
  /** Installed for the user: `ralph-loop-cli` is on PATH. */
  | { readonly kind: 'on-path' }
  /** An absolute path on this machine; other clones do not have it. */
  | { readonly kind: 'on-machine'; readonly path: string; readonly isTemporary: boolean };

const BIN = 'bin/ralph-loop.js';
const INSTALLED = `node_modules/${PACKAGE}/${BIN}`;
const PNP_FILES = ['.pnp.cjs', '.pnp.js'];

/**
 * Finds the program that the launcher will start: the project's own copy if it has one.
 *
 * @param root absolute directory of the project
 * @param cwd absolute directory in the project; a package of a workspace can have a copy of its own, and the repository
 *   around the project too
 * @param running absolute path of the program that runs now
 * @param path the value of PATH
 */
export function findProgram(root: string, cwd: string, running: string, path: string): Program {
  const manifest = readManifest(join(root, 'package.json'));
  if (manifest?.name === PACKAGE)
    return { kind: 'in-project', path: BIN, isThere: existsSync(join(root, BIN)) };
  const directories = upwards(cwd);
  const depth = directories.findIndex((directory) => existsSync(join(directory, '.git')));
  const installed = directories
    .slice(0, depth + 1)
    .map((directory) => join(directory, INSTALLED))
    .find(existsSync);
  if (installed !== undefined) return { kind: 'in-project', path: relative(root, installed), isThere: true };
  if (dependsOnPackage(manifest)) {
    const pnp = PNP_FILES.find((name) => existsSync(join(root, name)));
    return { kind: 'in-project', path: pnp ?? INSTALLED, isThere: pnp !== undefined };
  }
  if (isOnPath(PACKAGE, path)) return { kind: 'on-path' };
  // npm removes copies in npx's cache at some time.
  return { kind: 'on-machine', path: running, isTemporary: running.split('/').includes('_npx') };
}

/** The directory of the project, relative to its root, that has the program; undefined for the root itself. */
export function workspaceOf(program: Program | undefined): string | undefined {
  if (program?.kind !== 'in-project' || !program.path.endsWith(`/${INSTALLED}`)) return undefined;
  return program.path.slice(0, -`/${INSTALLED}`.length);
}

type Manifest = Readonly<Record<string, unknown>>;

function readManifest(path: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

function dependsOnPackage(manifest: Manifest | undefined): boolean {
  return ['dependencies', 'devDependencies'].some((key) => {
    const dependencies = manifest?.[key];
    return typeof dependencies === 'object' && dependencies !== null && PACKAGE in dependencies;
  });
}

/** What a hook's command line says about ralph-loop. */
interface HookCommand {
  /** Undefined if it has no `--deadline`. */
  readonly deadlineSeconds: number | undefined;
  /** Its flags besides `--host` and `--deadline`, as they are written, without the shell syntax around them. */
  readonly flags: string;
}

/** `ralph-loop hook` by any path and under any name, the launcher, and Ralph Gate's own hook. */
const HOOK_COMMAND =
  /(?<![\w-])(?:ralph-(?:hook\.cjs|loop(?:-cli)?(?:\.js|@\S+)?)["']?\s+(?:hook|subagent-stop)|ralph-gate(?:\.js|@\S+)?["']?(?=.*\s--hook))(?![\w-])(.*)$/s;
/** Trellis's own hook, which ralph-loop replaces. */
const PYTHON_HOOK = /ralph-loop\.py\b/;
const DEADLINE = /--deadline[ =]([\d.]+)/;
/** Flags that a person may have added, with their complete values: half of a quotation would break the new command. */
const FLAG = /--verbose(?![\w-])|--(?:format|config)[ =](?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\()<>|;&])+/g;

/** @returns undefined if the command does not start ralph-loop's hook */
export function parseHookCommand(command: string): HookCommand | undefined {
  const [, args] = HOOK_COMMAND.exec(command) ?? [];
  if (args === undefined) return undefined;
  const seconds = Number(DEADLINE.exec(args)?.[1]);
  return {
    deadlineSeconds: seconds > 0 ? seconds : undefined,
    flags: (args.match(FLAG) ?? []).join(' '),
  };
}

/** Ralph Gate's own hook, which ralph-loop replaces too. */
const GATE_HOOK = /(?<![\w-])ralph-gate(?:\.js|@\S+)?["']?(?=.*\s--hook(?![\w-]))/s;

export function isGateHook(command: string): boolean {
  return GATE_HOOK.test(command);
}

export function isPythonHook(command: string): boolean {
  return PYTHON_HOOK.test(command);
}

/**
 * The program that a hook's command starts.
 *
 * @param root absolute directory of the project
 * @returns its absolute path, or its name on PATH; undefined if the command has a form that `init` does not write
 */
export function startedProgram(command: string, root: string): string | undefined {
  const [, name] = /^(?:exec )?(ralph-loop|ralph-gate)\s/.exec(command) ?? [];
  if (name !== undefined) return name;
  if (command.startsWith(`node ${LAUNCHER} `)) return join(root, LAUNCHER);
  const [, directory, word] =
    /\bnode "(\$\{?\w+(?::-\.|:-\$\{\w+:-\.\})?\}?(?:\/\.\.)*|\$\([^)]*\))?((?:[^"\\$]|\\.)*)"/.exec(
      command,
    ) ?? [];
  return word === undefined ? undefined : `${directory ? root : ''}${word.replace(/\\(.)/g, '$1')}`;
}

/**
 * The command line of a hook: it starts the launcher.
 *
 * @param options.host the host that `--host` names; undefined if several hosts read the same file
 * @param options.flags further flags, as they are written
 */
export function hookCommand(
  { projectDirectory, needsSilence }: HookFile,
  {
    host,
    deadlineSeconds,
    flags,
  }: { host: string | undefined; deadlineSeconds: number | undefined; flags: string },
): string {
  const file = projectDirectory === undefined ? LAUNCHER : `"${projectDirectory}/${LAUNCHER}"`;
  const hostFlag = host === undefined ? '' : ` --host ${host}`;
  const deadline = deadlineSeconds === undefined ? '' : ` --deadline ${deadlineSeconds}`;
  const command = `node ${file} hook${hostFlag}${deadline}${flags && ` ${flags}`}`;
  // The host sends SIGTERM to the shell alone: without `exec`, the gates would go on running.
  return needsSilence ? `test ! -f ${file} || exec ${command} 2>/dev/null` : command;
}
