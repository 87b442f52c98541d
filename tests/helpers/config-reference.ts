import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  AGENT_RUN_SCHEMA,
  AGENT_SCHEMA,
  BASELINE_GATE_SCHEMA,
  BASELINE_SCHEMA,
  GATE_CONFIG_SCHEMA,
  gateSchemaOf,
  KNOWN_FAILURE_SCHEMA,
  RALPH_SCHEMA,
  STOP_LOOP_SCHEMA,
} from '../../src/config/schema.ts';
import { DEFAULT_AGENT_RUN, STAGE_DEFAULTS, stageSettings } from '../../src/config/settings.ts';
import type { Option, Schema } from '../../src/config/validate.ts';
import { RULES } from '../../src/integrity/rules.ts';

// What `npm run docs` generates from src/config/schema.ts: the JSON schemas, and the tables of the reference pages.

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = 'docs';

export interface GeneratedFile {
  /** Relative to the repository. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export function generatedFiles(): GeneratedFile[] {
  const pages = readdirSync(REPOSITORY + PAGES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      name: `${PAGES}/${name}`,
      before: readFileSync(`${REPOSITORY}${PAGES}/${name}`, 'utf8'),
    }))
    .filter(({ before }) => tablesIn(before).length > 0);
  const files = [
    { name: 'schema/baseline.json', text: jsonText(baselineSchema()) },
    { name: 'schema/gate.config.json', text: jsonText(gateConfigSchema()) },
    { name: 'schema/worktree.json', text: jsonText(worktreeSchema()) },
    ...pages.map(({ name, before }) => ({ name, text: withTables(before) })),
  ];
  return files.map((file) => ({ ...file, path: REPOSITORY + file.name }));
}

function baselineSchema(): object {
  const { properties, ...schema } = objectOf(BASELINE_SCHEMA);
  const gate = objectOf(BASELINE_GATE_SCHEMA);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'ralph-baseline.json',
    description: 'Failures that do not block: a gate that fails with these alone passes.',
    ...schema,
    properties: {
      ...properties,
      gates: {
        ...properties.gates,
        additionalProperties: {
          ...gate,
          properties: {
            ...gate.properties,
            failures: { ...gate.properties.failures, items: strictObjectOf(KNOWN_FAILURE_SCHEMA) },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  };
}

function gateConfigSchema(): object {
  const { properties, ...schema } = objectOf(GATE_CONFIG_SCHEMA);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'gate.config.json',
    description: 'Gates that must pass before a coding agent may stop.',
    ...schema,
    properties: {
      ...properties,
      gates: { ...properties.gates, items: objectOf(gateSchemaOf('gateConfig')) },
    },
  };
}

function worktreeSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'worktree.yaml',
    description: "Trellis's worktree.yaml. ralph-loop reads `verify` and `ralph`, and ignores other keys.",
    type: 'object',
    properties: {
      verify: {
        type: ['array', 'null'],
        description: 'The gates, each a command or a mapping.',
        items: {
          anyOf: [
            { type: ['string', 'number', 'boolean', 'null'] },
            strictObjectOf(gateSchemaOf('worktree')),
          ],
        },
      },
      ralph: {
        type: ['object', 'null'],
        description: 'Settings. Any other key is the name of an agent, for agent runs.',
        properties: objectOf(RALPH_SCHEMA).properties,
        additionalProperties: {
          description: 'An agent, such as coder, reviewer, tester or qa.',
          ...strictObjectOf(AGENT_SCHEMA),
        },
      },
    },
  };
}

interface ObjectSchema {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

function objectOf(schema: Schema): ObjectSchema {
  const options = Object.entries(schema).map(([name, { key = name, ...option }]) => ({ key, ...option }));
  const required = options.filter((option) => option.required !== undefined).map(({ key }) => key);
  const properties = options.map(({ key, type, default: value, ...option }) => [
    key,
    {
      ...(type.members ? strictObjectOf(type.members) : type.jsonSchema),
      ...(value !== undefined && { default: value }),
      description: descriptionOf({ type, ...option }),
    },
  ]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

/** What an editor shows beside the default of an option. It cannot follow links. */
function descriptionOf({ type, description, defaultText: text }: Option): string {
  const sentences = [
    description.replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, ''),
    ...(type.unit === undefined ? [] : [`In ${type.unit}.`]),
    ...(text === undefined ? [] : [`Default: ${text}.`]),
  ];
  return sentences.join(' ');
}

function strictObjectOf(schema: Schema): object {
  return { ...objectOf(schema), additionalProperties: false };
}

/** JSON as the formatter of this repository writes it: lists of plain values are on one line. */
function jsonText(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/\[\n[^[\]{}]*?\]/g, (list) => list.replace(/\n\s*/g, ' ').replace(/\[ | \]/g, (end) => end.trim()))}\n`;
}

const TABLE = /(<!-- options: ([\w-]+) -->\n)[\s\S]*?(<!-- \/options -->)/g;

const TABLES: Readonly<Record<string, () => string>> = {
  gate: () => tableOf(gateSchemaOf('worktree')),
  'stop-loop': () => tableOf(STOP_LOOP_SCHEMA),
  'gate-config': () => tableOf(GATE_CONFIG_SCHEMA),
  'gate-config-gate': () => tableOf(gateSchemaOf('gateConfig')),
  'agent-run': () => tableOf(AGENT_RUN_SCHEMA),
  agent: () => tableOf(AGENT_SCHEMA),
  stages: stageTable,
  'integrity-rules': rulesTable,
};

/** The names of the tables, each of which belongs to one page. */
export const TABLE_NAMES = Object.keys(TABLES);

/** The names of the tables in a page. */
export function tablesIn(page: string): string[] {
  return [...page.matchAll(TABLE)].map(([, , name = '']) => name);
}

/** The page with each text between `<!-- options: name -->` and `<!-- /options -->` replaced by its table. */
function withTables(page: string): string {
  return page.replace(TABLE, (_, start: string, name: string, end: string) => {
    const table = TABLES[name];
    if (!table) throw new Error(`There is no table "${name}".`);
    return `${start}\n${table()}\n${end}`;
  });
}

function tableOf(schema: Schema): string {
  return tableText(
    ['key', 'type', 'default', 'description'],
    Object.entries(schema).map(([name, { key = name, type, description, ...option }]) => [
      `\`${key}\``,
      type.unit ?? type.name,
      defaultText(option),
      description,
    ]),
  );
}

function defaultText({ default: value, defaultText: text, required }: Partial<Option>): string {
  if (required !== undefined) return 'required';
  return value === undefined ? (text ?? 'none') : `\`${value}\``;
}

function stageTable(): string {
  const rows = [...Object.keys(STAGE_DEFAULTS), 'any other'].map((agent) => {
    const { maxIterations, completionPromise } = stageSettings(agent, DEFAULT_AGENT_RUN);
    const name = Object.hasOwn(STAGE_DEFAULTS, agent) ? `\`${agent}\`` : agent;
    return [name, `\`${maxIterations}\``, `\`${completionPromise}\``];
  });
  return tableText(['agent', '`max_iterations`', '`completion_promise`'], rows);
}

function rulesTable(): string {
  const rows = Object.entries(RULES).map(([name, { severity, finds }]) => [`\`${name}\``, severity, finds]);
  return tableText(['rule', 'severity', 'finds'], rows);
}

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}
