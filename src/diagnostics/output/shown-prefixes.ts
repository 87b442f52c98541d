/** Which prefixes an excerpt shows: one that nearly all lines of an output have says nothing. */

import type { Line } from '../failures/failure.ts';
import { classify } from '../lines/classify.ts';
import { taskOf } from '../lines/prefix.ts';

/** The others are of what runs the task: what it began, and how it ended. */
export const MOST_LINES = 0.75;

/** Counts the lines of an output by what is in their prefixes. */
export class PrefixCounts {
  #lines = 0;
  #withTime = 0;
  readonly #ofTask = new Map<string, number>();

  /** @param task that of the channel: one of a limited number */
  add(prefix: string, task: string): void {
    this.#lines++;
    if (prefix.length > taskOf(prefix).length) this.#withTime++;
    if (task !== '') this.#ofTask.set(task, (this.#ofTask.get(task) ?? 0) + 1);
  }

  /** How lines are shown: each with its prefix, as far as that differs from the others, or says that something failed. */
  get shown(): <L extends Line>(line: L) => L {
    const areMost = (lines: number) => lines >= MOST_LINES * this.#lines;
    const hidesTime = areMost(this.#withTime);
    const [hidden] =
      [...this.#ofTask].find(([task, lines]) => areMost(lines) && classify(task) === 'plain') ?? [];
    return (line) => {
      if (line.prefix === undefined || line.text === '') return line;
      const shown = hidesTime ? taskOf(line.prefix) : line.prefix;
      return shown === hidden ? line : { ...line, text: shown + line.text };
    };
  }
}
