import { success } from '../../src/base/result.ts';
import type { RunStatus } from '../../src/messages/status.ts';
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

/** A verification run whose gate runs since so many seconds before 2026-01-31T10:30:00Z. */
export function runningSince(seconds: number, name = 'test', fields: Partial<RunStatus> = {}): RunStatus {
  const started_at = new Date(Date.UTC(2026, 0, 31, 10, 30) - seconds * 1000).toISOString();
  const gate = { name, outcome: null, started_at, duration_ms: seconds * 1000, usual_ms: null };
  return { waiting: 0, gates: [gate], ...fields };
}

/** A board of lanes with cards of these names, such as `a b` for two cards. */
export function boardOfNames(lanes: readonly string[]): Board {
  const cards = (names: string) => names.split(' ').flatMap((name) => (name === '' ? [] : [cardOf(name)]));
  const named = lanes.map((names, index) => ({ name: `lane ${index}`, cards: cards(names) }));
  return { lanes: named, agents: [], runs: [], worktrees: [] };
}
