import { type HookFile, type KnownHost, quoted } from '../hosts/host.ts';
import type { Program } from './find-program.ts';

/** A hook's command line, as far as it is ours. */
export interface HookCommand {
  /** Seconds; undefined where it names none. */
  readonly deadlineSeconds: number | undefined;
  /** Its flags besides `--host` and `--deadline`, as they stand; nothing of the shell around it. */
  readonly flags: string;
}

/** `ralph-loop hook`, by whatever path and under whatever name, and Ralph Gate's own. */
const OURS =
  /(?<![\w-])(?:ralph-loop(?:\.js|@\S+)?["']?\s+(?:hook|subagent-stop)|ralph-gate(?:\.js|@\S+)?["']?(?=.*\s--hook))(?![\w-])(.*)$/s;
/** Trellis's own hook, which ralph-loop takes the place of. */
const PYTHON = /ralph-loop\.py\b/;
const DEADLINE = /--deadline[ =]([\d.]+)/;
/** Flags that somebody may have added, with their whole values: half of a quotation would spoil the new command. */
const FLAG = /--verbose(?![\w-])|--(?:format|config)[ =](?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\()<>|;&])+/g;

/** @returns undefined where the command is not ours */
export function parseHookCommand(command: string): HookCommand | undefined {
  const [, args] = OURS.exec(command) ?? [];
  if (args === undefined) return undefined;
  const seconds = Number(DEADLINE.exec(args)?.[1]);
  return {
    deadlineSeconds: seconds > 0 ? seconds : undefined,
    flags: (args.match(FLAG) ?? []).join(' '),
  };
}

export function isPythonHook(command: string): boolean {
  return PYTHON.test(command);
}

/**
 * The program that a command of ours starts, as a host would find it.
 *
 * @param root absolute directory of the project
 * @returns its file, absolute, or its name on PATH; undefined where somebody wrote the command in a form of his own
 */
export function programOf(command: string, root: string): string | undefined {
  const [, name] = /^(?:exec )?(ralph-loop|ralph-gate)\s/.exec(command) ?? [];
  if (name !== undefined) return name;
  const [, word] = /\bnode "((?:[^"\\$]|\\.|\$\{?\w+\}?|\$\([^)]*\))*)"/.exec(command) ?? [];
  return word?.replace(/^(?:\$\{?\w+\}?|\$\([^)]*\))/, () => root).replace(/\\(.)/g, '$1');
}

/**
 * The command of a hook.
 *
 * @param host named to the hook, which then need not tell it by the event; undefined where several read the same file
 * @param flags further ones, as they stand
 */
export function hookCommand(
  hookFile: HookFile,
  program: Program,
  {
    host,
    deadlineSeconds,
    flags,
  }: { host: KnownHost['name'] | undefined; deadlineSeconds: number | undefined; flags: string },
): string {
  const file = fileOf(program, hookFile);
  const start = file === undefined ? 'ralph-loop' : `node ${file}`;
  const named = host === undefined ? '' : ` --host ${host}`;
  const deadline = deadlineSeconds === undefined ? '' : ` --deadline ${deadlineSeconds}`;
  const command = `${start} hook${named}${deadline}${flags && ` ${flags}`}`;
  if (!hookFile.needsSilence) return command;
  // `exec`, since the host's SIGTERM reaches the shell alone: it would be gone, and the gates would run on.
  return `${file === undefined ? '' : `test ! -f ${file} || `}exec ${command} 2>/dev/null`;
}

/** The program's file as a word of a command; undefined where it is found on PATH. */
function fileOf(program: Program, { inProject }: HookFile): string | undefined {
  if (program.kind === 'on-path') return undefined;
  return program.kind === 'in-project' ? inProject(program.path) : `"${quoted(program.path)}"`;
}
