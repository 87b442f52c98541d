import type { CriterionGate, PromptProblem, PromptStep } from '../../state/prompt-step.ts';
import type { Mark } from './find-marks.ts';
import { renderTemplate } from './render-template.ts';
import type { TypedStep } from './split-steps.ts';

/**
 * Makes a step of what was typed: renders its template, names the criteria that have no name.
 *
 * @param template the text that the project has below a name
 */
export function buildStep(
  typed: TypedStep,
  template: (name: string) => string | undefined,
): { step: PromptStep; problems: readonly PromptProblem[] } {
  const text = renderTemplate(typed.text, template);
  const verify = typed.gates.flatMap(({ what }) => (what.kind === 'verify' ? [what.gate] : []));
  const { criteria, problems } = namedCriteria(typed.gates);
  return {
    step: { text, verify, criteria },
    problems: text === '' ? [nothingToDo(typed), ...problems] : problems,
  };
}

function nothingToDo({ gates: [gate], arrow }: TypedStep): PromptProblem {
  const { line, column } = arrow ?? gate ?? { line: 1, column: 1 };
  const found = arrow ? 'a step' : 'a gate';
  return { line, column, message: `found ${found} without anything to do, expected what the agent shall do` };
}

/** Those without a name are `criterion-1` and so on, in the gaps that the typed names leave. */
function namedCriteria(gates: readonly Mark[]): { criteria: CriterionGate[]; problems: PromptProblem[] } {
  const typed = new Set<string>();
  const problems: PromptProblem[] = [];
  for (const { what, line, column } of gates) {
    if (what.kind !== 'criterion' || what.name === undefined) continue;
    const message = `found the criterion "${what.name}" again, expected it once in a step`;
    if (typed.has(what.name)) problems.push({ line, column, message });
    typed.add(what.name);
  }
  const free = freeNames(typed);
  const criteria = gates.flatMap(({ what }) =>
    what.kind === 'criterion' ? [{ name: what.name ?? free.next().value, text: what.text }] : [],
  );
  return { criteria, problems };
}

function* freeNames(taken: ReadonlySet<string>): Generator<string, never> {
  for (let count = 1; ; count++) if (!taken.has(`criterion-${count}`)) yield `criterion-${count}`;
}
