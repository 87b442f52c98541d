import { duration, oneLine } from '../base/text.ts';
import { type GateResult, holds } from '../gates/types.ts';
import { escalationText, notNeededText } from '../messages/escalation.ts';
import { type AgentRun, agentRunFailures } from '../state/agent-run.ts';
import { escalationOf, takeEscalation } from '../state/escalations.ts';
import { loggedGate } from '../state/execution-log.ts';
import { markEscalated } from '../state/failures.ts';
import { markRunEscalated } from '../state/last-run.ts';
import { hasEscalations } from '../state/paths.ts';
import type { RunContext } from '../verification/types.ts';
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

/** An agent that has ended, and what it changed. */
export interface FinishedAgent {
  readonly result: AgentProcessResult;
  readonly prompt: string;
  /** Whether the working tree changed in this iteration, and since the run started; null without git. */
  readonly changed: boolean | null;
  readonly treeChanged: boolean | null;
}

type Judgement = Pick<IterationEnd, 'outcome' | 'why' | 'feedback' | 'failedBy'>;

/** An agent that fails within so many milliseconds has not begun to work. */
const STARTUP_FAILURE_MS = 10_000;
/** The shell's exit codes for a program that does not exist, and for one that cannot be executed. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

const ACCEPTED: Judgement = { outcome: 'accepted', why: 'the promise holds', feedback: null, failedBy: null };
const INTERRUPTED: Judgement = {
  outcome: 'interrupted',
  why: 'a signal stopped the run',
  feedback: null,
  failedBy: null,
};

/**
 * Determines the result of an iteration. If its agent has escalated and the promise does not hold, the run ends: a person
 * has to decide.
 *
 * @param onGates called with the names of the gates that run, when one of them has started or ended
 */
export async function judgeIteration(
  plan: AgentRunPlan,
  run: AgentRun,
  finished: FinishedAgent,
  context: RunContext,
  onGates: (names: readonly string[]) => void,
): Promise<IterationEnd> {
  const end = await judgeWork(plan, run, finished, context, onGates);
  if (end.outcome === 'interrupted' || !hasEscalations(plan.root)) return end;
  const user = { session: undefined, runs: [run.id], mayBeUnknown: true, isRun: true } as const;
  const escalation = await takeEscalation(plan.root, user, context.now());
  if (!escalation) return end;
  if (end.outcome === 'accepted') return { ...end, why: `${end.why}; ${notNeededText(escalation)}` };
  const why = oneLine(`${escalationText(escalation)} (${end.why})`, 500);
  const escalated = escalationOf(escalation);
  markEscalated(agentRunFailures(plan.root, run.task_id), escalated);
  await markRunEscalated(plan.root, escalated);
  return { ...end, outcome: 'escalated', why, feedback: null, escalated };
}

/**
 * Determines whether the agent made its promise, and whether the promise holds according to
 * the agent's own message, the evidence that its stage requires, and the project's gates, which run for every promise.
 */
async function judgeWork(
  plan: AgentRunPlan,
  run: AgentRun,
  { result, prompt, changed, treeChanged }: FinishedAgent,
  context: RunContext,
  onGates: (names: readonly string[]) => void,
): Promise<IterationEnd> {
  const found = findPromise(result.message, run.completion_promise, prompt);
  const isMade = found.kind === 'made';
  const facts = {
    promise_found: isMade,
    duration_ms: Math.round(result.durationMs),
    cost_usd: result.costUsd,
    tokens: result.tokens,
    gates: [],
    changed,
    crashedAtOnce: false,
  };
  const failed = judgeProcessEnd(result, plan.iterationTimeoutSeconds);
  if (failed) {
    const crashedAtOnce = failed.outcome === 'crashed' && result.durationMs < STARTUP_FAILURE_MS;
    return { ...facts, ...failed, crashedAtOnce };
  }
  const gates =
    isMade && plan.verifyPromises
      ? await runPromiseGates(plan, run, context, onGates)
      : { results: [], failed: undefined, findings: [] };
  const withGates = { ...facts, gates: gates.results.map(loggedGate) };
  if (context.signal.aborted) return { ...withGates, ...INTERRUPTED };
  const message = withoutEcho(result.message, prompt);
  const denials = judgePromise({
    promise: run.completion_promise,
    found,
    verify: plan.verifyPromises,
    contradictions: findContradictions(message),
    stage: run.stage,
    evidence: {
      treeChanged,
      showsChanges: showsChanges(message),
      showsPassingTests: showsPassingTests(message),
      showsApproval: showsApproval(message),
    },
    gates: gates.results.map(judgedGate),
  });
  const isAccepted = denials.length === 0 && !gates.failed;
  return { ...withGates, ...(isAccepted ? ACCEPTED : denied(denials, gates.failed, isMade)) };
}

function denied(denials: readonly Denial[], gates: FailedGates | undefined, isMade: boolean): Judgement {
  // The feedback of the gates has more than their names.
  const others = denials.filter(({ reason }) => !gates || reason !== 'gates-failed');
  const feedback = others.map(denialFeedback);
  return {
    outcome: isMade ? 'denied' : 'no-promise',
    why: oneLine([...others.map(denialSummary), ...(gates ? [gates.summary] : [])].join('; '), 500),
    feedback: [...feedback, ...(gates ? [gates.feedback] : [])].join('\n\n'),
    failedBy: [...feedback, ...(gates ? [gates.key] : [])].join('\n'),
  };
}

function judgedGate({ gate, outcome }: GateResult): JudgedGate {
  return {
    name: gate.name,
    command: gate.kind === 'command' ? gate.command : '',
    passed: holds(outcome),
    blocking: gate.blocking,
  };
}

/** Returns undefined when the agent exited with 0. */
function judgeProcessEnd(
  { end, durationMs, errorLine }: AgentProcessResult,
  timeoutSeconds: number,
): Judgement | undefined {
  switch (end.how) {
    case 'aborted':
      return INTERRUPTED;
    case 'timed-out': {
      const limit = duration(timeoutSeconds * 1000);
      return {
        outcome: 'timed-out',
        why: `the agent timed out after ${limit}`,
        feedback: `The last iteration timed out after ${limit}, before the work was complete. Look at what it left behind, and continue in smaller steps.`,
        failedBy: 'timed-out',
      };
    }
    case 'not-started':
      return { outcome: 'not-started', why: end.message, feedback: null, failedBy: end.message };
    case 'killed':
      return crashed(`was killed by ${end.signal}`, errorLine);
    case 'exited':
      if (end.exitCode === 0) return undefined;
      // An agent that has worked exists: the exit code is that of one of its own commands.
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
  const feedback = `The last iteration failed: ${why}. Look at what it left behind, and continue from there.`;
  return { outcome: 'crashed', why, feedback, failedBy: why };
}
