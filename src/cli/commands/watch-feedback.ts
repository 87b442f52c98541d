import { cleanLine } from '../../diagnostics/line-text.ts';
import type { Paint } from '../../messages/paint.ts';
import { rememberedLines } from '../../messages/remembered-lines.ts';
import { wrapped } from '../../messages/report.ts';
import { maskText } from '../../process/mask-text.ts';
import { secretsIn } from '../../process/secrets.ts';
import { readAgentRun } from '../../state/agent-run-file.ts';
import { allFailures } from '../../state/failures.ts';
import type { Card } from '../../watch/board.ts';

interface Look {
  /** Absolute directory that the person is in: log paths are given from there. */
  readonly from: string;
  readonly now: Date;
  readonly paint: Paint;
  readonly columns: number;
}

/** What the agent was told last of what a card stands for, as `why` shows it. */
export function feedbackLines(root: string, card: Card, look: Look): string[] {
  const lines = card.kind === 'task' ? promiseFeedback(root, card.id, look) : stopFeedback(root, card, look);
  return lines.length > 0 ? lines : ['Nothing was said yet.'];
}

function promiseFeedback(root: string, task: string, { columns }: Look): string[] {
  const loop = readAgentRun(root, task);
  const text = loop?.feedback ?? loop?.last?.why;
  if (!text) return [];
  return maskText(text, secretsIn(process.env))
    .split('\n')
    .flatMap((line) => wrapped(cleanLine(line), columns));
}

function stopFeedback(root: string, { kind, id }: Card, look: Look): string[] {
  const key = kind === 'chain' ? `chain:${id}` : id;
  const memory = allFailures(root).find(({ task }) => task === key);
  return memory ? rememberedLines(memory.gates, memory, look) : [];
}
