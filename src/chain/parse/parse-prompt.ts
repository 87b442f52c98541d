import { type Result, success } from '../../base/result.ts';
import type { CriterionGate, GateAction, PromptStep } from '../../state/chain.ts';
import { mayHaveGates } from '../../state/chain-location.ts';
import { findMarks, type Mark } from './marks.ts';
import type { PromptProblem } from './problems.ts';
import { type PromptLibrary, renderTemplate, TEMPLATE_CALL } from './templates.ts';

export interface ParsedPrompt {
  /** In order; empty if nothing but a gate action was typed. */
  readonly steps: readonly PromptStep[];
  readonly gateAction: GateAction | undefined;
}

/** The prompt, or all its problems in order: then nothing may be started. */
type PromptResult = Result<ParsedPrompt, readonly PromptProblem[]>;

/**
 * Reads the gates that a person typed into a prompt. It runs nothing and reads files only through the library.
 *
 * @returns undefined for a prompt without gates, whose `>>name` is not rendered either
 */
export function parsePrompt(text: string, library: PromptLibrary): PromptResult | undefined {
  if (!mayHaveGates(text)) return undefined;
  const marks = findMarks(text, library.criterion);
  return marks.some(({ what }) => what.kind !== 'arrow') ? parseMarked(text, marks, library) : undefined;
}

/** Like `parsePrompt`, but also renders the templates of a prompt without gates. */
export function renderSteps(text: string, library: PromptLibrary): PromptResult {
  return parseMarked(text, findMarks(text, library.criterion), library);
}

function parseMarked(text: string, marks: readonly Mark[], library: PromptLibrary): PromptResult {
  const typed = splitSteps(text, marks).filter((step) => !isEmpty(step));
  const built = typed.map((step) => buildStep(step, library));
  const actions = marks.filter(({ what }) => what.kind === 'action');
  const again = 'found "gate_action" again, expected it once';
  const problems = [
    ...marks.flatMap((mark) => mark.problems),
    ...built.flatMap((step) => step.problems),
    ...actions.slice(1).map(({ line, column }) => ({ line, column, message: again })),
  ];
  if (problems.length > 0)
    return { ok: false, failure: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  const [gateAction] = actions.map(({ what }) => (what.kind === 'action' ? what.action : undefined));
  return success({ steps: built.map(({ step }) => step), gateAction });
}

/** A step as it was typed. */
interface TypedStep {
  /** Without the gates, trimmed. */
  readonly text: string;
  readonly gates: readonly Mark[];
  /** The arrow after the step, or before the last one. */
  readonly arrow: Mark | undefined;
}

/** A gate action needs no step, nor does a broken gate. */
function isEmpty({ text, gates, arrow }: TypedStep): boolean {
  const needsNone = gates.every(({ what }) => what.kind === 'action' || what.kind === 'broken');
  return text === '' && arrow === undefined && needsNone;
}

/** Splits a prompt at its arrows and removes the gates from the text. */
function splitSteps(prompt: string, marks: readonly Mark[]): TypedStep[] {
  const steps: TypedStep[] = [];
  let pieces: string[] = [];
  let gates: Mark[] = [];
  let arrow: Mark | undefined;
  let from = 0;
  for (const mark of withoutArrowsOfProse(prompt, marks)) {
    pieces.push(prompt.slice(from, mark.start).trimEnd());
    from = mark.end;
    if (mark.what.kind !== 'arrow') {
      gates.push(mark);
      continue;
    }
    arrow = mark;
    steps.push({ text: pieces.join('').trim(), gates, arrow });
    pieces = [];
    gates = [];
  }
  pieces.push(prompt.slice(from));
  return [...steps, { text: pieces.join('').trim(), gates, arrow }];
}

/**
 * Prompts contain many arrows: `open settings --> click save`, a compiler's `--> src/main.rs:4:5`, an HTML comment. An
 * arrow separates steps if it follows a gate, comes before a `>>name`, or is the first one after a `>>name` in its line.
 */
function withoutArrowsOfProse(prompt: string, marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = [];
  let textStart = 0;
  let call = endOfCall(prompt, textStart);
  for (const [index, mark] of marks.entries()) {
    const isArrow = mark.what.kind === 'arrow';
    const isInCallLine = isArrow && call !== undefined && !/[\r\n]/.test(prompt.slice(call, mark.start));
    if (isArrow && !isInCallLine && !isBesideStep(prompt, mark, marks[index - 1])) {
      call = undefined;
      continue;
    }
    kept.push(mark);
    // Gates may come before the text of their step.
    if (!isArrow && !isBlank(prompt.slice(textStart, mark.start))) continue;
    textStart = mark.end;
    call = endOfCall(prompt, textStart);
  }
  return kept;
}

function isBesideStep(prompt: string, arrow: Mark, before: Mark | undefined): boolean {
  const isAfterGate =
    before !== undefined && before.what.kind !== 'arrow' && isBlank(prompt.slice(before.end, arrow.start));
  return isAfterGate || endOfCall(prompt, arrow.end) !== undefined;
}

/** Index after the `>>name` at the beginning of a step; undefined if it begins otherwise. */
function endOfCall(prompt: string, stepStart: number): number | undefined {
  const [call] = TEMPLATE_CALL.exec(prompt.slice(stepStart)) ?? [];
  return call === undefined ? undefined : stepStart + call.length;
}

const isBlank = (text: string) => !/\S/.test(text);

/** Renders the template of a typed step, and names the criteria without a name. */
function buildStep(
  typed: TypedStep,
  { template }: PromptLibrary,
): { step: PromptStep; problems: readonly PromptProblem[] } {
  const text = renderTemplate(typed.text, template);
  const verify = typed.gates.flatMap(({ what }) => (what.kind === 'verify' ? [what.gate] : []));
  const { criteria, problems } = namedCriteria(typed.gates);
  return {
    step: { text, verify, criteria },
    problems: text === '' ? [noTask(typed), ...problems] : problems,
  };
}

function noTask({ gates: [gate], arrow }: TypedStep): PromptProblem {
  const { line, column } = arrow ?? gate ?? { line: 1, column: 1 };
  const found = arrow ? 'a step' : 'a gate';
  return { line, column, message: `found ${found} without a task, expected what the agent should do` };
}

/** Criteria without a name become `criterion-1` and so on; names that were typed are left out. */
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
