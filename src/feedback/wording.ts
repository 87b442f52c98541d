import { constants } from 'node:os';
import type { GateOutcome } from '../gates/gate.ts';

/** How a gate ended, as the end of a sentence: "`pnpm test` …". */
export function describeOutcome(outcome: GateOutcome): string {
  switch (outcome.reason) {
    case 'passed':
      return 'passed';
    case 'failed':
      return `exited with code ${outcome.exitCode}${signalBehind(outcome.exitCode)}`;
    case 'not-found':
      return 'exited with code 127: a program it calls was not found';
    case 'not-executable':
      return 'exited with code 126: a program it calls is not executable';
    case 'killed':
      return `was killed by ${outcome.signal}`;
    case 'timed-out':
      return `timed out: it was still running after ${seconds(outcome.limitSeconds)} and was ended`;
    case 'out-of-time':
      return `had no time to finish before the hook's deadline of ${seconds(outcome.deadlineSeconds)}`;
    case 'not-started':
      return `could not be started: ${outcome.message}`;
    case 'interrupted':
      return 'was interrupted';
    case 'marker-missing':
      return 'is missing from the last message';
    case 'skipped':
      return 'was not run';
  }
}

/** `2.1 s`, `12 s`, `3 min 20 s`: no more digits than anyone reads. */
export function duration(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const whole = Math.round(milliseconds / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `1 gate`, `3 gates`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `1,240`. Not by the Intl number format, which takes longer to load than Node does. */
export function thousands(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A text on one line, cut where it is too long to be read. */
export function oneLine(text: string, maxCharacters = 200): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** A shell reports a child that a signal killed as 128 + the signal's number. */
function signalBehind(exitCode: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name === undefined ? '' : ` (128 + ${exitCode - 128}: killed by ${name})`;
}

function seconds(n: number): string {
  return `${n} s`;
}
