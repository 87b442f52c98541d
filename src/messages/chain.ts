import { count, listed, oneLine } from '../base/text.ts';
import { excerptText } from '../diagnostics/excerpt.ts';
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
import { latestAttempts, selfReviewed } from '../state/chain.ts';
import type { FailedGate } from '../state/failures.ts';
import { fittedReason } from './agent.ts';
import { notPassedText } from './escalation.ts';
import { describeOutcome, recordedLogHint } from './outcome.ts';

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
      ...(hasGates(first)
        ? [
            'ralph-loop verifies your work when you stop:',
            ...gateLines(first),
            'Work until all of this passes. Do not weaken a check to make it pass.',
          ]
        : [NO_GATES]),
    ].join('\n'),
  );
}

/** For a step that has passed: the next one. */
export function nextStepText(chain: Chain, step: PromptStep): string {
  return stepText(stepPassedText(chain), chain, step);
}

/** For the step before the current one. */
export function stepPassedText({ step, steps }: Chain): string {
  const names = steps[step - 1]?.criteria.map(({ name }) => name) ?? [];
  return `Step ${step} of ${steps.length} passed${names.length > 0 ? ` (${reviewedText(names)})` : ''}.`;
}

/** Criteria that passed by the review of the agent itself: `self-reviewed: accessible, tested`. */
function reviewedText(names: readonly string[]): string {
  return `self-reviewed: ${listed(
    names.map((name) => oneLine(name, 60)),
    300,
  )}`;
}

/** A moved chain, and the failure after which it is tried again. */
interface DecidedChain extends MovedChain {
  readonly failedGate?: FailedGate | undefined;
}

/**
 * For a decision of the user.
 *
 * @param root absolute directory of the project, from which the path of a log is given
 */
export function actionText(
  action: GateAction,
  { chain, ended, failedGate }: DecidedChain,
  step: PromptStep,
  root: string,
): string {
  if (action === 'retry')
    return fittedReason((maxCharacters) =>
      [
        'The attempts start again at 1. Continue with the task; ralph-loop verifies it when you stop.',
        ...(failedGate ? ['', ...failureLines(failedGate, root, maxCharacters)] : []),
      ].join('\n'),
    );
  if (action === 'abort') return 'ralph-loop no longer verifies this task.';
  const skipped =
    'ralph-loop no longer verifies this step. It counts as unverified: do not claim that its checks pass.';
  return ended === undefined ? stepText(skipped, chain, step) : skipped;
}

/** How a command failed at the last attempt, what it printed, and where the rest of its output is. */
export function failureLines(failed: FailedGate, root: string, maxCharacters: number): string[] {
  const { command, outcome } = failed;
  const how = oneLine(describeOutcome(outcome), 400);
  return [
    `At the last attempt, \`${oneLine(command)}\` ${how}.`,
    '',
    ...outputLines(failed, root, maxCharacters),
  ];
}

function outputLines(failed: FailedGate, root: string, maxCharacters: number): string[] {
  const text = excerptText(failed.excerpt);
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n[…]`.toWellFormed() : text;
  const log = recordedLogHint(failed, root);
  return [shown || 'It printed nothing.', ...(log === undefined ? [] : ['', log])];
}

const NO_GATES = 'This step has no gates: the next one follows when you stop.';

/** Whether a step is verified. */
export const hasGates = ({ verify, criteria }: PromptStep) => verify.length + criteria.length > 0;

function stepText(before: string, chain: Chain, step: PromptStep): string {
  return fittedReason((maxCharacters) =>
    [
      before,
      `Step ${chain.step + 1} of ${chain.steps.length}:`,
      fittedText(chain, step, maxCharacters),
      '',
      ...(hasGates(step) ? ['ralph-loop verifies this step when you stop:', ...gateLines(step)] : [NO_GATES]),
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
  ];
}

function commandLine({ command, maxAttempts, timeoutSeconds, workingDir }: VerifyGate): string {
  const where = workingDir === undefined ? '' : ` in ${workingDir}`;
  return `\`${oneLine(command, 1000)}\`${where} exits with 0 (${count(maxAttempts, 'attempt')}, ${timeoutSeconds} s each)`;
}

// What people read about chains of typed gates.

/** How much is shown of each command, and how many. */
const COMMAND_CHARACTERS = 200;
const MAX_COMMANDS = 10;

/**
 * For a prompt with gates: what will run because of it.
 *
 * @param untyped the lines in which a gate is not run, because it is not typed
 */
export function acceptedText({ steps, atStop }: Chain, untyped: readonly number[]): string {
  const gates = steps.flatMap(({ verify }) => verify);
  const shown = gates.slice(0, MAX_COMMANDS).map(({ command, maxAttempts }) => {
    const often = atStop === 'tell' ? 'once' : count(maxAttempts, 'attempt');
    return `\`${oneLine(command, COMMAND_CHARACTERS)}\` (${often})`;
  });
  if (gates.length > shown.length) shown.push(`and ${count(gates.length - shown.length, 'more command')}`);
  const criteria = steps.flatMap((step) => step.criteria).length;
  const review =
    criteria === 0 ? [] : [`ask for a review by ${criteria === 1 ? '1 criterion' : `${criteria} criteria`}`];
  const what = [...(shown.length > 0 ? [`run: ${shown.join(', ')}`] : []), ...review].join('; and ');
  return [`ralph-loop will ${what}.`, ...notRunText(untyped)].join(' ');
}

/** For a prompt whose only gates are not typed. */
export function nothingTypedText(untyped: readonly number[]): string {
  return ['ralph-loop runs nothing of this prompt.', ...notRunText(untyped)].join(' ');
}

export const TYPED_GATES_OFF = 'gates in prompts are off ("ralph: typed_gates: false" in the worktree.yaml)';

/** Why gates are not run. @returns no sentence if there are none */
export function notRunText(untyped: readonly number[]): string[] {
  if (untyped.length === 0) return [];
  const isOne = untyped.length === 1;
  const lines = untyped.length > 20 ? `${untyped.slice(0, 20).join(', ')}, …` : untyped.join(', ');
  const why = `${isOne ? 'it is' : 'they are'} in quoted text, code or a tag, or no blank is before ${isOne ? 'its' : 'their'} "::"`;
  return [`Not run, because ${why}: the ${isOne ? 'gate in line' : 'gates in lines'} ${lines}.`];
}

/** How much of the output of a failure a person is shown. */
const SHOWN_CHARACTERS = 1500;

/**
 * For a chain that has no attempt left.
 *
 * @param failed undefined if a review did not pass
 * @param root absolute directory of the project, from which the path of a log is given
 */
export function escalatedText(chain: Chain, failed: FailedGate | undefined, root: string): string {
  const { id, results, reviews, escalation } = chain;
  const isReview = results.every(({ passed }) => passed);
  const limit = isReview ? count(reviews, 'review') : count(latestAttempts(chain).iteration, 'attempt');
  const why = escalation ? notPassedText(escalation) : `limit of ${limit} reached`;
  return withOutput(
    `ralph-loop: ${why}: ${failureIn(chain)}. Type ":: gate_action:retry", ":: gate_action:skip" or ":: gate_action:abort", or run "ralph-loop gate retry ${id}".`,
    failed,
    root,
  );
}

/** For commands that run once, and fail. */
export function chainFailedText(chain: Chain, failed: FailedGate | undefined, root: string): string {
  return withOutput(`ralph-loop: ${failureIn(chain)}.`, failed, root);
}

function withOutput(message: string, failed: FailedGate | undefined, root: string): string {
  return failed ? [message, ...outputLines(failed, root, SHOWN_CHARACTERS)].join('\n') : message;
}

/** For a stop of which another process verifies the gates, and does not end. */
export function busyText(pid: number): string {
  return `The typed gates are being verified by process ${pid}, which has not ended yet. This stop is not counted as an attempt. Wait until it has ended, then finish again.`;
}

function failureIn({ results, step, steps }: Chain): string {
  const failed = results.find(({ passed }) => !passed);
  const where = steps.length > 1 ? ` at step ${step + 1} of ${steps.length}` : '';
  if (!failed) return `the review did not pass${where}`;
  const { command, exitCode, timedOut } = failed;
  const how = timedOut ? 'timed out' : failedWith(exitCode);
  return `\`${oneLine(command, 100)}\` ${how}${where}`;
}

function failedWith(exitCode: number | null): string {
  if (exitCode === null) return 'failed';
  return exitCode === 0 ? describeOutcome({ reason: 'empty' }) : `failed with exit code ${exitCode}`;
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
  const names = selfReviewed(chain, true);
  const parts = [endOf(chain, ended, names), ...(names.length > 0 ? [reviewedText(names)] : [])];
  return `ralph-loop: ${parts.join('; ')}.`;
}

function endOf(chain: Chain, ended: 'passed' | 'skipped', reviewed: readonly string[]): string {
  if (ended === 'skipped') return `${count(chain.unverified.length, 'step')} unverified, all others passed`;
  const commands = chain.steps.flatMap(({ verify }) => verify);
  if (commands.length === 1) return `\`${oneLine(commands[0]?.command ?? '', 100)}\` passed`;
  if (reviewed.length === 0) return 'all typed gates passed';
  return commands.length === 0 ? 'no command has verified the work' : 'all typed commands passed';
}

/** A chain in a list: `k3x9-7f2a  npm test, attempt 5/5, escalated`. */
export function chainLine(chain: ChainReport): string {
  const { id, commands, step, steps, attempts, max_attempts: most, status, verifying } = chain;
  const skipped = chain.unverified_steps > 0 ? `, ${count(chain.unverified_steps, 'step')} unverified` : '';
  const shown = commands.map((command) => oneLine(command, 60)).join(', ') || 'review';
  const where = steps > 1 ? `, step ${step}/${steps}` : '';
  return `${id}  ${shown}${where}, attempt ${attempts}/${most}, ${verifying ? 'running' : status}${skipped}`;
}
