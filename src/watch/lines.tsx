import { Text } from 'ink';
import type { ReactNode } from 'react';

/** Texts, each on a line of its own, cut where it is too long. */
export function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return lines.map((line, row) => (
    // An empty text would have no height. Lines are told apart by where they stand: some are alike.
    <Text key={`${row + 1}`} wrap="truncate-end">
      {line || ' '}
    </Text>
  ));
}
