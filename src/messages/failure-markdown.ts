import { relative } from 'node:path';
import { oneLine } from '../base/text.ts';
import { excerptOf, excerptText } from '../diagnostics/excerpt.ts';
import type { GateResult, RunResult } from '../gates/types.ts';
import type { Chain, CommandEnd } from '../state/chain.ts';
import { adviceOn } from './advice.ts';
import { type FailedRun, gateLine } from './block-reason.ts';
import { callAgain } from './chain-markdown.ts';
import { describeOutcome } from './describe-outcome.ts';
import { hasHung } from './failure-text.ts';
import { fittedReason } from './reason-frame.ts';
import { unresolvedGates } from './unresolved-gates.ts';

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
    fenced(excerptText(lines) || 'It printed nothing.'),
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
