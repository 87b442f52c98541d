import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf, shownPath } from '../base/files.ts';
import {
  findProject,
  hostPlaces,
  mainGitDirectory,
  mayGuard,
  type ProjectFiles,
  readCurrentTask,
} from '../config/discover.ts';
import { type ProjectConfig, readProject } from '../config/load.ts';
import { isStartedByGateOf } from '../gates/nesting.ts';
import type { StopEvent } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import {
  emptiedTaskText,
  otherProjectText,
  recordLostText,
  removedRepositoryText,
  shadowingConfigText,
} from '../messages/protected-gates.ts';
import { recordedProjects } from '../state/guarded-session.ts';
import { readRecorded } from '../verification/recorded-files.ts';
import {
  copyOutside,
  isAsRecorded,
  readRecord,
  recordProject,
  type SessionRecord,
  variantOf,
  writeRecord,
} from '../verification/session-record.ts';
import { newRecordAtStop } from './session-start.ts';
import type { GuardedStop, TriagedStop } from './triage.ts';
import type { ConfiguredStop } from './types.ts';

// The gates judge a session as they were when it began: what an agent changes in them, or in what leads to them, is
// reported, and decides nothing.

/** A stop with the record of its session. */
export interface ProtectedStop {
  readonly stop: TriagedStop;
  /** Undefined where nothing is recorded. */
  readonly record?: SessionRecord | undefined;
  /** The config of the project is gone. */
  readonly isGone?: boolean;
  /** What became weaker in what leads to the gates. */
  readonly findings: readonly Finding[];
  /** For the person. */
  readonly messages: readonly string[];
}

/** Finds the record of a stop's session, or makes it at the first event of a session. */
export async function protectStop(
  event: StopEvent,
  stop: TriagedStop,
  env: NodeJS.ProcessEnv,
  now: Date,
): Promise<ProtectedStop> {
  const { sessionId: session } = event;
  const nothing = { stop, findings: [], messages: [] };
  if (session === undefined || event.finishPhase) return nothing;
  const { triage, isGate = false } = stop;
  if (!triage.guarded) return recover(event, session, stop, env);
  const { project, task } = triage;
  const { root } = project;
  // The stop of an agent that a gate started is not the session's.
  if (isStartedByGateOf(root, env)) return nothing;
  const known = await readRecord({ root, session, isGate });
  if (known) {
    const record = await withTask(known, project, task, isGate);
    const findings = stateFindings(record, project, task);
    const placed = { ...triage, project: inRecordedDirectory(project, record) };
    return { stop: { ...stop, triage: placed }, record, findings, messages: [] };
  }
  const places = hostPlaces(event.projectDirectories);
  const start = { session, project, task, isGate, places };
  const recorded = await recordedProjects(session, variantOf(isGate), places);
  const isLost = recorded.includes(root);
  const [outer] = isLost ? [] : nearestFirst(recorded, root);
  const around = outer === undefined ? undefined : await readRecord({ root: outer, session, isGate });
  if (around && !isWorktreeOf(around, project)) {
    const path = shownPath(around.project.root, project.config?.path ?? project.gateConfig?.path ?? root);
    if (isNewerThan(around, project)) {
      const message = shadowingConfigText(path, shownPath(around.project.root, configPath(around.project)));
      const finding: Finding = { rule: 'gate-changed', severity: 'high', path, line: 1, message };
      return recovered(around, stop, [finding]);
    }
    // A package may have its own config, and the agent may go to it: that is reported once.
    const message = otherProjectText(around.project.root);
    const finding: Finding = { rule: 'gate-changed', severity: 'medium', path, message };
    await writeRecord(newRecordAtStop(start, now), isGate);
    return { ...nothing, findings: [finding] };
  }
  await writeRecord(newRecordAtStop(start, now), isGate);
  return { ...nothing, messages: isLost ? [recordLostText(root)] : [] };
}

/** The gates of a gate config run where the agent worked at first: it must not choose where they pass. */
function inRecordedDirectory(project: ProjectFiles, record: SessionRecord): ProjectFiles {
  const workingDirectory = record.project.gateConfig?.workingDirectory;
  const { gateConfig } = project;
  if (!gateConfig || workingDirectory === undefined) return project;
  return { ...project, gateConfig: { ...gateConfig, workingDirectory } };
}

/** A task that is set later in a session is recorded with its markers, and is the one that counts if it is removed. */
async function withTask(
  record: SessionRecord,
  project: ProjectFiles,
  task: string | undefined,
  isGate: boolean,
): Promise<SessionRecord> {
  if (task === undefined || record.task === task) return record;
  const { recorded } = recordProject(project, task, []).project;
  const next = {
    ...record,
    task,
    project: {
      ...record.project,
      ...(recorded && { recorded: { ...recorded, baseline: record.project.recorded?.baseline ?? null } }),
    },
  };
  await writeRecord(next, isGate);
  return next;
}

/** The stop of a session whose project is not found any more, or does not guard the agent any more. */
async function recover(
  event: StopEvent,
  session: string,
  stop: TriagedStop,
  env: NodeJS.ProcessEnv,
): Promise<ProtectedStop> {
  const { isGate = false } = stop;
  const places = [event.cwd ?? stop.root, ...event.projectDirectories].map(realPathOf);
  const recorded = await recordedProjects(session, variantOf(isGate), hostPlaces(event.projectDirectories));
  const root =
    places.flatMap((place) => nearestFirst(recorded, place).filter((one) => isInside(one, place)))[0] ??
    recorded[0];
  if (root === undefined || isStartedByGateOf(root, env)) return { stop, findings: [], messages: [] };
  const record = await readRecord({ root, session, isGate });
  if (!record) return { stop, findings: [], messages: [recordLostText(root)] };
  const { layout, config } = record.project;
  const isGuarded = isGate || mayGuard(config?.text ?? '', layout, event.agent);
  if (!isGuarded || (layout === 'trellis' && record.task === null))
    return { stop, findings: [], messages: [] };
  return recovered(record, stop, []);
}

/** A stop of a recorded session as it would be judged now, and whether its project has no config any more. */
export async function stopNow(
  record: SessionRecord,
  isGate: boolean,
): Promise<{ readonly stop: ConfiguredStop; readonly isGone: boolean }> {
  const { root } = record.project;
  const unguarded = { guarded: false, why: '', root } as const;
  const protection = recovered(record, { triage: unguarded, root, chainRoots: [], isGate }, []);
  const { triage } = protection.stop;
  const judged = await protectGates(triage, protection);
  const stop = { ...triage, ...judged, base: record.base ?? undefined, messages: [] };
  return { stop, isGone: protection.isGone === true };
}

/** The stop is judged by the project of the record. */
function recovered(
  record: SessionRecord,
  stop: TriagedStop,
  findings: readonly Finding[],
): ProtectedStop & { readonly stop: { readonly triage: GuardedStop } } {
  const { project } = record;
  const { root } = project;
  const found = findProject(root, { needsRepository: false, gatesOnly: stop.isGate ?? false });
  const present =
    found.ok && found.value.root === root ? inRecordedDirectory(found.value, record) : undefined;
  const task = readCurrentTask(root);
  const triage: GuardedStop = {
    guarded: true,
    project: present ?? project,
    task: task ?? record.task ?? undefined,
    ...(stop.isGate && { anyAgent: true }),
  };
  return {
    stop: { ...stop, triage, root },
    record,
    isGone: present === undefined,
    findings: [...findings, ...stateFindings(record, present, task)],
    messages: [],
  };
}

/** What leads to the gates besides the config. */
function stateFindings(
  { repository, task, project }: SessionRecord,
  present: ProjectFiles | undefined,
  presentTask: string | undefined,
): Finding[] {
  const findings: Finding[] = [];
  if (repository !== null && !existsSync(join(repository, '.git')))
    findings.push({ rule: 'gate-changed', severity: 'high', path: '.git', message: removedRepositoryText() });
  // A task that is finished is not set any more: this is no cheat by itself.
  if (project.layout === 'trellis' && task !== null && presentTask === undefined && present !== undefined)
    findings.push({
      rule: 'gate-changed',
      severity: 'medium',
      path: '.trellis/.current-task',
      message: emptiedTaskText(task),
    });
  return findings;
}

/** Directories around a place before others, the nearest first. */
function nearestFirst(roots: readonly string[], place: string): string[] {
  const around = roots.filter((root) => isInside(root, place)).toSorted((a, b) => b.length - a.length);
  return [...around, ...roots.filter((root) => !around.includes(root))];
}

function configPath({ root, config, gateConfig }: ProjectFiles): string {
  return gateConfig?.path ?? config?.path ?? root;
}

/** The kernel's clock for files may be this late. */
const CLOCK_MS = 10;

/** Whether a project's config was written, or moved to its place, after a record was made. */
function isNewerThan({ since }: SessionRecord, project: ProjectFiles): boolean {
  const stats = statSync(configPath(project), { throwIfNoEntry: false });
  return stats !== undefined && stats.ctimeMs > Date.parse(since) - CLOCK_MS;
}

/** Whether a project is in a worktree of the repository of a record: git writes its files when it is added. */
function isWorktreeOf({ repository }: SessionRecord, { root }: ProjectFiles): boolean {
  return repository !== null && mainGitDirectory(root) === realPathOf(join(repository, '.git'));
}

/** The config that judges a stop. */
export interface ProtectedConfig {
  readonly config: ProjectConfig;
  readonly findings: readonly Finding[];
  /** Whether the gates are known although the config is broken now. */
  readonly isKnown: boolean;
}

/** Reads the config of a stop's project, and judges it by the record of the session. */
export async function protectGates(
  { project, task }: GuardedStop,
  { record, isGone = false, findings }: ProtectedStop,
): Promise<ProtectedConfig> {
  const present = isGone ? undefined : await readProject(project, task);
  if (record === undefined)
    return { config: present ?? (await readProject(project, task)), findings, isKnown: false };
  const hooks = await hookFindings(record);
  if (present && isAsRecorded(record, project, task))
    return { config: present, findings: [...findings, ...hooks], isKnown: false };
  const { judgeConfig, readRecordedConfig } = await import('../verification/protected-gates.ts');
  const files = isGone ? undefined : project;
  const recorded = await readRecordedConfig(record);
  const judged = judgeConfig(record, recorded, { files, config: present, task }, (text, name) =>
    copyOutside(record.project.root, text, name),
  );
  return { ...judged, findings: [...findings, ...judged.findings, ...hooks] };
}

async function hookFindings({ hooks, project }: SessionRecord): Promise<readonly Finding[]> {
  const now = Object.fromEntries(Object.keys(hooks).map((path) => [path, readRecorded(project.root, path)]));
  if (Object.entries(hooks).every(([path, text]) => now[path] === text)) return [];
  return (await import('../setup/hook-changes.ts')).compareHooks(hooks, now);
}
