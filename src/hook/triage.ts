import { join, relative, resolve } from 'node:path';
import { isInside, readRegularFile, realPathOf } from '../base/files.ts';
import {
  findAgentProject,
  MAIN_AGENT,
  mayGuard,
  type ProjectFiles,
  readCurrentTask,
} from '../config/discover.ts';
import type { EditEvent, PromptEvent, StopEvent } from '../hosts/types.ts';
import { isJudged } from '../integrity/paths.ts';

/** A stop of a project with ralph-loop. Whether the project guards this agent is known once its config is read. */
export interface GuardedStop {
  readonly guarded: true;
  readonly project: ProjectFiles;
  /** Trellis's current task, if one is set. */
  readonly task: string | undefined;
  /** Name of the only gate to run. */
  readonly only?: string | undefined;
  /** Whether every agent is guarded. */
  readonly anyAgent?: boolean;
}

export interface UnguardedStop {
  readonly guarded: false;
  readonly why: string;
  /** Directory of the project whose log records the stop; undefined for the user's log. */
  readonly root: string | undefined;
}

export interface TriagedStop {
  readonly triage: GuardedStop | UnguardedStop;
  /** Absolute directory of the project. */
  readonly root: string;
  /** Absolute directories, of the project and above it, whose chains may be verified at this stop. */
  readonly chainRoots: readonly string[];
  /** Whether Ralph Gate's hook is called. */
  readonly isGate?: boolean | undefined;
}

/**
 * Separates the stops that are not guarded from the others. This is all that runs, and all that is loaded, at the stops
 * of every other agent, so it reads no more than it must.
 *
 * @param cwd absolute directory that the agent works in
 * @param named path of a gate config, from the command line
 */
export function triageStop(
  event: StopEvent,
  cwd: string,
  named: string | undefined,
): GuardedStop | UnguardedStop {
  const found = findAgentProject(cwd, event.projectDirectories, { named });
  if (!found.ok) return { guarded: false, why: found.failure.message, root: undefined };
  const { value: project } = found;
  const { root, layout, config } = project;
  const task = readCurrentTask(root);
  if (layout === 'trellis' && task === undefined)
    return { guarded: false, why: 'no current task is set', root };
  if (!mayGuard(config?.text ?? '', layout, event.agent))
    return { guarded: false, why: `agent "${event.agent}" is not guarded here`, root };
  return { guarded: true, project, task };
}

/** Triages a stop for Ralph Gate's hook, which guards every stop that it is called for. */
export function triageGateStop(
  event: StopEvent,
  cwd: string,
  { named, only }: { readonly named: string | undefined; readonly only: string | undefined },
): GuardedStop | UnguardedStop {
  const found = findAgentProject(cwd, event.projectDirectories, { named, gatesOnly: true });
  if (!found.ok) return { guarded: false, why: found.failure.message, root: undefined };
  return { guarded: true, project: found.value, task: undefined, only, anyAgent: true };
}

/** The project around a prompt, as far as a prompt asks for it: without parsing its config. */
export interface PromptedProject {
  readonly project: ProjectFiles;
  readonly task: string | undefined;
  /** Whether the main agent's turns are compared. A wrong guess costs time only. */
  readonly comparesTurns: boolean;
}

/**
 * Finds the project around a prompt.
 *
 * @param cwd absolute directory that the agent works in
 * @param named path of a gate config, from the command line
 * @returns undefined if there is none, or no session
 */
export function projectOfPrompt(
  event: PromptEvent,
  cwd: string,
  named: string | undefined,
): PromptedProject | undefined {
  if (event.sessionId === undefined) return undefined;
  const found = findAgentProject(cwd, event.projectDirectories, { named });
  if (!found.ok) return undefined;
  const { root, layout, config: { text } = { text: '' } } = found.value;
  const task = readCurrentTask(root);
  const [, when = layout === 'trellis' ? 'always' : 'changed'] = WHEN.exec(text) ?? [];
  const comparesTurns =
    mayGuard(text, layout, MAIN_AGENT) && when === 'changed' && (layout !== 'trellis' || task !== undefined);
  return { project: found.value, task, comparesTurns };
}

/** An edit of files by which a check may have become weaker. */
export interface JudgedEdit {
  readonly project: ProjectFiles;
  /** Trellis's current task, if one is set. */
  readonly task: string | undefined;
  /** The files, relative to the project. */
  readonly paths: readonly [string, ...string[]];
}

/**
 * Separates the edits of tests and of the configuration of checks from the others. This is all that runs after every other
 * edit.
 *
 * @param cwd absolute directory that the agent works in
 * @param named path of a gate config, from the command line
 * @returns undefined for every other edit, and where no stop is guarded
 */
export function triageEdit(event: EditEvent, cwd: string, named: string | undefined): JudgedEdit | undefined {
  // Finding the project takes longer than all the rest. What is judged in the project is judged by its whole path, too.
  const paths = event.paths.map((path) => resolve(cwd, path)).filter(mayHaveTests);
  if (paths.length === 0) return undefined;
  const found = findAgentProject(cwd, event.projectDirectories, { named });
  if (!found.ok) return undefined;
  const { value: project } = found;
  const { root, layout } = project;
  const task = readCurrentTask(root);
  if (layout === 'trellis' && task === undefined) return undefined;
  const [first, ...others] = paths
    .map((path) => realPathOf(path))
    .filter((path) => isInside(root, path))
    .map((path) => relative(root, path))
    .filter((path) => isJudged(path) || (isRust(path) && hasTests(join(root, path))));
  return first === undefined ? undefined : { project, task, paths: [first, ...others] };
}

function mayHaveTests(path: string): boolean {
  return isJudged(path) || isRust(path);
}

/** Rust has its tests beside the code. */
function isRust(path: string): boolean {
  return path.endsWith('.rs');
}

function hasTests(path: string): boolean {
  try {
    return /#\[(?:[\w:]*test|cfg\(test)/.test(readRegularFile(path) ?? '');
  } catch {
    return false;
  }
}

const WHEN = /\bwhen["']?\s*:\s*["']?(always|changed)\b/;

/**
 * Returns why the project does not guard this stop, or undefined if it does.
 *
 * @param agents agent types, matched exactly
 */
export function unguardedReason(event: StopEvent, agents: readonly string[]): string | undefined {
  if (event.finishPhase) return 'the finish phase is not guarded';
  if (event.agent === '') return 'the event names no agent';
  if (event.agent === 'main' && !event.isMain) return 'a subagent called "main" is not the main agent';
  if (!agents.includes(event.agent)) return `agent "${event.agent}" is not among ${agents.join(', ')}`;
  return undefined;
}
