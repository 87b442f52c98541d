import { oneLine } from '../base/text.ts';
import type { Chain, ChainEnd, CriterionGate, CriterionVerdict, PromptStep } from '../state/chain.ts';
import { chainEndedText } from './chain-person-texts.ts';
import { gateLines } from './chain-texts.ts';

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
