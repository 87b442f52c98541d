import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Paint } from '../feedback/paint.ts';
import type { Card, Lane } from './board.ts';
import { cardLines, headingOf } from './card-lines.ts';
import { pageOf } from './page-of.ts';

interface Props {
  /** One below another. */
  readonly lanes: readonly Lane[];
  readonly selected: Card | undefined;
  readonly width: number;
  readonly height: number;
  readonly isWide: boolean;
  /** UTC, ISO 8601. */
  readonly now: string;
  readonly paint: Paint;
}

/** The page of some lanes that the selected card stands on, and how much there is above and below. */
export function LanesColumn({ lanes, selected, width, height, isWide, now, paint }: Props): ReactNode {
  const all = lanes.flatMap((lane) =>
    lane.cards.map((card) => ({ lane, card, lines: cardLines(card, now, isWide) })),
  );
  const at = all.findIndex(({ card }) => card === selected);
  // Each page begins with its lane's heading, and leaves a line for what is not on it.
  const heights = all.map(({ lines, card, lane }) => lines.length + (card === lane.cards[0] ? 1 : 0));
  const isAllThere = heights.reduce((sum, lines) => sum + lines, 0) <= height;
  const { from, to } = isAllThere ? { from: 0, to: all.length } : pageOf(heights, at, height - 2);
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {lanes.map((lane) => {
        const cards = all.slice(from, to).filter((one) => one.lane === lane);
        return (
          (cards.length > 0 || lane.cards.length === 0) && (
            <Box key={lane.name} flexDirection="column" flexShrink={0}>
              <Text wrap="truncate-end">{paint('bold', headingOf(lane.name, lane.cards.length))}</Text>
              {cards.map(({ card, lines }) => (
                <CardPicture key={card.id} lines={lines} isSelected={card === selected} paint={paint} />
              ))}
            </Box>
          )
        );
      })}
      {!isAllThere && (
        <Text wrap="truncate-end">{paint('dim', `  ${from} above, ${all.length - to} below`)}</Text>
      )}
    </Box>
  );
}

function CardPicture({
  lines,
  isSelected,
  paint,
}: {
  lines: readonly string[];
  isSelected: boolean;
  paint: Paint;
}): ReactNode {
  const [name, ...details] = lines;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate-end">{isSelected ? paint('bold', `> ${name}`) : `  ${name}`}</Text>
      {details.map((line) => (
        <Text key={line} wrap="truncate-end">
          {`    ${line}`}
        </Text>
      ))}
    </Box>
  );
}
