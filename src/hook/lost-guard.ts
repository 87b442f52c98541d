import { hostPlaces } from '../config/discover.ts';
import type { Answer, StopEvent } from '../hosts/types.ts';
import { guardLostMessage, markedMessage, unreadableSessionMessage } from '../messages/person.ts';
import { guardedProjects } from '../state/guarded-session.ts';

/**
 * The answer to a stop that nothing verifies. If the same agent was guarded earlier in the session, the person reads why
 * it no longer is: the config, the repository or the environment has changed since.
 */
export async function answerUnguarded(
  { sessionId, agent, projectDirectories }: StopEvent,
  why: string,
): Promise<Answer> {
  const projects = await guardedProjects(sessionId, agent, hostPlaces(projectDirectories));
  if (!projects) return { decision: 'allow', why: 'guard-lost', toPerson: unreadableSessionMessage(why) };
  const [project] = projects;
  if (!project) return { decision: 'ignore', why };
  return { decision: 'allow', why: 'guard-lost', toPerson: guardLostMessage(why, project) };
}

/** The answer to a stop that only a variable of the host's environment keeps from being guarded. */
export function answerMarked(): Answer {
  return { decision: 'allow', why: 'guard-lost', toPerson: markedMessage() };
}
