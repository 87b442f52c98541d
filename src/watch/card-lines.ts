import type { Card, Slot } from './board.ts';
import { timeBetween } from './words.ts';

/**
 * A card of a lane, line by line.
 *
 * @param now UTC, ISO 8601
 * @param isWide whether id and title fit on one line
 */
export function cardLines(
  { name, title, at, standing, since, activity }: Card,
  now: string,
  isWide: boolean,
): string[] {
  const named = [name, title ?? ''].filter((part) => part !== '');
  const running = since === null ? '' : timeBetween(since, now);
  return [
    ...(isWide ? [named.join('  ')] : named),
    [at ?? '', running].filter((part) => part !== '').join(' '),
    standing ?? '',
    activity === null ? '' : `${activity.kind} ${activity.name} ${timeBetween(activity.since, now)}`,
  ].filter((line) => line !== '');
}

/** An agent at work, in two lines. */
export function slotLines(slot: Slot, index: number, now: string): [string, string] {
  const { stage, task, iteration, max, since, costUsd } = slot;
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`;
  return [
    `Slot ${index + 1}: ${stage}, ${task}`,
    `Ralph: iteration ${iteration}/${max}, running ${timeBetween(since, now)}${cost}`,
  ];
}

export const SLOTS_HEADING = 'AGENTS AT WORK';
export const HOOKS_HEADING = 'HOOK LOOPS AND CHAINS';
export const NOTHING = 'There are no tasks and no loops here yet.';

/** `TODO 2`. */
export function headingOf(name: string, count: number): string {
  return `${name.toUpperCase()} ${count}`;
}
