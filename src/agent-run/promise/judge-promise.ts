import { count, oneLine } from '../../base/text.ts';
import type { Contradiction } from './contradictions.ts';
import type { Malformation, PromiseFound } from './promise.ts';

/** Everything that decides whether a promise is accepted. */
export interface PromiseClaim {
  /** The text that the agent should promise. */
  readonly promise: string;
  readonly found: PromiseFound;
  /** False: a promise in the right form is accepted. */
  readonly verify: boolean;
  readonly contradictions: readonly Contradiction[];
  readonly stage: string;
  readonly evidence: StageEvidence;
  /** The results of the project's gates. */
  readonly gates: readonly JudgedGate[];
}

interface StageEvidence {
  /** Whether git sees a commit or a change since the run started; null without git. */
  readonly treeChanged: boolean | null;
  /** What the agent's message shows. */
  readonly showsChanges: boolean;
  readonly showsPassingTests: boolean;
  readonly showsApproval: boolean;
}

export interface JudgedGate {
  readonly name: string;
  readonly command: string;
  readonly passed: boolean;
  readonly blocking: boolean;
}

/** A reason not to accept a promise. */
export type Denial =
  | { readonly reason: 'no-promise'; readonly promise: string }
  | {
      readonly reason: 'other-promise';
      readonly promise: string;
      readonly text: string;
      readonly line: number;
    }
  | {
      readonly reason: 'malformed';
      readonly promise: string;
      readonly how: Malformation;
      readonly line: number;
    }
  | { readonly reason: 'contradicted'; readonly contradictions: readonly Contradiction[] }
  /** `by`: the source of the evidence. */
  | { readonly reason: 'nothing-changed'; readonly by: 'git' | 'message' }
  | { readonly reason: 'no-passing-tests' }
  | { readonly reason: 'no-approval' }
  | { readonly reason: 'no-gates' }
  | { readonly reason: 'gates-failed'; readonly gates: readonly JudgedGate[] };

/** In the name or the command of a gate: the word `test`, or a test runner with another name. */
const TEST_GATE = /(?<![a-z])(?:(?:py|vi|c)?tests?|jest|mocha|rspec|phpunit)(?![a-z])/i;

/**
 * Checks a promise: its form, the agent's own words, the evidence that its stage requires, and the gates. Returns the
 * reasons not to accept it; the promise is accepted when there are none.
 */
export function judgePromise(claim: PromiseClaim): Denial[] {
  const { contradictions, found, gates, promise, stage, verify } = claim;
  switch (found.kind) {
    case 'other':
      return [{ reason: 'other-promise', promise, text: found.text, line: found.line }];
    case 'malformed':
      return [{ reason: 'malformed', promise, how: found.how, line: found.line }];
    case 'none':
      return [{ reason: 'no-promise', promise }];
  }
  if (!verify) return [];
  const failed = gates.filter(({ passed, blocking }) => !passed && (blocking || stage === 'qa'));
  const missing = missingEvidence(claim);
  return [
    ...(contradictions.length > 0 ? [{ reason: 'contradicted', contradictions } as const] : []),
    ...(missing ? [missing] : []),
    ...(failed.length > 0 ? [{ reason: 'gates-failed', gates: failed } as const] : []),
  ];
}

/** Only the stages with these names require evidence. */
function missingEvidence({ stage, evidence, gates }: PromiseClaim): Denial | undefined {
  switch (stage) {
    case 'coder':
      if (evidence.treeChanged ?? evidence.showsChanges) return undefined;
      return { reason: 'nothing-changed', by: evidence.treeChanged === null ? 'message' : 'git' };
    case 'tester': {
      const isTested = gates.some(
        ({ name, command, passed }) => passed && (TEST_GATE.test(name) || TEST_GATE.test(command)),
      );
      return isTested || evidence.showsPassingTests ? undefined : { reason: 'no-passing-tests' };
    }
    case 'reviewer':
      return evidence.showsApproval ? undefined : { reason: 'no-approval' };
    case 'qa':
      return gates.length > 0 ? undefined : { reason: 'no-gates' };
    default:
      return undefined;
  }
}

/** Lists name at most so many lines or gates. */
const MAX_LISTED = 5;

const MALFORMATIONS: Readonly<Record<Malformation, string>> = {
  'in-fence': 'it is in a code block',
  'in-quotation': 'it is in a quotation',
  'not-closed': 'its closing tag is missing, or on another line',
  'not-alone': 'there is other text on its line, such as a backtick',
  'taken-back': 'the sentence around it takes it back',
};

/** Returns what the agent reads: why its promise is not accepted, and what to do. */
export function denialFeedback(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return `Your message does not promise that the work is done. When all of it is, ${howToPromise(denial.promise)}.`;
    case 'other-promise':
      return `Line ${denial.line} of your message promises "${oneLine(denial.text, 100)}", which ${differenceOf(denial)}. When the work is done, ${howToPromise(denial.promise)}, with exactly this text.`;
    case 'malformed':
      return `The promise in line ${denial.line} of your message does not count: ${MALFORMATIONS[denial.how]}. When all of the work is done, ${howToPromise(denial.promise)}.`;
    case 'contradicted': {
      const listed = denial.contradictions.slice(0, MAX_LISTED);
      return [
        'Your message promises that the work is done, and says that it is not:',
        ...listed.map(({ line, text }) => `- line ${line}: ${oneLine(text)}`),
        ...notListed(denial.contradictions.length, 'line'),
        'Do what is left, and promise again when nothing is. If a line is out of date, or about something else, say how it is now.',
      ].join('\n');
    }
    case 'nothing-changed':
      return denial.by === 'git'
        ? 'git sees no change since this run started: no commit, and no file that differs. Do the work in this directory, and check with `git status` that it is there.'
        : 'Your message does not say what you changed, and there is no git repository that could show it. Do the work, and name the files that you changed.';
    case 'no-passing-tests':
      return 'Your message shows no passing tests. Run the tests, fix what fails, and end with the last lines that the test runner prints.';
    case 'no-approval':
      return 'Your review does not approve the work. If it is right, say APPROVED; if it is not, say what has to change, and do not promise.';
    case 'no-gates':
      return 'This project has no gates, so nothing can prove this stage. Ask the user to set up gates, as with `ralph-loop init`.';
    case 'gates-failed':
      return failedGatesText(denial.gates);
  }
}

type OtherPromise = Pick<Extract<Denial, { reason: 'other-promise' }>, 'text' | 'promise'>;

function differenceOf(denial: OtherPromise): string {
  return looksAlike(denial)
    ? 'differs from the expected text in white space or invisible characters'
    : 'is not the expected text';
}

/** Whether a message that shows both texts would show the same twice. */
function looksAlike({ text, promise }: OtherPromise): boolean {
  const visible = (one: string) => oneLine(one.replace(/\p{Cf}/gu, ''), one.length);
  return visible(text) === visible(promise);
}

function howToPromise(promise: string): string {
  return `write <promise>${promise}</promise> alone on a line, outside of code blocks and quotations`;
}

function failedGatesText(gates: readonly JudgedGate[]): string {
  return [
    `${count(gates.length, 'gate')} of the project ${gates.length === 1 ? 'does' : 'do'} not pass:`,
    ...gates
      .slice(0, MAX_LISTED)
      .map(
        ({ name, blocking }) => `- ${oneLine(name, 100)}${blocking ? '' : ' (a warning, which counts here)'}`,
      ),
    ...notListed(gates.length, 'gate'),
    'Fix the cause, not the gate.',
  ].join('\n');
}

function notListed(length: number, noun: string): string[] {
  return length > MAX_LISTED ? [`- and ${count(length - MAX_LISTED, `more ${noun}`)}`] : [];
}

/** The same for a person, in a few words. */
export function denialSummary(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return 'the agent made no promise';
    case 'other-promise':
      return looksAlike(denial)
        ? `the agent promised "${oneLine(denial.text, 60)}", which ${differenceOf(denial)}`
        : `the agent promised "${oneLine(denial.text, 60)}", not ${denial.promise}`;
    case 'malformed':
      return `the promise does not count: ${MALFORMATIONS[denial.how]}`;
    case 'contradicted':
      return `the message contradicts it: "${oneLine(denial.contradictions[0]?.text ?? '', 120)}"`;
    case 'nothing-changed':
      return denial.by === 'git' ? 'git sees no change' : 'the message names no change';
    case 'no-passing-tests':
      return 'nothing shows that tests pass';
    case 'no-approval':
      return 'the review does not approve';
    case 'no-gates':
      return 'there are no gates to prove it';
    case 'gates-failed':
      return `gates do not pass: ${denial.gates.map(({ name }) => oneLine(name, 40)).join(', ')}`;
  }
}
