/** What of a list is on the screen: from an index, up to the one before another. */
export interface Page {
  readonly from: number;
  readonly to: number;
}

/**
 * The page that an entry stands on, where as many as fit stand on each: what is seen stays where it is until the
 * selection leaves it.
 *
 * @param heights in lines, an entry each
 * @param selected index
 * @param room in lines; an entry that is higher has a page of its own
 */
export function pageOf(heights: readonly number[], selected: number, room: number): Page {
  let from = 0;
  let used = 0;
  for (const [index, height] of heights.entries()) {
    if (used + height > room && index > from) {
      if (selected < index) return { from, to: index };
      from = index;
      used = 0;
    }
    used += height;
  }
  return { from, to: heights.length };
}
