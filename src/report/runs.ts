import type { RunStatus } from '../messages/status.ts';
import { type RunInProgress, runsInProgress } from '../verification/live-runs.ts';

/** Returns the verification runs of a project that go on, the oldest first. */
export async function readRuns(root: string, now: Date): Promise<RunStatus[]> {
  const runs = await runsInProgress(root);
  if (runs.length === 0) return [];
  const { usualDurations } = await import('../state/usual-durations.ts');
  const usualMs = usualDurations(root);
  return runs.map((run) => runStatus(run, usualMs, now));
}

/** @param usualMs how long each gate usually takes, where it is known */
export function runStatus(
  { frames, followers }: RunInProgress,
  usualMs: ReadonlyMap<string, number>,
  now: Date,
): RunStatus {
  const gates = new Map<string, RunStatus['gates'][number]>();
  for (const frame of frames) {
    if (frame.type === 'started') {
      const { name } = frame.gate;
      gates.set(frame.key, {
        name,
        outcome: null,
        started_at: new Date(frame.time).toISOString(),
        duration_ms: Math.max(0, now.getTime() - frame.time),
        usual_ms: usualMs.get(name) ?? null,
      });
    } else if (frame.type === 'ended') {
      const { gate, outcome, durationMs } = frame.result;
      gates.set(frame.key, {
        name: gate.name,
        outcome: outcome.reason,
        started_at: gates.get(frame.key)?.started_at ?? null,
        duration_ms: Math.round(durationMs),
        usual_ms: usualMs.get(gate.name) ?? null,
      });
    }
  }
  return { waiting: followers, gates: [...gates.values()] };
}
