import { count, oneLine } from '../base/text.ts';
import type { Chain, CriterionVerdict, MovedChain } from '../state/chain.ts';
import type { ChainReport } from '../state/chain-report.ts';
import type { CriterionGate, GateAction, PromptStep, VerifyGate } from '../state/prompt-step.ts';
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

const VERDICT =
  /^[\s>*_-]*GATE\s+`?([\p{L}\p{N}_.-]+)[\s*_`]*:[\s*_]*(PASS|FAIL)(?:ED)?\b[\s*_]*[-–—:,.]*\s*(.*)$/iu;

/** The agent's verdicts, as the text above asks for them. */
export function verdictsIn(message: string): CriterionVerdict[] {
  return message.split(/\r?\n/).flatMap((line) => {
    const [, name, verdict, reason = ''] = VERDICT.exec(line) ?? [];
    return name && verdict ? [{ name, passed: verdict.toUpperCase() === 'PASS', reason: reason.trim() }] : [];
  });
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

// What people read of chains; what agents do is in chain-texts.ts.

/** What the person reads when no attempt is left. */
export function escalatedText(chain: Chain): string {
  const { id, attempts } = chain;
  return `ralph-loop gave up after ${count(attempts, 'attempt')}: ${failureIn(chain)}. Type ":: gate_action:retry", ":: gate_action:skip" or ":: gate_action:abort", or run "ralph-loop gate retry ${id}".`;
}

/** What the person reads of commands that are run once, and fail. */
export function chainFailedText(chain: Chain): string {
  return `ralph-loop: ${failureIn(chain)}.`;
}

function failureIn({ results, step, steps }: Chain): string {
  const failed = results.find(({ passed }) => !passed);
  const where = steps.length > 1 ? ` at step ${step + 1} of ${steps.length}` : '';
  if (!failed) return `the review does not pass${where}`;
  const { command, exitCode, timedOut } = failed;
  const how = timedOut ? 'timed out' : exitCode === null ? 'failed' : `failed with exit code ${exitCode}`;
  return `\`${oneLine(command, 100)}\` ${how}${where}`;
}

/** What the person reads of a chain that nobody has touched for a day. */
export function chainExpiredText({ steps, updated_at, checkpoint }: Chain): string {
  const commands = steps.flatMap(({ verify }) => verify.map(({ command }) => `\`${oneLine(command, 60)}\``));
  const what = commands.join(', ') || 'what was typed';
  const kept = checkpoint === null ? '' : ` ${keptText(checkpoint)}`;
  return `ralph-loop: ${what} is verified no longer: nothing has happened to it since ${updated_at}.${kept}`;
}

/** What there is to know of the checkpoint of a chain that nobody goes on with. */
export function keptText(checkpoint: string): string {
  return `The work before it is kept: ralph-loop checkpoint restore ${checkpoint}.`;
}

/** What the person reads when a chain has ended. */
export function chainEndedText(chain: Chain, ended: 'passed' | 'skipped' | 'aborted'): string {
  if (ended === 'aborted') return 'ralph-loop: the typed gates were called off.';
  if (ended === 'skipped')
    return `ralph-loop: ${count(chain.unverified.length, 'step')} went unverified, the rest holds.`;
  const commands = chain.steps.flatMap(({ verify }) => verify);
  return commands.length === 1
    ? `ralph-loop: \`${oneLine(commands[0]?.command ?? '', 100)}\` passes.`
    : 'ralph-loop: all that was asked for holds.';
}

/** A chain among others: `k3x9-7f2a  npm test, attempt 5, escalated`. */
export function chainLine(chain: ChainReport): string {
  const { id, commands, step, steps, attempts, max_attempts: most, status, verifying } = chain;
  const skipped = chain.unverified_steps > 0 ? `, ${count(chain.unverified_steps, 'step')} unverified` : '';
  const shown = commands.map((command) => oneLine(command, 60)).join(', ') || 'review';
  const where = steps > 1 ? `, step ${step}/${steps}` : '';
  return `${id}  ${shown}${where}, attempt ${attempts}/${most}, ${verifying ? 'being verified' : status}${skipped}`;
}
