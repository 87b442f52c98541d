/** What a gate checks, from cheap to expensive: the order in which gates are proposed. */
export const KINDS = ['format', 'lint', 'typecheck', 'test', 'build'] as const;

export type GateKind = (typeof KINDS)[number];

/** What an ecosystem would have as a gate. */
export interface Candidate {
  readonly kind: GateKind;
  /** Shell command, run at the root of the project. */
  readonly run: string;
  /** What it was seen in, for a person: `script lint in package.json`. */
  readonly why: string;
  /** Its kind, where it has no name of its own. */
  readonly name?: string;
  /** Where what is usual for its kind would often not do. */
  readonly timeoutSeconds?: number;
}

/** A sentence for the person, on what was seen and is no gate. */
export interface Note {
  readonly note: string;
}

export interface ProposedGate {
  /** Short, and unique among those that are proposed. */
  readonly name: string;
  readonly kind: GateKind;
  /** Shell command, run at the root of the project. */
  readonly run: string;
  /** What it was seen in, for a person: `script lint in package.json`. */
  readonly why: string;
  /** Absent where `command_timeout` will do. */
  readonly timeoutSeconds?: number;
}
