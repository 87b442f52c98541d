import type { PromptProblem } from '../../state/prompt-step.ts';
import { markProblem } from './mark-problem.ts';

/** Whoever pastes a log has thousands. */
const MAX_PROBLEMS = 10;

/** What is wrong in a prompt, each of the first problems with its place. */
export function problemsText(text: string, problems: readonly PromptProblem[]): string {
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => `${problem.line}:${problem.column}: ${problem.message}\n${markProblem(text, problem)}`);
  if (problems.length > MAX_PROBLEMS) told.push(`and ${problems.length - MAX_PROBLEMS} more`);
  return told.join('\n');
}
