import type { Answer, StopEvent } from '../hosts/types.ts';
import { guardLostMessage } from '../messages/person.ts';
import { guardedProjects } from '../state/guarded-session.ts';

/**
 * The answer to a stop that nothing verifies. If the same agent was guarded earlier in the session, the person reads why
 * it no longer is: the config, the repository or the environment has changed since.
 */
export async function answerUnguarded({ sessionId, agent }: StopEvent, why: string): Promise<Answer> {
  const [project] = await guardedProjects(sessionId, agent);
  if (!project) return { decision: 'ignore', why };
  return { decision: 'allow', why: 'guard-lost', toPerson: guardLostMessage(why, project) };
}
