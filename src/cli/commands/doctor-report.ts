import { oneLine } from '../../base/text.ts';
import type { Paint, Style } from '../../messages/paint.ts';
import type { Finding } from '../../setup/check-project.ts';

const MARKS: Readonly<Record<Finding['level'], { readonly mark: string; readonly style: Style }>> = {
  ok: { mark: '✓', style: 'green' },
  warning: { mark: '!', style: 'yellow' },
  error: { mark: '✗', style: 'red' },
};

/** More than any sentence of ours has, with a command in it. */
const MAX_CHARACTERS = 1000;

/** The findings below what they are about, each with its mend. */
export function findingLines(findings: readonly Finding[], paint: Paint): string[] {
  const subjects = [...new Set(findings.map(({ about }) => about))];
  const lines = subjects.flatMap((subject) => [
    paint('bold', subject),
    ...findings.filter(({ about }) => about === subject).flatMap((finding) => linesOf(finding, paint)),
  ]);
  return [...lines, '', verdictOf(findings)];
}

function linesOf({ level, what, fix: mend }: Finding, paint: Paint): string[] {
  const { mark, style } = MARKS[level];
  // A gate without a name is called by its command, which may be a script.
  const said = `  ${paint(style, mark)} ${oneLine(what, MAX_CHARACTERS)}`;
  return [said, ...(mend === undefined ? [] : [`    → ${oneLine(mend, MAX_CHARACTERS)}`])];
}

function verdictOf(findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors === 0) return 'Nothing keeps the hook from working.';
  return `${errors === 1 ? 'One thing keeps' : `${errors} things keep`} the hook from working.`;
}
