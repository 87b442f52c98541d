import { dirname } from 'node:path';
import type { Gate } from '../gates/types.ts';
import type { GateConfigFile, ProjectFiles } from './discover.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { didYouMean, problemsIn } from './validate.ts';
import { type ParsedWorktree, parseWorktree } from './worktree.ts';

/** What a project asks for: its settings and its gates, from whichever source they come. */
export interface ProjectConfig {
  readonly settings: Settings;
  readonly gates: readonly Gate[];
  /** Absolute path of the file that a run of a gate config's gates leaves; undefined for other sources. */
  readonly resultsPath?: string;
  /** Everything that is wrong in the config, each with file:line:column. */
  readonly problems: readonly string[];
  /** What was passed over without being wrong, for the log. */
  readonly notes: readonly string[];
}

/**
 * Reads the project's gates: the `verify:` commands, or those of a gate config, or, in a Trellis project without any,
 * the markers of its task.
 *
 * @param task the current task, where there is one
 */
export async function readProject(project: ProjectFiles, task: string | undefined): Promise<ProjectConfig> {
  const { root, layout, config, gateConfig } = project;
  const parsed: ParsedWorktree = config
    ? await parseWorktree(config.text, layout, root)
    : { settings: defaultSettings(layout), gates: [], problems: [] };
  const problems = config ? problemsIn(config, parsed.problems, root) : [];
  const { settings, gates } = parsed;
  if (gateConfig) return readNamedGates(gateConfig, root, settings, problems);
  if (gates.length > 0 || problems.length > 0 || layout !== 'trellis' || task === undefined)
    return { settings, gates, problems, notes: [] };
  const { readMarkers } = await import('./markers.ts');
  return { settings, problems, ...readMarkers(root, task) };
}

/** A file that is gone, or was never there, is not passed over: it was named, or found a moment ago. */
async function readNamedGates(
  { path, workingDirectory }: GateConfigFile,
  root: string,
  settings: Settings,
  earlier: readonly string[],
): Promise<ProjectConfig> {
  const { readGateConfigFile } = await import('./gate-config.ts');
  const context = { directory: dirname(path), root, workingDirectory, passEnv: settings.passEnv };
  const { file, parsed } = await readGateConfigFile(path, context);
  return {
    settings: { ...settings, failFast: parsed.failFast },
    gates: parsed.gates,
    resultsPath: parsed.resultsPath,
    problems: [...earlier, ...problemsIn(file, parsed.problems, root)],
    notes: [],
  };
}

/** The config with those of its gates that are named; a name that no gate has is a problem. */
export function onlyGates(config: ProjectConfig, names: readonly string[]): ProjectConfig {
  const unknown = names.filter((name) => !config.gates.some((gate) => gate.name === name));
  const known = config.gates.map((gate) => gate.name);
  return {
    ...config,
    gates: config.gates.filter(({ name }) => names.includes(name)),
    problems: [...config.problems, ...unknown.slice(0, 1).map((name) => unknownGate(name, known))],
  };
}

function unknownGate(name: string, names: readonly string[]): string {
  const gates = names.length === 1 ? '1 gate' : `${names.length} gates`;
  const list = names.length > 0 ? `${gates} here: ${names.join(', ')}` : 'no gate here';
  return `Unknown gate "${name}"${didYouMean(name, names) || `: ${list}`}`;
}
