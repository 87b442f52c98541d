import type { Line } from './failure.ts';

/** Headings that one failure is told with: the suite, the file. */
const MAX_HEADINGS = 3;
/** A heading further up is that of something else. */
const REACH_LINES = 600;

/** The headings that the next line stands under. */
export class Headings {
  /** By their indentation, outermost first. */
  readonly #open: { readonly indent: number; readonly line: Line }[] = [];
  #section: Line | undefined;

  push(line: Line, indent: number): void {
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
    this.#open.push({ indent, line });
  }

  /** @param title undefined where there is none: then the section goes on */
  startSection(title: Line | undefined): void {
    if (title) this.#section = title;
    this.#open.length = 0;
  }

  /** The section and the nearest headings of what starts at a line, in order of arrival. */
  above(indent: number, { at }: Line): Line[] {
    if (this.#open.length === 0 && !this.#section) return [];
    const isNear = (line: Line) => line.at < at && at - line.at < REACH_LINES;
    const headings = this.#open.filter((heading) => heading.indent < indent).map(({ line }) => line);
    const section = this.#section === undefined || headings.includes(this.#section) ? [] : [this.#section];
    return [...section, ...headings.slice(-MAX_HEADINGS)].filter(isNear).toSorted((a, b) => a.at - b.at);
  }
}
