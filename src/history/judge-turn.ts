import { isAbsolute, join } from 'node:path';
import { findContradictions } from '../agent-run/promise/contradictions.ts';
import { isInside, realPathOf } from '../base/files.ts';
import { messageLines, plainProse } from '../gates/words/message.ts';
import { ALL_GATES, type GateRun, gateRunsIn } from './gate-runs.ts';
import type { Command, Edit, Turn } from './turns.ts';

/** The project of a transcript, as it is now. */
export interface TranscriptProject {
  /** Absolute; the directory of the transcript where there is no project, or no directory. */
  readonly root: string;
  /** The commands of its gates; undefined if it has none. */
  readonly gates: readonly string[] | undefined;
  /** Its stops that ran gates, by session. */
  readonly stops: ReadonlyMap<string, readonly JudgedStop[]>;
  /** When ralph-loop was first called in it; undefined if it never was. */
  readonly ralphLoopSince: number | undefined;
}

/** A stop at which ralph-loop ran the gates. */
export interface JudgedStop {
  readonly at: number;
  readonly passed: boolean;
}

/** Why a turn is no claim. */
export const LEFT_OUT = ['no-edits', 'interrupted', 'no-message', 'question', 'not-done'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** The evidence for a claim. */
export const EVIDENCE = ['verified', 'stale', 'failed', 'never_ran', 'unknown'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** Whether a turn claims to be done, and with what evidence. */
export type JudgedTurn = { readonly leftOut: LeftOut } | { readonly evidence: Evidence };

export function judgeTurn(turn: Turn, project: TranscriptProject): JudgedTurn {
  const lastEdit = turn.edits
    .filter(({ path }) => path === undefined || isInProject(path, turn.cwd ?? project.root, project.root))
    .reduce<Edit | undefined>((last, edit) => (last && last.order > edit.order ? last : edit), undefined);
  if (!lastEdit) return { leftOut: 'no-edits' };
  if (turn.isInterrupted) return { leftOut: 'interrupted' };
  if (turn.lastMessage === undefined || turn.lastMessage.trim() === '') return { leftOut: 'no-message' };
  if (asksSomething(turn.lastMessage)) return { leftOut: 'question' };
  if (findContradictions(turn.lastMessage).length > 0) return { leftOut: 'not-done' };
  return { evidence: evidenceOf(turn, lastEdit, project) };
}

/** Agents also write plans and notes of their own, outside of the project. */
function isInProject(path: string, cwd: string, root: string): boolean {
  const absolute = isAbsolute(path) ? path : join(cwd, path);
  return isInside(root, absolute) || isInside(root, realPathOf(absolute));
}

/** Whether the last paragraph of a message has a question in the agent's own words. */
function asksSomething(message: string): boolean {
  const lines = messageLines(message);
  const end = lines.findLastIndex(({ text }) => text.trim() !== '');
  const start = lines.slice(0, end).findLastIndex(({ text }) => text.trim() === '');
  return lines
    .slice(start + 1, end + 1)
    .some(({ text, place }) => place === 'prose' && /[?？](?=[\s)\]…]|$)/.test(plainProse(text)));
}

type RunResult = 'passed' | 'failed' | 'unknown';

function evidenceOf(turn: Turn, lastEdit: Edit, project: TranscriptProject): Evidence {
  const runs = turn.commands.flatMap((command) =>
    gateRunsIn(command.command, project.gates).map((run) => ({ ...command, ...run })),
  );
  const after = new Map<string, RunResult>();
  for (const run of runs.filter(({ order }) => order > lastEdit.order)) {
    if (run.gate === ALL_GATES) after.clear();
    after.set(run.gate, resultOf(run));
  }
  const stops = stopsOf(turn, project);
  const lastStop = stops.findLast(({ at }) => at >= lastEdit.at);
  // A stop runs all gates, after everything else that the turn did.
  const results = lastStop ? [lastStop.passed ? 'passed' : 'failed'] : [...after.values()];
  if (results.includes('failed')) return 'failed';
  if (results.includes('passed')) return 'verified';
  if (results.includes('unknown')) return 'unknown';
  return runs.length + stops.length > 0 ? 'stale' : 'never_ran';
}

/** A failure may be that of another part of the command, but then the agent has not seen the gate pass. */
function resultOf({ exit, isHidden }: Command & GateRun): RunResult {
  if (exit === null || isHidden) return 'unknown';
  return exit === 0 ? 'passed' : 'failed';
}

/** The stops of a turn that ran gates; the last one ends it. */
export function stopsOf(
  { session, startedAt, nextAt }: Turn,
  { stops }: TranscriptProject,
): readonly JudgedStop[] {
  const ofSession = (session !== undefined && stops.get(session)) || [];
  return ofSession.filter(({ at }) => at >= startedAt && at < nextAt);
}
