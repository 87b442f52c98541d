import type { Answer, StopEvent } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import { escalatedMessage, escalationText, notNeededText } from '../messages/escalation.ts';
import { weakenedText } from '../messages/integrity.ts';
import { joinOnLine } from '../messages/person.ts';
import { treeIdsIn } from '../process/process-group.ts';
import { escalationOf, recordEscalatedFindings, takeEscalation } from '../state/escalations.ts';
import { markEscalated } from '../state/failures.ts';
import type { CountedAttempt } from '../state/stop-loop.ts';
import type { VerificationRun } from '../verification/types.ts';
import type { StopResult } from './types.ts';

/** A stop that is decided, and may have an escalation. */
export interface DecidedStop {
  readonly event: StopEvent;
  /** Absolute directory of the project. */
  readonly root: string;
  readonly attempt: Pick<CountedAttempt, 'iteration'>;
  /** Undefined: the config is broken, and no gate ran. */
  readonly run: VerificationRun | undefined;
  /** Absolute path of the file that records what failed. */
  readonly failuresPath: string;
  /** What became weaker since the beginning of the session. */
  readonly findings: readonly Finding[];
  readonly env: NodeJS.ProcessEnv;
  readonly now: Date;
}

/**
 * The answer to a stop for which the agent has escalated: the stop is allowed, and is no pass. Without an escalation, the
 * answer is as it was decided. If the gates pass and nothing is weaker, the escalation was not needed.
 */
export async function withEscalation(
  answer: Answer,
  { event, root, attempt, run, failuresPath, findings, env, now }: DecidedStop,
): Promise<Pick<StopResult, 'answer' | 'escalated' | 'notes'>> {
  if (answer.decision === 'ignore') return { answer };
  const isPass =
    answer.decision === 'allow' && run?.result.verdict === 'passed' && weakenedText(findings) === undefined;
  const escalation = await takeEscalation(
    root,
    {
      session: event.sessionId,
      runs: treeIdsIn(env),
      // The pass of another session says nothing about the one that escalated.
      mayBeUnknown: !isPass || attempt.iteration > 1,
    },
    now,
  );
  if (!escalation) return { answer };
  const { toPerson, warnings } = answer;
  if (isPass) {
    const text = notNeededText(escalation);
    return {
      answer: { ...answer, toPerson: joinOnLine([...(toPerson === undefined ? [] : [toPerson]), text]) },
      notes: [text],
    };
  }
  await recordEscalatedFindings(root, event.sessionId, findings, now);
  markEscalated(failuresPath, escalationOf(escalation));
  const message = escalatedMessage(escalation, { summary: run?.result, findings, root });
  return {
    answer: { decision: 'allow', why: 'escalated', toPerson: message, ...(warnings && { warnings }) },
    escalated: escalationOf(escalation),
  };
}

/** What the person reads of an escalation whose stop is not verified, because the loop was cancelled. */
export async function droppedEscalation(
  { sessionId }: StopEvent,
  root: string,
  { env, now }: Pick<DecidedStop, 'env' | 'now'>,
): Promise<string[]> {
  const user = { session: sessionId, runs: treeIdsIn(env), mayBeUnknown: true };
  const escalation = await takeEscalation(root, user, now);
  return escalation ? [`escalated ${escalation.by}: ${escalationText(escalation)}`] : [];
}
