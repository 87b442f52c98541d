import { Box, type Key, Text, useInput } from 'ink';
import type { ReactNode } from 'react';
import type { Card } from './board.ts';
import { EMPTY_BOARD, laneHeading } from './board-text.ts';
import { type BoardFrame, cardRows, feedbackRows, type LaneColumn, sum, visibleRange } from './view.ts';

export function BoardScreen(frame: BoardFrame): ReactNode {
  const { board, layout, columns, rows } = frame;
  const isEmpty = board.lanes.every(({ cards }) => cards.length === 0);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Box height={layout.laneRows} overflow="hidden" flexShrink={0}>
        {isEmpty ? (
          <Text>{EMPTY_BOARD}</Text>
        ) : (
          layout.columns.map((column, index) => <Column key={`${index + 1}`} column={column} frame={frame} />)
        )}
      </Box>
      <Lines lines={[...layout.panels, ...layout.footer]} />
    </Box>
  );
}

/** The page of the lanes with the selected card, and the number of cards above and below. */
function Column({ column, frame }: { readonly column: LaneColumn; readonly frame: BoardFrame }): ReactNode {
  const { layout, selected, paint } = frame;
  const { laneRows, laneColumns, hasBorders } = layout;
  const all = column.flatMap(({ cards }) => cards);
  const heights = cardRows(column, hasBorders);
  const isComplete = sum(heights) <= laneRows;
  const at = all.findIndex(({ card }) => card === selected);
  // A page has the heading of its first lane, and a line with the number of hidden cards.
  const { from, to } = isComplete ? { from: 0, to: all.length } : visibleRange(heights, at, laneRows - 2);
  const page = new Set(all.slice(from, to));
  return (
    <Box flexDirection="column" width={laneColumns} height={laneRows} overflow="hidden">
      {column.map(({ lane, cards }, index) => {
        const shown = cards.filter((card) => page.has(card));
        if (shown.length === 0 && cards.length > 0) return null;
        return (
          <Box key={`${index + 1}`} flexDirection="column" flexShrink={0}>
            <Lines lines={[laneHeading(lane, paint)]} />
            {shown.map(({ card, lines }) => (
              <CardBox
                key={`${card.kind} ${card.id}`}
                card={card}
                lines={lines}
                isSelected={card === selected}
                width={laneColumns}
                frame={frame}
              />
            ))}
          </Box>
        );
      })}
      {!isComplete && <Lines lines={[paint('dim', `  ${from} above, ${all.length - to} below`)]} />}
    </Box>
  );
}

/** A loop that failed last, one whose gates run, and the others. */
function borderColourOf({ failing, runningSince, tone }: Card): string | undefined {
  if (runningSince !== null || tone === 'yellow') return 'yellow';
  return failing !== null || tone === 'red' ? 'red' : tone === 'green' ? 'green' : undefined;
}

interface CardBoxProps {
  readonly card: Card;
  readonly lines: readonly string[];
  readonly isSelected: boolean;
  readonly width: number;
  readonly frame: BoardFrame;
}

function CardBox({ card, lines: [name, ...details], isSelected, width, frame }: CardBoxProps): ReactNode {
  const { paint, layout } = frame;
  // Without colours, paint returns the text as it is.
  const borderColor = paint('bold', '') === '' ? undefined : borderColourOf(card);
  const indent = layout.hasBorders ? '  ' : '    ';
  const lines = [
    isSelected ? paint('bold', `> ${name}`) : `  ${name}`,
    ...details.map((line) => `${indent}${line}`),
  ];
  const border = layout.hasBorders
    ? ({ borderStyle: isSelected ? 'bold' : 'round', borderColor, width } as const)
    : {};
  return (
    <Box flexDirection="column" flexShrink={0} {...border}>
      <Lines lines={lines} />
    </Box>
  );
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
        <Lines lines={visible.length > 0 ? visible : ['No feedback yet.']} />
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
