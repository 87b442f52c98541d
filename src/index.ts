/**
 * The gates of `ralph-gate` as a library: an ES module without dependencies, whose types work with those of Node and of
 * the DOM.
 *
 * @packageDocumentation
 */

export type { GateReport as GateResult, RunReport as GateRunSummary } from './gates/report.ts';
export type { GateOutcome } from './gates/types.ts';
export {
  type FormatOptions,
  formatConsoleOutput,
  formatFailureContext,
  generateHookResponse,
  type HookOutput,
} from './library/format.ts';
export {
  type Gate,
  type GateConfig,
  GateConfigError,
  type LoadedConfig,
  loadConfig,
} from './library/gate-config.ts';
export { type GateProgress, type RunOptions, runGates } from './library/run-gates.ts';
