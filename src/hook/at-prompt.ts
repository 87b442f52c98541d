import type { Answer } from '../hosts/types.ts';
import { unseenBlockMessage } from '../messages/person.ts';
import { leaveNotice, takeNotices } from '../state/notices.ts';

// What a stop has for the person, on a host that shows it at the next prompt only.

export function leaveForPrompt(answer: Answer, root: string | undefined): void {
  if (answer.decision === 'ignore' || root === undefined) return;
  const notes = answer.decision === 'block' ? [unseenBlockMessage(answer.reason)] : [];
  for (const note of [...notes, answer.toPerson ?? ''])
    if (note !== '') leaveNotice(root, note.replaceAll('\n', ' '));
}

export function takeForPrompt(root: string): string | undefined {
  const notices = takeNotices(root);
  return notices.length > 0 ? notices.join('\n') : undefined;
}
