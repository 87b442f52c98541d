// Prints the API reference as one page of markdown. It is made of the rolled-up declarations, which hold every
// docstring: API Documenter writes 50 files, and names types as their own files do, not as they can be imported.
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();
const SECTIONS = { Functions: /^function /, Classes: /^class /, Types: /^(interface|type) / };

const declarations = read('dist/types/index.d.ts')
  .split('\n\n')
  .map((block) => {
    const [, comment = '', code = ''] = /^(?:\/\*\*(.*?)\*\/\n?)?(.*)$/s.exec(block) ?? [];
    const text = comment.replace(/^ *\* ?/gm, '').trim();
    const [prose = '', ...tags] = text.split(/^(?=@(?:param|returns|throws|packageDocumentation)\b)/m);
    const exported = code === '' || code.startsWith('export ');
    return {
      prose: `${prose.trim()}${exported ? '' : ' (Not exported.)'}`,
      tags,
      code: code.replace(/^(export )?declare /, ''),
    };
  });

const lineOf = (tag) =>
  `- ${tag
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^@param (\w+) - /, '`$1`: ')
    .replace(/^@returns (.)/, (_, first) => `returns ${first.toLowerCase()}`)
    .replace(/^@/, '')}`;

const entryOf = ({ prose, tags, code }) => {
  const [, name] = /^\w+ (\w+)/.exec(code) ?? [];
  return [`### ${name}`, prose, `\`\`\`ts\n${code}\n\`\`\``, tags.map(lineOf).join('\n')];
};

const [overview] = declarations.filter(({ tags }) => tags.some((tag) => tag.startsWith('@packageDoc')));
const page = [
  '# API',
  '<!-- Made by `npm run docs` from the docstrings in src. -->',
  overview?.prose,
  `\`\`\`ts\n${read('tests/fixtures/library/run-gates.ts')}\n\`\`\``,
  ...Object.entries(SECTIONS).flatMap(([title, form]) => [
    `## ${title}`,
    ...declarations.filter(({ code }) => form.test(code)).flatMap(entryOf),
  ]),
];
process.stdout.write(`${page.filter(Boolean).join('\n\n')}\n`);
