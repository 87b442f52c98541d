import { RULES } from '../integrity/rules.ts';
import { isOnPath } from '../process/own-command.ts';
import { DEFAULT_AGENTS } from './discover.ts';
import {
  type ConfigNode,
  type ConfigProblem,
  describeValue,
  didYouMean,
  type Option,
  repeatedKeys,
  type Schema,
  type ValuesOf,
  type ValueType,
  validate,
} from './validate.ts';

// The one declaration of every option. Validation, defaults, the JSON schemas (schema/*.json), the tables of the
// reference pages and the check for weakened gates are derived from it. A new gate option is one entry in GATE_SCHEMA,
// and the code that uses the new field of CommandGate. After a change, run `npm run docs`.

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isVariableName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value);
const isVariable = ([name, text]: readonly [string, unknown]): boolean =>
  /^[^=\0]+$/.test(name) &&
  ['string', 'number', 'boolean'].includes(typeof text) &&
  !String(text).includes('\0');

/** The longest time that a timer can hold: 24 days. */
const MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1000);
const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_SECONDS;

const TEXT_SCHEMA = { type: 'string', pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' };
const DURATION_SCHEMA = { type: 'number', exclusiveMinimum: 0, maximum: MAX_SECONDS };
const VARIABLE_SCHEMA = { type: ['string', 'number', 'boolean'], pattern: '^[^\\u0000]*$' };
const VARIABLES_SCHEMA = {
  type: 'object',
  propertyNames: { pattern: '^[^=\\u0000]+$' },
  additionalProperties: VARIABLE_SCHEMA,
};
const NAMES_SCHEMA = { type: 'array', items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } };

/** Variables of an environment, as a file has them. */
type Environment = Readonly<Record<string, string | number | boolean | readonly unknown[]>>;

const valueType = <T>(type: ValueType<T>): ValueType<T> => type;

/** What `notify` can be besides a command. */
export const SIGNALS: readonly string[] = ['bell', 'desktop'];

/** A word that is no program, and nearly a signal: as a command, it would fail at each notification. */
function misspelledSignal(word: string): string[] {
  const suggestion = /^\w+$/.test(word) ? didYouMean(word, SIGNALS) : '';
  if (suggestion === '' || SIGNALS.includes(word) || isOnPath(word)) return [];
  return [`found "${word}" for "notify", expected bell, desktop or a command on PATH${suggestion}`];
}

const TEXT = valueType({ name: 'text', expected: 'text', jsonSchema: TEXT_SCHEMA, accepts: isText });

export const TYPES = {
  text: TEXT,
  notify: valueType({
    name: 'text',
    expected: 'text',
    jsonSchema: TEXT_SCHEMA,
    accepts: isText,
    problemsInside: ({ value, at }) => misspelledSignal(String(value)).map((message) => ({ ...at, message })),
  }),
  boolean: valueType({
    name: 'boolean',
    expected: 'true or false',
    jsonSchema: { type: 'boolean' },
    accepts: (value): value is boolean => typeof value === 'boolean',
  }),
  number: valueType({
    name: 'number',
    expected: 'a number',
    jsonSchema: { type: 'number' },
    accepts: (value): value is number => Number.isFinite(value),
  }),
  count: valueType({
    name: 'whole number',
    expected: 'a whole number from 1',
    jsonSchema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 1,
  }),
  jobs: valueType({
    name: '`auto` or whole number',
    expected: 'auto or a whole number from 1',
    jsonSchema: { anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1 }] },
    accepts: (value): value is 'auto' | number =>
      value === 'auto' || (Number.isSafeInteger(value) && Number(value) >= 1),
  }),
  when: valueType({
    name: '`changed` or `always`',
    expected: 'changed or always',
    jsonSchema: { enum: ['changed', 'always'] },
    accepts: (value): value is 'changed' | 'always' => value === 'changed' || value === 'always',
  }),
  integrity: valueType({
    name: '`block`, `warn` or `off`',
    expected: 'block, warn or off',
    jsonSchema: { enum: ['block', 'warn', 'off'] },
    accepts: (value): value is 'block' | 'warn' | 'off' =>
      value === 'block' || value === 'warn' || value === 'off',
  }),
  markers: valueType({
    name: '`strict` or `anywhere`',
    expected: 'strict or anywhere',
    jsonSchema: { enum: ['strict', 'anywhere'] },
    accepts: (value): value is 'strict' | 'anywhere' => value === 'strict' || value === 'anywhere',
  }),
  answer: valueType({
    name: '`block` or `context`',
    expected: 'block or context',
    jsonSchema: { enum: ['block', 'context'] },
    accepts: (value): value is 'block' | 'context' => value === 'block' || value === 'context',
  }),
  dollars: valueType({
    name: 'number',
    unit: 'US dollars',
    expected: 'a number above 0',
    jsonSchema: { type: 'number', exclusiveMinimum: 0 },
    accepts: (value): value is number => Number.isFinite(value) && Number(value) > 0,
  }),
  seconds: valueType({
    name: 'number',
    unit: 'seconds',
    expected: 'a number of seconds above 0',
    jsonSchema: DURATION_SCHEMA,
    accepts: isDuration,
  }),
  minutes: valueType({
    name: 'number',
    unit: 'minutes',
    expected: 'a number of minutes above 0',
    jsonSchema: DURATION_SCHEMA,
    accepts: isDuration,
  }),
  promise: valueType({
    name: 'text on one line',
    expected: 'text on one line without < and >, such as TESTS_COMPLETE',
    jsonSchema: { type: 'string', pattern: '^[^\\s<>\\u0000]([^<>\\n\\r\\u0000]*[^\\s<>\\u0000])?$' },
    accepts: (value): value is string => isText(value) && !/[<>\n\r]/.test(value) && value.trim() === value,
  }),
  texts: valueType({
    name: 'list of texts',
    expected: 'a list of texts, such as [a, b]',
    item: TEXT,
    jsonSchema: { type: 'array', items: TEXT_SCHEMA },
    accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
  }),
  list: valueType({
    name: 'list',
    expected: 'a list',
    jsonSchema: { type: 'array' },
    accepts: (value): value is readonly unknown[] => Array.isArray(value),
  }),
  mapping: valueType({
    name: 'mapping',
    expected: 'an object',
    jsonSchema: { type: 'object' },
    accepts: isRecord,
  }),
  counts: valueType({
    name: 'mapping of whole numbers',
    expected: 'an object of whole numbers',
    jsonSchema: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    accepts: (value): value is Readonly<Record<string, number>> =>
      isRecord(value) &&
      Object.values(value).every((count) => Number.isSafeInteger(count) && Number(count) >= 0),
    problemsInside: repeatedKeys,
  }),
  exitCode: valueType({
    name: 'exit code',
    expected: 'an exit code from 1 to 255',
    jsonSchema: { type: 'integer', minimum: 1, maximum: 255 },
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 255,
  }),
  version: valueType({
    name: 'version',
    expected: '1: a later version of ralph-loop may have written the file',
    jsonSchema: { const: 1 },
    accepts: (value): value is 1 => value === 1,
  }),
  variables: valueType({
    name: 'mapping of variables',
    expected: 'an object of variable names to text',
    jsonSchema: VARIABLES_SCHEMA,
    accepts: (value): value is Environment => isRecord(value) && Object.entries(value).every(isVariable),
    problemsInside: repeatedKeys,
  }),
  variablesAndPass: valueType({
    name: 'mapping of variables',
    expected: 'a mapping of variable names to text, and of "pass" to a list of names',
    jsonSchema: { ...VARIABLES_SCHEMA, properties: { pass: { anyOf: [NAMES_SCHEMA, VARIABLE_SCHEMA] } } },
    accepts: (value): value is Environment =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, text]) => (name === 'pass' && Array.isArray(text)) || isVariable([name, text]),
      ),
    problemsInside: ({ entries = [] }) =>
      entries.filter(({ key }) => key === 'pass').flatMap(({ node }) => wrongNames(node)),
  }),
  names: valueType({
    name: 'list of variable names',
    expected: 'a list of variable names, such as [DATABASE_URL]',
    jsonSchema: NAMES_SCHEMA,
    accepts: (value): value is readonly unknown[] => Array.isArray(value),
    problemsInside: wrongNames,
  }),
};

function wrongNames({ items = [] }: ConfigNode): ConfigProblem[] {
  return items
    .filter(({ value }) => !isVariableName(value))
    .map(({ at, value }) => ({
      ...at,
      message: `found ${describeValue(value)} in "pass", expected the full name of a variable, such as DATABASE_URL`,
    }));
}

/** A mapping of options of its own. */
function mappingOf(members: Schema, expected: string): ValueType<Readonly<Record<string, unknown>>> {
  return {
    name: 'mapping',
    expected,
    jsonSchema: { type: 'object' },
    members,
    accepts: isRecord,
    problemsInside: (node) => validate(node, members).problems,
  };
}

/** Adds the type of the values to a declaration; the compiler checks the default against it. */
function option<T, const Facts extends Omit<Option<T>, 'type'>>(
  type: ValueType<T>,
  facts: Facts,
): { readonly type: ValueType<T> } & Facts {
  return { type, ...facts };
}

const PASS_SCHEMA = {
  pass: option(TYPES.names, {
    description:
      'The only variables that are inherited, besides PATH, HOME, SHELL, USER, LANG, TMPDIR, TERM, NODE_ENV and CI.',
  }),
};

/** The files that gates are declared in. */
export type GateFile = 'worktree' | 'gateConfig';

/** What an option of a gate is in one of the files, if it differs; false: the file does not have it. */
type FileFacts = Partial<Option> | false;

/** When another value makes a gate weaker: the gate is judged as it was. */
export type Weaker<T> = 'if changed' | 'never' | ((before: T, after: T) => boolean);

interface GateFacts<T> extends Omit<Option<T>, 'type'> {
  readonly weaker: Weaker<T>;
  readonly worktree?: FileFacts;
  readonly gateConfig?: FileFacts;
}

type GateOption = Option & Pick<GateFacts<never>, 'weaker' | GateFile>;

function gateOption<T, const Facts extends GateFacts<T>>(
  type: ValueType<T>,
  facts: Facts,
): { readonly type: ValueType<T> } & Facts {
  return { type, ...facts };
}

/** Whether patterns select fewer files, as far as their texts say so. No patterns select all files. */
function selectsLess(before: readonly string[] | undefined, after: readonly string[] | undefined): boolean {
  const isExclusion = (pattern: string) => pattern.startsWith('!');
  const added = (after ?? []).filter((pattern) => !before?.includes(pattern));
  if (before === undefined) return after !== undefined;
  if (after === undefined) return false;
  return (
    before.some((pattern) => !isExclusion(pattern) && !after.includes(pattern)) || added.some(isExclusion)
  );
}

/** The options of a gate, by the fields of `CommandGate`. */
export const GATE_SCHEMA = {
  name: gateOption(TYPES.text, {
    description: 'Unique among the gates.',
    weaker: 'never',
    worktree: { defaultText: 'the command' },
    gateConfig: { required: 'a unique name' },
  }),
  command: gateOption(TYPES.text, {
    description:
      'Run by `/bin/sh -c`. The gate passes if it exits with 0. `{changed_files}` becomes the paths of the changed files ([what changed](what-changed.md)).',
    required: 'a command to run',
    weaker: 'if changed',
    worktree: { key: 'run' },
    gateConfig: {
      description:
        'Run by your shell: `$SHELL -c`, or `/bin/sh` if `SHELL` is not set. The gate passes if it exits with 0. `{changed_files}` becomes the paths of the changed files ([what changed](what-changed.md)).',
    },
  }),
  timeoutSeconds: gateOption(TYPES.seconds, {
    key: 'timeout',
    description: "When the time is up, the gate's process tree is ended and the gate has failed.",
    weaker: (before, after) => after > before,
    worktree: { defaultText: '`command_timeout`' },
    gateConfig: { defaultText: "no limit but the hook's deadline" },
  }),
  cwd: gateOption(TYPES.text, {
    description: 'The directory that the command runs in, inside the project and relative to its root.',
    weaker: 'if changed',
    worktree: { defaultText: 'the root' },
    gateConfig: {
      description: 'The directory that the command runs in, inside the project and relative to this file.',
      defaultText: 'where the agent works',
    },
  }),
  env: gateOption(TYPES.variablesAndPass, {
    description:
      'Variables that are added to the inherited environment. The list `pass` names the only variables to inherit ([secrets](#secrets)).',
    weaker: 'if changed',
    gateConfig: {
      type: TYPES.variables,
      description: 'Variables that are added to the inherited environment.',
    },
  }),
  blocking: gateOption(TYPES.boolean, {
    description: '`false`: a failure is a warning and does not block the stop.',
    default: true,
    weaker: (before, after) => before && !after,
  }),
  order: gateOption(TYPES.number, {
    description:
      'Lower numbers run first, equal numbers in the order of the list, or at the same time if `ralph.jobs` allows it.',
    default: 100,
    weaker: 'never',
  }),
  needs: gateOption(TYPES.texts, {
    description:
      'Names of the gates that must pass before this one starts. If one does not, this one is skipped.',
    weaker: 'never',
  }),
  exclusive: gateOption(TYPES.boolean, {
    description: '`true`: no other gate runs at the same time.',
    defaultText: '`false`',
    weaker: 'never',
  }),
  paths: gateOption(TYPES.texts, {
    description:
      'Patterns of paths, relative to the project: the gate runs only when a changed file matches. `!` excludes ([what changed](what-changed.md)).',
    defaultText: 'all files',
    weaker: selectsLess,
  }),
  inputs: gateOption(TYPES.texts, {
    description:
      'Patterns of further files that the result depends on, relative to the project: those that git ignores.',
    weaker: (before = [], after = []) => selectsLess(before, after),
  }),
  report: gateOption(TYPES.text, {
    description:
      'The file, or a pattern of the files, that the command writes a [report](reports.md) to, relative to the project: what failed is read from it.',
    weaker: 'never',
  }),
  reuse: gateOption(TYPES.boolean, {
    description: '`false`: the gate runs at every stop, also when nothing has changed since it passed.',
    defaultText: '`ralph.reuse`',
    weaker: (before, after) => before === false && after !== false,
  }),
  retries: gateOption(TYPES.count, {
    description: 'How often a gate that fails runs again. One that passes then is reported as flaky.',
    defaultText: '0',
    weaker: (before = 0, after = 0) => after > before,
  }),
  allowEmpty: gateOption(TYPES.boolean, {
    key: 'allow_empty',
    description: '`true`: a test command that ran no test has passed.',
    defaultText: '`false`',
    weaker: (before, after) => !before && after === true,
    gateConfig: { key: 'allowEmpty' },
  }),
  enabled: gateOption(TYPES.boolean, {
    description: '`false`: the gate is left out.',
    default: true,
    // A gate that is left out is missed by its name.
    weaker: 'never',
  }),
  description: gateOption(TYPES.text, { description: 'For people.', weaker: 'never' }),
};

/** `GATE_SCHEMA` as one of the files has it. */
export function gateSchemaOf(file: GateFile): typeof GATE_SCHEMA {
  const options = Object.entries<GateOption>(GATE_SCHEMA).flatMap(
    ([name, { weaker: _, worktree = {}, gateConfig = {}, ...shared }]) => {
      const facts = file === 'worktree' ? worktree : gateConfig;
      return facts === false ? [] : [[name, { ...shared, ...facts }]];
    },
  );
  return Object.fromEntries(options);
}

/** The values of a gate's options, as a file sets them. */
export type GateValues = ValuesOf<typeof GATE_SCHEMA>;

/** Each rule of the integrity check. */
const INTEGRITY_RULES_SCHEMA: Schema = Object.fromEntries(
  Object.entries(RULES).map(([name, { finds }]) => [
    name,
    option(TYPES.integrity, { description: `${finds.replace(/^./, (letter) => letter.toUpperCase())}.` }),
  ]),
);

/** `ralph:` of a worktree.yaml, as far as it is about the stop hook. */
export const STOP_LOOP_SCHEMA = {
  agents: option(TYPES.texts, {
    description: 'Agent types whose stops are guarded, matched exactly; `main` is the main agent.',
    defaultText: `\`[${DEFAULT_AGENTS.trellis.join(', ')}]\` Trellis, \`[${DEFAULT_AGENTS['stand-alone'].join(', ')}]\` stand-alone`,
  }),
  maxIterations: option(TYPES.count, {
    key: 'max_iterations',
    description: 'The attempt at which the stop is allowed, whatever the gates say.',
    // As in the Python hook; the next two as well.
    default: 5,
  }),
  stateTimeoutMinutes: option(TYPES.minutes, {
    key: 'state_timeout_minutes',
    description: 'The count starts again after this time without a stop.',
    default: 30,
  }),
  commandTimeoutSeconds: option(TYPES.seconds, {
    key: 'command_timeout',
    description: 'The timeout of gates that set none.',
    default: 120,
  }),
  failFast: option(TYPES.boolean, {
    key: 'fail_fast',
    description:
      'After a blocking gate has failed, other blocking gates are skipped, or ended if they run. Gates that do not block still run.',
    default: true,
  }),
  jobs: option(TYPES.jobs, {
    description:
      'How many gates of the same `order` run at the same time; `auto`: as many as the machine has cores.',
    default: 1,
  }),
  reuse: option(TYPES.boolean, {
    description: '`false`: gates run again although nothing has changed since they passed.',
    default: true,
  }),
  when: option(TYPES.when, {
    description:
      '`changed`: a stop of the main agent runs no gate if its turn changed no file; `always`: every stop runs the gates.',
    defaultText: '`always` Trellis, `changed` stand-alone',
  }),
  integrity: option(TYPES.integrity, {
    description:
      '`block`: a stop is blocked while [tests or checks are weaker](integrity.md) than at the beginning of the session; `warn`: it is reported; `off`: it is not looked for.',
    default: 'block',
  }),
  integrityRules: option(mappingOf(INTEGRITY_RULES_SCHEMA, 'a mapping, such as {test-skipped: warn}'), {
    key: 'integrity_rules',
    description:
      'The same for single [rules](integrity.md#rules), by name; `block` also blocks for a rule that only warns.',
  }),
  markers: option(TYPES.markers, {
    description:
      '`strict`: a marker counts where the agent states it, not in a denial, a quotation or code; `anywhere`: wherever the last message contains it.',
    defaultText: '`anywhere` Trellis, `strict` stand-alone',
  }),
  typedGates: option(TYPES.boolean, {
    key: 'typed_gates',
    description:
      '`false`: [gates typed into a prompt](typed-gates.md), or given to the MCP server, run nothing.',
    default: true,
  }),
  answer: option(TYPES.answer, {
    description:
      '`context`: where a stop is blocked, Claude Code gets [context in place of a block](hosts.md#the-label-of-a-block); other hosts get a block.',
    default: 'block',
  }),
  notify: option(TYPES.notify, {
    description:
      'What happens when a stop needs you: `bell`, `desktop`, or a command, which gets the event as JSON on stdin ([notifications](notifications.md)).',
  }),
  env: option(mappingOf(PASS_SCHEMA, 'a mapping, such as {pass: [DATABASE_URL]}'), {
    description: 'The list `pass` names the only variables that gates inherit ([secrets](#secrets)).',
    defaultText: 'all',
  }),
};

/** `ralph:` of a worktree.yaml, as far as it is about agent runs. */
export const AGENT_RUN_SCHEMA = {
  enabled: option(TYPES.boolean, {
    description: '`false`: each agent runs once, without a loop.',
    default: true,
  }),
  defaultMaxIterations: option(TYPES.count, {
    key: 'default_max_iterations',
    description: 'The largest number of iterations of an agent that sets none.',
    // As in SpecFlow.
    default: 10,
  }),
  verifyPromises: option(TYPES.boolean, {
    key: 'verify_promises',
    description: '`false`: every well-formed promise is accepted.',
    default: true,
  }),
  command: option(TYPES.text, {
    description:
      'The agent if no command follows `--`, run by `/bin/sh -c`. It gets the prompt on stdin, or in place of `{prompt}`.',
  }),
  iterationTimeoutSeconds: option(TYPES.seconds, {
    key: 'iteration_timeout',
    description: "When the time is up, the agent's process tree is ended and the iteration has failed.",
    default: 3600,
  }),
  maxCostUsd: option(TYPES.dollars, {
    key: 'max_cost_usd',
    description: 'The run ends when it has cost more, if its agents report what they cost.',
  }),
  maxStalled: option(TYPES.count, {
    key: 'max_stalled',
    description:
      'The run ends after this many iterations in a row that change nothing and fail in the same way.',
    default: 3,
  }),
};

/** All options of `ralph:`. Any other key is the name of an agent. */
export const RALPH_SCHEMA = { ...STOP_LOOP_SCHEMA, ...AGENT_RUN_SCHEMA };

/** The mapping of an agent in `ralph:`. */
export const AGENT_SCHEMA = {
  enabled: option(TYPES.boolean, {
    description: '`false`: this agent runs once, without a loop.',
    default: true,
  }),
  maxIterations: option(TYPES.count, {
    key: 'max_iterations',
    description: 'The largest number of iterations.',
    defaultText: 'that of the stage',
  }),
  completionPromise: option(TYPES.promise, {
    key: 'completion_promise',
    description: 'The text that the agent has to promise.',
    defaultText: 'that of the stage',
  }),
  command: option(TYPES.text, { description: "This agent's command.", defaultText: '`command` of `ralph`' }),
  prompt: option(TYPES.text, { description: 'Precedes the specification in the prompt.' }),
};

/** A gate.config.json. */
export const GATE_CONFIG_SCHEMA = {
  gates: option(TYPES.list, { description: 'The gates.', required: 'a list of gates' }),
  failFast: option(TYPES.boolean, {
    description: STOP_LOOP_SCHEMA.failFast.description,
    default: STOP_LOOP_SCHEMA.failFast.default,
  }),
  outputPath: option(TYPES.text, {
    description: 'The results file, relative to this file; `<pid>` is replaced by the process id.',
    // As in Ralph Gate.
    default: 'gate-results-<pid>.json',
  }),
  $schema: option(TYPES.text, { description: 'Editors complete and check the file by this schema.' }),
};

/** An entry of a list of known failures. */
export const KNOWN_FAILURE_SCHEMA = {
  file: option(TYPES.text, { description: 'Relative to the project; absent if the output names none.' }),
  kind: option(TYPES.text, {
    description: "The tool's name for the kind of error, `test` for a test that failed, or `error`.",
    required: 'the kind of the error',
  }),
  message: option(TYPES.text, {
    description: 'Without numbers, times and the path of the project.',
    required: 'the message of the error',
  }),
  count: option(TYPES.count, { description: 'How many there are.', default: 1 }),
};

/** The known failures of a gate. */
export const BASELINE_GATE_SCHEMA = {
  exit: option(TYPES.exitCode, {
    description: 'The exit code of the gate when they were recorded.',
    required: 'the exit code of the gate',
  }),
  reported: option(TYPES.counts, {
    description: 'How many failures the output itself reports, by the words around the number.',
  }),
  failures: option(TYPES.list, { description: 'The failures, sorted.', required: 'a list of failures' }),
};

/** A ralph-baseline.json. */
export const BASELINE_SCHEMA = {
  $schema: option(TYPES.text, { description: 'Editors complete and check the file by this schema.' }),
  version: option(TYPES.version, {
    description: 'The version of the format.',
    required: '1, the version of the format',
  }),
  gates: option(TYPES.mapping, {
    description: 'The known failures of each gate, by its name.',
    required: 'the known failures of each gate',
  }),
};

/** The names of variables in `pass`, without those that are no names; undefined where there is no such list. */
export function passedNames(env: Readonly<Record<string, unknown>> | undefined): string[] | undefined {
  return Array.isArray(env?.pass) ? env.pass.filter(isVariableName) : undefined;
}
