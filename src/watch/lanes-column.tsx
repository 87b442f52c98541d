import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Paint } from '../messages/paint.ts';
import type { Card, Lane } from './board.ts';
import { cardLines, headingOf } from './card-lines.ts';
import { Lines } from './lines.tsx';
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
  const shown = lanes.flatMap((lane) => {
    const cards = all.slice(from, to).filter((one) => one.lane === lane);
    if (cards.length === 0 && lane.cards.length > 0) return [];
    return [
      paint('bold', headingOf(lane.name, lane.cards.length)),
      ...cards.flatMap(({ card, lines }) => cardWithMark(lines, card === selected, paint)),
    ];
  });
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Lines
        lines={isAllThere ? shown : [...shown, paint('dim', `  ${from} above, ${all.length - to} below`)]}
      />
    </Box>
  );
}

function cardWithMark([name, ...details]: readonly string[], isSelected: boolean, paint: Paint): string[] {
  return [isSelected ? paint('bold', `> ${name}`) : `  ${name}`, ...details.map((line) => `    ${line}`)];
}
