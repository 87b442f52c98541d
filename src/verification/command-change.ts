import { compareCommands } from '../integrity/config/commands.ts';

/** How a command differs from what it was. */
export type CommandChange =
  | 'same'
  /** It does the same, and something else before or after it. */
  | 'more'
  /** It does nothing, or its failure is not its result any more. */
  | 'weaker'
  | 'other';

const DOES_NOTHING = /^(?:(?:\/(?:usr\/)?bin\/)?true|:|exit(?: 0)?|(?:echo|printf)\b[^|&;]*)?$/;
/** What may skip the rest of a command, or undo its result. */
const CONTROLS = /\b(?:exit|exec|if|for|while|until|case|return|trap)\b|[|;!`\n]|\$\(|(?<!&)&(?!&)/;

/**
 * Compares two texts of a shell command.
 *
 * @param after undefined if there is none any more
 */
export function commandChange(before: string, after: string | undefined): CommandChange {
  const [old, present] = [inOneForm(before), inOneForm(after ?? '')];
  if (old === present) return 'same';
  if (DOES_NOTHING.test(present)) return 'weaker';
  if (compareCommands(old, present).verdict === 'weaker') return 'weaker';
  const at = old === '' ? -1 : present.indexOf(old);
  if (at === -1) return 'other';
  const [start, end] = [present.slice(0, at), present.slice(at + old.length)];
  // A word that goes on: `test` and `test:unit`.
  if (/[^\s(&|;]$/.test(start) || /^[^\s)&|;]/.test(end)) return 'other';
  if (CONTROLS.test(start) || /^\s*(?:[|;]|&(?!&))/.test(end)) return 'weaker';
  const isJoined = (start === '' || /&&\s*$/.test(start)) && (end === '' || /^\s*&&/.test(end));
  return isJoined && !CONTROLS.test(end) ? 'more' : 'other';
}

function inOneForm(text: string): string {
  return text
    .trim()
    .replaceAll(/\\\r?\n/g, ' ')
    .replaceAll(/[^\S\n]+/g, ' ');
}
