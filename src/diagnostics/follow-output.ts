import type { Gate, GateEvent, GateResult } from '../gates/types.ts';
import type { Findings, GateCondensers, GateFindings } from './condenser.ts';

interface OutputFollower {
  readonly onEvent: (event: GateEvent) => void;
  readonly findingsOf: (gate: Gate) => Promise<Findings | undefined>;
  /** Judges a gate that has ended by its baseline, if it has one. */
  readonly review: (result: GateResult) => Promise<GateResult>;
  readonly findings: () => Promise<GateFindings>;
}

/**
 * Condenses what gates print. The condenser is loaded while a gate runs, after its first output: a gate that prints
 * nothing costs nothing.
 */
export function followOutput(loaded?: GateCondensers): OutputFollower {
  const early: GateEvent[] = [];
  let condensers = loaded;
  let loading: Promise<void> | undefined;
  const load = async () => {
    const { GateCondensers } = await import('./condenser.ts');
    condensers = new GateCondensers();
    for (const event of early.splice(0)) condensers.take(event);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'ended') return;
      if (condensers) return condensers.take(event);
      if (event.type === 'started' && !loading) return;
      early.push(event);
      loading ??= load();
    },
    findingsOf: async (gate) => {
      await loading;
      return condensers?.findingsOf(gate);
    },
    review: async (result) => {
      const { gate } = result;
      if (gate.kind === 'marker' || gate.baseline === undefined) return result;
      await loading;
      const { judge } = await import('./judge.ts');
      const judged = judge(result, gate.baseline, condensers?.findingsOf(gate));
      if (judged.findings) condensers?.add(gate, judged.findings);
      return judged.result;
    },
    findings: async () => {
      await loading;
      return condensers?.findings() ?? new Map();
    },
  };
}
