import { oneLine } from '../base/text.ts';
import { cleanLine } from '../diagnostics/line-text.ts';

/** A text that others gave, on one line and without anything that moves the cursor. */
export function fit(text: string): string {
  return cleanLine(oneLine(text));
}

/** `Coder (3/15)`. */
export function place(stage: string, iteration: number, max: number): string {
  const name = fit(stage);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} (${iteration}/${max})`;
}

/** `23s`, `5m 23s`, `2h 5m`, `3d 4h`: the two largest units, which people watch grow. */
export function timeBetween(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 24
    ? `${hours}h ${Math.floor((seconds % 3600) / 60)}m`
    : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
