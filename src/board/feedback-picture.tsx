import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Paint } from '../feedback/paint.ts';
import type { Card } from './board.ts';

interface Props {
  readonly card: Card;
  readonly lines: readonly string[];
  /** Index of the first line that is to be seen. */
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
}

/** What a loop was told last, over the whole screen. */
export function FeedbackPicture({ card, lines, top, columns, rows, paint }: Props): ReactNode {
  const { name, at } = card;
  const page = rows - 2;
  const seen = lines.slice(top, top + page);
  const where = lines.length > page ? ` (${top + 1}-${top + seen.length} of ${lines.length})` : '';
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text wrap="truncate-end">{paint('bold', `${name}${at === null ? '' : ` ${at}`}: last feedback`)}</Text>
      <Box flexDirection="column" height={page} overflow="hidden">
        {/* A line without anything would have no height. */}
        {seen.map((line, index) => (
          <Text key={top + index} wrap="truncate-end">
            {line || ' '}
          </Text>
        ))}
      </Box>
      <Text wrap="truncate-end">{paint('dim', `esc back | jk/arrows scroll | q quit${where}`)}</Text>
    </Box>
  );
}
