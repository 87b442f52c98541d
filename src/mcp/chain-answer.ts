import * as z from 'zod';
import { type Chain, type ChainEnd, type CommandEnd, presentStep } from '../state/chain.ts';

const lastResult = z.object({
  exitCode: z.number().nullable().describe('null where there is none: killed, timed out, not started'),
  stdout: z.string().describe('the last 5,000 characters'),
  stderr: z.string().describe('the last 5,000 characters'),
  durationMs: z.number(),
  timedOut: z.boolean(),
});

/** What `prompt_engine` answers, as `structuredContent`. */
export const chainAnswer = z.object({
  chain_id: z.string().nullable().describe('null where there is nothing to verify'),
  status: z.enum(['awaiting', 'passed', 'failed', 'escalated', 'review', 'skipped', 'aborted']),
  success: z.boolean().describe('false where something does not hold, or nobody knows whether it does'),
  verification: z
    .object({
      command: z.string().describe('the one that failed, or else the last one'),
      attempts: z.number(),
      passed: z.boolean(),
      lastResult: lastResult.nullable().describe('null where nothing has been run'),
    })
    .nullable()
    .describe('null where no command is asked for'),
  content: z.string().describe('what to do next'),
});

export type ChainAnswer = z.infer<typeof chainAnswer>;

/** The commands of a step, as far as they have been run. */
export interface Verified {
  readonly attempts: number;
  readonly results: readonly CommandEnd[];
}

/**
 * @param chain as it was while its commands ran
 * @param status how it is now
 */
export function answerOn(
  chain: Chain,
  status: Chain['status'] | ChainEnd,
  content: string,
  { attempts, results }: Verified = chain,
): ChainAnswer {
  const last = results.find(({ passed }) => !passed) ?? results.at(-1);
  const command = last?.command ?? presentStep(chain).verify[0]?.command;
  return {
    chain_id: chain.id,
    status,
    success: status === 'passed' || status === 'awaiting' || status === 'review',
    verification:
      command === undefined
        ? null
        : { command, attempts, passed: last?.passed ?? false, lastResult: last ? resultOf(last) : null },
    content,
  };
}

function resultOf({
  exitCode,
  stdout,
  stderr,
  durationMs,
  timedOut,
}: CommandEnd): z.infer<typeof lastResult> {
  return { exitCode, stdout, stderr, durationMs, timedOut };
}
