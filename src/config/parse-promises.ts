import { isMap, type YAMLMap } from 'yaml';
import { type ConfigProblem, nearestKey } from './config-problem.ts';
import { FIELD } from './field-types.ts';
import { fieldsOf, type Located } from './parse-yaml.ts';
import type { AgentSettings, PromiseSettings } from './promise-settings.ts';
import { type Field, readFields } from './read-fields.ts';

/** The keys of the `ralph:` section that are about promise loops. */
export const PROMISE_FIELDS = {
  enabled: FIELD.boolean,
  default_max_iterations: FIELD.count,
  verify_promises: FIELD.boolean,
  command: FIELD.text,
  iteration_timeout: FIELD.seconds,
  max_cost_usd: FIELD.amount,
  max_stalled: FIELD.count,
};

/** The keys of an agent's mapping in it. */
export const AGENT_FIELDS = {
  enabled: FIELD.boolean,
  max_iterations: FIELD.count,
  completion_promise: FIELD.promise,
  command: FIELD.text,
  prompt: FIELD.text,
};

/** Whether an entry of `ralph:` is an agent's: a mapping by a name that is no key of ours, nor nearly one. */
export function isAgent({ key, value }: Field, keys: readonly string[]): boolean {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping && !keys.includes(key) && nearestKey(key, keys) === undefined;
}

/** Reads what `ralph:` sets of promise loops. @param values those of `PROMISE_FIELDS` that are right */
export function parsePromises(
  values: ReturnType<typeof readFields<typeof PROMISE_FIELDS>>['values'],
  agents: readonly Field[],
  map: YAMLMap,
  yaml: Located,
): { readonly promises: PromiseSettings | undefined; readonly problems: readonly ConfigProblem[] } {
  const read = agents.map(({ key }) => {
    const node = yaml.resolve(map.get(key, true));
    return { key, ...readAgent(isMap(node) ? node : undefined, yaml) };
  });
  const promises: PromiseSettings = {
    enabled: values.enabled,
    defaultMaxIterations: values.default_max_iterations,
    verifyPromises: values.verify_promises,
    command: values.command,
    iterationTimeoutSeconds: values.iteration_timeout,
    maxCostUsd: values.max_cost_usd,
    maxStalled: values.max_stalled,
    agents: Object.fromEntries(read.map(({ key, settings }) => [key, settings])),
  };
  const isSet = read.length > 0 || Object.keys(PROMISE_FIELDS).some((key) => key in values);
  return { promises: isSet ? promises : undefined, problems: read.flatMap(({ problems }) => problems) };
}

function readAgent(
  map: YAMLMap | undefined,
  yaml: Located,
): { readonly settings: AgentSettings; readonly problems: readonly ConfigProblem[] } {
  if (!map) return { settings: {}, problems: [] };
  const { values, problems } = readFields(fieldsOf(map, yaml), AGENT_FIELDS);
  const settings: AgentSettings = {
    enabled: values.enabled,
    maxIterations: values.max_iterations,
    completionPromise: values.completion_promise,
    command: values.command,
    prompt: values.prompt,
  };
  return { settings, problems };
}
