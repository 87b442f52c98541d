import type { GateCondensers } from '../../diagnostics/condenser.ts';
import type { GateEvent } from '../../gates/types.ts';
import type { Paint } from '../../messages/paint.ts';
import { failureDetails, gateName, resultLine } from '../../messages/report.ts';
import { liveLine } from './live-line.ts';

export interface ProgressOptions {
  /** Absolute directory that the person is in: log paths are given from there. */
  readonly from: string;
  readonly nameWidth: number;
  readonly paint: Paint;
  /** They have read what the gates printed. */
  readonly condensers: GateCondensers;
  /** Print what the gates print, as it comes. */
  readonly verbose: boolean;
}

/**
 * Shows the gates as they run: in a terminal with a line that moves, in a pipe with a line when a gate starts and one
 * when it ends.
 */
export function showProgress(out: NodeJS.WriteStream, options: ProgressOptions): (event: GateEvent) => void {
  const live = options.verbose ? undefined : liveLine(out, options.paint);
  return (event) => {
    switch (event.type) {
      case 'started':
        if (live) live.start(gateName(event.gate));
        else out.write(`${options.paint('dim', `▸ ${gateName(event.gate)}`)}\n`);
        return;
      case 'output':
        if (options.verbose) out.write(event.bytes);
        return;
      case 'ended': {
        live?.stop();
        const findings = options.condensers.findings().get(event.result.gate);
        const columns = out.isTTY ? out.columns : undefined;
        const details = options.verbose
          ? []
          : failureDetails(event.result, findings, options.from, options.paint, columns);
        out.write(`${[resultLine(event.result, options.nameWidth, options.paint), ...details].join('\n')}\n`);
      }
    }
  };
}
