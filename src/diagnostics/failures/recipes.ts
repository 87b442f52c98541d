/** What make prints: its commands, as it runs them, and how they end. */

import { SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { type Line, placesOf, type StoredFailure } from './failure.ts';

/** Where make goes on after a target that could not be made. */
export const TARGET_FAILED = /^g?make: \*\*\* \[.+\] Error \d+/;
/** A command that passes whatever it finds. */
const CANNOT_FAIL = / --exit-zero\b| \|\| (?:true|:|echo\b.*)$/;
/** A command failed that may. */
const IGNORED = /^g?make: \[.+\] Error \d+ \(ignored\)$/;
/** Where make calls itself, or commands at the same time, their lines are mixed. */
const IS_MIXED = /^g?make(?:\[\d+\]: |: \*\*\* Waiting for unfinished jobs)/;
/**
 * A command as make prints it, with an option or a path, no value and no place; a sentence ends, or has a colon, and progress
 * has dots. What begins with a word of the shell may be source that a linter quotes.
 */
const COMMAND =
  /^(?!(?:while|until|for|if|case|return) |.*(?:: |\.{3} |:\d+:\d)|\S+ = )(?:\w+=\S* )*(?:\.{0,2}\/)?[a-z][\w./+-]*(?=.* (?:-{1,2}[A-Za-z]|\S*\/)) .*[^.:;!?,]$/;

export function isRecipe(text: string): boolean {
  return COMMAND.test(text) && !isFrame(text);
}

export function isMixed(lines: readonly Line[]): boolean {
  return lines.some(({ text }) => IS_MIXED.test(text));
}

/** The positions of commands that make did not end with, and of what they have printed. */
interface EndedRecipes {
  /** They have passed: nothing is wrong there, and another command that failed was run after them. */
  readonly passed: ReadonlySet<number>;
  /** They may fail. */
  readonly ignored: ReadonlySet<number>;
}

/** @param failures of the output, warnings among them */
export function endedRecipesIn(lines: readonly Line[], failures: readonly StoredFailure[]): EndedRecipes {
  const [passed, ignored] = [new Set<number>(), new Set<number>()];
  if (!lines.some(({ text }) => TARGET_FAILED.test(text)) || isMixed(lines)) return { passed, ignored };
  const wrong = failures.filter(({ severity }) => severity > SEVERITY.warning);
  const isEnd = ({ block }: StoredFailure) => TARGET_FAILED.test(block.headline.text);
  // What make says of a target has lines of all its commands.
  const faults = placesOf(wrong.filter((stored) => !isEnd(stored)));
  const recipes = recipesIn(lines);
  const isLast = (recipe: readonly Line[]) => recipe.some(({ text }) => TARGET_FAILED.test(text));
  // What make says may be read late: below the output of the command that failed.
  for (const recipe of recipes.filter((recipe) => !isLast(recipe))) {
    const cannotFail = CANNOT_FAIL.test(recipe[0]?.text ?? '');
    const end = cannotFail ? recipe.length : recipe.findIndex(({ text }) => IGNORED.test(text));
    for (const { at } of recipe.slice(0, end + 1)) ignored.add(at);
  }
  // A command may have the word for a failure among its options.
  const hasFault = ([, ...printed]: readonly Line[]) =>
    printed.some(({ at }) => faults.has(at) && !ignored.has(at));
  const lastWrong = recipes.findLastIndex((recipe) => hasFault(recipe) || isLast(recipe));
  for (const recipe of recipes.slice(0, Math.max(0, lastWrong)))
    if (!hasFault(recipe)) for (const { at } of recipe) passed.add(at);
  return { passed, ignored };
}

/** What a rule says before a command that make does not print. */
const TITLE = /^={2,}>? (?![A-Z]+ )[A-Za-z]/;

/** The lines of each command, from the command, or its title, on; what is above the first one is none. */
function recipesIn(lines: readonly Line[]): Line[][] {
  const isTitle = (line: Line | undefined) => line !== undefined && TITLE.test(line.text);
  const starts = lines.flatMap((line, index) =>
    isTitle(line) || (isRecipe(line.text) && !isTitle(lines[index - 1])) ? index : [],
  );
  return starts.map((start, index) => lines.slice(start, starts[index + 1]));
}
