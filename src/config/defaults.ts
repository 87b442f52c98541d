import type { PromiseSettings } from './promise-settings.ts';

/** Every default of the configuration, in one place; those of promise loops stand beside their settings. */
export const DEFAULTS = {
  /** From the Python hook. */
  maxIterations: 5,
  /** From the Python hook. */
  stateTimeoutMinutes: 30,
  /** From the Python hook. */
  commandTimeoutSeconds: 120,
  failFast: true,
  /** From Ralph Gate's config, so that a gate without an order stands in the middle. */
  order: 100,
  /** From Ralph Gate. */
  outputPath: 'gate-results-<pid>.json',
  /** Markers asked for where `check.jsonl` names none; from the Python hook. */
  marker: 'ALL_CHECKS_FINISH',
} as const;

/** The agent that stands for the main agent's Stop; a subagent's type never is. */
export const MAIN_AGENT = 'main';

/** Trellis: its check agent alone, as the Python hook. Stand-alone: whoever says that the work is done. */
export const DEFAULT_AGENTS = {
  trellis: ['check'],
  'stand-alone': [MAIN_AGENT, 'check'],
} as const;

/** What `ralph:` in a worktree.yaml may set, with the defaults filled in. */
export interface Settings {
  /** Agent types whose stops are guarded, matched exactly; `main` is the main agent. */
  readonly agents: readonly string[];
  readonly maxIterations: number;
  readonly stateTimeoutMinutes: number;
  readonly commandTimeoutSeconds: number;
  readonly failFast: boolean;
  /** The only variables that gates inherit, besides the basic ones; all, where there is no such list. */
  readonly passEnv?: readonly string[];
  /** Where something is set of promise loops. */
  readonly promises?: PromiseSettings;
}

export function defaultSettings(layout: Layout): Settings {
  const { maxIterations, stateTimeoutMinutes, commandTimeoutSeconds, failFast } = DEFAULTS;
  return {
    agents: DEFAULT_AGENTS[layout],
    maxIterations,
    stateTimeoutMinutes,
    commandTimeoutSeconds,
    failFast,
  };
}

/**
 * `trellis`: the config lies in `.trellis/worktree.yaml` and a current task must be set.
 * `stand-alone`: the config is `worktree.yaml`; no task is needed.
 */
export type Layout = 'trellis' | 'stand-alone';
