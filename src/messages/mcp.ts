import { oneLine } from '../base/text.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import { shortExcerptOf } from '../diagnostics/short-excerpt.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import {
  type Chain,
  type ChainEnd,
  type CommandReport,
  type CriterionGate,
  type CriterionVerdict,
  currentStep,
  latestAttempts,
  type PromptStep,
} from '../state/chain.ts';
import type { FailedGate } from '../state/failures.ts';
import { adviceOn } from './advice.ts';
import { changeLines, contextOf, type FailedRun, fittedReason, gateLine, WITHOUT_EFFECT } from './agent.ts';
import {
  chainEndedText,
  failureLines,
  gateLines,
  hasGates,
  REVIEW_REQUEST,
  stepPassedText,
  verdictForms,
} from './chain.ts';
import { notPassedText } from './escalation.ts';
import { describeOutcome, endedEarly, logHint, unresolvedGates } from './outcome.ts';

// What an agent reads that calls the prompt engine as a tool: the state of the chain, and what to call next.

/**
 * The current step, and its gates.
 *
 * @param failure lines about the attempt before
 */
export function stepMarkdown(chain: Chain, failure: readonly string[] = []): string {
  const { id, steps, step } = chain;
  const current = currentStep(chain);
  const where = steps.length > 1 ? [`## Step ${step + 1} of ${steps.length}`, ''] : [];
  const call = callAgain(id, 'a user_response that says what you did');
  const verified = [
    `When this is done, ${call}. Then this is verified:`,
    ...gateLines(current),
    'Do not weaken a check to make it pass.',
  ];
  const next = hasGates(current)
    ? verified
    : [`When this is done, ${call}. This step has no gates: the next one follows.`];
  return [...where, current.text, ...(failure.length > 0 ? ['', ...failure] : []), '', '---', ...next].join(
    '\n',
  );
}

/** The current step, which is tried again, and the failure because of which a person had to decide. */
export function retriedMarkdown(chain: Chain, failed: FailedGate | undefined, root: string): string {
  return stepMarkdown(chain, failed && failureLines(failed, root, RECENT_CHARACTERS));
}

/** The criteria to review, once the commands pass. */
export function reviewMarkdown(chain: Chain, { verify, criteria }: PromptStep): string {
  return [
    '## Gate Review',
    '',
    `${verify.length > 0 ? 'The commands pass. ' : ''}${REVIEW_REQUEST}`,
    ...criteria.map(({ name, text }) => `- **${name}**: ${oneLine(text, 1000)}`),
    '',
    ...askForVerdicts(chain, criteria),
  ].join('\n');
}

/** The verdicts of a review that did not pass. */
export function reviewFailedMarkdown(
  chain: Chain,
  criteria: readonly CriterionGate[],
  verdicts: readonly CriterionVerdict[],
): string {
  const next =
    chain.status === 'review'
      ? askForVerdicts(chain, criteria)
      : [
          `Fix what does not meet its criterion. Then ${callAgain(chain.id, 'user_response')}; the commands run again, followed by another review.`,
        ];
  return [
    chain.status === 'review' ? '## Gate Review INCOMPLETE' : '## Gate Review FAILED',
    '',
    ...criteria.map(
      ({ name, text }) => `- **${name}**: ${verdictWords(name, verdicts)} (${oneLine(text, 1000)})`,
    ),
    '',
    ...next,
  ].join('\n');
}

/** The next step, and how the one before it ended. */
export function nextStepMarkdown(chain: Chain, ended: 'passed' | 'skipped'): string {
  const result =
    ended === 'passed'
      ? stepPassedText(chain)
      : `Step ${chain.step} of ${chain.steps.length} was skipped. It counts as unverified: do not claim that its checks pass.`;
  return `${result}\n\n${stepMarkdown(chain)}`;
}

export function endedMarkdown(chain: Chain, ended: ChainEnd): string {
  const heads = { passed: 'PASSED', skipped: 'SKIPPED', aborted: 'ABORTED' } as const;
  const claim = ended === 'passed' ? [] : ['', 'Do not claim that all checks pass.'];
  return [`## Verification ${heads[ended]}`, '', chainEndedText(chain, ended), ...claim].join('\n');
}

function askForVerdicts({ id }: Chain, criteria: readonly CriterionGate[]): string[] {
  return [
    `Then ${callAgain(id, 'gate_verdicts')}, one line for each criterion, with the reason on the same line:`,
    ...verdictForms(criteria),
  ];
}

function verdictWords(name: string, verdicts: readonly CriterionVerdict[]): string {
  const verdict = verdicts.findLast((each) => each.name === name);
  if (!verdict) return 'no verdict';
  if (verdict.reason.trim() === '')
    return `${verdict.passed ? 'PASS' : 'FAIL'} without a reason, which does not count`;
  return `${verdict.passed ? 'PASS (self-reviewed)' : 'FAIL'} - ${oneLine(verdict.reason, 500)}`;
}

function callAgain(id: string, argument: string): string {
  return `call prompt_engine with chain_id "${id}" and ${argument}`;
}

/** How much is shown of the output of a failure that has used up its attempts. */
const RECENT_LINES = 30;
const RECENT_CHARACTERS = 3000;

/** How an attempt failed, with the excerpt of the output. */
export function failedMarkdown(chain: Chain, summary: RunResult, run: FailedRun): string {
  const [first] = unresolvedGates(summary);
  if (!first) return '';
  const { attempts, maxAttempts } = attemptsOf(chain);
  return fittedReason((maxCharacters) =>
    [
      `## Shell Verification FAILED (Attempt ${attempts}/${maxAttempts})`,
      '',
      `**Command**: ${codeSpan(first.gate.name)}`,
      `**Exit Code**: ${exitOf(first)}`,
      ...(summary.results.length > 1 ? [`**Gates**: ${gateLine(summary)}`] : []),
      '',
      '### Error Output',
      '',
      ...errorOutput(first, run, maxCharacters),
      '',
      `Fix the cause, not the gate. Then ${callAgain(chain.id, 'user_response')}; all gates run again.`,
    ].join('\n'),
  );
}

/** No attempt is left. Made from the saved chain only, so that every later call gets the same answer. */
export function escalatedMarkdown(chain: Chain): string {
  const failed = failedCommand(chain);
  const { attempts, maxAttempts } = attemptsOf(chain);
  const { escalation } = chain;
  const how = escalation ? 'Escalated' : 'Maximum Attempts Reached';
  const what = failed
    ? [
        `## Shell Verification FAILED - ${how}`,
        '',
        `**Command**: ${codeSpan(failed.command)}`,
        `**Attempts**: ${attempts}/${maxAttempts}`,
        `**Exit Code**: ${exitOfReport(failed)}`,
        '',
        '### Recent Output',
        '',
        fenced(recentOutput(failed)),
      ]
    : [`## Gate Review FAILED - ${how}`, '', `**Reviews**: ${chain.reviews}`];
  return [
    ...what,
    '',
    ...(escalation ? [`This is ${notPassedText(escalation)}`, ''] : []),
    `No gate runs until one of these is chosen. Ask the user which, then ${callAgain(chain.id, 'gate_action')}:`,
    '- `retry`: reset the attempts and continue the work',
    '- `skip`: continue without this verification; the step counts as unverified',
    '- `abort`: cancel the whole chain',
  ].join('\n');
}

/** The attempts of the command that failed; the count may be one too high after an attempt that was interrupted. */
function attemptsOf(chain: Chain): { readonly attempts: number; readonly maxAttempts: number } {
  const { iteration, maxIterations: maxAttempts } = latestAttempts(chain);
  return { attempts: Math.min(iteration, maxAttempts), maxAttempts };
}

function exitOfReport({ exitCode, timedOut }: CommandReport): string {
  // It failed all the same: it ran no test.
  if (exitCode === 0) return `0, but it ${describeOutcome({ reason: 'empty' })}`;
  return exitCode === null ? (timedOut ? 'none, it timed out' : 'none') : String(exitCode);
}

function failedCommand({ results }: Chain): CommandReport | undefined {
  return results.find(({ passed }) => !passed);
}

function exitOf({ outcome }: GateResult): string {
  const words = oneLine(describeOutcome(outcome), 400);
  if (outcome.reason === 'empty') return `0, but it ${words}`;
  return words.startsWith('exited with code ')
    ? words.slice('exited with code '.length)
    : `none, it ${words}`;
}

function errorOutput(result: GateResult, run: FailedRun, maxCharacters: number): string[] {
  const { outcome } = result;
  const { findings, same, again, change, untouched } = contextOf(result, 0, run);
  const excerpt = same ? shortExcerptOf : excerptOf;
  const lines = findings ? excerpt(findings, maxCharacters, { hung: endedEarly(outcome) }) : [];
  const advice = adviceOn(result, findings, { again, root: run.root });
  const log = logHint(result, run.root);
  return [
    fenced(excerptText(lines) || 'It printed nothing.'),
    ...(log === undefined ? [] : [log]),
    ...(same ? ['', `Unchanged since attempt ${same.since}${untouched ? '.' : WITHOUT_EFFECT}`] : []),
    ...(change === undefined ? [] : changeLines(change).flatMap((line) => ['', line])),
    ...(advice === undefined ? [] : ['', oneLine(advice, 450)]),
  ];
}

function recentOutput({ stdout, stderr }: CommandReport): string {
  const all = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== '');
  const lines = all.join('\n').split('\n').slice(-RECENT_LINES).join('\n');
  return lines.slice(-RECENT_CHARACTERS).toWellFormed() || 'It printed nothing.';
}

/** A code block with a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const line = oneLine(text);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
