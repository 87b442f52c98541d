import type { ParsedPrompt, PromptProblem } from '../../state/prompt-step.ts';
import { buildStep } from './build-step.ts';
import { findMarks, type Mark } from './find-marks.ts';
import { mayHaveGates } from './may-have-gates.ts';
import { splitSteps, type TypedStep } from './split-steps.ts';

/** What a project has written down for prompts to name. */
export interface PromptLibrary {
  /** What `>>name` stands for; undefined where there is no such template. */
  template(name: string): string | undefined;
  /** What the work is reviewed against for `:: name`; undefined where there is no such criterion. */
  criterion(name: string): string | undefined;
}

/**
 * Reads the gates that a person typed into a prompt. Nothing is run, and what the project has is read by the library
 * alone.
 *
 * @returns undefined where there are none: an ordinary prompt, which stays untouched, `>>name` included. Where anything
 *   is wrong, all problems in their order, and nothing may be started.
 */
export function parsePrompt(
  text: string,
  library: PromptLibrary,
): ParsedPrompt | { problems: readonly PromptProblem[] } | undefined {
  if (!mayHaveGates(text)) return undefined;
  const marks = findMarks(text, (name) => library.criterion(name));
  return marks.some(({ what }) => what.kind !== 'arrow') ? stepsOf(text, marks, library) : undefined;
}

/** Reads a prompt as `parsePrompt` does, and renders its templates also where there are no gates. */
export function renderSteps(
  text: string,
  library: PromptLibrary,
): ParsedPrompt | { problems: readonly PromptProblem[] } {
  return stepsOf(
    text,
    findMarks(text, (name) => library.criterion(name)),
    library,
  );
}

function stepsOf(
  text: string,
  marks: readonly Mark[],
  library: PromptLibrary,
): ParsedPrompt | { problems: readonly PromptProblem[] } {
  const typed = splitSteps(text, marks).filter((step) => !isNothing(step));
  const built = typed.map((step) => buildStep(step, (name) => library.template(name)));
  const actions = marks.filter(({ what }) => what.kind === 'action');
  const again = 'found "gate_action" again, expected it once';
  const problems = [
    ...marks.flatMap((mark) => mark.problems),
    ...built.flatMap((step) => step.problems),
    ...actions.slice(1).map(({ line, column }) => ({ line, column, message: again })),
  ];
  if (problems.length > 0)
    return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  const [first] = actions.map(({ what }) => (what.kind === 'action' ? what.action : undefined));
  return { steps: built.map(({ step }) => step), gateAction: first };
}

/** An answer to a failed gate needs no step, nor does one that could not be read. */
function isNothing({ text, gates, arrow }: TypedStep): boolean {
  const isAnswer = gates.every(({ what }) => what.kind === 'action' || what.kind === 'broken');
  return text === '' && arrow === undefined && isAnswer;
}
