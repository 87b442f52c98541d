import { lstatSync } from 'node:fs';
import { isInside } from '../base/files.ts';
import { JsonStore } from './json-store.ts';
import { sessionPath } from './paths.ts';

/** What has guarded the stops of a session so far. It is outside of every project, because a project can vanish. */
interface GuardedSession {
  readonly projects: readonly GuardedProject[];
}

export interface GuardedProject {
  /** Absolute directory of the project. */
  readonly root: string;
  /** The agents whose stops were guarded. */
  readonly agents: readonly string[];
  /** The names of the gates, as they were at the first guarded stop. */
  readonly gates: readonly string[];
  /** Which records of its gates there are: for `ralph-loop hook` and for Ralph Gate's hook. */
  readonly recorded?: readonly string[] | undefined;
  /** The places of the host's projects (`hostPlaces`): a session of the same id in another project is another session. */
  readonly places?: readonly string[] | undefined;
}

/**
 * Returns the projects that have guarded the stops of an agent in this session.
 *
 * @param places those of the host's projects now
 * @returns undefined if there is a record that cannot be read
 */
export async function guardedProjects(
  session: string | undefined,
  agent: string,
  places: readonly string[],
): Promise<GuardedProject[] | undefined> {
  const path = await sessionPath(session);
  if (path === undefined || !lstatSync(path, { throwIfNoEntry: false })) return [];
  return storeAt(path)
    .read()
    ?.projects.filter((project) => project.agents.includes(agent) && mayBeSameHost(project, places));
}

/**
 * The projects of a session whose gates are recorded for it.
 *
 * @param variant of the record
 * @param places those of the host's projects now
 */
export async function recordedProjects(
  session: string | undefined,
  variant: string,
  places: readonly string[],
): Promise<string[]> {
  const path = await sessionPath(session);
  const known = path === undefined ? undefined : storeAt(path).read();
  return (known?.projects ?? [])
    .filter((project) => project.recorded?.includes(variant) && mayBeSameHost(project, places))
    .map(({ root }) => root);
}

/**
 * Whether a session may be the one that a project guards. An agent can go anywhere, but its host reports the same projects
 * as before; a host that reports none decides nothing.
 */
function mayBeSameHost({ places: before = [] }: GuardedProject, now: readonly string[]): boolean {
  if (before.length === 0 || now.length === 0) return true;
  return before.some((one) => now.some((other) => isInside(one, other) || isInside(other, one)));
}

/**
 * Records that a project guards the stops of an agent, or that its gates are recorded.
 *
 * @throws if it cannot be recorded
 */
export async function recordGuard(
  session: string | undefined,
  { root, agents, gates, recorded = [], places = [] }: GuardedProject,
): Promise<void> {
  const path = await sessionPath(session);
  if (path === undefined) return;
  const store = storeAt(path);
  const known = store.read()?.projects.find((project) => project.root === root);
  const isKnown = (present: readonly string[] = [], added: readonly string[]) =>
    added.every((one) => present.includes(one));
  if (
    known &&
    isKnown(known.agents, agents) &&
    isKnown(known.recorded, recorded) &&
    isKnown(known.places, places)
  )
    return;
  await store.update((present = { projects: [] }, write) => {
    const earlier = present.projects.find((project) => project.root === root);
    const next = {
      root,
      agents: [...new Set([...(earlier?.agents ?? []), ...agents])],
      gates: earlier && earlier.gates.length > 0 ? earlier.gates : gates,
      recorded: [...new Set([...(earlier?.recorded ?? []), ...recorded])],
      places: [...new Set([...(earlier?.places ?? []), ...places])],
    };
    const projects = present.projects.map((project) => (project === earlier ? next : project));
    write({ projects: earlier ? projects : [...projects, next] });
  });
}

/** Forgets that a project guards a session: a person accepts that it does not. */
export async function removeGuard(session: string, root: string): Promise<void> {
  const path = await sessionPath(session);
  if (path === undefined) return;
  await storeAt(path).update((present, write) => {
    if (present) write({ projects: present.projects.filter((project) => project.root !== root) });
  });
}

function storeAt(path: string): JsonStore<GuardedSession> {
  return new JsonStore(path, { check: (value) => (isGuardedSession(value) ? value : undefined) });
}

function isGuardedSession(value: unknown): value is GuardedSession {
  const { projects } = (value ?? {}) as Partial<GuardedSession>;
  return Array.isArray(projects) && projects.every(isGuardedProject);
}

function isGuardedProject(value: unknown): boolean {
  const {
    root,
    agents,
    gates,
    recorded = [],
    places = [],
  } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof root === 'string' && [agents, gates, recorded, places].every(isTexts);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
