import { count, listed, oneLine, roundDuration, timeAgo } from '../base/text.ts';
import type { LoggedGate, LogRecord } from '../state/execution-log.ts';
import type { Paint } from './paint.ts';
import type { RunStatus } from './status.ts';

/** What the status line of a session is about. */
export interface SessionNow {
  /** The last stop of the session that has a result. */
  readonly last: LogRecord | undefined;
  /** The runs of the project that go on. */
  readonly runs: readonly RunStatus[];
}

/** Long enough for the names of two gates. */
const MAX_NAMES = 40;

/** The line of a session for its host. */
export function statusLineText(session: SessionNow, now: Date, paint: Paint): string {
  return `ralph ${sessionText(session, now, paint)}`;
}

/** The most urgent first: what runs now, else how the last stop ended. */
export function sessionText({ last, runs }: SessionNow, now: Date, paint: Paint): string {
  const gates = runs.flatMap((run) => run.gates);
  const running = gates.filter(({ outcome, started_at: since }) => outcome === null && since !== null);
  const [first] = running;
  const attempt = last && last.answer === 'block' ? attemptOf(last) : '';
  if (first !== undefined) {
    const elapsedMs = Math.max(0, now.getTime() - Date.parse(first.started_at ?? ''));
    const more = running.length > 1 ? ` +${running.length - 1}` : '';
    const text = `${nameOf(first)}${more} ${progressText(elapsedMs, first.usual_ms ?? 0)}`;
    return `${paint('yellow', `● ${text}`)}${attempt}`;
  }
  return last === undefined ? paint('dim', 'no stop yet') : `${stopText(last, now, paint)}${attempt}`;
}

/** `12 s of 40 s`, `50 s, usually 40 s`. */
function progressText(elapsedMs: number, usualMs: number): string {
  const elapsed = roundDuration(elapsedMs);
  if (usualMs < 1000) return elapsed;
  return `${elapsed}${elapsedMs > usualMs ? ', usually' : ' of'} ${roundDuration(usualMs)}`;
}

function stopText(stop: LogRecord, now: Date, paint: Paint): string {
  const failed = stop.gates.filter(isFailed);
  const names = listed(failed.map(nameOf), MAX_NAMES);
  if (stop.escalated) return paint('yellow', `! escalated${names === '' ? '' : `: ${names}`}`);
  if (stop.answer === 'block')
    return paint(
      'red',
      `✗ ${names === '' || stop.why === 'still-running' ? (BLOCKED[stop.why] ?? oneLine(stop.why, MAX_NAMES)) : names}`,
    );
  if (stop.answer === 'none') return paint('yellow', '! no result');
  if (PASSED.includes(stop.why)) {
    const passed = stop.gates.filter(({ outcome }) => outcome === 'passed');
    const ago = timeAgo(now.getTime() - Date.parse(stop.time));
    return `${paint('green', `✓ ${count(passed.length, 'gate')}`)} ${paint('dim', ago)}`;
  }
  return paint('red', `! not passed${names === '' ? '' : `: ${names}`}`);
}

const PASSED = ['commands-passed', 'markers-found', 'verified'];

const BLOCKED: Readonly<Record<string, string>> = {
  integrity: 'tests are weaker',
  'config-broken': 'config broken',
  'still-running': 'waits for a gate',
  'next-step': 'next step',
};

/** ` 2/5`: which attempt it was. */
function attemptOf({ iteration, max }: LogRecord): string {
  return typeof iteration === 'number' && typeof max === 'number' ? ` ${iteration}/${max}` : '';
}

function isFailed({ outcome }: LoggedGate): boolean {
  return !['passed', 'skipped', 'unaffected'].includes(outcome);
}

function nameOf({ name }: { readonly name: string }): string {
  return oneLine(String(name), 30);
}
