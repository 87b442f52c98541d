import { isMap, isSeq } from 'yaml';
import type { ConfigProblem } from './config-problem.ts';
import { describe, FIELD } from './field-types.ts';
import { fieldsOf, type Located } from './parse-yaml.ts';
import { readFields } from './read-fields.ts';

/** The variables that gates may inherit; no list: all. */
export interface ParsedPass {
  readonly passEnv?: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads `env:` of the `ralph:` section, which holds nothing but `pass`. */
export function readPassOfAll(env: unknown, yaml: Located): ParsedPass {
  const map = yaml.resolve(env);
  if (!isMap(map)) return { problems: [] };
  const { values, problems } = readFields(fieldsOf(map, yaml), { pass: FIELD.names });
  if (values.pass === undefined) return { problems };
  const { passEnv = [], problems: wrongNames } = readPass(map, yaml);
  return { passEnv, problems: [...problems, ...wrongNames] };
}

/** Reads `pass:` in an `env:`. Where it is text, it is a variable of that name. */
export function readPass(env: unknown, yaml: Located): ParsedPass {
  const map = yaml.resolve(env);
  const list = isMap(map) ? yaml.resolve(map.get('pass', true)) : undefined;
  if (!isSeq(list)) return { problems: [] };
  const names = list.items.map((node) => ({ node, name: yaml.valueOf(node) }));
  return {
    passEnv: names.flatMap(({ name }) => (isName(name) ? name : [])),
    problems: names.flatMap(({ node, name }) => {
      const message = `found ${describe(name)} in "pass", expected the whole name of a variable, as DATABASE_URL`;
      return isName(name) ? [] : [{ ...yaml.at(node), message }];
    }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value);
}
