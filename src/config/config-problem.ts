import { closestMatch } from 'leven';

/** One thing that is wrong in a config file. Lines and columns count from 1. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  /** What was found, what is expected, and the nearest valid key. */
  readonly message: string;
}

/** `worktree.yaml:3:5: found …, expected …`, the form that editors and terminals link. */
export function formatProblem(file: string, { line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** What a line means that is not valid YAML is a guess: only the YAML is complained of there. */
export function joinProblems(
  ofYaml: readonly ConfigProblem[],
  found: readonly ConfigProblem[],
): ConfigProblem[] {
  return [...ofYaml, ...found.filter(({ line }) => !ofYaml.some((problem) => problem.line === line))];
}

/** The key that was probably meant, as the end of a message: `; did you mean "timeout"?`, or nothing. */
export function didYouMean(word: string, keys: readonly string[]): string {
  const nearest = nearestKey(word, keys);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** The key within a third of the word's length in edits (upper and lower case are one), if there is one. */
export function nearestKey(word: string, keys: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  return closestMatch(typed, keys, { maxDistance }) ?? keys.find((key) => isSwapped(typed, key));
}

/** Whether two neighbouring letters changed places: the commonest typo, and two edits by leven's count. */
function isSwapped(word: string, key: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== key[index]);
  const swapped = word.slice(0, first) + word[first + 1] + word[first] + word.slice(first + 2);
  return first !== -1 && swapped === key;
}
