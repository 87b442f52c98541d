import type { Board, Lane } from './board.ts';
import { cardLines, HOOKS_HEADING, headingOf, SLOTS_HEADING, slotLines } from './card-lines.ts';

/**
 * The board as it is printed where there is no terminal to draw it in.
 *
 * @param now UTC, ISO 8601
 */
export function boardText({ lanes, slots, hooks }: Board, now: string): string {
  const panels = [
    slots.length === 0
      ? []
      : [SLOTS_HEADING, ...slots.map((slot, index) => `  ${slotLines(slot, index, now).join(', ')}`)],
    hooks.length === 0
      ? []
      : [HOOKS_HEADING, ...hooks.map(({ name, at, standing }) => `  ${name} (${at}) ${standing}`)],
  ];
  return [lanes.flatMap((lane) => laneLines(lane, now)), ...panels]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function laneLines({ name, cards }: Lane, now: string): string[] {
  const linesOf = cards.flatMap((card) =>
    cardLines(card, now, true).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`),
  );
  return [headingOf(name, cards.length), ...linesOf];
}
