import * as z from 'zod';
import { GateCondensers } from '../diagnostics/condenser.ts';
import { runText } from '../messages/report.ts';
import { planVerification } from '../verification/plan-verification.ts';
import { NOTHING_RUN, runAsJson } from '../verification/run-as-json.ts';
import { runVerification } from '../verification/run-verification.ts';
import type { CallContext } from './call-context.ts';
import type { Problem } from './tool-answer.ts';

export const verifyCall = z.object({
  names: z.array(z.string()).optional().describe('run these gates only; all without it'),
});

/** As `ralph-loop verify --json` has it, with the text. */
export const verifyAnswer = z.object({
  verdict: z.enum(['passed', 'failed', 'incomplete']),
  duration_ms: z.number(),
  gates: z.array(
    z.object({
      name: z.string(),
      outcome: z.string().describe('passed, failed, timed-out, not-found, skipped, …'),
      exit: z.number().nullable(),
      duration_ms: z.number(),
      signal: z.string().optional(),
      blocking: z.boolean().describe('false: its failure is only a warning'),
      command: z.string().nullable(),
      log: z.string().nullable().describe('where its full output is, relative to the project'),
    }),
  ),
  content: z.string(),
});

/** Runs the project's own gates now. No loop and no chain is touched. */
export async function verifyTool(
  { names = [] }: z.infer<typeof verifyCall>,
  { cwd, effects, onEvent }: CallContext,
): Promise<z.infer<typeof verifyAnswer> | Problem> {
  const planned = await planVerification(cwd, { only: names });
  if ('problems' in planned) return { problem: planned.problems.join('\n') };
  const { root, nothing } = planned;
  if (nothing !== undefined) return { ...NOTHING_RUN, gates: [], content: nothing };
  const condensers = new GateCondensers();
  const { summary, notes } = await runVerification(planned, {
    ...effects,
    failFast: true,
    condensers,
    onEvent,
  });
  const { gates, ...run } = runAsJson(summary, root);
  const text = runText(summary, condensers.findings(), root);
  return { ...run, gates: [...gates], content: [text, ...notes].join('\n') };
}
