import { relative } from 'node:path';
import type { AgentRunEvent } from '../../agent-run/iterate.ts';
import type { Paint } from '../../messages/paint.ts';
import { iterationLine } from '../../messages/promise-loop-texts.ts';
import { liveLine } from './live-line.ts';

/**
 * Shows a loop as it is driven: a line when an agent begins and one when its iteration has ended, and in a terminal one
 * that moves.
 *
 * @param from absolute directory that the person is in: log paths are given from there
 */
export function showLoop(
  out: NodeJS.WriteStream,
  from: string,
  paint: Paint,
): (event: AgentRunEvent) => void {
  const live = liveLine(out, paint);
  let doing = '';
  return (event) => {
    live?.stop();
    switch (event.type) {
      case 'begun': {
        const { stage, iteration, max_iterations } = event.run;
        doing = `${stage} ${iteration}/${max_iterations}`;
        out.write(`${paint('dim', `▸ ${doing}, ${relative(from, event.logPath)}`)}\n`);
        live?.start(doing);
        return;
      }
      case 'gate':
        if (live) live.start(`${doing}: ${event.name}`);
        else out.write(`${paint('dim', `  ${event.name}`)}\n`);
        return;
      case 'ended':
        out.write(`${iterationLine(event.run, paint)}\n`);
        return;
      case 'note':
        out.write(`${event.text}\n`);
    }
  };
}
