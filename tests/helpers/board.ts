import type { Board, Card } from '../../src/watch/board.ts';

/** A card of a loop that stands at the coder's first iteration, where nothing else is said. */
export function cardOf(id: string, fields: Partial<Card> = {}): Card {
  return {
    kind: 'task',
    id,
    name: id,
    title: null,
    at: 'Coder (1/15)',
    standing: null,
    since: null,
    activity: null,
    cancel: { task: id },
    ...fields,
  };
}

/** A board of lanes with cards of these names, `a b` of two; the last text is of the hooks' loops. */
export function boardOfNames(lanes: readonly string[], hooks = ''): Board {
  const cards = (names: string, kind: Card['kind']) =>
    names.split(' ').flatMap((name) => (name === '' ? [] : [cardOf(name, { kind })]));
  return {
    lanes: lanes.map((names, index) => ({ name: `lane ${index}`, cards: cards(names, 'task') })),
    slots: [],
    hooks: cards(hooks, 'hook'),
  };
}
