import type { Answer, HostName } from '../loop/stop-event.ts';
import { hostNamed } from './hosts.ts';

/**
 * The answer as the one JSON document that goes to stdout, or nothing. Only what the host is known to take.
 */
export function writeAnswer(answer: Answer, host: HostName): string {
  const said = answerFields(answer, host);
  return Object.keys(said).length > 0 ? JSON.stringify(said) : '';
}

/** The answer's keys; none where there is nothing to say. */
export function answerFields(answer: Answer, name: HostName): object {
  if (answer.decision === 'ignore') return {};
  const { ignoresUnknownKeys, showsSystemMessage } = hostNamed(name);
  const { toPerson, warnings = [] } = answer;
  if (name === 'cursor') return answer.decision === 'block' ? { followup_message: answer.reason } : {};
  return {
    ...(answer.decision === 'block' && { decision: 'block', reason: answer.reason }),
    ...(ignoresUnknownKeys && warnings.length > 0 && { warnings }),
    ...(showsSystemMessage && toPerson !== undefined && { systemMessage: toPerson }),
  };
}
