import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isInside, readFileInside, realPathOf } from '../base/files.ts';
import { failure, type Result, success } from '../base/result.ts';
import { printable } from '../base/text.ts';
import { BASELINE_FILE } from '../gates/known-failures.ts';
import type { Gate, MarkerGate } from '../gates/types.ts';
import { findProject, type GateConfigFile, type ProjectFiles, readCurrentTask } from './discover.ts';
import { readGateConfigFile } from './gate-config.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { didYouMean, problemsIn } from './validate.ts';
import { parseWorktree, splitLines } from './worktree.ts';

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
 * Trellis project, the markers of its task. The gates have the known failures of the project's baseline.
 *
 * @param task the current task, if there is one
 */
export async function readProject(project: ProjectFiles, task: string | undefined): Promise<ProjectConfig> {
  const config = await readConfigFiles(project, task);
  const { root, recorded } = project;
  const text = recorded?.baseline;
  if (recorded ? text === null : !hasEntry(join(root, BASELINE_FILE))) return config;
  const { withBaseline } = await import('./baseline.ts');
  return withBaseline(config, root, text ?? undefined);
}

/** Whether there is anything of this name, even a link to nothing. */
function hasEntry(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function readConfigFiles(project: ProjectFiles, task: string | undefined): Promise<ProjectConfig> {
  const { root, layout, config, gateConfig } = project;
  const parsed = config && (await parseWorktree(config.text, layout, root));
  const { settings, gates } = parsed ?? { settings: defaultSettings(layout), gates: [] };
  const problems = parsed ? problemsIn(config, parsed.problems, root) : [];
  if (gateConfig) return withGateConfig(gateConfig, root, settings, problems);
  if (gates.length > 0 || problems.length > 0 || layout !== 'trellis' || task === undefined)
    return { settings, gates, problems, notes: [] };
  const { markers: recorded } = project.recorded ?? {};
  return { settings, problems, ...readMarkers(root, task, { where: settings.markers, recorded }) };
}

/**
 * The settings of the project around a directory; none without a config.
 *
 * @param directory absolute
 */
export async function settingsAround(directory: string): Promise<Partial<Settings>> {
  const found = findProject(directory);
  if (!found.ok) return {};
  return (await readProject(found.value, readCurrentTask(found.value.root))).settings;
}

async function withGateConfig(
  { path, workingDirectory, text }: GateConfigFile,
  root: string,
  settings: Settings,
  worktreeProblems: readonly string[],
): Promise<ProjectConfig> {
  const context = { directory: dirname(path), root, workingDirectory, passEnv: settings.passEnv };
  const { file, parsed } = await readGateConfigFile(path, context, text);
  return {
    settings: { ...settings, failFast: parsed.failFast },
    gates: parsed.gates,
    ...(parsed.resultsPath !== undefined && { resultsPath: parsed.resultsPath }),
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

/** The marker of a task whose `check.jsonl` names none, as in the Python hook. */
const DEFAULT_MARKER = 'ALL_CHECKS_FINISH';

export interface Markers {
  readonly gates: readonly MarkerGate[];
  /** What was skipped, for the log. */
  readonly notes: readonly string[];
}

interface MarkerSource {
  /** Where a marker counts. */
  readonly where?: Settings['markers'] | undefined;
  /** The text to parse in place of that of the file; null for none. */
  readonly recorded?: string | null | undefined;
}

/**
 * Reads the markers of a Trellis task: each row of its `check.jsonl` gives `<REASON>_FINISH`.
 *
 * @param root absolute directory of the project
 * @param task the directory of the task, relative to the root; one outside of the project is not read
 */
export function readMarkers(
  root: string,
  task: string,
  { where = 'anywhere', recorded }: MarkerSource = {},
): Markers {
  const gateOf = (marker: string) => markerGate(marker, where);
  const path = markersPath(root, task);
  const file = relative(root, path);
  if (recorded !== undefined) return markersOf(recorded ?? '', file, gateOf);
  if (!isInside(root, realPathOf(path)))
    return {
      gates: [gateOf(DEFAULT_MARKER)],
      notes: [`the task ${task} is outside the project; its check.jsonl was not read`],
    };
  let text: string | undefined;
  try {
    text = readFileInside(root, path);
  } catch (error) {
    return { gates: [gateOf(DEFAULT_MARKER)], notes: [`${file}: ${(error as Error).message}`] };
  }
  return markersOf(text ?? '', file, gateOf);
}

/** The absolute path of the file with the markers of a task. */
export function markersPath(root: string, task: string): string {
  return join(resolve(root, task), 'check.jsonl');
}

function markersOf(text: string, file: string, gateOf: (marker: string) => MarkerGate): Markers {
  const { markers, notes } = parseMarkers(text, file);
  return { gates: [...(markers.size > 0 ? markers : [DEFAULT_MARKER])].map(gateOf), notes };
}

function parseMarkers(text: string, file: string): { markers: Set<string>; notes: string[] } {
  const markers = new Set<string>();
  const notes: string[] = [];
  for (const [index, row] of splitLines(text).entries()) {
    if (row.trim() === '') continue;
    const reason = reasonOf(row);
    if (!reason.ok) notes.push(`${file}:${index + 1}:1: ${reason.failure.message}; the row was skipped`);
    else if (reason.value)
      markers.add(`${printable(reason.value).toUpperCase().replaceAll(/\s/g, '_')}_FINISH`);
  }
  return { markers, notes };
}

/** The `reason` of a row. A row without one is valid. */
function reasonOf(row: string): Result<string | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return failure('found a row that is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failure('found a row that is not an object, expected {"reason": "…"}');
  const { reason } = value as { reason?: unknown };
  if (reason === undefined || reason === null) return success(undefined);
  return typeof reason === 'string' ? success(reason) : failure('found a reason that is not text');
}

function markerGate(marker: string, where: Settings['markers']): MarkerGate {
  return {
    kind: 'marker',
    name: marker,
    marker,
    ...(where === 'strict' && { strict: true }),
    blocking: true,
  };
}
