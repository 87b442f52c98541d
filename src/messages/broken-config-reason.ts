import { count, oneLine } from '../base/text.ts';
import { type Attempt, fits, iterationOf } from './reason-frame.ts';

/** What the agent reads when the gates could not be run at all, since the config is broken. */
export function brokenConfigReason(problems: readonly string[], attempt: Attempt): string {
  let shown = Math.min(problems.length, 20);
  let reason: string;
  do reason = brokenConfig(problems, shown--, attempt);
  while (shown > 0 && !fits(reason));
  return reason;
}

function brokenConfig(problems: readonly string[], shown: number, attempt: Attempt): string {
  return [
    `${iterationOf(attempt)} Verification failed:`,
    'The configuration of the gates is broken, so none was run:',
    ...problems.slice(0, shown).map((problem) => oneLine(problem, 250)),
    ...(problems.length > shown ? [`and ${count(problems.length - shown, 'more problem')}`] : []),
    '',
    'Mend these places in the config, and leave its gates as strict as they were meant to be. They run at your next stop.',
  ].join('\n');
}
