import { dirname } from 'node:path';
import type { Gate } from '../gates/types.ts';
import type { GateConfigFile, ProjectFiles } from './discover.ts';
import { readGateConfigFile } from './gate-config.ts';
import { readMarkers } from './markers.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { didYouMean, problemsIn } from './validate.ts';
import { parseWorktree } from './worktree.ts';

/** The settings and gates of a project, from whichever file they come. */
export interface ProjectConfig {
  readonly settings: Settings;
  readonly gates: readonly Gate[];
  /** Absolute path of the results file of a gate config's gates; undefined for other gates. */
  readonly resultsPath?: string;
  /** All errors in the config, each with file:line:column. */
  readonly problems: readonly string[];
  /** What was skipped without being an error, for the log. */
  readonly notes: readonly string[];
}

/**
 * Reads the settings of a project and its gates: the commands of `verify:`, or those of a gate config, or else, in a
 * Trellis project, the markers of its task.
 *
 * @param task the current task, if there is one
 */
export async function readProject(project: ProjectFiles, task: string | undefined): Promise<ProjectConfig> {
  const { root, layout, config, gateConfig } = project;
  const parsed = config && (await parseWorktree(config.text, layout, root));
  const { settings, gates } = parsed ?? { settings: defaultSettings(layout), gates: [] };
  const problems = parsed ? problemsIn(config, parsed.problems, root) : [];
  if (gateConfig) return withGateConfig(gateConfig, root, settings, problems);
  if (gates.length > 0 || problems.length > 0 || layout !== 'trellis' || task === undefined)
    return { settings, gates, problems, notes: [] };
  return { settings, problems, ...readMarkers(root, task) };
}

async function withGateConfig(
  { path, workingDirectory }: GateConfigFile,
  root: string,
  settings: Settings,
  worktreeProblems: readonly string[],
): Promise<ProjectConfig> {
  const context = { directory: dirname(path), root, workingDirectory, passEnv: settings.passEnv };
  const { file, parsed } = await readGateConfigFile(path, context);
  return {
    settings: { ...settings, failFast: parsed.failFast },
    gates: parsed.gates,
    resultsPath: parsed.resultsPath,
    problems: [...worktreeProblems, ...problemsIn(file, parsed.problems, root)],
    notes: [],
  };
}

/** The config with only the named gates. A name that no gate has is a problem. */
export function onlyGates(config: ProjectConfig, names: readonly string[]): ProjectConfig {
  const known = config.gates.map((gate) => gate.name);
  const unknown = names.find((name) => !known.includes(name));
  return {
    ...config,
    gates: config.gates.filter(({ name }) => names.includes(name)),
    problems: unknown === undefined ? config.problems : [...config.problems, unknownGate(unknown, known)],
  };
}

function unknownGate(name: string, names: readonly string[]): string {
  const gates = names.length === 1 ? '1 gate' : `${names.length} gates`;
  const list = names.length > 0 ? `${gates} here: ${names.join(', ')}` : 'no gate here';
  return `Unknown gate "${name}"${didYouMean(name, names) || `: ${list}`}`;
}
