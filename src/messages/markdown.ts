import { oneLine, printable } from '../base/text.ts';

// Text of projects and agents in Markdown. All of it is in code, where no host looks for mentions, references, links,
// images or HTML.

/** A text on one line as a code span. */
export function codeSpan(text: string, maxCharacters = 200): string {
  const line = oneLine(text, maxCharacters) || ' ';
  const fence = '`'.repeat(longestRun(line) + 1);
  // A blank on both sides is removed where the text is shown.
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** The lines of a text as a code block. */
export function codeBlock(text: string): string[] {
  const shown = printable(text).replace(/\r/g, '').toWellFormed();
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return [`${fence}text`, ...shown.split('\n'), fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
