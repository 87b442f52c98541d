import type { Activity, AgentRunReport } from '../state/agent-run.ts';
import type { ChainReport } from '../state/chain-report.ts';
import type { StopLoopStatus } from '../state/stop-loop.ts';

/** What `watch` shows: texts that fit on a line, and times; the same for a terminal and a pipe. */
export interface Board {
  /** `todo`, the stages at which loops stand, `done`, `failed`. */
  readonly lanes: readonly Lane[];
  /** The loops that a process drives now, the oldest first. */
  readonly slots: readonly Slot[];
  /** The loops of hooks, then the chains. */
  readonly hooks: readonly Card[];
}

export interface Lane {
  readonly name: string;
  readonly cards: readonly Card[];
}

/** What can be selected. */
export interface Card {
  readonly kind: 'task' | 'hook' | 'chain';
  /** A task's id, the key of a hook's loop, or a chain's id; with the kind it tells the card from all others. */
  readonly id: string;
  /** The id, fit to be shown. */
  readonly name: string;
  readonly title: string | null;
  /** `Coder (3/15)`; null where there is no loop. */
  readonly at: string | null;
  /** How it stands, or what it waits for; null where it runs, or has not begun. */
  readonly standing: string | null;
  /** Since when it runs, UTC, ISO 8601; null where it does not. */
  readonly since: string | null;
  readonly activity: Activity | null;
  /** What `cancel` is to be told, or why there is nothing to cancel. */
  readonly cancel: { readonly task: string } | { readonly why: string };
}

/** An agent at work. */
export interface Slot {
  readonly stage: string;
  readonly task: string;
  readonly iteration: number;
  readonly max: number;
  /** UTC, ISO 8601. */
  readonly since: string;
  /** Null where the agent does not tell. */
  readonly costUsd: number | null;
}

/** What `status` tells, as far as it is shown. */
export interface Known {
  readonly loops: readonly StopLoopStatus[];
  readonly chains: readonly ChainReport[];
  readonly promise_loops: readonly AgentRunReport[];
}

/** A task of Trellis. */
export interface Task {
  /** Name of its directory. */
  readonly name: string;
  /** As its file has it. */
  readonly id: string | null;
  readonly title: string | null;
  readonly status: string | null;
}

export function isSame(a: Card, b: Card): boolean {
  return a.kind === b.kind && a.id === b.id;
}
