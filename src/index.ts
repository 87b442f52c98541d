/**
 * The gates that `ralph-gate` runs, for programs of your own: an ES module without a dependency, typed for Node's types
 * or the DOM's.
 *
 * @packageDocumentation
 */

export type { GateReport as GateResult, RunReport as GateRunSummary } from './gates/report.ts';
export type { GateOutcome } from './gates/types.ts';
export { type FormatOptions, formatConsoleOutput, formatFailureContext } from './library/format.ts';
export { type Gate, type GateConfig, GateConfigError, loadConfig } from './library/gate-config.ts';
export { generateHookResponse, type HookOutput } from './library/hook-response.ts';
export { type GateProgress, type RunOptions, runGates } from './library/run-gates.ts';
