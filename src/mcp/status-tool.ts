import * as z from 'zod';
import { plain } from '../messages/paint.ts';
import { readProjectStatus, statusText } from '../report/status.ts';
import type { CallContext } from './call-context.ts';

/** As `ralph-loop status --json` has it, with the text. */
export const statusAnswer = z.object({
  project: z.looseObject({ root: z.string() }).nullable().describe('null where there is no config'),
  loops: z.array(z.looseObject({ loop: z.string(), iteration: z.number() })),
  chains: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  last_call: z.looseObject({ time: z.string() }).nullable().describe('the last call of the hook'),
  content: z.string(),
});

/** Tells the loops and the chains of the project. */
export async function statusTool({ cwd, effects }: CallContext) {
  const now = effects.now();
  const status = await readProjectStatus(cwd, now);
  return { ...status, content: statusText(status, cwd, now, plain) };
}
