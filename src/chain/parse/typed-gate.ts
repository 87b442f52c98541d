import type { GateAction, VerifyGate } from '../../state/prompt-step.ts';

/** A gate as it was typed, before it is known which step it belongs to. */
export type TypedGate =
  | { readonly kind: 'verify'; readonly gate: VerifyGate }
  | { readonly kind: 'criterion'; readonly name: string | undefined; readonly text: string }
  | { readonly kind: 'action'; readonly action: GateAction };

/** Something wrong in a line, at an index of it. */
export interface Flaw {
  readonly at: number;
  readonly message: string;
}

/** What was read at a `::`. */
export interface GateReading {
  /** Undefined where it has a flaw. */
  readonly gate: TypedGate | undefined;
  /** The index in the line behind all that belongs to the gate. */
  readonly end: number;
  readonly flaws: readonly Flaw[];
}
