import type { Mark } from './find-marks.ts';
import { TEMPLATE_CALL } from './render-template.ts';

/** A step as it was typed. */
export interface TypedStep {
  /** Without the gates, and without blanks around it. */
  readonly text: string;
  readonly gates: readonly Mark[];
  /** The arrow that ends it, or that begins it where it is the last of several. */
  readonly arrow: Mark | undefined;
}

/** Cuts a prompt at its arrows, and its gates out of the text. */
export function splitSteps(prompt: string, marks: readonly Mark[]): TypedStep[] {
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
 * Prompts are full of arrows: `open settings --> click save`, a compiler's `--> src/main.rs:4:5`, an HTML comment. One
 * stands between steps where it follows a gate, comes before a `>>name`, or is the first behind one in its line.
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
  const isBehindGate =
    before !== undefined && before.what.kind !== 'arrow' && isBlank(prompt.slice(before.end, arrow.start));
  return isBehindGate || endOfCall(prompt, arrow.end) !== undefined;
}

/** The index behind the `>>name` that a step begins with; undefined where it begins with something else. */
function endOfCall(prompt: string, stepStart: number): number | undefined {
  const [call] = TEMPLATE_CALL.exec(prompt.slice(stepStart)) ?? [];
  return call === undefined ? undefined : stepStart + call.length;
}

const isBlank = (text: string) => !/\S/.test(text);
