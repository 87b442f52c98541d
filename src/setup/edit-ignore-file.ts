/** All that ralph-loop writes in a project at run time, and the state file that it shares with Trellis. */
const PATTERN = '.trellis/.ralph*';
/** Patterns of others that ignore it too. */
const WIDER = ['.trellis', '.trellis/*', '.trellis/**', '.ralph*', '**/.ralph*'];

/** A .gitignore with the pattern in it; as it is where it ignores the files already. */
export function ignoreState(text: string | undefined): string {
  if (text === undefined) return `${PATTERN}\n`;
  const patterns = text.split(/\r?\n/).map((line) => line.trim().replace(/^\/(?=\.trellis)|\/$/g, ''));
  if ([PATTERN, ...WIDER].some((pattern) => patterns.includes(pattern))) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${PATTERN}${eol}`;
}

/** Without the pattern; undefined where nothing else is left of the file. */
export function stopIgnoringState(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/).filter((line) => line.trim() !== PATTERN);
  return lines.length === 0 ? undefined : lines.join('');
}
