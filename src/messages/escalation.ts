import { oneLine } from '../base/text.ts';
import type { RunResult } from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import type { Escalation } from '../state/execution-log.ts';
import { weakenedText } from './integrity.ts';
import { unresolvedText } from './person.ts';

/** For who has escalated. */
export function escalatedText({ gate, reason }: Escalation): string {
  return `${gate === undefined ? 'Escalated' : `Escalated ${quoted(gate)}`}: ${oneLine(reason, 300)}\nThe gates run once more at the next stop. It is allowed, it does not count as passed, and the user reads the reason.`;
}

/** "`lint`: the rule contradicts itself" */
export function escalationText({ gate, reason }: Escalation): string {
  return `${gate === undefined ? '' : `${quoted(gate)}: `}${oneLine(reason, 300)}`;
}

/** @param escalation by: as in `Caller` */
export function notPassedText(escalation: Escalation & { readonly by: string }): string {
  return `not passed, escalated ${escalation.by}: ${escalationText(escalation)}`;
}

interface EscalatedStop {
  /** Undefined: the config is broken, and no gate ran. */
  readonly summary: RunResult | undefined;
  readonly findings: readonly Finding[];
  readonly root: string;
}

/** What the person reads of a stop that is allowed because of an escalation. @param by as in `Caller` */
export function escalatedMessage(
  escalation: Escalation & { readonly by: string },
  { summary, findings, root }: EscalatedStop,
): string {
  const unresolved = summary ? unresolvedText(summary, root) : 'the config is invalid, no gate ran';
  const weakened = weakenedText(findings);
  const parts = [
    notPassedText(escalation),
    ...(unresolved === '' ? [] : [unresolved]),
    ...(weakened === undefined ? [] : [weakened]),
  ];
  return `ralph-loop: ${parts.join('; ')}`;
}

/** For a pass in spite of an escalation. */
export function notNeededText(escalation: Escalation): string {
  return `the escalation was not needed: ${escalationText(escalation)}`;
}

function quoted(name: string): string {
  return `\`${oneLine(name, 80)}\``;
}
