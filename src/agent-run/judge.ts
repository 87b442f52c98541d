import { duration, oneLine } from '../base/text.ts';
import type { GateResult } from '../gates/types.ts';
import type { AgentRun } from '../state/agent-run.ts';
import { loggedGate } from '../state/execution-log.ts';
import type { StopContext } from '../verification/context.ts';
import { type FailedGates, runPromiseGates } from './gates.ts';
import type { AgentRunPlan } from './plan.ts';
import { findContradictions } from './promise/contradictions.ts';
import { showsApproval, showsChanges, showsPassingTests } from './promise/evidence.ts';
import {
  type Denial,
  denialFeedback,
  denialSummary,
  type JudgedGate,
  judgePromise,
} from './promise/judge-promise.ts';
import { findPromise, withoutEcho } from './promise/promise.ts';
import type { AgentProcessResult } from './run-agent.ts';
import type { IterationEnd } from './transitions.ts';

/** How an agent ended, and what it was told and left behind. */
export interface FinishedAgent {
  readonly run: AgentProcessResult;
  readonly prompt: string;
  /** Whether the working tree has changed in this iteration, and since the loop began; null where git does not tell. */
  readonly changed: boolean | null;
  readonly treeChanged: boolean | null;
}

/** An agent that ends with an error within so many milliseconds has not begun to work. */
const STARTUP_FAILURE_MS = 10_000;
/** The shell's exit codes where there is no such program, or none that can be executed. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Finds out what an agent's iteration came to: whether it made its promise, and whether that holds by what it says
 * itself, by what its stage must show, and by the project's gates, which run for every promise that is made.
 *
 * @param onGate told the name of each gate before it runs
 */
export async function judgeIteration(
  plan: AgentRunPlan,
  loop: AgentRun,
  { run, prompt, changed, treeChanged }: FinishedAgent,
  effects: StopContext,
  onGate: (name: string) => void,
): Promise<IterationEnd> {
  const found = findPromise(run.message, loop.completion_promise, prompt);
  const told = {
    promise_found: found.kind === 'made',
    duration_ms: Math.round(run.durationMs),
    cost_usd: run.costUsd,
    tokens: run.tokens,
    gates: [],
    changed,
    crashedAtOnce: false,
  };
  const broken = judgeProcessEnd(run, plan.iterationTimeoutSeconds);
  if (broken) {
    const crashedAtOnce = broken.outcome === 'crashed' && run.durationMs < STARTUP_FAILURE_MS;
    return { ...told, ...broken, crashedAtOnce };
  }
  const isVerified = told.promise_found && plan.verifyPromises;
  const { results, failed } = isVerified
    ? await runPromiseGates(plan, loop, effects, onGate)
    : { results: [], failed: undefined };
  if (effects.signal.aborted) return { ...told, gates: results.map(loggedGate), ...INTERRUPTED };
  const message = withoutEcho(run.message, prompt);
  const judged = judgePromise({
    promise: loop.completion_promise,
    found,
    verify: plan.verifyPromises,
    contradictions: findContradictions(message),
    stage: loop.stage,
    evidence: {
      treeChanged,
      showsChanges: showsChanges(message),
      showsPassingTests: showsPassingTests(message),
      showsApproval: showsApproval(message),
    },
    gates: results.map(judgedGate),
  });
  const denials = judged.accepted ? [] : judged.denials;
  const isAccepted = judged.accepted && !failed;
  const judgement = isAccepted ? ACCEPTED : denied(denials, failed, told.promise_found);
  return { ...told, gates: results.map(loggedGate), ...judgement };
}

type Judgement = Pick<IterationEnd, 'outcome' | 'why' | 'feedback' | 'failedBy'>;

const ACCEPTED: Judgement = { outcome: 'accepted', why: 'the promise holds', feedback: null, failedBy: null };
const INTERRUPTED: Judgement = {
  outcome: 'interrupted',
  why: 'it was interrupted',
  feedback: null,
  failedBy: null,
};

function denied(denials: readonly Denial[], failed: FailedGates | undefined, isMade: boolean): Judgement {
  // What the gates themselves printed tells more than which of them failed.
  const told = denials.filter(({ reason }) => !failed || reason !== 'gates-failed');
  const texts = told.map(denialFeedback);
  return {
    outcome: isMade ? 'denied' : 'no-promise',
    why: oneLine([...told.map(denialSummary), ...(failed ? [failed.headline] : [])].join('; '), 500),
    feedback: [...texts, ...(failed ? [failed.text] : [])].join('\n\n'),
    failedBy: [...texts, ...(failed ? [failed.key] : [])].join('\n'),
  };
}

function judgedGate({ gate, outcome }: GateResult): JudgedGate {
  return {
    name: gate.name,
    command: gate.kind === 'command' ? gate.command : '',
    passed: outcome.reason === 'passed',
    blocking: gate.blocking,
  };
}

/** Undefined where the agent came to its own end. */
function judgeProcessEnd(
  { end, durationMs, errorLine }: AgentProcessResult,
  timeoutSeconds: number,
): Judgement | undefined {
  switch (end.how) {
    case 'aborted':
      return INTERRUPTED;
    case 'timed-out': {
      const why = `the agent was ended after ${duration(timeoutSeconds * 1000)}`;
      const feedback = `The last iteration was ended after ${duration(timeoutSeconds * 1000)}, before it was done. Look at what it left behind, and go on from there in smaller steps.`;
      return { outcome: 'timed-out', why, feedback, failedBy: 'timed-out' };
    }
    case 'not-started':
      return { outcome: 'not-started', why: end.message, feedback: null, failedBy: end.message };
    case 'killed':
      return crashed(`was killed by ${end.signal}`, errorLine);
    case 'exited':
      if (end.exitCode === 0) return undefined;
      // An agent that has worked was there: it ends with the code of a command of its own.
      if (durationMs < STARTUP_FAILURE_MS && [NOT_FOUND, NOT_EXECUTABLE].includes(end.exitCode))
        return {
          outcome: 'not-started',
          why: errorLine || `exit ${end.exitCode}`,
          feedback: null,
          failedBy: 'not-started',
        };
      return crashed(`exited with ${end.exitCode}`, errorLine);
  }
}

function crashed(how: string, errorLine: string): Judgement {
  const why = oneLine(`the agent ${how}${errorLine === '' ? '' : `: ${errorLine}`}`, 500);
  const feedback = `The last iteration did not come to its end: ${why}. Look at what it left behind, and go on from there.`;
  return { outcome: 'crashed', why, feedback, failedBy: why };
}
