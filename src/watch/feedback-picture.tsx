import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from './lines.tsx';
import { feedbackRows, type Seen } from './view.ts';

/** What a loop was told last, over the whole screen. */
export function FeedbackPicture({ view, selected, feedback, columns, rows, paint }: Seen): ReactNode {
  const page = feedbackRows(rows);
  const wanted = view.mode.kind === 'feedback' ? view.mode.top : 0;
  // There may be less of it by now.
  const top = Math.max(0, Math.min(wanted, feedback.length - page));
  const seen = feedback.slice(top, top + page);
  const title = [selected?.name, selected?.at].filter((part) => part).join(' ');
  const where = feedback.length > page ? ` (${top + 1}-${top + seen.length} of ${feedback.length})` : '';
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text wrap="truncate-end">{paint('bold', `${title}: last feedback`)}</Text>
      <Box flexDirection="column" height={page} overflow="hidden">
        <Lines lines={seen} />
      </Box>
      <Text wrap="truncate-end">{paint('dim', `esc back | jk/arrows scroll | q quit${where}`)}</Text>
    </Box>
  );
}
