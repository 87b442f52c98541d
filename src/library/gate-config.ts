import { findProject } from '../config/discover.ts';
import {
  type GateConfigContext,
  gateConfigFromValue,
  type ParsedGateConfig,
  readGateConfigFile,
} from '../config/gate-config.ts';
import { problemsIn } from '../config/validate.ts';
import { planGates } from '../gates/plan.ts';
import type { CommandGate } from '../gates/types.ts';

/** A command that must exit with code 0. */
export interface Gate {
  /** Unique among the gates of a config. */
  readonly name: string;
  /** Run by `$SHELL`, or by `/bin/sh` if that is not set. */
  readonly command: string;
  /** Shown to people. */
  readonly description?: string;
  /** Gates with a lower order run first; gates with the same order run in list order. 100 by default. */
  readonly order?: number;
  /** Names of gates that must pass before this one starts; otherwise it is skipped. */
  readonly needs?: readonly string[];
  /** Whether no other gate runs at the same time. False by default. */
  readonly exclusive?: boolean;
  /** Whether the gate is run. True by default. */
  readonly enabled?: boolean;
  /** Whether a failure blocks the stop; otherwise it is a warning. True by default. */
  readonly blocking?: boolean;
  /** Seconds after which the process tree of the gate is ended. No limit by default. */
  readonly timeout?: number;
  /** Working directory, inside the directory of the config. The `cwd` of the config by default. */
  readonly cwd?: string;
  /** Variables added to the inherited environment. */
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}

/** Gates, and how to run them. */
export interface GateConfig {
  readonly gates: readonly Gate[];
  /** Whether the blocking gates after a failed blocking gate are skipped. True by default. */
  readonly failFast?: boolean;
  /** Results file of the command line; the library writes no file. `gate-results-<pid>.json` by default. */
  readonly outputPath?: string;
  /** Absolute path of the file from which the config was loaded. */
  readonly path?: string;
  /** Working directory of gates that do not set their own. That of the process by default. */
  readonly cwd?: string;
}

/** A config from a file. Its members can also be read from `config`, as Ralph Gate returns them. */
export interface LoadedConfig extends GateConfig {
  /** The same config; null without a file. */
  readonly config: GateConfig | null;
  /** The same as `path`. */
  readonly configPath?: string;
}

/** The config is not valid. The error contains all problems. */
export class GateConfigError extends Error {
  override readonly name = 'GateConfigError';
  /** `gate.config.json:3:5: found …, expected …`; without a position if the config does not come from a file. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Loads the nearest `gate.config.json`, `.gaterc.json` or `.gaterc`: in the directory or its parents, up to the root of
 * its git repository.
 *
 * @param cwd - The directory, in which the gates run. That of the process by default.
 * @returns The enabled gates in the order in which they run, with defaults filled in; no gates, no `path` and a null
 * `config` without such a file.
 * @throws GateConfigError if the file cannot be read or is not valid.
 */
export async function loadConfig(cwd: string = process.cwd()): Promise<LoadedConfig> {
  const found = findProject(cwd, { gatesOnly: true });
  if (!found.ok || !found.value.gateConfig) return { gates: [], cwd, config: null };
  const { root, gateConfig } = found.value;
  const { path, workingDirectory } = gateConfig;
  const { file, parsed } = await readGateConfigFile(path, { directory: root, workingDirectory });
  const problems = problemsIn(file, parsed.problems, root);
  if (problems.length > 0) throw new GateConfigError(problems);
  const config: GateConfig = {
    gates: planGates(parsed.gates).map((gate) => gateOf(gate, parsed.gates, workingDirectory)),
    failFast: parsed.failFast,
    outputPath: parsed.outputPath,
    path,
    cwd: workingDirectory,
  };
  return { ...config, config, configPath: path };
}

/** @throws GateConfigError */
export function plannedGates(config: GateConfig, context: GateConfigContext): ParsedGateConfig {
  const { gates, failFast, outputPath } = config;
  const parsed = gateConfigFromValue({ gates, failFast, outputPath }, context);
  // Problems of a config that does not come from a file have no positions.
  const problems = parsed.problems.map(({ message }) => message.replace(/ \(first in line \d+\)/, ''));
  if (problems.length > 0) throw new GateConfigError(problems);
  return { ...parsed, gates: planGates(parsed.gates) };
}

/** @param gates those that are enabled: the others are not waited for, and are no gates of the loaded config */
function gateOf(gate: CommandGate, gates: readonly CommandGate[], workingDirectory: string): Gate {
  const { kind: _, inUserShell: __, timeoutSeconds, cwd, env, needs, ...options } = gate;
  return {
    ...options,
    enabled: true,
    ...(needs && { needs: needs.filter((each) => gates.some(({ name }) => name === each)) }),
    ...(Number.isFinite(timeoutSeconds) && { timeout: timeoutSeconds }),
    ...(cwd !== workingDirectory && { cwd }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}
