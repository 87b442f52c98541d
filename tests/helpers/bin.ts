import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import type { Project } from './project.ts';

/** The built program: `npm test` builds it first. */
export const BIN = fileURLToPath(new URL('../../bin/ralph-loop.js', import.meta.url));

type Overrides = {
  readonly cwd?: string;
  /** Added to the project's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
};

/** Options under which any exit is a result, output is kept to the byte, and nothing of our environment gets in. */
function optionsFor(project: Project, { cwd = project.root, env = {} }: Overrides) {
  return {
    cwd,
    env: { ...project.environment, ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    // A test that gives up leaves no process behind.
    forceKillAfterDelay: false,
    cleanup: true,
  } as const satisfies Options;
}

export interface Run {
  /** Undefined where a signal ended it. */
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ralph-loop` to its end. */
export async function ralphLoop(
  project: Project,
  args: readonly string[],
  overrides: Overrides = {},
): Promise<Run> {
  const { input = '' } = overrides;
  return await execa(process.execPath, [BIN, ...args], { ...optionsFor(project, overrides), input });
}

/** Starts `ralph-loop` and leaves it to the test; stdin stays open. */
export function startRalphLoop(project: Project, args: readonly string[], overrides: Overrides = {}) {
  return execa(process.execPath, [BIN, ...args], { ...optionsFor(project, overrides), stdin: 'pipe' });
}

/** Runs a shell command in which `ralph_loop` stands for the built program. */
export async function shell(project: Project, command: string, overrides: Overrides = {}): Promise<Run> {
  const script = `ralph_loop() { "${process.execPath}" "${BIN}" "$@"; }\n${command}`;
  return await execa('/bin/sh', ['-c', script], {
    ...optionsFor(project, overrides),
    input: overrides.input ?? '',
  });
}
