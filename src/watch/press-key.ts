import { type Direction, moveSelection } from './move-selection.ts';
import { feedbackRows, type Seen, type View } from './view.ts';

/** What is to be done, beyond showing another view. */
export type Command =
  | { readonly kind: 'end'; readonly code: number }
  | { readonly kind: 'cancel'; readonly task: string };

export interface Reaction {
  readonly view: View;
  readonly command?: Command;
}

/** What SIGINT makes of a process, in the words of shells. */
const INTERRUPTED = 130;

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  up: 'up',
  k: 'up',
  down: 'down',
  j: 'down',
  left: 'left',
  h: 'left',
  right: 'right',
  l: 'right',
};

/** @param key a character, or the name of another key: `up`, `enter`, `escape`, `pagedown`, `ctrl-c` */
export function pressKey(key: string, seen: Seen): Reaction {
  const { view } = seen;
  const quiet: View = { ...view, notice: undefined };
  const { mode } = view;
  if (key === 'ctrl-c') return { view: quiet, command: { kind: 'end', code: INTERRUPTED } };
  if (mode.kind === 'asking') return answer(quiet, mode.task, key);
  if (key === 'q') return { view: quiet, command: { kind: 'end', code: 0 } };
  return { view: mode.kind === 'feedback' ? read(quiet, mode.top, key, seen) : walk(quiet, key, seen) };
}

/** Only a plain yes is one. */
function answer(view: View, task: string, key: string): Reaction {
  const after: View = { ...view, mode: { kind: 'lanes' } };
  if (key === 'y') return { view: after, command: { kind: 'cancel', task } };
  return { view: { ...after, notice: 'Nothing was cancelled.' } };
}

function read(view: View, top: number, key: string, { feedback, rows }: Seen): View {
  if (key === 'escape' || key === 'enter') return { ...view, mode: { kind: 'lanes' } };
  const page = feedbackRows(rows);
  const steps = { up: -1, down: 1, left: 0, right: 0 };
  const direction = DIRECTIONS[key];
  const pages: Readonly<Record<string, number>> = { pageup: -page, pagedown: page, ' ': page };
  const by = direction ? steps[direction] : (pages[key] ?? 0);
  return {
    ...view,
    mode: { kind: 'feedback', top: Math.max(0, Math.min(top + by, feedback.length - page)) },
  };
}

function walk(view: View, key: string, { board, selected, layout }: Seen): View {
  if (!selected) return view;
  const direction = DIRECTIONS[key];
  if (direction) return { ...view, selected: moveSelection(board, selected, direction, layout.isStacked) };
  if (key === 'enter') return { ...view, selected, mode: { kind: 'feedback', top: 0 } };
  if (key !== 'c') return view;
  const { cancel } = selected;
  if ('why' in cancel) return { ...view, selected, notice: cancel.why };
  return { ...view, selected, mode: { kind: 'asking', task: cancel.task } };
}
