import { oneLine } from '../base/text.ts';
import type { LoggedGate, LogRecord } from '../state/execution-log.ts';
import type { StopLoopStatus } from '../state/stop-loop.ts';
import type { Paint } from './paint.ts';

/** Stop loops as `status` prints them. */
export function loopLines(loops: readonly StopLoopStatus[], now: Date, paint: Paint): string[] {
  return loops.flatMap((loop) => linesOf(loop, now, paint));
}

/** The hook's last call, as `status` prints it. */
export function lastCallLine(call: LogRecord | null, now: Date): string {
  const text = call
    ? `${ago(secondsSince(call.time, now))}: agent ${call.agent ?? 'unknown'}, ${answerOf(call)}`
    : 'never';
  return `Last call ${text}`;
}

function linesOf(loop: StopLoopStatus, now: Date, paint: Paint): string[] {
  const details = [
    loop.age_seconds === null ? '' : `started ${ago(loop.age_seconds)}`,
    expiryOf(loop),
    loop.verifying ? 'no result yet: its gates are running, or the hook was ended' : '',
  ].filter((detail) => detail !== '');
  const head = `Loop      ${paint('bold', oneLine(loop.loop, 80))}: iteration ${loop.iteration}/${loop.max}`;
  const last = loop.last
    ? [`          last ${ago(secondsSince(loop.last.time, now))}: ${answerOf(loop.last)}`]
    : [];
  return [head, `          ${details.join(', ')}`.trimEnd(), ...last].filter((line) => line !== '');
}

function expiryOf({ expired, expires_in_seconds: seconds, iteration }: StopLoopStatus): string {
  if (expired) return 'expired: the next stop is iteration 1';
  return seconds === null || iteration === 0 ? '' : `expires in ${span(seconds)}`;
}

/** `blocked: gates-failed (test failed, exit 1)` */
export function answerOf({ answer, why, gates }: LogRecord): string {
  const words = { block: 'blocked', allow: 'allowed', ignore: 'ignored', none: 'no answer' };
  const failing = failingGates(gates);
  return `${words[answer]}: ${oneLine(why, 120)}${failing === '' ? '' : ` (${failing})`}`;
}

/** `test failed, exit 1; e2e timed-out`; empty if no gate fails. */
export function failingGates(gates: readonly LoggedGate[]): string {
  return gates
    .filter(({ outcome }) => !['passed', 'skipped', 'unaffected'].includes(outcome))
    .map(
      ({ name, outcome, exit }) => `${oneLine(name, 80)} ${outcome}${exit === null ? '' : `, exit ${exit}`}`,
    )
    .join('; ');
}

/** `5m ago`. */
export function ago(seconds: number): string {
  return seconds < 0 ? 'in the future' : `${span(seconds)} ago`;
}

/** `40s`, `5m`, `3h`, `2d`: the largest unit that fits. */
function span(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function secondsSince(time: string, now: Date): number {
  return Math.round((now.getTime() - Date.parse(time)) / 1000);
}
