export type {
  Gate,
  GateEvent,
  GateOutcome,
  GateResult,
  GateRunSummary,
  MarkerGate,
  ShellGate,
  Verdict,
} from './gates/gate.ts';
export { type Deadline, type RunGatesOptions, runGates } from './gates/run-gates.ts';
export { type RunCommand, runCommand } from './process/run-command.ts';
