/** What is only quoted: between quotation marks, or struck out. An apostrophe in a word is no quotation mark. */
const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»|~~[^~]*~~|(?<!\w)'[^']{1,200}'(?!\w)/g;
const EMPHASIS = /\*+|__+/g;

/** A line of prose with its own words only: without inline code, quotations and emphasis. */
export function plainProse(line: string): string {
  return withoutCode(line).replace(/[‘’]/g, "'").replace(QUOTED, ' … ').replace(EMPHASIS, '');
}

/** Inline code ends at the next run of as many backticks; where there is none, the backticks stand for themselves. */
function withoutCode(line: string): string {
  const runs = Array.from(line.matchAll(/`+/g), ({ 0: { length }, index }) => ({ length, index }));
  const closings = closingsOf(runs.map(({ length }) => length));
  let prose = '';
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const closing = closings[at];
    const [opened, closed] = [runs[at], closing === undefined ? undefined : runs[closing]];
    if (!opened || !closed || closing === undefined) continue;
    prose += `${line.slice(from, opened.index)} … `;
    from = closed.index + closed.length;
    at = closing;
  }
  return prose + line.slice(from);
}

/** For each run of backticks, the index of the next one that is as long. */
function closingsOf(lengths: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>();
  return lengths
    .map((_, back) => {
      const at = lengths.length - 1 - back;
      const length = lengths[at] ?? 0;
      const closing = next.get(length);
      next.set(length, at);
      return closing;
    })
    .toReversed();
}
