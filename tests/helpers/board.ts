import { success } from '../../src/base/result.ts';
import type { Board, Card } from '../../src/watch/board.ts';

/** A card of an agent run at the first iteration of the coder, with other fields where given. */
export function cardOf(id: string, fields: Partial<Card> = {}): Card {
  return {
    kind: 'task',
    id,
    name: id,
    title: null,
    progress: 'Coder (1/15)',
    state: null,
    tone: null,
    failing: null,
    runningSince: null,
    activity: null,
    cancel: success(id),
    ...fields,
  };
}

/** A board of lanes with cards of these names, such as `a b` for two cards. */
export function boardOfNames(lanes: readonly string[]): Board {
  const cards = (names: string) => names.split(' ').flatMap((name) => (name === '' ? [] : [cardOf(name)]));
  return { lanes: lanes.map((names, index) => ({ name: `lane ${index}`, cards: cards(names) })), agents: [] };
}
