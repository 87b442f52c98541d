import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Board, Lane } from './board.ts';
import { HOOKS_HEADING, headingOf, NOTHING, SLOTS_HEADING, slotLines } from './card-lines.ts';
import { LanesColumn } from './lanes-column.tsx';
import { Lines } from './lines.tsx';
import { pageOf } from './page-of.ts';
import type { Seen } from './view.ts';
import { fit } from './words.ts';

export function BoardPicture(seen: Seen): ReactNode {
  const { board, layout, columns, rows } = seen;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Box height={layout.laneRows} overflow="hidden">
        {isEmpty(board) ? <Text>{NOTHING}</Text> : <Lanes {...seen} />}
      </Box>
      {layout.slotRows > 0 && <Slots {...seen} />}
      {layout.hookRows > 0 && <Hooks {...seen} />}
      <Footer {...seen} />
    </Box>
  );
}

function isEmpty({ lanes, hooks }: Board): boolean {
  return hooks.length === 0 && lanes.every(({ cards }) => cards.length === 0);
}

/** Side by side, each as wide as the others; else in one column, without the empty ones. */
function Lanes({ board, layout, selected, columns, now, paint }: Seen): ReactNode {
  const stacks: (readonly Lane[])[] = layout.isStacked
    ? [board.lanes.filter(({ cards }) => cards.length > 0)]
    : board.lanes.map((lane) => [lane]);
  const width = Math.floor(columns / stacks.length);
  return stacks.map((lanes, column) => (
    <LanesColumn
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

function Slots({ board: { slots }, layout, now, paint }: Seen): ReactNode {
  const lines = slots.flatMap((slot, index) => {
    const [head, tail] = slotLines(slot, index, now);
    return layout.isWide ? [`  ${head}, ${tail}`] : [`  ${head}`, `    ${tail}`];
  });
  return (
    <Box flexDirection="column" height={layout.slotRows}>
      <Lines
        lines={[paint('bold', headingOf(SLOTS_HEADING, slots.length)), ...lines].slice(0, layout.slotRows)}
      />
    </Box>
  );
}

function Hooks({ board: { hooks }, layout, selected, columns, paint }: Seen): ReactNode {
  const room = layout.hookRows - 1;
  const heights = hooks.map(() => 1);
  const { from, to } = pageOf(heights, selected ? hooks.indexOf(selected) : -1, room);
  return (
    <Box flexDirection="column" height={layout.hookRows}>
      <Text wrap="truncate-end">{paint('bold', headingOf(HOOKS_HEADING, hooks.length))}</Text>
      {hooks.slice(from, to).map((card) => (
        <Box key={`${card.kind} ${card.id}`}>
          <Box width={Math.floor(columns * 0.4)} flexShrink={0} paddingRight={1}>
            <Text wrap="truncate-end">
              {card === selected ? paint('bold', `> ${card.name}`) : `  ${card.name}`}
            </Text>
          </Box>
          <Text wrap="truncate-end">{`(${card.at}) ${card.standing}`}</Text>
        </Box>
      ))}
    </Box>
  );
}

function Footer({ view: { mode, notice }, paint }: Seen): ReactNode {
  const text =
    mode.kind === 'asking'
      ? paint('yellow', `Cancel ${fit(mode.task)}? y/n`)
      : (notice ?? paint('dim', 'hjkl/arrows move | enter feedback | c cancel | q quit'));
  return <Text wrap="truncate-end">{text}</Text>;
}
