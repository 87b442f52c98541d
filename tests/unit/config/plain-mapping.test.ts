import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/config/parse-yaml.ts';
import { plainMapping } from '../../../src/config/plain-mapping.ts';
import type { ConfigNode } from '../../../src/config/validate.ts';

/** A node as plain data. */
function dataOf({ value, at, entries }: ConfigNode): object {
  const members = entries?.map(({ key, keyAt, node }) => ({ key, keyAt, node: dataOf(node) }));
  return { value, at, ...(members && { members }) };
}

describe('a mapping of plain values is read as YAML reads it:', () => {
  test.each([
    ['words', '  jobs: auto\n  when: always\n  mode: changed'],
    ['numbers', '  a: 5\n  b: 0.5\n  c: 1.25\n  d: 120\n  e: 100.000001'.replace('0.5', '1.5')],
    ['booleans', '  a: true\n  b: false'],
    ['several blanks', '    jobs:   auto   \n    a: 1'],
    ['comments and blank lines', '# one\n\n  jobs: 2 # two\n  # three\n  a: true   # 4\n'],
    ['an unknown key', '  jobz: auto'],
  ])('%s', (_, text) => {
    const lines = text.split('\n');
    const plain = plainMapping(lines, 7);
    const { root, problems } = parseYaml(lines, 7);
    expect(problems).toEqual([]);
    expect(plain && dataOf(plain)).toEqual(dataOf(root));
  });
});

describe('is left to YAML:', () => {
  test.each([
    ['a list', '  agents: [main]'],
    ['a mapping in it', '  env:\n    pass: [A]'],
    ['a value on the next line', '  jobs:\n    auto'],
    ['a value that goes on in the next line', '  jobs: auto\n    more'],
    ['a repeated key', '  jobs: 1\n  jobs: 2'],
    ['another indentation', '  a: 1\n   b: 2'],
    ['a tab', '\tjobs: auto'],
    ['text', '  command: claude -p'],
    ['a word that is another value elsewhere', '  a: yes\n  b: null\n  c: ~'],
    ['an octal number', '  a: 010'],
    ['a negative number', '  a: -1'],
    ['an exponent', '  a: 1e3'],
    ['a comment without a blank before it', '  a: 1#2'],
    ['an anchor', '  a: &x 1'],
    ['a tag', '  a: !!str 1'],
    ['a quoted key', '  "a": 1'],
    ['a document marker', '---\n  a: 1'],
    ['nothing', '\n# only this\n'],
  ])('%s', (_, text) => {
    expect(plainMapping(text.split('\n'), 1)).toBeUndefined();
  });
});
