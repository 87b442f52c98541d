import { describe, expect, test } from 'vitest';
import { readWorktree } from '../../helpers/read-worktree.ts';

/** What is particular about the file, the file, and its commands. */
type Row = readonly [what: string, text: string, commands: readonly string[]];

const layouts: Row[] = [
  ['indented items', 'verify:\n  - a\n  - b\n', ['a', 'b']],
  ['items that are not indented', 'verify:\n- a\n- b\n', ['a', 'b']],
  ['items at different depths', 'verify:\n    - a\n  - b\n      - c\n', ['a', 'b', 'c']],
  ['tabs', 'verify:\n\t- a\n\t-\tb\n', ['a', 'b']],
  ['CRLF', 'verify:\r\n  - a\r\n  - "b"\r\n', ['a', 'b']],
  ['CR', 'verify:\r  - a\r  - "b"\r', ['a', 'b']],
  ['all line ends in one file', 'verify:\r\n  - a\r  - b\n  - c', ['a', 'b', 'c']],
  ['a byte order mark', '\uFEFFverify:\n  - a\n', ['a']],
  ['no final newline', 'verify:\n  - a', ['a']],
  ['blanks at the ends of lines', 'verify: \n  - a  \n  - "b"\t\n', ['a', 'b']],
  [
    'comments and blank lines',
    '# x\n\nverify: # y\n  # - no\n\n  - a\n     # note\n  - b\n# z\n',
    ['a', 'b'],
  ],
  ['empty items', 'verify:\n  -\n  - a\n  - # later\n  - b\n', ['a', 'b']],
  ['document marks', '%YAML 1.2\n---\nverify:\n  - a\n...\n', ['a']],
  ['a quoted key', '"verify":\n  - a\n', ['a']],
  ['a blank before the colon', 'verify :\n  - a\n', ['a']],
  ['the same command twice', 'verify:\n  - a\n  - a\n', ['a', 'a']],
  ['an empty section', 'verify:\n', []],
  ['a section of comments', 'verify: # none yet\n  # - a\n', []],
  ['an empty list', 'verify: []\n', []],
  ['nothing at all', '', []],
  ['nothing but comments', '# verify:\n#   - a\n', []],
];

const severalLines: Row[] = [
  ['a literal block', 'verify:\n  - |\n    a # kept\n\n    - b\n  - c\n', ['a # kept\n\n- b', 'c']],
  ['a folded block', 'verify:\n  - >-\n    a\n    b\n  - c\n', ['a b', 'c']],
  ['a block with its indentation', 'verify:\n  - |2-\n    a\n  - c\n', ['a', 'c']],
  ['comments in between', 'verify:\n  - a &&\n    # why\n    b\n  # c\n  - d\n', ['a && b', 'd']],
  [
    'comments in between, of what YAML does not read',
    'verify:\n  - ! a &&\n    # why\n    b\n  - d\n',
    ['! a && b', 'd'],
  ],
  ['comments in a quote are none', 'verify:\n  - "a\n    # b\n    c"\n  - d\n', ['a # b c', 'd']],
  ['comments in a block are its own', 'verify:\n  - |\n    a\n    # b\n    c\n  - d\n', ['a\n# b\nc', 'd']],
  ['a command that goes on', 'verify:\n  - a &&\n    b\n  - c\n', ['a && b', 'c']],
  ['a quote that goes on', 'verify:\n  - "a\n    b"\n  - c\n', ['a b', 'c']],
  [
    'an inner quote that goes on',
    'verify:\n  - npm test -- -g "a:\n    b"\n  - c\n',
    ['npm test -- -g "a: b"', 'c'],
  ],
  ['text below the dash', 'verify:\n  -\n    a\n  - b\n', ['a', 'b']],
];

const inline: Row[] = [
  ['one line', 'verify: [npm run lint, "a, b", \'c\']\n', ['npm run lint', 'a, b', 'c']],
  ['several lines', 'verify: [a,\n  b,\n]\n', ['a', 'b']],
  ['below the key of another section', 'copy: [x]\nverify: [a]\nother: [y]\n', ['a']],
  ['with a mapping', 'verify: [{run: a}, {name: n, run: b}]\n', ['a', 'b']],
  ['with what is no text', 'verify: [[ -f a ], 5, null]\n', ['[ -f a ]', '5', 'null']],
  [
    'with what YAML would take for more, in quotes',
    'verify: ["! grep -q TODO a", "*.sh"]\n',
    ['! grep -q TODO a', '*.sh'],
  ],
  ['with an alias', 'verify: [{run: &r a}, {name: n, run: *r}]\n', ['a', 'a']],
];

const trellisSections: Row[] = [
  ['before', 'worktree_dir: ../t\ncopy:\n  - x\npost_create:\n  - y\nverify:\n  - a\n', ['a']],
  ['behind', 'verify:\n  - a\npost_create:\n  - y\n', ['a']],
  ['broken', 'copy: [ "\nverify:\n  - a\npost_create: *x\n', ['a']],
  ['with a verify of its own', 'other:\n  verify:\n    - x\nverify:\n  - a\n', ['a']],
  ['alone', 'copy:\n  - x\n', []],
  ['whose key has a blank', 'verify:\n  - a\npost create:\n  - rm -rf x\n', ['a']],
  ['whose key is a number', 'verify:\n  - a\n1:\n  - rm -rf x\n', ['a']],
  ['whose key has a dot', 'verify:\n  - a\nx.y/z@1: # c\n  - rm -rf x\n', ['a']],
  ['whose key has other letters', 'verify:\n  - a\nprüfen:\n  - rm -rf x\n', ['a']],
  ['whose key is quoted badly', 'verify:\n  - a\n"b:\n  - rm -rf x\n', ['a']],
  ['whose key is a question', 'verify:\n  - a\n? b :\n  - rm -rf x\n', ['a']],
  ['with verify: as text', 'copy: x\nother:\n  verify: [x]\n  - verify: y\n', []],
];

describe('a worktree.yaml may have', () => {
  test.each(layouts)('%s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(severalLines)('an item of several lines: %s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(inline)('its list in brackets: %s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(trellisSections)("sections of Trellis's own: %s", async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });
});

describe('a command that holds a line separator of Unicode', () => {
  test.each(['\u2028', '\u2029'])('is one command, and so is its neighbour: %j', async (separator) => {
    const { commands, problems } = await readWorktree(
      `verify:\n  - echo a${separator}b\n  - c${separator}d\n`,
    );

    expect(problems).toEqual([]);
    expect(commands).toEqual([`echo a${separator}b`, `c${separator}d`]);
  });
});
