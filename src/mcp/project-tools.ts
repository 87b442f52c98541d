import * as z from 'zod';
import { failure, type Result, success } from '../base/result.ts';
import { logChain } from '../chain/chain-log.ts';
import { environmentOfGates, isStartedByGateOf } from '../gates/nesting.ts';
import { escalatedText } from '../messages/escalation.ts';
import { plain } from '../messages/paint.ts';
import { nestedText, runText } from '../messages/results.ts';
import { readProjectStatus, statusText } from '../report/status.ts';
import { escalationOf } from '../state/escalations.ts';
import { escalate } from '../verification/escalate.ts';
import { planVerification } from '../verification/plan.ts';
import { recordNothingRun, runAndRecord } from '../verification/run-and-record.ts';
import { NOTHING_RUN, runAsJson } from '../verification/run-as-json.ts';
import { BY_TOOL, type CallContext } from './tool-call.ts';

export const verifyCall = z.object({
  names: z.array(z.string()).optional().describe('run these gates only; without it, all'),
  force: z.boolean().optional().describe('run gates again that have passed on the same files'),
});

/** The fields of `ralph-loop verify --json`, and the text. */
export const verifyAnswer = z.object({
  verdict: z.enum(['passed', 'failed', 'incomplete']),
  duration_ms: z.number(),
  gates: z.array(
    z.object({
      name: z.string(),
      outcome: z.string().describe('passed, failed, timed-out, not-found, skipped, …'),
      exit: z.number().nullable(),
      duration_ms: z.number(),
      known: z.number().optional().describe('known failures that it passed with'),
      fixed: z.number().optional().describe('known failures that it does not have any more'),
      signal: z.string().optional(),
      tests: z.number().optional().describe('how many tests it ran'),
      tests_before: z.number().optional().describe('at its last pass, if they were more than twice as many'),
      no_report: z.literal(true).optional().describe('it passed, and there is no file that its report names'),
      flaky: z.number().optional().describe('how often it failed before it passed on the same files'),
      blocking: z.boolean().describe('false: its failure is only a warning'),
      command: z.string().nullable(),
      reused: z.string().optional().describe('did not run again: when it passed on the same files'),
      log: z.string().nullable().describe('path of its full output, relative to the project'),
    }),
  ),
  content: z.string(),
});

/** Runs the project's own gates. Loops and chains stay as they are. */
export async function verifyTool(
  { names = [], force }: z.infer<typeof verifyCall>,
  { cwd, context, onEvent }: CallContext,
): Promise<Result<z.infer<typeof verifyAnswer>>> {
  const planned = await planVerification(cwd, { only: names, force });
  if (!planned.ok) {
    recordNothingRun(planned.failure.resultsPath, context.now());
    return planned;
  }
  const { request, config, nothing } = planned.value;
  if (nothing !== undefined) {
    const notes = recordNothingRun(request.resultsPath, context.now());
    return success({ ...NOTHING_RUN, gates: [], content: [nothing, ...notes].join('\n') });
  }
  const { root } = request;
  if (isStartedByGateOf(root, context.env)) return failure(nestedText('verify', config));
  const env = environmentOfGates(root, context.env);
  const { result, findings, notes } = await runAndRecord({ ...request, onEvent }, { ...context, env });
  const { gates, ...run } = runAsJson(result, root);
  const text = runText(result, findings, root, context.now());
  return success({ ...run, gates: [...gates], content: [text, ...notes].join('\n') });
}

export const escalateCall = z.object({
  gate: z.string().optional().describe('the name of the gate'),
  reason: z.string().describe('what is wrong with it, for the user'),
});

export const escalateAnswer = z.object({
  escalated: z.object({ gate: z.string().optional(), reason: z.string() }),
  content: z.string(),
});

/** Says that a gate is wrong or cannot be satisfied, for the next stop. */
export async function escalateTool(
  { gate, reason }: z.infer<typeof escalateCall>,
  { cwd, context: { env, now } }: CallContext,
): Promise<Result<z.infer<typeof escalateAnswer>>> {
  // Models give empty strings for the arguments that they leave out.
  const request = { gate: gate || undefined, reason, by: BY_TOOL };
  const recorded = await escalate(cwd, request, { env, now: now() });
  if (!recorded.ok) return recorded;
  const { root, escalation } = recorded.value;
  const escalated = escalationOf(escalation);
  const about = { host: 'mcp', session: escalation.session, agent: null, task: null } as const;
  await logChain(root, { ...about, why: `escalate, ${BY_TOOL}`, escalated }, { env, now: now() });
  return success({ escalated, content: escalatedText(escalation) });
}

/** The fields of `ralph-loop status --json`, and the text. */
export const statusAnswer = z.object({
  project: z.looseObject({ root: z.string() }).nullable().describe('null if there is no config'),
  loops: z.array(z.looseObject({ loop: z.string(), iteration: z.number() })),
  chains: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  runs: z.array(z.looseObject({ waiting: z.number() })).describe('the runs of gates that go on'),
  escalations: z
    .array(z.looseObject({ reason: z.string() }))
    .describe('the escalations that no stop has used yet'),
  last_call: z.looseObject({ time: z.string() }).nullable().describe('the last call of the hook'),
  content: z.string(),
});

/** Shows the loops and the chains of the project. */
export async function statusTool({ cwd, context }: CallContext) {
  const now = context.now();
  const status = await readProjectStatus(cwd, now);
  return success({ ...status, content: statusText(status, { from: cwd, now, paint: plain }) });
}
