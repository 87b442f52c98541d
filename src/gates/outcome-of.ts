import type { CommandEnd } from '../process/run-command.ts';
import type { GateOutcome } from './types.ts';

/** @param limitSeconds the gate's own limit */
export function outcomeOf(end: CommandEnd, limitSeconds: number): GateOutcome {
  switch (end.how) {
    case 'exited':
      return outcomeOfExit(end.exitCode);
    case 'killed':
      return { reason: 'killed', signal: end.signal };
    case 'timed-out':
      return { reason: 'timed-out', limitSeconds };
    case 'aborted':
      return { reason: 'interrupted' };
    case 'not-started':
      return { reason: 'not-started', message: end.message };
  }
}

/** 126 and 127 are the shell's own words (POSIX, "Exit Status for Commands"). */
function outcomeOfExit(exitCode: number): GateOutcome {
  if (exitCode === 0) return { reason: 'passed' };
  if (exitCode === 126) return { reason: 'not-executable' };
  if (exitCode === 127) return { reason: 'not-found' };
  return { reason: 'failed', exitCode };
}
