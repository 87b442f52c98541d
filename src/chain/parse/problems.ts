/** A problem in a prompt. Lines and columns count from 1, columns in UTF-16 units, as in editors. */
export interface PromptProblem {
  readonly line: number;
  readonly column: number;
  /** What was found, what is expected, and the nearest valid word. */
  readonly message: string;
}

/** A pasted log may have thousands. */
const MAX_PROBLEMS = 10;

/** The first problems of a prompt, each with an excerpt of its line. */
export function problemsText(text: string, problems: readonly PromptProblem[]): string {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => `${problem.line}:${problem.column}: ${problem.message}\n${markProblem(text, problem)}`);
  if (problems.length > MAX_PROBLEMS) shown.push(`and ${problems.length - MAX_PROBLEMS} more`);
  return shown.join('\n');
}

/** Columns of an excerpt; with the prefix that some hosts add, it fits into a terminal of 80. */
const WIDTH = 72;
/** The same line ends as in `proseLines`. */
const LINE_END = /\r\n?|\n/;
const CONTROL = /\p{Cc}/gu;
/** Joiners, and characters that change the direction of the text. */
const INVISIBLE = /\p{Cf}/gu;
/** Chinese, Japanese and Korean characters and emoji take two columns. */
const WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60\uFFE0-\uFFE6]/u;

/**
 * The line of a problem, cut to about 72 columns around its place, and a `^` below the place. Control characters are
 * replaced, so that it is safe to print.
 *
 * @param text the whole prompt
 */
export function markProblem(text: string, { line, column }: PromptProblem): string {
  const whole = text.split(LINE_END)[line - 1] ?? '';
  const before = printable(whole.slice(0, column - 1));
  const behind = printable(whole.slice(column - 1));
  const leftWidth = WIDTH - Math.min(widthOf(fitting(behind, WIDTH)), WIDTH / 2);
  const left = fitting(before.toReversed(), leftWidth).toReversed();
  const right = fitting(behind, WIDTH - widthOf(left));
  const cutLeft = left.length < before.length ? '…' : '';
  const cutRight = right.length < behind.length ? '…' : '';
  const excerpt = [cutLeft, ...left, ...right, cutRight].join('');
  return `${excerpt}\n${' '.repeat(widthOf([cutLeft, ...left]))}^`;
}

/** The characters of a text, without those that a terminal would obey. */
function printable(text: string): string[] {
  return [
    ...text
      .replace(INVISIBLE, '')
      .replace(CONTROL, (character) => (character === '\t' ? ' ' : '\uFFFD'))
      .toWellFormed(),
  ];
}

/** The first characters that fit into a number of columns. */
function fitting(characters: readonly string[], columns: number): string[] {
  let width = 0;
  const end = characters.findIndex((character) => {
    width += widthOf([character]);
    return width > columns;
  });
  return characters.slice(0, end === -1 ? characters.length : end);
}

function widthOf(characters: readonly string[]): number {
  return characters.reduce(
    (sum, character) => sum + (WIDE.test(character) ? 2 : /^\p{M}?$/u.test(character) ? 0 : 1),
    0,
  );
}
