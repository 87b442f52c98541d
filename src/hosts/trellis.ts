import type { AllowReason, Answer } from './stop-event.ts';

/**
 * The answer in the form of Trellis's Python hook, for scripts that parse it: `allow` is spelled out, which today's
 * hosts reject.
 *
 * @param maxIterations for the sentence at the cap
 */
export function writeTrellisAnswer(answer: Answer, maxIterations: number): string {
  if (answer.decision === 'ignore') return '';
  if (answer.decision === 'block') {
    const { why: _, ...said } = answer;
    return JSON.stringify(said);
  }
  const details = answer.why === 'cap-reached' && answer.toPerson ? `\n${answer.toPerson}` : '';
  return JSON.stringify({ decision: 'allow', reason: sentenceOf(answer.why, maxIterations) + details });
}

function sentenceOf(why: AllowReason, maxIterations: number): string {
  switch (why) {
    case 'commands-passed':
      return 'All verify commands passed. Check phase complete.';
    case 'verified':
    case 'unverified':
    case 'escalated':
    case 'expired':
      return 'The gates typed into the prompt were judged.';
    case 'markers-found':
      return 'All completion markers found. Check phase complete.';
    case 'cap-reached':
      return `Max iterations (${maxIterations}) reached. Stopping to prevent infinite loop.`;
    case 'cancelled':
      return 'The loop was cancelled by hand.';
    case 'no-gates':
      return 'No gates are configured.';
    case 'internal-error':
      return 'ralph-loop had an internal error.';
    case 'cannot-count':
      return 'The loop state cannot be written.';
  }
}
