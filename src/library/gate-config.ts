import { findProject } from '../config/find-project.ts';
import { jsonNodeOf } from '../config/json-node.ts';
import { type ParsedGateConfig, readGateConfig } from '../config/parse-gate-config.ts';
import type { GateConfigContext } from '../config/parse-named-gate.ts';
import { problemsIn } from '../config/problems-in.ts';
import { readGateConfigFile } from '../config/read-gate-config-file.ts';
import { planGates } from '../gates/plan.ts';
import type { CommandGate } from '../gates/types.ts';

/** A command that must exit with 0. */
export interface Gate {
  /** Unique among the gates of a config. */
  readonly name: string;
  /** Run by the person's shell, `$SHELL`, or by `/bin/sh` where none is set. */
  readonly command: string;
  /** For people. */
  readonly description?: string;
  /** Lower runs first; equal orders keep the order of the list. 100 by default. */
  readonly order?: number;
  /** False: the gate is left out. True by default. */
  readonly enabled?: boolean;
  /** False: a failure is a warning only. True by default. */
  readonly blocking?: boolean;
  /** Seconds; then the gate's whole process tree is ended. No limit by default. */
  readonly timeout?: number;
  /** Directory that the command runs in, inside that of the config. The config's `cwd` by default. */
  readonly cwd?: string;
  /** Variables that are added to the inherited environment. */
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}

/** Gates, and how they are run. */
export interface GateConfig {
  readonly gates: readonly Gate[];
  /** Whether later blocking gates are skipped once a blocking one has failed. True by default. */
  readonly failFast?: boolean;
  /** Where the command line leaves its results; the library writes no file. `gate-results-<pid>.json` by default. */
  readonly outputPath?: string;
  /** Absolute path of the file that it was loaded from. */
  readonly path?: string;
  /** Directory that gates run in which set none themselves. That of the process by default. */
  readonly cwd?: string;
}

/** A config that is not valid: all that is wrong is told at once. */
export class GateConfigError extends Error {
  override readonly name = 'GateConfigError';
  /** Each as `gate.config.json:3:5: found …, expected …`; without a place where the config is no file. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Loads the nearest `gate.config.json`, `.gaterc.json` or `.gaterc`: of the directory, then upwards to the root of its
 * git repository.
 *
 * @param cwd - The directory; that of the process by default. The gates run there.
 * @returns The gates in the order they run, defaults filled in, disabled ones left out; no gates and no `path` where
 * there is no such file.
 * @throws GateConfigError where the file cannot be read, or something in it is wrong.
 */
export async function loadConfig(cwd: string = process.cwd()): Promise<GateConfig> {
  const found = findProject(cwd, { gatesOnly: true });
  if (!found.found || !found.project.gateConfig) return { gates: [], cwd };
  const { root, gateConfig } = found.project;
  const { path, workingDirectory } = gateConfig;
  const { file, parsed } = await readGateConfigFile(path, { directory: root, workingDirectory });
  const problems = problemsIn(file, parsed.problems, root);
  if (problems.length > 0) throw new GateConfigError(problems);
  return {
    gates: planGates(parsed.gates).map((gate) => gateOf(gate, workingDirectory)),
    failFast: parsed.failFast,
    outputPath: parsed.outputPath,
    path,
    cwd: workingDirectory,
  };
}

/** @throws GateConfigError */
export function plannedGates(config: GateConfig, context: GateConfigContext): ParsedGateConfig {
  const { gates, failFast, outputPath } = config;
  const parsed = readGateConfig(jsonNodeOf({ gates, failFast, outputPath }), context);
  // A config that is no file has no lines.
  const problems = parsed.problems.map(({ message }) => message.replace(/ \(first in line \d+\)/, ''));
  if (problems.length > 0) throw new GateConfigError(problems);
  return { ...parsed, gates: planGates(parsed.gates) };
}

function gateOf(gate: CommandGate, workingDirectory: string): Gate {
  return {
    name: gate.name,
    command: gate.command,
    ...(gate.description !== undefined && { description: gate.description }),
    order: gate.order,
    enabled: true,
    blocking: gate.blocking,
    ...(Number.isFinite(gate.timeoutSeconds) && { timeout: gate.timeoutSeconds }),
    ...(gate.cwd !== workingDirectory && { cwd: gate.cwd }),
    ...(Object.keys(gate.env).length > 0 && { env: gate.env }),
  };
}
