import { count, oneLine } from '../base/text.ts';
import type {
  Chain,
  ChainReport,
  CriterionGate,
  CriterionVerdict,
  GateAction,
  MovedChain,
  PromptStep,
  VerifyGate,
} from '../state/chain.ts';
import { fittedReason } from './agent.ts';

// What agents read about chains of typed gates.

/** What an agent is to do with its criteria; they follow. */
export const REVIEW_REQUEST =
  'Review your work honestly against each criterion, and fix what does not meet it:';

/**
 * For a prompt with gates: the part of the task that the prompt itself does not contain, and what will be verified.
 *
 * @param typed the whole prompt, which the agent reads too
 */
export function chainBegunText(chain: Chain, typed: string): string {
  const [first, ...others] = chain.steps;
  if (!first) return '';
  const isOne = others.length === 0;
  const steps = `This task has ${chain.steps.length} steps. Do the first one now; you get the next one when it passes:`;
  return fittedReason((maxCharacters) =>
    [
      ...(isOne ? [] : [steps]),
      // The prompt does not contain the text of a template.
      ...(isOne && typed.includes(first.text) ? [] : [fittedText(chain, first, maxCharacters), '']),
      'ralph-loop verifies your work when you stop:',
      ...gateLines(first),
      'Work until all of this passes. Do not weaken a check to make it pass.',
    ].join('\n'),
  );
}

/** For a step that has passed: the next one. */
export function nextStepText(chain: Chain, step: PromptStep): string {
  return stepText(`Step ${chain.step} of ${chain.steps.length} passed.`, chain, step);
}

/** For a decision of the user. */
export function actionText(action: GateAction, { chain, ended }: MovedChain, step: PromptStep): string {
  if (action === 'retry')
    return 'The attempts start again at 1. Continue with the task; ralph-loop verifies it when you stop.';
  if (action === 'abort') return 'ralph-loop no longer verifies this task.';
  const skipped =
    'ralph-loop no longer verifies this step. It counts as unverified: do not claim that its checks pass.';
  return ended === undefined ? stepText(skipped, chain, step) : skipped;
}

function stepText(before: string, chain: Chain, step: PromptStep): string {
  return fittedReason((maxCharacters) =>
    [
      before,
      `Step ${chain.step + 1} of ${chain.steps.length}:`,
      fittedText(chain, step, maxCharacters),
      '',
      'ralph-loop verifies this step when you stop:',
      ...gateLines(step),
    ].join('\n'),
  );
}

/** Hosts cut long texts, and would cut off the gates that follow a long template. */
function fittedText({ id, step }: Chain, { text }: PromptStep, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const rest = `[… The rest is in .trellis/.ralph/chain-${id}.json, steps[${step}].text]`;
  return `${text.slice(0, maxCharacters)}\n${rest}`.toWellFormed();
}

/**
 * For commands that pass: the criteria by which the agent reviews its work.
 *
 * @param verdicts of the review before, which did not pass
 */
export function reviewText(
  criteria: readonly CriterionGate[],
  verdicts: readonly CriterionVerdict[] | undefined,
): string {
  const request =
    verdicts === undefined
      ? `The commands pass. ${REVIEW_REQUEST}`
      : 'A verdict is missing, has no reason, or is FAIL. Fix what does not meet its criterion, then review again:';
  return [
    request,
    ...criteria.map(({ name, text }) => `- ${name}: ${oneLine(text, 1000)}`),
    '',
    'End your message with one line for each criterion, with the reason on the same line:',
    ...verdictForms(criteria),
  ].join('\n');
}

/** The form of a verdict, for each criterion. */
export function verdictForms(criteria: readonly CriterionGate[]): string[] {
  return criteria.map(({ name }) => `GATE ${name}: PASS - <reason>   (or FAIL - <reason>)`);
}

/** The gates of a step, one on a line. */
export function gateLines({ verify, criteria }: PromptStep): string[] {
  return [
    ...verify.map((gate) => `- ${commandLine(gate)}`),
    ...criteria.map(({ text }) => `- review: ${oneLine(text, 1000)}`),
    ...(verify.length + criteria.length === 0 ? ['- nothing (this step has no gates)'] : []),
  ];
}

function commandLine({ command, maxAttempts, timeoutSeconds, workingDir }: VerifyGate): string {
  const where = workingDir === undefined ? '' : ` in ${workingDir}`;
  return `\`${oneLine(command, 1000)}\`${where} exits with 0 (${count(maxAttempts, 'attempt')}, ${timeoutSeconds} s each)`;
}

// What people read about chains of typed gates.

/** For a chain that has no attempt left. */
export function escalatedText(chain: Chain): string {
  const { id, attempts } = chain;
  return `ralph-loop: limit of ${count(attempts, 'attempt')} reached: ${failureIn(chain)}. Type ":: gate_action:retry", ":: gate_action:skip" or ":: gate_action:abort", or run "ralph-loop gate retry ${id}".`;
}

/** For commands that run once, and fail. */
export function chainFailedText(chain: Chain): string {
  return `ralph-loop: ${failureIn(chain)}.`;
}

function failureIn({ results, step, steps }: Chain): string {
  const failed = results.find(({ passed }) => !passed);
  const where = steps.length > 1 ? ` at step ${step + 1} of ${steps.length}` : '';
  if (!failed) return `the review did not pass${where}`;
  const { command, exitCode, timedOut } = failed;
  const how = timedOut ? 'timed out' : exitCode === null ? 'failed' : `failed with exit code ${exitCode}`;
  return `\`${oneLine(command, 100)}\` ${how}${where}`;
}

/** For a chain without activity for a day. */
export function chainExpiredText({ steps, updated_at, checkpoint }: Chain): string {
  const commands = steps.flatMap(({ verify }) => verify.map(({ command }) => `\`${oneLine(command, 60)}\``));
  const gates = commands.join(', ') || 'the review';
  const kept = checkpoint === null ? '' : ` ${keptText(checkpoint)}`;
  return `ralph-loop: typed gates expired, without activity since ${updated_at}: ${gates}.${kept}`;
}

/** For the checkpoint of a chain or agent run that has ended without success. */
export function keptText(checkpoint: string): string {
  return `Its checkpoint is kept; to restore it: ralph-loop checkpoint restore ${checkpoint}`;
}

/** For a chain that has ended. */
export function chainEndedText(chain: Chain, ended: 'passed' | 'skipped' | 'aborted'): string {
  if (ended === 'aborted') return 'ralph-loop: the typed gates were aborted.';
  if (ended === 'skipped')
    return `ralph-loop: ${count(chain.unverified.length, 'step')} unverified, all others passed.`;
  const commands = chain.steps.flatMap(({ verify }) => verify);
  return commands.length === 1
    ? `ralph-loop: \`${oneLine(commands[0]?.command ?? '', 100)}\` passed.`
    : 'ralph-loop: all typed gates passed.';
}

/** A chain in a list: `k3x9-7f2a  npm test, attempt 5/5, escalated`. */
export function chainLine(chain: ChainReport): string {
  const { id, commands, step, steps, attempts, max_attempts: most, status, verifying } = chain;
  const skipped = chain.unverified_steps > 0 ? `, ${count(chain.unverified_steps, 'step')} unverified` : '';
  const shown = commands.map((command) => oneLine(command, 60)).join(', ') || 'review';
  const where = steps > 1 ? `, step ${step}/${steps}` : '';
  return `${id}  ${shown}${where}, attempt ${attempts}/${most}, ${verifying ? 'running' : status}${skipped}`;
}
