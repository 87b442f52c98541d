import type { Contradiction } from './find-contradictions.ts';
import type { Malformation, PromiseFound } from './find-promise.ts';

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
