import { duration, thousands } from '../base/text.ts';
import { naiveLocalTime } from '../state/naive-time.ts';
import type { LoopKind } from './loop-run.ts';

export const KIND_NAMES: Readonly<Record<LoopKind, string>> = {
  hook: 'stops of agents',
  chain: 'typed gates',
  promise: 'promise loops',
};

/** `40 ms`, `3 min 20 s`, and from an hour on `2 h 5 min`: sums grow longer than any gate runs. */
export function time(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 60
    ? duration(milliseconds)
    : `${thousands(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** `1 loop`, `1,240 loops`. */
export function loopCount(n: number): string {
  return `${thousands(n)} ${n === 1 ? 'loop' : 'loops'}`;
}

/** `64 %`; a rest that is not nothing is not told as 0, nor one that is not all as 100. */
export function percent(part: number): string {
  const rounded = Math.round(part * 100);
  const shown = part > 0 && part < 1 ? Math.min(99, Math.max(1, rounded)) : rounded;
  return `${shown} %`;
}

/** `$12.31`; cents are too coarse for what one iteration costs. */
export function money(usd: number): string {
  return usd === 0 || usd >= 1 ? `$${usd.toFixed(2)}` : `$${usd.toFixed(3)}`;
}

/** `1.5`, `2`. */
export function oneDigit(n: number): string {
  return n.toFixed(1).replace('.0', '');
}

/** `2026-01-31`, local. */
export function day(date: Date): string {
  return naiveLocalTime(date).slice(0, 10);
}

/** `2026-01-31 10:30`, local. */
export function minute(date: Date): string {
  return naiveLocalTime(date).slice(0, 16).replace('T', ' ');
}

/** `2026-01-31 to 2026-02-02`, or the one day. */
export function daysOf({ from, to }: { readonly from: Date; readonly to: Date }): string {
  return day(from) === day(to) ? day(from) : `${day(from)} to ${day(to)}`;
}
