import { RULES, type RuleName } from '../integrity/rules.ts';
import { DEFAULT_AGENTS, type ProjectLayout } from './discover.ts';
import { AGENT_RUN_SCHEMA, AGENT_SCHEMA, passedNames, RALPH_SCHEMA, STOP_LOOP_SCHEMA } from './schema.ts';
import {
  type ConfigEntry,
  type ConfigNode,
  type ConfigProblem,
  type DefaultsOf,
  defaultsOf,
  describeValue,
  keysOf,
  nearestKey,
  type Schema,
  type ValuesOf,
  validate,
} from './validate.ts';

/** `ralph:` of a worktree.yaml, defaults included. */
export interface Settings
  extends Omit<ValuesOf<typeof STOP_LOOP_SCHEMA>, 'env' | 'integrityRules' | 'notify'> {
  /** What is set for single rules of the integrity check; undefined where nothing is. */
  readonly integrityRules?: Readonly<Partial<Record<RuleName, IntegrityMode>>>;
  /** The command that gets what a person wants to know of; undefined where none is set. */
  readonly notify?: string;
  /** The only variables that gates inherit, besides the basic ones; undefined for all. */
  readonly passEnv?: readonly string[];
  /** Undefined where nothing about agent runs is set. */
  readonly agentRun?: AgentRunSettings;
}

/** `block`: a high finding blocks the stop; `warn`: it is reported; `off`: it is not looked for. */
export type IntegrityMode = 'block' | 'warn' | 'off';

/** What `ralph:` sets for agent runs, defaults included. */
export type AgentRunSettings = DefaultsOf<typeof AGENT_RUN_SCHEMA> &
  Partial<ValuesOf<typeof AGENT_RUN_SCHEMA>> & {
    /** What is set for single agents, by name. */
    readonly agents: Readonly<Record<string, Partial<ValuesOf<typeof AGENT_SCHEMA>>>>;
  };

/** A stage of an agent run, defaults included. */
export interface StageSettings {
  readonly agent: string;
  readonly enabled: boolean;
  readonly maxIterations: number;
  readonly completionPromise: string;
  /** Undefined where none is set. */
  readonly command: string | undefined;
  readonly prompt: string | undefined;
}

/** The stages of SpecFlow, with its defaults. */
export const STAGE_DEFAULTS: Readonly<
  Record<string, Pick<StageSettings, 'maxIterations' | 'completionPromise'>>
> = {
  coder: { maxIterations: 15, completionPromise: 'IMPLEMENTATION_COMPLETE' },
  reviewer: { maxIterations: 5, completionPromise: 'REVIEW_COMPLETE' },
  tester: { maxIterations: 10, completionPromise: 'TESTS_COMPLETE' },
  qa: { maxIterations: 5, completionPromise: 'QA_PASSED' },
};

export const DEFAULT_AGENT_RUN: AgentRunSettings = { ...defaultsOf(AGENT_RUN_SCHEMA), agents: {} };

export function defaultSettings(layout: ProjectLayout): Settings {
  return {
    agents: DEFAULT_AGENTS[layout],
    when: layout === 'trellis' ? 'always' : 'changed',
    markers: layout === 'trellis' ? 'anywhere' : 'strict',
    ...defaultsOf(STOP_LOOP_SCHEMA),
  };
}

export interface ParsedSettings {
  readonly settings: Settings;
  readonly problems: readonly ConfigProblem[];
}

/** Reads the value of `ralph:`. An option that is not set, or set to a wrong value, has its default. */
export function parseSettings(node: ConfigNode, layout: ProjectLayout): ParsedSettings {
  const defaults = defaultSettings(layout);
  const { entries } = node;
  if (!entries) {
    const message = `found ${describeValue(node.value)} for "ralph", expected keys such as "max_iterations: 5"`;
    return { settings: defaults, problems: [{ ...node.at, message }] };
  }
  const keys = keysOf(RALPH_SCHEMA);
  const agents = entries.filter((entry) => isAgent(entry, keys));
  const options = {
    ...node,
    at: node.at,
    value: node.value,
    entries: entries.filter((entry) => !agents.includes(entry)),
  };
  const { values, problems } = validate(options, RALPH_SCHEMA);
  const parsed = agents.map((agent) => ({ ...validate(agent.node, AGENT_SCHEMA), name: agent.key }));
  const { env, ...stopLoop } = valuesIn(STOP_LOOP_SCHEMA, values);
  const agentRun = valuesIn(AGENT_RUN_SCHEMA, values);
  const passEnv = passedNames(env);
  return {
    settings: {
      ...defaults,
      ...stopLoop,
      ...(passEnv && { passEnv }),
      ...((parsed.length > 0 || Object.keys(agentRun).length > 0) && {
        agentRun: {
          ...DEFAULT_AGENT_RUN,
          ...agentRun,
          agents: Object.fromEntries(parsed.map((agent) => [agent.name, agent.values])),
        },
      }),
    },
    problems: [...problems, ...parsed.flatMap((agent) => agent.problems)],
  };
}

/** Whether an entry of `ralph:` is an agent: a mapping whose key is no option, nor a typo of one. */
function isAgent({ key, node }: ConfigEntry, keys: readonly string[]): boolean {
  return node.entries !== undefined && !keys.includes(key) && nearestKey(key, keys) === undefined;
}

function valuesIn<S extends Schema>(
  schema: S,
  values: Readonly<Record<string, unknown>>,
): Partial<ValuesOf<S>> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(schema, name)),
  ) as Partial<ValuesOf<S>>;
}

/** The settings of one agent: its own, else those of all agents, else the defaults. */
export function stageSettings(agent: string, settings: AgentRunSettings): StageSettings {
  const own = Object.hasOwn(settings.agents, agent) ? settings.agents[agent] : undefined;
  const stage = Object.hasOwn(STAGE_DEFAULTS, agent) ? STAGE_DEFAULTS[agent] : undefined;
  return {
    agent,
    enabled: settings.enabled && (own?.enabled ?? true),
    maxIterations: own?.maxIterations ?? stage?.maxIterations ?? settings.defaultMaxIterations,
    completionPromise: own?.completionPromise ?? stage?.completionPromise ?? 'STAGE_COMPLETE',
    command: own?.command ?? settings.command,
    prompt: own?.prompt,
  };
}

/** When another value of a setting lets a stop pass more easily. All others decide nothing, or are part of each gate. */
const WEAKER_SETTINGS: Readonly<
  Partial<Record<keyof Settings, (before: Settings, after: Settings) => boolean>>
> = {
  agents: (before, after) => before.agents.some((agent) => !after.agents.includes(agent)),
  maxIterations: (before, after) => after.maxIterations < before.maxIterations,
  when: (before, after) => before.when === 'always' && after.when === 'changed',
  reuse: (before, after) => !before.reuse && after.reuse,
  markers: (before, after) => before.markers === 'strict' && after.markers === 'anywhere',
  integrity: (before, after) => MODES.indexOf(after.integrity) < MODES.indexOf(before.integrity),
  integrityRules: (before, after) =>
    (Object.keys(RULES) as RuleName[]).some(
      (rule) => MODES.indexOf(modeOfRule(rule, after)) < MODES.indexOf(modeOfRule(rule, before)),
    ),
};

/** The weakest first. */
const MODES: readonly IntegrityMode[] = ['off', 'warn', 'block'];

function modeOfRule(rule: RuleName, { integrityRules = {} }: Settings): IntegrityMode {
  return integrityRules[rule] ?? (RULES[rule].severity === 'high' ? 'block' : 'warn');
}

/** The settings by which a stop passes more easily than it did. */
export function weakerSettings(before: Settings, after: Settings): (keyof Settings)[] {
  return Object.entries(WEAKER_SETTINGS)
    .filter(([, isWeaker]) => isWeaker(before, after))
    .map(([name]) => name as keyof Settings);
}

/** The key of a setting in the file. */
export function settingKey(name: keyof Settings): string {
  const { [name]: option }: Schema = STOP_LOOP_SCHEMA;
  return option?.key ?? name;
}
