import { type Board, type Card, isSame } from './board.ts';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** The selected card as the board has it now; where it is gone, the first that runs, or the first. */
export function selectedCard(board: Board, selected: Card | undefined): Card | undefined {
  const cards = groupsOf(board).flat();
  return (
    cards.find((card) => selected !== undefined && isSame(card, selected)) ??
    cards.find(({ since }) => since !== null) ??
    cards[0]
  );
}

/**
 * The card that a key leads to: up and down go through a lane, and on to the hooks' loops below; left and right to
 * another lane, at the same height.
 *
 * @param selected one of the board's
 * @param isStacked whether the lanes stand one below another: up and down then go through all of them
 */
export function moveSelection(board: Board, selected: Card, direction: Direction, isStacked: boolean): Card {
  const groups = groupsOf(board);
  const at = groups.findIndex((cards) => cards.includes(selected));
  const row = groups[at]?.indexOf(selected) ?? 0;
  const isHook = groups[at] === board.hooks;
  const step = direction === 'up' || direction === 'left' ? -1 : 1;
  const isUpright = direction === 'up' || direction === 'down';
  return (isUpright ? upright() : sideways()) ?? selected;

  function upright(): Card | undefined {
    const within = groups[at]?.[row + step];
    if (within) return within;
    if (isStacked || isHook) return step < 0 ? groups[at - 1]?.at(-1) : groups[at + 1]?.[0];
    return step > 0 ? board.hooks[0] : undefined;
  }
  function sideways(): Card | undefined {
    const next = groups[at + step];
    if (isStacked) return next?.[0];
    return next === board.hooks || isHook ? undefined : next?.[Math.min(row, next.length - 1)];
  }
}

/** The lanes that have cards, then the hooks' loops. */
function groupsOf({ lanes, hooks }: Board): (readonly Card[])[] {
  return [...lanes.map(({ cards }) => cards), hooks].filter((cards) => cards.length > 0);
}
