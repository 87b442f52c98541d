import type { Gate, GateEvent, GateResult } from '../gates/types.ts';
import type { Findings, GateCondensers, GateFindings } from './output/condenser.ts';
import type { GateReports } from './reports/gate-reports.ts';

interface OutputFollower {
  readonly onEvent: (event: GateEvent) => void;
  readonly findingsOf: (gate: Gate) => Promise<Findings | undefined>;
  /** Judges a gate that has ended by its baseline, if it has one, and reads its report. */
  readonly review: (result: GateResult) => Promise<GateResult>;
  readonly findings: () => Promise<GateFindings>;
}

/**
 * Condenses what gates print. The condenser is loaded while a gate runs, after its first output: a gate that prints
 * nothing costs nothing.
 */
export function followOutput(loaded?: GateCondensers, reports?: GateReports): OutputFollower {
  const early: GateEvent[] = [];
  let condensers = loaded;
  let loading: Promise<void> | undefined;
  const load = async () => {
    const { GateCondensers } = await import('./output/condenser.ts');
    condensers = new GateCondensers();
    for (const event of early.splice(0)) condensers.take(event);
  };
  const judgedByBaseline = async (result: GateResult, findings: Findings | undefined) => {
    const { gate } = result;
    if (gate.kind === 'marker' || gate.baseline === undefined) return { result, findings };
    const { judge } = await import('./judge.ts');
    return judge(result, gate.baseline, findings);
  };
  return {
    onEvent: (event) => {
      if (event.type === 'started') reports?.started(event.gate);
      if (event.type === 'ended') {
        // Now, while the time since its last output is that of the gate.
        condensers?.findingsOf(event.result.gate);
        return;
      }
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
      if (gate.kind === 'marker' || (gate.baseline === undefined && gate.report === undefined)) return result;
      await loading;
      const judged = await judgedByBaseline(result, condensers?.findingsOf(gate));
      const findings = reports ? reports.addTo(judged.result, judged.findings) : judged.findings;
      if (findings) {
        // A gate that printed nothing has loaded nothing.
        if (!condensers) await load();
        condensers?.add(gate, findings);
      }
      return reports?.isMissing(judged.result) ? { ...judged.result, noReport: true } : judged.result;
    },
    findings: async () => {
      await loading;
      return condensers?.findings() ?? new Map();
    },
  };
}
