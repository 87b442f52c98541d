import { count, listed, oneLine, roundDuration, timeAgo } from '../base/text.ts';
import type { GateOutcome } from '../gates/types.ts';
import type { Escalation, LoggedGate, LogRecord } from '../state/execution-log.ts';
import type { StopLoopStatus } from '../state/stop-loop.ts';
import { escalationText } from './escalation.ts';
import { sharedText, soFar } from './outcome.ts';
import type { Paint } from './paint.ts';

/** A verification run that goes on, as `ralph-loop status --json` prints it. */
export interface RunStatus {
  /** How many processes wait for it, besides the one that runs the gates. */
  readonly waiting: number;
  /** Those that have started, or have a result, in this order. */
  readonly gates: readonly {
    readonly name: string;
    /** Null while it runs. */
    readonly outcome: GateOutcome['reason'] | null;
    /** UTC, ISO 8601; null if it did not run. */
    readonly started_at: string | null;
    /** So far, while it runs. */
    readonly duration_ms: number;
    /** Null if it is not known. */
    readonly usual_ms: number | null;
  }[];
}

/** `test: 50 s so far, usually 4 min; 1 gate done; 2 processes wait for it` */
export function runText({ gates, waiting }: RunStatus, now: Date): string {
  const running = gates.flatMap(({ name, outcome, started_at: since, usual_ms: usualMs }) => {
    if (outcome !== null || since === null) return [];
    const elapsedMs = Math.max(0, now.getTime() - Date.parse(since));
    return [`${oneLine(name, 80)}: ${soFar(elapsedMs, usualMs)}`];
  });
  const done = gates.length - running.length;
  return [
    ...(running.length > 0 ? [listed(running, 600, '; ')] : []),
    ...(done > 0 || running.length === 0 ? [`${count(done, 'gate')} done`] : []),
    ...(waiting > 0 ? [waiting === 1 ? '1 process waits for it' : `${waiting} processes wait for it`] : []),
  ].join('; ');
}

/** Verification runs that go on, as `status` prints them. */
export function runLines(runs: readonly RunStatus[], now: Date, paint: Paint): string[] {
  return runs.map((run) => `Running   ${paint('yellow', runText(run, now))}`);
}

/** Stop loops as `status` prints them. */
export function loopLines(loops: readonly StopLoopStatus[], now: Date, paint: Paint): string[] {
  return loops.flatMap((loop) => linesOf(loop, now, paint));
}

/** Escalations that wait for a stop, as `status` prints them. */
export function escalationLines(
  escalations: readonly (Escalation & { readonly by: string })[],
  paint: Paint,
): string[] {
  return escalations.map(
    (each) => `Escalated ${paint('yellow', escalationText(each))} (${oneLine(each.by)}, for the next stop)`,
  );
}

/**
 * The hook's last call, as `status` prints it.
 *
 * @param place of the project that judged it, where it is another one
 */
export function lastCallLine(call: LogRecord | null, now: Date, place?: string): string {
  const text = call
    ? `${since(call.time, now)}${place === undefined ? '' : ` in ${oneLine(place)}`}: agent ${call.agent ?? 'unknown'}, ${answerOf(call)}${sharedText(call.gates)}`
    : 'never';
  return `Last call ${text}`;
}

function linesOf(loop: StopLoopStatus, now: Date, paint: Paint): string[] {
  const details = [
    loop.age_seconds === null ? '' : `started ${timeAgo(loop.age_seconds * 1000)}`,
    expiryOf(loop),
    loop.verifying ? 'no result yet: its gates are running, or the hook was ended' : '',
  ].filter((detail) => detail !== '');
  const head = `Loop      ${paint('bold', oneLine(loop.loop, 80))}: iteration ${loop.iteration}/${loop.max}`;
  const last = loop.last
    ? [`          last ${since(loop.last.time, now)}: ${answerOf(loop.last)}${sharedText(loop.last.gates)}`]
    : [];
  return [head, `          ${details.join(', ')}`.trimEnd(), ...last].filter((line) => line !== '');
}

function expiryOf({ expired, expires_in_seconds: seconds, iteration }: StopLoopStatus): string {
  if (expired) return 'expired: the next stop is iteration 1';
  return seconds === null || iteration === 0 ? '' : `expires in ${roundDuration(seconds * 1000)}`;
}

/** `blocked: gates-failed (test failed, exit 1)` */
export function answerOf({ answer, why, gates, escalated }: LogRecord): string {
  const words = { block: 'blocked', allow: 'allowed', ignore: 'ignored', none: 'no answer' };
  const failing = failingGates(gates);
  const reason = escalated ? `: ${escalationText(escalated)}` : '';
  return `${words[answer]}: ${oneLine(why, 120)}${failing === '' ? '' : ` (${failing})`}${reason}`;
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

function since(time: string, now: Date): string {
  return timeAgo(now.getTime() - Date.parse(time));
}
