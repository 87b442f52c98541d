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
}

/** Returns the projects that have guarded the stops of an agent in this session. */
export async function guardedProjects(session: string | undefined, agent: string): Promise<GuardedProject[]> {
  const path = await sessionPath(session);
  const known = path === undefined ? undefined : storeAt(path).read();
  return known?.projects.filter(({ agents }) => agents.includes(agent)) ?? [];
}

/**
 * Records that a project guards the stops of an agent.
 *
 * @returns the names of the gates that the project has no more
 */
export async function recordGuard(
  session: string | undefined,
  { root, agents, gates }: GuardedProject,
): Promise<string[]> {
  const path = await sessionPath(session);
  if (path === undefined) return [];
  const store = storeAt(path);
  const known = store.read()?.projects.find((project) => project.root === root);
  if (known && agents.every((agent) => known.agents.includes(agent)))
    return known.gates.filter((gate) => !gates.includes(gate));
  await store.update((present = { projects: [] }, write) => {
    const others = present.projects.filter((project) => project.root !== root);
    const first = known ? { ...known, agents: [...known.agents, ...agents] } : { root, agents, gates };
    write({ projects: [...others, first] });
  });
  return known ? known.gates.filter((gate) => !gates.includes(gate)) : [];
}

function storeAt(path: string): JsonStore<GuardedSession> {
  return new JsonStore(path, { check: (value) => (isGuardedSession(value) ? value : undefined) });
}

function isGuardedSession(value: unknown): value is GuardedSession {
  const { projects } = (value ?? {}) as Partial<GuardedSession>;
  return Array.isArray(projects) && projects.every(isGuardedProject);
}

function isGuardedProject(value: unknown): boolean {
  const { root, agents, gates } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof root === 'string' && [agents, gates].every(isTexts);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
