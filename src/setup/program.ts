import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { isInside, upwards } from '../base/files.ts';
import type { HookFile } from '../hosts/host.ts';

/** How hooks and MCP servers start this program. Never by npx, which takes longer than everything else together. */
export type Program =
  /** A file of the project; its path is relative to the root. */
  | { readonly kind: 'in-project'; readonly path: string; readonly isThere: boolean }
  /** `ralph-loop` is on PATH. */
  | { readonly kind: 'on-path' }
  /** An absolute path on this machine; other clones do not have it. */
  | { readonly kind: 'on-machine'; readonly path: string; readonly isTemporary: boolean };

const PACKAGE = 'ralph-loop';
const BIN = 'bin/ralph-loop.js';
const INSTALLED = `node_modules/${PACKAGE}/${BIN}`;

/**
 * Finds the program that hooks start: the project's own copy if it has one.
 *
 * @param root absolute directory of the project
 * @param cwd absolute directory in the project; a package of a workspace can have a copy of its own
 * @param running absolute path of the program that runs now
 * @param path the value of PATH
 */
export function findProgram(root: string, cwd: string, running: string, path: string): Program {
  const manifest = readManifest(join(root, 'package.json'));
  if (manifest?.name === PACKAGE)
    return { kind: 'in-project', path: BIN, isThere: existsSync(join(root, BIN)) };
  const installed = upwards(cwd)
    .filter((directory) => isInside(root, directory))
    .map((directory) => join(directory, INSTALLED))
    .find(existsSync);
  if (installed !== undefined) return { kind: 'in-project', path: relative(root, installed), isThere: true };
  if (dependsOnPackage(manifest)) return { kind: 'in-project', path: INSTALLED, isThere: false };
  if (isOnPath(PACKAGE, path)) return { kind: 'on-path' };
  // npm removes copies in npx's cache at some time.
  return { kind: 'on-machine', path: running, isTemporary: running.split('/').includes('_npx') };
}

/** Whether a program is on PATH without the directories that npx adds. */
export function isOnPath(program: string, path = process.env.PATH): boolean {
  return permanentDirectories(path).some((directory) => existsSync(join(directory, program)));
}

/** The directories of PATH without `node_modules/.bin`, which npx adds while it runs. */
export function permanentDirectories(path = ''): string[] {
  return path.split(delimiter).filter((directory) => !/(?:^|\/)node_modules\/\.bin\/?$/.test(directory));
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

/** `ralph-loop hook` by any path and under any name, and Ralph Gate's own hook. */
const HOOK_COMMAND =
  /(?<![\w-])(?:ralph-loop(?:\.js|@\S+)?["']?\s+(?:hook|subagent-stop)|ralph-gate(?:\.js|@\S+)?["']?(?=.*\s--hook))(?![\w-])(.*)$/s;
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
  const [, word] = /\bnode "((?:[^"\\$]|\\.|\$\{?\w+\}?|\$\([^)]*\))*)"/.exec(command) ?? [];
  return word?.replace(/^(?:\$\{?\w+\}?|\$\([^)]*\))/, () => root).replace(/\\(.)/g, '$1');
}

/**
 * The command line of a hook.
 *
 * @param options.host the host that `--host` names; undefined if several hosts read the same file
 * @param options.flags further flags, as they are written
 */
export function hookCommand(
  hookFile: HookFile,
  program: Program,
  {
    host,
    deadlineSeconds,
    flags,
  }: { host: string | undefined; deadlineSeconds: number | undefined; flags: string },
): string {
  const file = quotedPath(program, hookFile);
  const start = file === undefined ? 'ralph-loop' : `node ${file}`;
  const hostFlag = host === undefined ? '' : ` --host ${host}`;
  const deadline = deadlineSeconds === undefined ? '' : ` --deadline ${deadlineSeconds}`;
  const command = `${start} hook${hostFlag}${deadline}${flags && ` ${flags}`}`;
  if (!hookFile.needsSilence) return command;
  // The host sends SIGTERM to the shell alone: without `exec`, the gates would go on running.
  return `${file === undefined ? '' : `test ! -f ${file} || `}exec ${command} 2>/dev/null`;
}

/** The program's path in double quotes; undefined if the program is on PATH. */
function quotedPath(program: Program, { projectDirectory }: HookFile): string | undefined {
  if (program.kind === 'on-path') return undefined;
  const path = program.path.replace(/["\\$`]/g, '\\$&');
  return program.kind === 'in-project' ? `"${projectDirectory}/${path}"` : `"${path}"`;
}
