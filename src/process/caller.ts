import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Who runs a command. */
export interface Caller {
  /** Whether a person runs it, as far as that can be seen. */
  readonly isPerson: boolean;
  /** For a sentence: "cancelled" + "in a terminal". */
  readonly by: string;
}

/** What shows who runs a command. */
export interface CallerEvidence {
  readonly env: NodeJS.ProcessEnv;
  /** Whether stdin or stderr is a terminal. */
  readonly hasTerminal: boolean;
  /** The command lines of the processes above this one, the closest first. */
  readonly ancestors: readonly (readonly string[])[];
}

/** Variables that hosts set for the commands of an agent. A hook's `AI_AGENT` ends in `_harness`. */
const MARKERS: Readonly<Record<string, RegExp>> = {
  AI_AGENT: /_agent$|^pi$/,
  CLAUDECODE: /^1$/,
  KILO: /^1$/,
  OPENCODE: /^1$/,
  PI_CODING_AGENT: /^true$/,
  GEMINI_CLI: /^1$/,
  QWEN_CODE: /^1$/,
  CURSOR_AGENT: /^1$/,
  COPILOT_CLI: /^1$/,
};

/** The programs of the hosts. */
const HOST_PROGRAMS =
  /^(?:claude|codex|gemini|qwen|copilot|droid|cursor-agent|opencode|kilo|kilocode|pi|kimi|kimi-cli)$/;

/**
 * Decides who runs a command. An agent can run it in a terminal of its own, so the variables and the processes above come
 * first.
 */
export function callerOf({ env, hasTerminal, ancestors }: CallerEvidence): Caller {
  const marker = Object.entries(MARKERS).find(([name, value]) => value.test(env[name] ?? ''))?.[0];
  if (marker !== undefined) return agent(`${marker}=${env[marker]}`);
  const host = ancestors.flatMap((words) => hostIn(words) ?? [])[0];
  if (host !== undefined) return agent(`started by ${host}`);
  return hasTerminal
    ? { isPerson: true, by: 'in a terminal' }
    : { isPerson: false, by: 'by a program without a terminal' };
}

/** @param evidence from the environment: printed without control characters, and short */
function agent(evidence: string): Caller {
  const shown = evidence.replace(/[^ -~]/g, '?').slice(0, 80);
  return { isPerson: false, by: `by an agent's shell (${shown})` };
}

/** The host that a command line runs, itself or as the script of an interpreter: `node --flag /usr/bin/gemini`. */
function hostIn([program = '', ...words]: readonly string[]): string | undefined {
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  const isInterpreter = /^(?:node|bun|deno|python[\d.]*)$/.test(nameOf(program));
  return [program, ...(isInterpreter ? [script] : [])].map(nameOf).find((name) => HOST_PROGRAMS.test(name));
}

function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/^-/, '')
    .replace(/\.(?:[cm]?js|py|exe)$/, '');
}

/** Finds out who runs this process. */
export function readCaller(env: NodeJS.ProcessEnv): Caller {
  const ancestors = process.platform === 'linux' ? ancestorsInProc() : ancestorsFromPs();
  return callerOf({ env, hasTerminal: isatty(0) || isatty(2), ancestors });
}

/** More than any real process has. */
const MAX_ANCESTORS = 64;

function ancestorsInProc(): string[][] {
  const found: string[][] = [];
  try {
    for (let pid = process.ppid; pid > 0 && found.length < MAX_ANCESTORS; ) {
      // A program may set its own title, with blanks instead of NULs.
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '');
      found.push(line.includes('\0') ? line.split('\0') : line.split(' '));
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }
  } catch {
    // An ancestor has ended, or belongs to another user.
  }
  return found;
}

function ancestorsFromPs(): string[][] {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const processes = new Map(
      [...table.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm)].map(([, pid, parent, words = '']) => [
        Number(pid),
        { parent: Number(parent), words: words.split(' ') },
      ]),
    );
    const found: string[][] = [];
    for (let pid = process.ppid; found.length < MAX_ANCESTORS; ) {
      const above = processes.get(pid);
      if (!above) break;
      found.push(above.words);
      pid = above.parent;
    }
    return found;
  } catch {
    return [];
  }
}
