import { Box, type Key, Text, useInput } from 'ink';
import type { ReactNode } from 'react';
import type { Paint } from '../messages/paint.ts';
import { singleLine } from '../report/format.ts';
import type { Board, Card, Lane } from './board.ts';
import {
  AGENTS_HEADING,
  agentLines,
  cardLines,
  EMPTY_BOARD,
  HOOKS_HEADING,
  headingLine,
} from './board-text.ts';
import { type BoardFrame, feedbackRows, visibleRange } from './view.ts';

export function BoardScreen(frame: BoardFrame): ReactNode {
  const { board, layout, columns, rows } = frame;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Box height={layout.laneRows} overflow="hidden">
        {isEmpty(board) ? <Text>{EMPTY_BOARD}</Text> : <Lanes {...frame} />}
      </Box>
      {layout.agentRows > 0 && <Agents {...frame} />}
      {layout.hookRows > 0 && <Hooks {...frame} />}
      <Footer {...frame} />
    </Box>
  );
}

function isEmpty({ lanes, hooks }: Board): boolean {
  return hooks.length === 0 && lanes.every(({ cards }) => cards.length === 0);
}

/** Equally wide columns, or one column without the empty lanes. */
function Lanes({ board, layout, selected, columns, now, paint }: BoardFrame): ReactNode {
  const groups: (readonly Lane[])[] = layout.isStacked
    ? [board.lanes.filter(({ cards }) => cards.length > 0)]
    : board.lanes.map((lane) => [lane]);
  const width = Math.floor(columns / groups.length);
  return groups.map((lanes, column) => (
    <LaneColumn
      key={`${column + 1}`}
      lanes={lanes}
      selected={selected}
      width={width}
      height={layout.laneRows}
      isWide={layout.isStacked}
      now={now}
      paint={paint}
    />
  ));
}

interface LaneColumnProps {
  /** Stacked. */
  readonly lanes: readonly Lane[];
  readonly selected: Card | undefined;
  readonly width: number;
  readonly height: number;
  readonly isWide: boolean;
  /** UTC, ISO 8601. */
  readonly now: string;
  readonly paint: Paint;
}

/** The page of the lanes with the selected card, and the number of cards above and below. */
function LaneColumn({ lanes, selected, width, height, isWide, now, paint }: LaneColumnProps): ReactNode {
  const all = lanes.flatMap((lane) =>
    lane.cards.map((card) => ({ lane, card, lines: cardLines(card, now, isWide) })),
  );
  const at = all.findIndex(({ card }) => card === selected);
  // A page has the heading of its first lane, and a line with the number of hidden cards.
  const heights = all.map(({ lines, card, lane }) => lines.length + (card === lane.cards[0] ? 1 : 0));
  const isComplete = heights.reduce((sum, lines) => sum + lines, 0) <= height;
  const { from, to } = isComplete ? { from: 0, to: all.length } : visibleRange(heights, at, height - 2);
  const shown = lanes.flatMap((lane) => {
    const cards = all.slice(from, to).filter((one) => one.lane === lane);
    if (cards.length === 0 && lane.cards.length > 0) return [];
    return [
      paint('bold', headingLine(lane.name, lane.cards.length)),
      ...cards.flatMap(({ card, lines }) => indentCard(lines, card === selected, paint)),
    ];
  });
  const hidden = paint('dim', `  ${from} above, ${all.length - to} below`);
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Lines lines={isComplete ? shown : [...shown, hidden]} />
    </Box>
  );
}

function indentCard([name, ...details]: readonly string[], isSelected: boolean, paint: Paint): string[] {
  return [isSelected ? paint('bold', `> ${name}`) : `  ${name}`, ...details.map((line) => `    ${line}`)];
}

function Agents({ board: { agents }, layout, now, paint }: BoardFrame): ReactNode {
  const lines = agents.flatMap((agent, index) => {
    const [head, tail] = agentLines(agent, index, now);
    return layout.isWide ? [`  ${head}, ${tail}`] : [`  ${head}`, `    ${tail}`];
  });
  const heading = paint('bold', headingLine(AGENTS_HEADING, agents.length));
  return (
    <Box flexDirection="column" height={layout.agentRows}>
      <Lines lines={[heading, ...lines].slice(0, layout.agentRows)} />
    </Box>
  );
}

function Hooks({ board: { hooks }, layout, selected, columns, paint }: BoardFrame): ReactNode {
  const heights = hooks.map(() => 1);
  const at = selected ? hooks.indexOf(selected) : -1;
  const { from, to } = visibleRange(heights, at, layout.hookRows - 1);
  return (
    <Box flexDirection="column" height={layout.hookRows}>
      <Text wrap="truncate-end">{paint('bold', headingLine(HOOKS_HEADING, hooks.length))}</Text>
      {hooks.slice(from, to).map((card) => (
        <Box key={`${card.kind} ${card.id}`}>
          <Box width={Math.floor(columns * 0.4)} flexShrink={0} paddingRight={1}>
            <Text wrap="truncate-end">
              {card === selected ? paint('bold', `> ${card.name}`) : `  ${card.name}`}
            </Text>
          </Box>
          <Text wrap="truncate-end">{`(${card.progress}) ${card.state}`}</Text>
        </Box>
      ))}
    </Box>
  );
}

function Footer({ view: { mode, notice }, paint }: BoardFrame): ReactNode {
  const text =
    mode.kind === 'confirm'
      ? paint('yellow', `Cancel ${singleLine(mode.loop)}? y/n`)
      : (notice ?? paint('dim', 'hjkl/arrows move | enter feedback | c cancel | q quit'));
  return <Text wrap="truncate-end">{text}</Text>;
}

/** The last feedback about the selected card on the whole screen. */
export function FeedbackScreen({ view, selected, feedback, columns, rows, paint }: BoardFrame): ReactNode {
  const page = feedbackRows(rows);
  const scrolledTo = view.mode.kind === 'feedback' ? view.mode.top : 0;
  // The feedback may have become shorter.
  const top = Math.max(0, Math.min(scrolledTo, feedback.length - page));
  const visible = feedback.slice(top, top + page);
  const title = [selected?.name, selected?.progress].filter((part) => part).join(' ');
  const position =
    feedback.length > page ? ` (${top + 1}-${top + visible.length} of ${feedback.length})` : '';
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text wrap="truncate-end">{paint('bold', `${title}: last feedback`)}</Text>
      <Box flexDirection="column" height={page} overflow="hidden">
        <Lines lines={visible} />
      </Box>
      <Text wrap="truncate-end">{paint('dim', `esc back | jk/arrows scroll | q quit${position}`)}</Text>
    </Box>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line, row) => (
    // An empty text has no height. Lines may be equal, so the key is the row.
    <Text key={`${row + 1}`} wrap="truncate-end">
      {line || ' '}
    </Text>
  ));
}

interface KeyListenerProps {
  /** @param key as `handleKey` takes it */
  readonly onKey: (key: string) => void;
  readonly children: ReactNode;
}

export function KeyListener({ onKey, children }: KeyListenerProps): ReactNode {
  useInput((input, key) => {
    for (const name of keyNames(input, key)) onKey(name);
  });
  return children;
}

/** Keys that also arrive as characters among others when a person types fast. */
const CHARACTER_NAMES: Readonly<Record<string, string>> = { '\r': 'enter', '\n': 'enter', '\x03': 'ctrl-c' };

function keyNames(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : [];
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.leftArrow) return ['left'];
  if (key.rightArrow) return ['right'];
  if (key.pageUp) return ['pageup'];
  if (key.pageDown) return ['pagedown'];
  if (key.return) return ['enter'];
  if (key.escape) return ['escape'];
  return [...input].map((character) => CHARACTER_NAMES[character] ?? character);
}
