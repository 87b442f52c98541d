import { count, oneLine } from '../base/text.ts';
import type {
  Chain,
  CriterionGate,
  CriterionVerdict,
  GateAction,
  MovedChain,
  PromptStep,
  VerifyGate,
} from '../state/chain.ts';
import { fittedReason } from './reason-frame.ts';

/**
 * What an agent is told when a prompt with gates was typed: what it has not read there, what will be verified, and how
 * it is gone about.
 *
 * @param typed the whole prompt, which the agent reads too
 */
export function chainBegunText(chain: Chain, typed: string): string {
  const [first, ...others] = chain.steps;
  if (!first) return '';
  const isOne = others.length === 0;
  const steps = `This task has ${chain.steps.length} steps. Do the first one now; the next one is given to you when it holds:`;
  return fittedReason((room) =>
    [
      ...(isOne ? [] : [steps]),
      // A template's text stands nowhere in the prompt.
      ...(isOne && typed.includes(first.text) ? [] : [fittedText(chain, first, room), '']),
      'ralph-loop verifies your work when you stop:',
      ...gateLines(first),
      'Work until that holds. Do not weaken a check in order to pass it.',
    ].join('\n'),
  );
}

/** What the agent reads when one step holds and the next one begins. */
export function nextStepText(chain: Chain, step: PromptStep): string {
  return stepText(`Step ${chain.step} of ${chain.steps.length} holds.`, chain, step);
}

/** What the agent reads of what a person has decided. */
export function actionText(action: GateAction, { chain, ended }: MovedChain, step: PromptStep): string {
  if (action === 'retry')
    return 'ralph-loop counts the attempts anew: go on with the task, which is verified when you stop.';
  if (action === 'abort') return 'ralph-loop verifies this task no longer.';
  const skipped =
    'ralph-loop verifies this step no longer. It counts as unverified: do not claim that its checks pass.';
  return ended === undefined ? stepText(skipped, chain, step) : skipped;
}

function stepText(before: string, chain: Chain, step: PromptStep): string {
  return fittedReason((room) =>
    [
      before,
      `Step ${chain.step + 1} of ${chain.steps.length}:`,
      fittedText(chain, step, room),
      '',
      'When you stop, this is verified:',
      ...gateLines(step),
    ].join('\n'),
  );
}

/** Templates may be long; hosts cut what they are handed, and would cut off what is verified. */
function fittedText({ id, step }: Chain, { text }: PromptStep, room: number): string {
  if (text.length <= room) return text;
  const rest = `[… The rest is in .trellis/.ralph/chain-${id}.json, steps[${step}].text]`;
  return `${text.slice(0, room)}\n${rest}`.toWellFormed();
}

/** What the agent reads when its commands pass, and its work has still to be reviewed. */
export function reviewText(
  criteria: readonly CriterionGate[],
  verdicts: readonly CriterionVerdict[] | undefined,
): string {
  const again =
    verdicts === undefined
      ? 'The commands pass. Review your work by each of these, honestly; repair what does not hold:'
      : 'A verdict is missing, has no reason, or is FAIL. Repair what does not hold, then review again:';
  return [
    again,
    ...criteria.map(({ name, text }) => `- ${name}: ${oneLine(text, 1000)}`),
    '',
    'End your message with one line for each, the reason on the same line:',
    ...criteria.map(({ name }) => `GATE ${name}: PASS - <reason>   (or FAIL - <reason>)`),
  ].join('\n');
}

export function gateLines({ verify, criteria }: PromptStep): string[] {
  return [
    ...verify.map((gate) => `- ${commandLine(gate)}`),
    ...criteria.map(({ text }) => `- to be reviewed: ${oneLine(text, 1000)}`),
    ...(verify.length + criteria.length === 0 ? ['- nothing'] : []),
  ];
}

function commandLine({ command, maxAttempts, timeoutSeconds, workingDir }: VerifyGate): string {
  const where = workingDir === undefined ? '' : ` in ${workingDir}`;
  return `\`${oneLine(command, 1000)}\`${where} exits with 0 (${count(maxAttempts, 'attempt')}, ${timeoutSeconds} s each)`;
}
