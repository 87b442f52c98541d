/** The results of Ansible: that of a task on each host, and the values behind it. */

import type { Line } from './failure.ts';

const RESULT = /^(?:(?:ok|changed|skipping)|(fatal|failed)): \[[^\]]+\]/;
/** Its values, each on a line. */
const VALUES = /^(?:\s|\}$)/;
/** Below an error that a task may have. */
const IGNORED = '...ignoring';

/** The positions of the results that are no failure. @param all the lines of an output */
export function passedOnHostsIn(all: readonly Line[]): ReadonlySet<number> {
  const passed = new Set<number>();
  let failed: Line[] | undefined;
  let isPassed = false;
  for (const line of all) {
    const result = RESULT.exec(line.text);
    const isIgnored = line.text === IGNORED;
    if (result) [isPassed, failed] = result[1] === undefined ? [true, undefined] : [false, []];
    else if (isIgnored) for (const { at } of failed ?? []) passed.add(at);
    else if (!VALUES.test(line.text)) [isPassed, failed] = [false, undefined];
    failed?.push(line);
    if (isPassed || isIgnored) passed.add(line.at);
  }
  return passed;
}
