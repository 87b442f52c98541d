import { oneLine } from '../base/text.ts';
import type { GateReport, RunReport } from '../gates/run-report.ts';
import { warningsMessage } from '../messages/person.ts';
import { endOf, formatFailureContext } from './format.ts';

/** What a Stop hook prints as JSON: nothing in it lets the agent stop. */
export interface HookOutput {
  readonly decision?: 'block';
  /** What the agent reads. */
  readonly reason?: string;
  /** Names of the gates that failed and do not block. */
  readonly warnings?: readonly string[];
  /** What the person reads. */
  readonly systemMessage?: string;
}

/**
 * The answer to a Stop hook of Claude Code, and of hosts that ignore keys they do not know.
 *
 * @param summary - A run of all gates.
 * @returns Empty where the agent may stop and there is nothing to say; otherwise the first blocking failure, or the
 * warnings. There is no cap in it: whoever calls it at every stop counts the blocks.
 */
export function generateHookResponse(summary: RunReport): HookOutput {
  const { passed, firstFailure, warnings } = summary;
  const said = {
    ...(warnings.length > 0 && { warnings }),
    ...(warnings.length > 0 && { systemMessage: warningsMessage(warnings) }),
  };
  if (passed) return said;
  const reason = firstFailure ? reasonOf(firstFailure) : 'The gates did not finish.';
  return { decision: 'block', reason, ...said };
}

function reasonOf(failure: GateReport): string {
  const { name, stderr, stdout } = failure;
  return `Gate '${oneLine(name, 80)}' failed (${endOf(failure)}):\n${formatFailureContext(stderr, stdout)}`;
}
