import { endStrays } from '../process/end-strays.ts';
import { isStillThere } from '../process/mark-process.ts';
import { signalGroup } from '../process/process-group.ts';
import { after } from '../process/waits.ts';
import type { PromiseLoop } from '../state/promise-loop.ts';

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 1000;
const LOOK_MS = 20;

/** Ends the agent of a loop, and all that it has started, where its driver is no more. */
export async function endAgent({ id, agent }: Pick<PromiseLoop, 'id' | 'agent'>): Promise<void> {
  if (agent && (await isStillThere(agent))) {
    signalGroup(agent.pid, 'SIGTERM');
    for (let waited = 0; waited < GRACE_MS && (await isStillThere(agent)); waited += LOOK_MS)
      await after(LOOK_MS).promise;
    if (await isStillThere(agent)) signalGroup(agent.pid, 'SIGKILL');
  }
  endStrays(id);
}
