import { duration, oneLine, thousands } from '../base/text.ts';
import { cleanLine } from '../diagnostics/lines/line-text.ts';
import type { SavedTime } from '../state/saved-time.ts';
import { naiveLocalTime } from '../state/stop-loop.ts';

/** Text from other programs on one line, at most 200 characters, without anything that moves the cursor. */
export function singleLine(text: string): string {
  return cleanLine(oneLine(text));
}

/** `40 ms`, `3 min 20 s`; from an hour on `2 h 5 min`. */
export function longDuration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 60
    ? duration(milliseconds)
    : `${thousands(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** `1 loop`, `1,240 loops`. */
export function loopCount(n: number): string {
  return `${thousands(n)} ${n === 1 ? 'loop' : 'loops'}`;
}

/** `1 stop`, `1,240 stops`. */
export function stopCount(n: number): string {
  return `${thousands(n)} ${n === 1 ? 'stop' : 'stops'}`;
}

/** `1,240 reused, 3 joined`: the results that did not take a run. */
export function sharedCount({ reused, joined }: SavedTime): string {
  const numbers = [
    [reused, 'reused'],
    [joined, 'joined'],
  ] as const;
  return numbers.flatMap(([n, word]) => (n > 0 ? [`${thousands(n)} ${word}`] : [])).join(', ');
}

/** `64 %`; only 0 is `0 %`, and only 1 is `100 %`. */
export function percent(part: number): string {
  const rounded = Math.round(part * 100);
  const shown = part > 0 && part < 1 ? Math.min(99, Math.max(1, rounded)) : rounded;
  return `${shown} %`;
}

/** `$12.31`; below a dollar with three digits, because one iteration may cost less than a cent. */
export function money(usd: number): string {
  return usd === 0 || usd >= 1 ? `$${usd.toFixed(2)}` : `$${usd.toFixed(3)}`;
}

/** `1.5`, `2`. */
export function decimal(n: number): string {
  return n.toFixed(1).replace('.0', '');
}

/** `2026-01-31`, local. */
export function localDate(date: Date): string {
  return naiveLocalTime(date).slice(0, 10);
}

/** `2026-01-31 10:30`, local. */
export function localDateTime(date: Date): string {
  return naiveLocalTime(date).slice(0, 16).replace('T', ' ');
}

/** `2026-01-31 to 2026-02-02`, or one date. */
export function dateRange({ from, to }: { readonly from: Date; readonly to: Date }): string {
  return localDate(from) === localDate(to) ? localDate(from) : `${localDate(from)} to ${localDate(to)}`;
}
