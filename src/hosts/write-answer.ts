import type { AnswerKey } from './host.ts';
import { hostNamed } from './hosts.ts';
import type { Answer, HostName } from './stop-event.ts';

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
  const { toPerson, warnings = [] } = answer;
  const said: Partial<Record<AnswerKey, unknown>> = {
    ...(answer.decision === 'block' && {
      decision: 'block',
      reason: answer.reason,
      followup_message: answer.reason,
    }),
    ...(warnings.length > 0 && { warnings }),
    ...(toPerson !== undefined && { systemMessage: toPerson }),
  };
  const { answerKeys } = hostNamed(name);
  return Object.fromEntries(Object.entries(said).filter(([key]) => answerKeys.includes(key as AnswerKey)));
}
