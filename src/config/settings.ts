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

/** What `ralph:` sets of promise loops; what it does not set is as by default. */
export interface PromiseSettings {
  /** False: the agent is run once, without a loop. */
  readonly enabled?: boolean | undefined;
  readonly defaultMaxIterations?: number | undefined;
  /** False: a promise is believed that is well-formed. */
  readonly verifyPromises?: boolean | undefined;
  /** For `/bin/sh -c`. */
  readonly command?: string | undefined;
  readonly iterationTimeoutSeconds?: number | undefined;
  /** Infinite where nothing is set. */
  readonly maxCostUsd?: number | undefined;
  readonly maxStalled?: number | undefined;
  /** By their names. */
  readonly agents: Readonly<Record<string, AgentSettings>>;
}

/** What is set for one agent. */
export interface AgentSettings {
  readonly enabled?: boolean | undefined;
  readonly maxIterations?: number | undefined;
  readonly completionPromise?: string | undefined;
  readonly command?: string | undefined;
  /** Said to the agent before the specification. */
  readonly prompt?: string | undefined;
}

/** A stage of a promise loop, with the defaults filled in. */
export interface StageSettings {
  readonly agent: string;
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly completionPromise: string;
  /** Undefined where none is set. */
  readonly command: string | undefined;
  readonly prompt: string | undefined;
}

/** From SpecFlow's configuration, so that its projects find what they know. */
const AGENT_DEFAULTS: Readonly<Record<string, Pick<StageSettings, 'maxIterations' | 'completionPromise'>>> = {
  coder: { maxIterations: 15, completionPromise: 'IMPLEMENTATION_COMPLETE' },
  reviewer: { maxIterations: 5, completionPromise: 'REVIEW_COMPLETE' },
  tester: { maxIterations: 10, completionPromise: 'TESTS_COMPLETE' },
  qa: { maxIterations: 5, completionPromise: 'QA_PASSED' },
};

/** `defaultMaxIterations` is SpecFlow's; an agent may work for an hour before it is taken for one that never ends. */
export const PROMISE_DEFAULTS = {
  enabled: true,
  defaultMaxIterations: 10,
  verifyPromises: true,
  completionPromise: 'STAGE_COMPLETE',
  iterationTimeoutSeconds: 3600,
  maxStalled: 3,
} as const;

/** What holds for an agent: what is set for it, else for all, else the default. */
export function stageSettings(
  agent: string,
  { agents, enabled, defaultMaxIterations, command }: PromiseSettings,
): StageSettings {
  const own = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  const byDefault = Object.hasOwn(AGENT_DEFAULTS, agent) ? AGENT_DEFAULTS[agent] : undefined;
  return {
    agent,
    enabled: (enabled ?? PROMISE_DEFAULTS.enabled) && (own?.enabled ?? PROMISE_DEFAULTS.enabled),
    maxIterations:
      own?.maxIterations ??
      byDefault?.maxIterations ??
      defaultMaxIterations ??
      PROMISE_DEFAULTS.defaultMaxIterations,
    completionPromise:
      own?.completionPromise ?? byDefault?.completionPromise ?? PROMISE_DEFAULTS.completionPromise,
    command: own?.command ?? command,
    prompt: own?.prompt,
  };
}
