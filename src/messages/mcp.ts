import { relative } from 'node:path';
import { oneLine } from '../base/text.ts';
import { excerptOf, textOf } from '../diagnostics/excerpt.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import type { Chain, ChainEnd, CommandEnd, CriterionVerdict } from '../state/chain.ts';
import type { CriterionGate, PromptStep } from '../state/prompt-step.ts';
import { adviceOn } from './advice.ts';
import { type FailedRun, gateLine, hasHung } from './agent.ts';
import { chainEndedText, gateLines } from './chain.ts';
import { describeOutcome, unresolvedGates } from './outcome.ts';
import { fittedReason } from './reason-frame.ts';

// What an agent reads that calls the prompt engine as a tool: how the chain is, and what to call next.

/** What to do now, and what will be verified then. */
export function stepMarkdown({ id, steps, step }: Chain): string {
  const present: PromptStep = steps[step] ?? { text: '', verify: [], criteria: [] };
  const where = steps.length > 1 ? [`## Step ${step + 1} of ${steps.length}`, ''] : [];
  return [
    ...where,
    present.text,
    '',
    '---',
    `When this is done, ${callAgain(id, 'user_response, which says what you did')}. This is verified then:`,
    ...gateLines(present),
    'Do not weaken a check in order to pass it.',
  ].join('\n');
}

/** What to review, now that there is nothing more that commands could tell. */
export function reviewMarkdown(chain: Chain, { verify, criteria }: PromptStep): string {
  return [
    '## Gate Review',
    '',
    `${verify.length > 0 ? 'The commands pass. ' : ''}Review your work by each of these, honestly; repair what does not hold:`,
    ...criteria.map(({ name, text }) => `- **${name}**: ${oneLine(text, 1000)}`),
    '',
    ...askForVerdicts(chain, criteria),
  ].join('\n');
}

/** What did not hold, or was left open, in a review that sends the agent back. */
export function reviewFailedMarkdown(
  chain: Chain,
  criteria: readonly CriterionGate[],
  verdicts: readonly CriterionVerdict[],
): string {
  const next =
    chain.status === 'review'
      ? askForVerdicts(chain, criteria)
      : [
          `Repair what does not hold. Then ${callAgain(chain.id, 'user_response')}; the commands run again, and the review is asked for again.`,
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

/** What to do next, and what became of the step before it. */
export function nextStepMarkdown(chain: Chain, ended: 'holds' | 'skipped'): string {
  const word =
    ended === 'holds'
      ? `Step ${chain.step} of ${chain.steps.length} holds.`
      : `Step ${chain.step} of ${chain.steps.length} is skipped: it counts as unverified, so do not claim that its checks pass.`;
  return `${word}\n\n${stepMarkdown(chain)}`;
}

export function endedMarkdown(chain: Chain, ended: ChainEnd): string {
  const heads = { passed: 'PASSED', skipped: 'SKIPPED', aborted: 'ABORTED' } as const;
  const claim = ended === 'passed' ? [] : ['', 'Do not claim that all checks pass.'];
  return [`## Verification ${heads[ended]}`, '', chainEndedText(chain, ended), ...claim].join('\n');
}

function askForVerdicts({ id }: Chain, criteria: readonly CriterionGate[]): string[] {
  return [
    `Then ${callAgain(id, 'gate_verdicts')}, a line for each, with the reason on it:`,
    ...criteria.map(({ name }) => `GATE ${name}: PASS - <reason>   (or FAIL - <reason>)`),
  ];
}

function verdictWords(name: string, verdicts: readonly CriterionVerdict[]): string {
  const verdict = verdicts.findLast((each) => each.name === name);
  if (!verdict) return 'no verdict';
  if (verdict.reason.trim() === '')
    return `${verdict.passed ? 'PASS' : 'FAIL'} without a reason, which is no verdict`;
  return `${verdict.passed ? 'PASS' : 'FAIL'} - ${oneLine(verdict.reason, 500)}`;
}

export function callAgain(id: string, argument: string): string {
  return `call prompt_engine with chain_id "${id}" and ${argument}`;
}

/** What is shown of a failure that nobody repairs for the time being. */
const RECENT_LINES = 30;
const RECENT_CHARACTERS = 3000;

/** How the attempt failed, with what is needed to repair it. */
export function failedMarkdown(chain: Chain, summary: RunResult, run: FailedRun): string {
  const [first] = unresolvedGates(summary);
  if (!first) return '';
  const { attempts, maxAttempts } = attemptsOf(chain);
  return fittedReason((room) =>
    [
      `## Shell Verification FAILED (Attempt ${attempts}/${maxAttempts})`,
      '',
      `**Command**: ${codeSpan(first.gate.name)}`,
      `**Exit Code**: ${exitOf(first)}`,
      ...(summary.results.length > 1 ? [`**Gates**: ${gateLine(summary)}`] : []),
      '',
      '### Error Output',
      '',
      ...errorOutput(first, run, room),
      '',
      `Repair the cause, not the gate. Then ${callAgain(chain.id, 'user_response')}; all of it is verified again then.`,
    ].join('\n'),
  );
}

/** No attempt is left. Told of what is kept of the chain alone, so the same at every later call. */
export function escalatedMarkdown(chain: Chain): string {
  const failed = failedCommand(chain);
  const { attempts, maxAttempts } = attemptsOf(chain);
  const what = failed
    ? [
        '## Shell Verification FAILED - Maximum Attempts Reached',
        '',
        `**Command**: ${codeSpan(failed.command)}`,
        `**Attempts**: ${attempts}/${maxAttempts}`,
        `**Exit Code**: ${failed.exitCode ?? (failed.timedOut ? 'none, it timed out' : 'none')}`,
        '',
        '### Recent Output',
        '',
        fenced(recentOutput(failed)),
      ]
    : ['## Gate Review FAILED - Maximum Attempts Reached', '', `**Reviews**: ${chain.reviews}`];
  return [
    ...what,
    '',
    `Nothing is run any more until one of these is chosen. Ask the person which, then ${callAgain(chain.id, 'gate_action')}:`,
    '- `retry`: count the attempts anew, and go on with the work',
    '- `skip`: go on without this verification; the step counts as unverified',
    '- `abort`: call the whole chain off',
  ].join('\n');
}

/** The attempts that the command which failed has; one that was broken off may be one too many. */
function attemptsOf(chain: Chain): { readonly attempts: number; readonly maxAttempts: number } {
  const failed = chain.results.findIndex(({ passed }) => !passed);
  const maxAttempts = chain.steps[chain.step]?.verify[failed]?.maxAttempts ?? 1;
  return { attempts: Math.min(chain.attempts, maxAttempts), maxAttempts };
}

function failedCommand({ results }: Chain): CommandEnd | undefined {
  return results.find(({ passed }) => !passed);
}

function exitOf({ outcome }: GateResult): string {
  const words = oneLine(describeOutcome(outcome), 400);
  return words.startsWith('exited with code ')
    ? words.slice('exited with code '.length)
    : `none, it ${words}`;
}

function errorOutput(result: GateResult, { findings, root }: FailedRun, maxCharacters: number): string[] {
  const { gate, outcome, output } = result;
  const found = findings.get(gate);
  const advice = adviceOn(outcome, found);
  const lines = found ? excerptOf(found, maxCharacters, { hung: hasHung(outcome) }) : [];
  const log = output.logPath === undefined ? undefined : oneLine(relative(root, output.logPath), 300);
  return [
    fenced(textOf(lines) || 'It printed nothing.'),
    ...(log === undefined ? [] : [`Full output: ${log}`]),
    ...(advice === undefined ? [] : ['', oneLine(advice, 400)]),
  ];
}

function recentOutput({ stdout, stderr }: CommandEnd): string {
  const all = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== '');
  const lines = all.join('\n').split('\n').slice(-RECENT_LINES).join('\n');
  return lines.slice(-RECENT_CHARACTERS).toWellFormed() || 'It printed nothing.';
}

/** A block that no line of the text can end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const line = oneLine(text);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
