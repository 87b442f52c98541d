// Prints src/process/secrets/vendor-tokens.ts: the forms of vendors' tokens, from the rules of secretlint. They are
// regular expressions in the package's code, which is read and not run.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseAst } from 'rolldown/parseAst';

const NAME = '@secretlint/secretlint-rule-preset-recommend';
const require = createRequire(import.meta.url);
const { version } = require(`${NAME}/package.json`);
const [copyright] = readFileSync(
  require.resolve(`${NAME}/package.json`).replace('package.json', 'LICENSE'),
  'utf8',
).split('\n');
const code = readFileSync(require.resolve(NAME), 'utf8');

/** For these, masker.ts has a pattern that finds more, or that matches no name of a variable. */
const OWN = ['glpat-', 'hf_', 'npm_', 'sk-ant-api0'];
/** A letter before a token makes its start the end of a word. But `m` ends a colour, and other letters an escape. */
const BOUNDARY = String.raw`(?<!(?<!\\|%[\dA-Fa-f])[A-Za-ln-z])`;
/** A start that the search can find, and a run of characters that no word has: other rules need words around them. */
const FORM =
  /^(?:\(\?<!\\p\{L\}\)|\\b)(?:\((?:\?:|\?<\w+>)?(?<words>[\w|]+)\))?(?<literal>[\w-]*(?:\\\.)?)(?<rest>.*?)(?:\(\?!(?:\[[^\]]+\]|\\\w)\)|\\b)?$/;
/** Biome would find the comment in this file too. */
const IGNORE = ['biome-ignore-all', 'format'].join(' ');
const MIN_START = 3;
const MIN_RUN = 16;
/** A vendor may make its tokens longer. */
const MAX_RUN = 1000;

/** @returns undefined for a rule that is left out */
function shapeOf(pattern) {
  const { words = '', literal = '', rest = '' } = FORM.exec(pattern)?.groups ?? {};
  const starts = words.split('|').map((word) => word + literal.replace('\\', ''));
  const run = Math.max(0, ...[...rest.matchAll(/\{(\d+)/g)].map(([, least]) => Number(least)));
  if (starts.some((start) => start.length < MIN_START || OWN.includes(start)) || run < MIN_RUN)
    return undefined;
  const body = rest
    .replaceAll(/\(\?<\w+>/g, '(?:')
    .replace(/\{(\d+)(?:,\d+)?\}$/, (length, least) => (least < 8 ? length : `{${least},${MAX_RUN}}`));
  const head = words === '' ? literal : `(?:${words})${literal}`;
  return `  { starts: ${JSON.stringify(starts)}, pattern: /${BOUNDARY}${head}${body}/y },`;
}

function regularExpressions(node) {
  if (typeof node !== 'object' || node === null) return [];
  if (node.type === 'Literal' && node.regex) return [node.regex.pattern];
  return Object.values(node).flatMap(regularExpressions);
}

const shapes = [...new Set(regularExpressions(parseAst(code)).map(shapeOf))].filter(Boolean).toSorted();

process.stdout.write(`// Made by \`npm run docs\` from ${NAME} ${version}.
// ${copyright}, MIT License.
// ${IGNORE}: a row for each rule

/** Vendors' tokens that a start and a long run of random characters identify. */
export const VENDOR_TOKENS: readonly { readonly starts: readonly string[]; readonly pattern: RegExp }[] = [
${shapes.join('\n')}
];
`);
