import type { Line, StoredFailure } from './failure.ts';
import { SEVERITY } from './rules.ts';

/** Fewer lines may be those that a diff adds. */
const MIN_LINES = 10;
/** Commands right before a failure, or the end, may have caused it. */
const NEAR_LINES = 2;
/** What a shell prints before it runs a command: `+ make`, `++ cat VERSION`. */
const COMMAND = /^\++ \S/;
/** What most scripts do at some point, and no text. */
const OF_SHELL =
  /^\++ (?:\[\[? |\w+=|(?:test|cd|echo|printf|export|set|local|case|for|eval|exec|return|mkdir|rm|cp|mv|trap|source|\.|true|false|:)(?: |$))/;
const REMOVED = /^-+ \S/;

/**
 * Without the commands that a shell has traced (`set -x`), except for those right before a failure, or the end. Where
 * lines were removed too, it is a diff.
 */
export function withoutTrace(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const traced = lines.filter(({ text }) => COMMAND.test(text));
  const isTrace =
    traced.some(({ text }) => OF_SHELL.test(text)) && !lines.some(({ text }) => REMOVED.test(text));
  if (traced.length < MIN_LINES || !isTrace) return [...lines];
  const wrong = new Set(
    failures.filter(({ severity }) => severity > SEVERITY.warning).map(({ block }) => block.headline.at),
  );
  const isNear = (index: number) =>
    index >= lines.length - NEAR_LINES ||
    lines.slice(index, index + NEAR_LINES + 1).some(({ at }) => wrong.has(at));
  return lines.filter(({ text }, index) => !COMMAND.test(text) || isNear(index));
}
