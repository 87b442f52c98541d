export type { Gate, GateOutcome, GateResult, GateRunSummary, Verdict } from './gates/gate.ts';
export { runGates } from './gates/run-gates.ts';
