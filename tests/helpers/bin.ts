import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import type { Project } from './project.ts';

const built = (name: string) => fileURLToPath(new URL(`../../bin/${name}.js`, import.meta.url));

/** The built program: `npm test` builds it first. */
export const BIN = built('ralph-loop');
/** The same engine with the command line of Ralph Gate. */
export const GATE_BIN = built('ralph-gate');

type Overrides = {
  readonly cwd?: string;
  /** Added to the environment of the project. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
};

/** Any exit is a result, the output is not changed, and no variable of the environment is inherited. */
function optionsFor(project: Project, { cwd = project.root, env = {} }: Overrides) {
  return {
    cwd,
    env: { ...project.environment, ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    // A test that times out leaves no process behind.
    forceKillAfterDelay: false,
    cleanup: true,
  } as const satisfies Options;
}

export interface Run {
  /** Undefined if a signal ended it. */
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ralph-loop` to its end. */
export const ralphLoop = running(BIN);
/** Runs `ralph-gate` to its end. */
export const ralphGate = running(GATE_BIN);

/** Starts `ralph-loop` without waiting for its end; stdin stays open. */
export const startRalphLoop = starting(BIN);
/** Starts `ralph-gate` without waiting for its end; stdin stays open. */
export const startRalphGate = starting(GATE_BIN);

function running(bin: string) {
  return async (project: Project, args: readonly string[], overrides: Overrides = {}): Promise<Run> => {
    const { input = '' } = overrides;
    return await execa(process.execPath, [bin, ...args], { ...optionsFor(project, overrides), input });
  };
}

function starting(bin: string) {
  return (project: Project, args: readonly string[], overrides: Overrides = {}) =>
    execa(process.execPath, [bin, ...args], { ...optionsFor(project, overrides), stdin: 'pipe' });
}

/** Runs a shell command in which `ralph_loop` calls the built program. */
export async function shell(project: Project, command: string, overrides: Overrides = {}): Promise<Run> {
  const script = `ralph_loop() { "${process.execPath}" "${BIN}" "$@"; }\n${command}`;
  return await execa('/bin/sh', ['-c', script], {
    ...optionsFor(project, overrides),
    input: overrides.input ?? '',
  });
}
