import type { AllowReason, Answer } from './types.ts';

/**
 * The answer in the form of Trellis's Python hook, for scripts that parse it. It contains `allow`, which today's hosts
 * reject.
 *
 * @param maxIterations the limit that the answer names if it was reached
 */
export function writeTrellisAnswer(answer: Answer, maxIterations: number): string {
  if (answer.decision === 'ignore') return '';
  if (answer.decision === 'block') {
    const { why: _, ...fields } = answer;
    return JSON.stringify(fields);
  }
  const details = answer.why === 'cap-reached' && answer.toPerson ? `\n${answer.toPerson}` : '';
  return JSON.stringify({ decision: 'allow', reason: allowText(answer.why, maxIterations) + details });
}

function allowText(why: AllowReason, maxIterations: number): string {
  switch (why) {
    case 'commands-passed':
      return 'All verify commands passed. Check phase complete.';
    case 'verified':
    case 'unverified':
    case 'escalated':
    case 'expired':
      return 'The gates typed into the prompt were checked.';
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
