import * as z from 'zod';
import { type Chain, type CommandReport, currentStep, latestAttempts } from '../state/chain.ts';

const lastResult = z.object({
  exitCode: z.number().nullable().describe('null if there is none: killed, timed out, not started'),
  stdout: z.string().describe('the last 5,000 characters'),
  stderr: z.string().describe('the last 5,000 characters'),
  durationMs: z.number(),
  timedOut: z.boolean(),
});

/** The `structuredContent` of `prompt_engine`. */
export const chainAnswer = z.object({
  chain_id: z.string().nullable().describe('null if there is nothing to verify'),
  status: z.enum(['awaiting', 'passed', 'failed', 'escalated', 'review', 'skipped', 'aborted']),
  success: z.boolean().describe('whether everything was verified and passed'),
  verification: z
    .object({
      command: z.string().describe('the one that failed, or else the last one'),
      attempts: z.number(),
      passed: z.boolean(),
      lastResult: lastResult.nullable().describe('null if nothing has been run'),
    })
    .nullable()
    .describe('null if the step has no command'),
  self_reviewed: z
    .array(z.string())
    .optional()
    .describe('the criteria that passed by the review of the agent itself'),
  content: z.string().describe('what to do next'),
});

export type ChainAnswer = z.infer<typeof chainAnswer>;

/**
 * @param chain whose current step and results are described
 * @param status of the chain now
 * @param reviewed the names of the criteria that have passed
 */
export function answerAbout(
  chain: Chain,
  status: ChainAnswer['status'],
  content: string,
  reviewed: readonly string[] = [],
): ChainAnswer {
  const { id, results } = chain;
  const { iteration: attempts } = latestAttempts(chain);
  const last = results.find(({ passed }) => !passed) ?? results.at(-1);
  const command = last?.command ?? currentStep(chain).verify[0]?.command;
  return {
    chain_id: id,
    status,
    success: status === 'passed',
    verification:
      command === undefined
        ? null
        : { command, attempts, passed: last?.passed ?? false, lastResult: last ? resultOf(last) : null },
    ...(reviewed.length > 0 && { self_reviewed: [...reviewed] }),
    content,
  };
}

function resultOf({ exitCode, stdout, stderr, durationMs, timedOut }: CommandReport) {
  return { exitCode, stdout, stderr, durationMs, timedOut };
}
