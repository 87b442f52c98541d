import { isMap, isScalar } from 'yaml';
import { type ConfigProblem, joinProblems } from './config-problem.ts';
import { defaultSettings, type Layout, type Settings } from './defaults.ts';
import { describe, FIELD } from './field-types.ts';
import { isAgent, PROMISE_FIELDS, parsePromises } from './parse-promises.ts';
import { fieldsOf, parseYaml } from './parse-yaml.ts';
import { readFields } from './read-fields.ts';
import { readPassOfAll } from './read-pass.ts';
import type { Section } from './slice-sections.ts';

/** The keys of the `ralph:` section; any other one is the name of an agent. */
export const RALPH_FIELDS = {
  agents: FIELD.texts,
  max_iterations: FIELD.count,
  state_timeout_minutes: FIELD.minutes,
  command_timeout: FIELD.seconds,
  fail_fast: FIELD.boolean,
  env: FIELD.passing,
  ...PROMISE_FIELDS,
};

export interface ParsedRalph {
  readonly settings: Settings;
  readonly problems: readonly ConfigProblem[];
}

/** Reads the `ralph:` section; what it does not set, or sets wrongly, is as by default. */
export function parseRalph(section: Section, layout: Layout): ParsedRalph {
  const defaults = defaultSettings(layout);
  const keyWidth = section.width - section.inline.length;
  const yaml = parseYaml([' '.repeat(keyWidth) + section.inline, ...section.body], section.line);
  const { contents, problems, at } = yaml;
  if (!isMap(contents)) {
    const found = isScalar(contents) ? describe(contents.value) : 'a list';
    const message = `found ${found} for "ralph", expected keys such as "max_iterations: 5"`;
    return { settings: defaults, problems: problems.length > 0 ? problems : [{ ...at(contents), message }] };
  }
  const { at: mappingAt, entries } = fieldsOf(contents, yaml);
  const agents = entries.filter((entry) => isAgent(entry, Object.keys(RALPH_FIELDS)));
  const others = entries.filter((entry) => !agents.includes(entry));
  const { values, problems: wrong } = readFields({ at: mappingAt, entries: others }, RALPH_FIELDS);
  const { promises, problems: wrongPromises } = parsePromises(values, agents, contents, yaml);
  const { passEnv, problems: wrongPass } = readPassOfAll(contents.get('env', true), yaml);
  const settings: Settings = {
    agents: values.agents ?? defaults.agents,
    maxIterations: values.max_iterations ?? defaults.maxIterations,
    stateTimeoutMinutes: values.state_timeout_minutes ?? defaults.stateTimeoutMinutes,
    commandTimeoutSeconds: values.command_timeout ?? defaults.commandTimeoutSeconds,
    failFast: values.fail_fast ?? defaults.failFast,
    ...(passEnv && { passEnv }),
    ...(promises && { promises }),
  };
  return { settings, problems: joinProblems(problems, [...wrong, ...wrongPromises, ...wrongPass]) };
}
