import { count, oneLine } from '../../base/text.ts';
import type { Contradiction } from './contradictions.ts';
import type { Malformation, PromiseFound } from './promise.ts';

/** All that a promise is judged by. */
export interface PromiseClaim {
  /** The text that was to be promised. */
  readonly promise: string;
  readonly found: PromiseFound;
  /** False where the form alone counts. */
  readonly verify: boolean;
  readonly contradictions: readonly Contradiction[];
  readonly stage: string;
  readonly evidence: StageEvidence;
  /** The project's gates, as they ended; none where there are none. */
  readonly gates: readonly JudgedGate[];
}

export interface StageEvidence {
  /** A commit or a changed tree since the loop began, by git; null where there is no git to ask. */
  readonly treeChanged: boolean | null;
  /** What the message shows, see `text-evidence.ts`. */
  readonly showsChanges: boolean;
  readonly showsPassingTests: boolean;
  readonly showsApproval: boolean;
}

export interface JudgedGate {
  readonly name: string;
  readonly command: string;
  readonly passed: boolean;
  /** A gate that does not block only warns. */
  readonly blocking: boolean;
}

export type Judgement =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly denials: readonly Denial[] };

/** Why a promise is not accepted. */
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
  /** `by`: whose word that is. */
  | { readonly reason: 'nothing-changed'; readonly by: 'git' | 'message' }
  | { readonly reason: 'no-passing-tests' }
  | { readonly reason: 'no-approval' }
  | { readonly reason: 'no-gates' }
  | { readonly reason: 'gates-failed'; readonly gates: readonly JudgedGate[] };

/** In a gate's name or command: the word itself, or a runner that is named otherwise. */
const TEST_GATE = /(?<![a-z])(?:(?:py|vi|c)?tests?|jest|mocha|rspec|phpunit)(?![a-z])/i;

/** Whether a promise holds: by its form, then by what the agent says, by what its stage has to show, and by the gates. */
export function judgePromise(claim: PromiseClaim): Judgement {
  const misformed = denialOfForm(claim);
  if (misformed) return { accepted: false, denials: [misformed] };
  const denials = claim.verify ? denialsOfTruth(claim) : [];
  return denials.length > 0 ? { accepted: false, denials } : { accepted: true };
}

function denialOfForm({ found, promise }: PromiseClaim): Denial | undefined {
  switch (found.kind) {
    case 'made':
      return undefined;
    case 'other':
      return { reason: 'other-promise', promise, text: found.text, line: found.line };
    case 'malformed':
      return { reason: 'malformed', promise, how: found.how, line: found.line };
    case 'none':
      return { reason: 'no-promise', promise };
  }
}

function denialsOfTruth(claim: PromiseClaim): Denial[] {
  const { contradictions, gates, stage } = claim;
  const failed = gates.filter(({ passed, blocking }) => !passed && (blocking || stage === 'qa'));
  const unshown = denialOfEvidence(claim);
  return [
    ...(contradictions.length > 0 ? [{ reason: 'contradicted', contradictions } as const] : []),
    ...(unshown ? [unshown] : []),
    ...(failed.length > 0 ? [{ reason: 'gates-failed', gates: failed } as const] : []),
  ];
}

/** Of the stages that are known; any other one has nothing to show. */
function denialOfEvidence({ stage, evidence, gates }: PromiseClaim): Denial | undefined {
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

/** Of many lines or gates, so many are named: they are enough to see what is meant. */
const MAX_NAMED = 5;

/** What the agent reads of why its promise is not accepted, and what to do; a list where there are several things. */
export function denialFeedback(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return `Your message does not promise that the work is done. When all of it is, ${howToPromise(denial.promise)}.`;
    case 'other-promise':
      return `Line ${denial.line} of your message promises "${oneLine(denial.text, 100)}", which is not the text that is expected here. When the work is done, ${howToPromise(denial.promise)}, letter by letter.`;
    case 'malformed':
      return `The promise in line ${denial.line} of your message does not count: ${MALFORMED[denial.how]}. When all of the work is done, ${howToPromise(denial.promise)}.`;
    case 'contradicted': {
      const named = denial.contradictions.slice(0, MAX_NAMED);
      return [
        'Your message promises that the work is done, and says that it is not:',
        ...named.map(({ line, text }) => `- line ${line}: ${oneLine(text)}`),
        ...more(denial.contradictions.length, 'line'),
        'Do what is left, and promise again when nothing is. If a line is out of date, or speaks of something else, say how it is now.',
      ].join('\n');
    }
    case 'nothing-changed':
      return denial.by === 'git'
        ? 'git knows of no change since this loop began: neither a commit nor a file that differs. Do the work in this directory, and see with `git status` that it is there.'
        : 'Nothing in your message says what you changed, and there is no git to ask. Do the work, and name the files that you changed.';
    case 'no-passing-tests':
      return 'Nothing shows that tests pass. Run them, repair what fails, and end with what the test runner prints last.';
    case 'no-approval':
      return 'Your review does not approve the work. If it is right, say APPROVED; if it is not, say what has to change, and do not promise.';
    case 'no-gates':
      return 'This project has no gates, so nothing can prove this stage. Tell the user that gates have to be set up, as with `ralph-loop init`.';
    case 'gates-failed':
      return gatesText(denial.gates);
  }
}

const MALFORMED: Readonly<Record<Malformation, string>> = {
  'in-fence': 'it stands in a code block',
  'in-quotation': 'it stands in a quotation',
  'not-closed': 'its end is missing, or stands on another line',
  'not-alone': 'there is something else on its line, be it a backtick',
};

function howToPromise(promise: string): string {
  return `write <promise>${promise}</promise> alone on a line, outside of code blocks and quotations`;
}

function gatesText(gates: readonly JudgedGate[]): string {
  const named = gates.slice(0, MAX_NAMED);
  return [
    `${count(gates.length, 'gate')} of the project ${gates.length === 1 ? 'does' : 'do'} not pass:`,
    ...named.map(
      ({ name, blocking }) =>
        `- ${oneLine(name, 100)}${blocking ? '' : ' (it only warns elsewhere, and counts here)'}`,
    ),
    ...more(gates.length, 'gate'),
    'Repair the cause, not the gate.',
  ].join('\n');
}

function more(length: number, noun: string): string[] {
  return length > MAX_NAMED ? [`- and ${count(length - MAX_NAMED, `more ${noun}`)}`] : [];
}

/** The same for a person, in a few words. */
export function denialSummary(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return 'the agent did not say that it is done';
    case 'other-promise':
      return `it promised "${oneLine(denial.text, 60)}", not ${denial.promise}`;
    case 'malformed':
      return `its promise does not count: ${MALFORMED[denial.how]}`;
    case 'contradicted':
      return `its message says otherwise: "${oneLine(denial.contradictions[0]?.text ?? '', 120)}"`;
    case 'nothing-changed':
      return denial.by === 'git' ? 'git knows of no change' : 'it names no change';
    case 'no-passing-tests':
      return 'nothing shows that tests pass';
    case 'no-approval':
      return 'it does not approve';
    case 'no-gates':
      return 'there are no gates to prove it';
    case 'gates-failed':
      return `gates do not pass: ${denial.gates.map(({ name }) => oneLine(name, 40)).join(', ')}`;
  }
}
