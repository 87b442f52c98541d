import { join } from 'node:path';
import { oneLine } from '../base/text.ts';
import { uptimeMs } from '../base/time.ts';
import { environmentOfGates } from '../gates/nesting.ts';
import { gateSecrets } from '../gates/plan.ts';
import { RunningGates } from '../gates/running-gates.ts';
import type { GateResult } from '../gates/types.ts';
import type { Finding } from '../integrity/types.ts';
import { blockReason, gateLine } from '../messages/agent.ts';
import { findingText } from '../messages/integrity.ts';
import { TREE_VARIABLE, treeValue } from '../process/process-group.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { type AgentRun, agentRunFailures, agentRunOutput } from '../state/agent-run.ts';
import { recordRun } from '../state/last-run.ts';
import { runAndRecord } from '../verification/run-and-record.ts';
import type { RunContext } from '../verification/types.ts';
import { type AgentRunPlan, type ProjectGates, readGates } from './plan.ts';

/** The gates that verified a promise. */
interface PromiseGates {
  readonly results: readonly GateResult[];
  /** Undefined when all gates passed, and none of them became weaker. Set without results when the config is invalid. */
  readonly failed: FailedGates | undefined;
  /** What became weaker in the gates since the run was planned. */
  readonly findings: readonly Finding[];
}

export interface FailedGates {
  /** For a line of the log. */
  readonly summary: string;
  /** For the agent's next prompt. */
  readonly feedback: string;
  /** Identifies the failure: equal texts are the same failure. */
  readonly key: string;
}

/** Runs the project's gates to verify a promise. What the agent made weaker is judged as it was, and is a finding. */
export async function runPromiseGates(
  plan: Pick<AgentRunPlan, 'root' | 'taskFile' | 'record' | 'base'>,
  run: AgentRun,
  context: RunContext,
  onGates: (names: readonly string[]) => void,
): Promise<PromiseGates> {
  const { root, taskFile, record } = plan;
  const project = await readGates(root, record);
  if (!project.ok) return { results: [], failed: invalidConfig(project.failure), findings: [] };
  const { gates, failFast, jobs, reuse } = project.value;
  const findings = [...project.value.findings, ...(await findInFiles(plan, project.value, context))];
  const isBlocked = findings.some(({ severity }) => severity === 'high');
  const changed = isBlocked ? gatesChanged(findings, gateSecrets(gates, context.env)) : undefined;
  if (gates.length === 0) return { results: [], failed: changed, findings };
  const running = new RunningGates();
  const { result, failed, recorded } = await runAndRecord(
    {
      root,
      gates,
      failFast,
      jobs,
      reuse,
      // Each run has its own directory: concurrent runs have gates with the same names.
      outputDirectory: join(agentRunOutput(root, run.task_id), 'gates'),
      failures: {
        path: agentRunFailures(root, run.task_id),
        loop: {
          key: `promise:${run.id}:${run.stage}`,
          attempt: { iteration: run.iteration, maxIterations: run.max_iterations },
        },
        covers: 'own',
      },
      receipt: 'all',
      ignoredPath: taskFile?.path,
      onEvent: (event) => {
        running.take(event);
        if (event.type !== 'output' && running.names.length > 0) onGates(running.names);
      },
    },
    { ...context, env: promiseEnvironment(root, run, context.env) },
  );
  if (recorded) await recordRun(root, { ...recorded, findings });
  if (!failed) return { results: result.results, failed: changed, findings };
  const key = failed.remembered.map(({ name, outcome, errors }) =>
    [name, outcome.reason, ...errors].join('\n'),
  );
  const reasons = [
    blockReason(result, failed, 'when you promise again'),
    ...(changed ? [changed.feedback] : []),
  ];
  return {
    results: result.results,
    failed: {
      summary: `Gates: ${gateLine(result)}`,
      feedback: reasons.join('\n\n'),
      key: key.join('\n'),
    },
    findings,
  };
}

/** Git may hang on a network file system. */
const GIT_MS = 10_000;

/** What became weaker in tests and checks since the run was planned; gates are compared with what is recorded of them. */
async function findInFiles(
  { root, base }: Pick<AgentRunPlan, 'root' | 'base'>,
  { layout, ...settings }: Pick<ProjectGates, 'layout' | 'integrity' | 'integrityRules'>,
  { env, signal }: RunContext,
): Promise<Finding[]> {
  if (base === undefined) return [];
  const { checkIntegrity } = await import('../verification/check-integrity.ts');
  const limits = { env, signal, endAt: uptimeMs() + GIT_MS };
  const check = await checkIntegrity(root, base, { layout, settings }, limits);
  return check.ok
    ? check.value.findings.filter(({ rule }) => rule !== 'gate-changed' && rule !== 'hook-removed')
    : [];
}

/** Marks the processes of the gates, so that they can be found when the run is cancelled after its process was killed. */
function promiseEnvironment(root: string, { id }: AgentRun, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return environmentOfGates(root, { ...env, [TREE_VARIABLE]: treeValue(id, env) });
}

function invalidConfig(problems: readonly string[]): FailedGates {
  const feedback = ['The config of the gates is invalid:', ...problems].join('\n');
  return { summary: 'the config of the gates is invalid', feedback, key: feedback };
}

/** An agent that weakens gates has not passed them. A person who wants to change the gates interrupts the run first. */
function gatesChanged(findings: readonly Finding[], secrets: readonly string[]): FailedGates {
  const lines = maskTexts(findings, secrets)
    .filter(({ severity }) => severity === 'high')
    .map(findingText);
  const summary = oneLine(`gates or tests became weaker since the run started: ${lines.join('; ')}`, 400);
  const feedback = [
    'Gates, tests or checks of the project are weaker than when this run started:',
    ...lines,
    'Restore them: they verify your work.',
  ];
  return { summary, feedback: feedback.join('\n'), key: summary };
}
