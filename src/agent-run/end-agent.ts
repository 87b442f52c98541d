import { after } from '../base/time.ts';
import { isSameProcess } from '../process/identity.ts';
import { killOrphans, signalGroup } from '../process/process-group.ts';
import type { AgentRun } from '../state/agent-run.ts';

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 1000;
const LOOK_MS = 20;

/** Ends the agent of a loop, and all that it has started, where its driver is no more. */
export async function endAgent({ id, agent }: Pick<AgentRun, 'id' | 'agent'>): Promise<void> {
  if (agent && (await isSameProcess(agent))) {
    signalGroup(agent.pid, 'SIGTERM');
    for (let waited = 0; waited < GRACE_MS && (await isSameProcess(agent)); waited += LOOK_MS)
      await after(LOOK_MS).promise;
    if (await isSameProcess(agent)) signalGroup(agent.pid, 'SIGKILL');
  }
  await killOrphans(id);
}
