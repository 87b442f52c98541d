import type { PromptProblem } from '../../state/prompt-step.ts';

/** Columns that are shown of a line; with what a door puts before it, it still fits into a terminal of 80. */
const WIDTH = 72;
/** As `proseLines` counts them. */
const LINE_END = /\r\n?|\n/;
const CONTROL = /\p{Cc}/gu;
/** Joiners, and what turns the direction of the text around. */
const INVISIBLE = /\p{Cf}/gu;
/** Chinese, Japanese and Korean signs and emoji take two columns. */
const WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60\uFFE0-\uFFE6]/u;

/**
 * The line of a prompt that a problem is in, cut to about 72 columns around the place, and a `^` below the place.
 * Control characters are replaced, so that a terminal can show it.
 *
 * @param text the whole prompt that the problem was found in
 */
export function markProblem(text: string, { line, column }: PromptProblem): string {
  const whole = text.split(LINE_END)[line - 1] ?? '';
  const before = shown(whole.slice(0, column - 1));
  const behind = shown(whole.slice(column - 1));
  const leftWidth = WIDTH - Math.min(widthOf(fitting(behind, WIDTH)), WIDTH / 2);
  const left = fitting(before.toReversed(), leftWidth).toReversed();
  const right = fitting(behind, WIDTH - widthOf(left));
  const cutLeft = left.length < before.length ? '…' : '';
  const cutRight = right.length < behind.length ? '…' : '';
  const excerpt = [cutLeft, ...left, ...right, cutRight].join('');
  return `${excerpt}\n${' '.repeat(widthOf([cutLeft, ...left]))}^`;
}

/** The signs of a text as a terminal may print them. */
function shown(text: string): string[] {
  return [
    ...text
      .replace(INVISIBLE, '')
      .replace(CONTROL, (sign) => (sign === '\t' ? ' ' : '\uFFFD'))
      .toWellFormed(),
  ];
}

/** As many of the signs, from the first on, as these columns hold. */
function fitting(signs: readonly string[], columns: number): string[] {
  let width = 0;
  const end = signs.findIndex((sign) => {
    width += widthOf([sign]);
    return width > columns;
  });
  return signs.slice(0, end === -1 ? signs.length : end);
}

function widthOf(signs: readonly string[]): number {
  return signs.reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : /^\p{M}?$/u.test(sign) ? 0 : 1), 0);
}
