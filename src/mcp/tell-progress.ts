import type { ServerContext } from '@modelcontextprotocol/server';
import { duration, oneLine } from '../base/text.ts';
import type { GateEvent } from '../gates/types.ts';

/** Clients give up on a call of which they hear nothing for a while; the official SDK's after 60 s. */
const INTERVAL_MS = 5000;

/**
 * Tells the client which command runs, when it starts and every few seconds from then on, where the client has asked
 * for that.
 */
export function tellProgress({ mcpReq }: ServerContext): (event: GateEvent) => void {
  const { _meta: { progressToken } = {}, notify, signal } = mcpReq;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const tell = (message: string) => {
    progress += 1;
    // Nobody listens any more: the call is cancelled then, too.
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      () => {},
    );
  };
  let timer: NodeJS.Timeout | undefined;
  return (event) => {
    if (event.type === 'output') return;
    clearInterval(timer);
    if (event.type === 'ended' || signal.aborted) return;
    const name = oneLine(event.gate.name, 100);
    const startedAt = Date.now();
    tell(`${name} runs`);
    timer = setInterval(() => tell(`${name} runs, ${duration(Date.now() - startedAt)}`), INTERVAL_MS);
  };
}
