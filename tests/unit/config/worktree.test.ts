import { describe, expect, test } from 'vitest';
import {
  hasContent,
  isPlainCommand,
  sectionOf,
  sliceItems,
  sliceSections,
  splitLines,
} from '../../../src/config/worktree.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';

/** The form of the file, the file, and its commands. */
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
  ['trailing blanks', 'verify: \n  - a  \n  - "b"\t\n', ['a', 'b']],
  [
    'comments and blank lines',
    '# x\n\nverify: # y\n  # - no\n\n  - a\n     # note\n  - b\n# z\n',
    ['a', 'b'],
  ],
  ['empty items', 'verify:\n  -\n  - a\n  - # later\n  - b\n', ['a', 'b']],
  ['document markers', '%YAML 1.2\n---\nverify:\n  - a\n...\n', ['a']],
  ['a quoted key', '"verify":\n  - a\n', ['a']],
  ['a blank before the colon', 'verify :\n  - a\n', ['a']],
  ['the same command twice', 'verify:\n  - a\n  - a\n', ['a', 'a']],
  ['an empty section', 'verify:\n', []],
  ['a section with only comments', 'verify: # none yet\n  # - a\n', []],
  ['an empty list', 'verify: []\n', []],
  ['no content', '', []],
  ['only comments', '# verify:\n#   - a\n', []],
];

const severalLines: Row[] = [
  ['a literal block', 'verify:\n  - |\n    a # kept\n\n    - b\n  - c\n', ['a # kept\n\n- b', 'c']],
  ['a folded block', 'verify:\n  - >-\n    a\n    b\n  - c\n', ['a b', 'c']],
  ['a block with an indentation indicator', 'verify:\n  - |2-\n    a\n  - c\n', ['a', 'c']],
  ['comments between its lines', 'verify:\n  - a &&\n    # why\n    b\n  # c\n  - d\n', ['a && b', 'd']],
  [
    'comments between its lines, if it is not valid YAML',
    'verify:\n  - ! a &&\n    # why\n    b\n  - d\n',
    ['! a && b', 'd'],
  ],
  ['a # in a quoted scalar', 'verify:\n  - "a\n    # b\n    c"\n  - d\n', ['a # b c', 'd']],
  ['a # in a block scalar', 'verify:\n  - |\n    a\n    # b\n    c\n  - d\n', ['a\n# b\nc', 'd']],
  ['a plain command', 'verify:\n  - a &&\n    b\n  - c\n', ['a && b', 'c']],
  ['a quoted scalar', 'verify:\n  - "a\n    b"\n  - c\n', ['a b', 'c']],
  [
    'quotes inside the command',
    'verify:\n  - npm test -- -g "a:\n    b"\n  - c\n',
    ['npm test -- -g "a: b"', 'c'],
  ],
  ['the command on the line after the dash', 'verify:\n  -\n    a\n  - b\n', ['a', 'b']],
];

const inline: Row[] = [
  ...['null', '~', 'NULL', '[]', '~ # none'].map(
    (value): Row => [`nothing: ${value}`, `verify: ${value}\nralph: ~\n`, []],
  ),
  ['one line', 'verify: [npm run lint, "a, b", \'c\']\n', ['npm run lint', 'a, b', 'c']],
  ['several lines', 'verify: [a,\n  b,\n]\n', ['a', 'b']],
  ['between other sections', 'copy: [x]\nverify: [a]\nother: [y]\n', ['a']],
  ['with a mapping', 'verify: [{run: a}, {name: n, run: b}]\n', ['a', 'b']],
  ['with items that are not text', 'verify: [[ -f a ], 5, null]\n', ['[ -f a ]', '5', 'null']],
  [
    'with quoted items that would not be text in YAML',
    'verify: ["! grep -q TODO a", "*.sh"]\n',
    ['! grep -q TODO a', '*.sh'],
  ],
  ['with an alias', 'verify: [{run: &r a}, {name: n, run: *r}]\n', ['a', 'a']],
];

const trellisSections: Row[] = [
  ['before it', 'worktree_dir: ../t\ncopy:\n  - x\npost_create:\n  - y\nverify:\n  - a\n', ['a']],
  ['after it', 'verify:\n  - a\npost_create:\n  - y\n', ['a']],
  ['with YAML errors', 'copy: [ "\nverify:\n  - a\npost_create: *x\n', ['a']],
  ['with a nested verify', 'other:\n  verify:\n    - x\nverify:\n  - a\n', ['a']],
  ['only', 'copy:\n  - x\n', []],
  ['with a blank in the key', 'verify:\n  - a\npost create:\n  - rm -rf x\n', ['a']],
  ['with a number as key', 'verify:\n  - a\n1:\n  - rm -rf x\n', ['a']],
  ['with a dot in the key', 'verify:\n  - a\nx.y/z@1: # c\n  - rm -rf x\n', ['a']],
  ['with non-ASCII letters in the key', 'verify:\n  - a\nprüfen:\n  - rm -rf x\n', ['a']],
  ['with a key that is quoted wrongly', 'verify:\n  - a\n"b:\n  - rm -rf x\n', ['a']],
  ['with a complex key', 'verify:\n  - a\n? b :\n  - rm -rf x\n', ['a']],
  ['with verify in other positions', 'copy: x\nother:\n  verify: [x]\n  - verify: y\n', []],
];

describe('the commands of verify are read from a file with', () => {
  test.each(layouts)('%s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(severalLines)('an item of several lines: %s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(inline)('a flow list: %s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });

  test.each(trellisSections)('sections of Trellis: %s', async (_, text, commands) => {
    expect(await readWorktree(text)).toMatchObject({ commands, problems: [] });
  });
});

describe('a Unicode line separator', () => {
  test.each(['\u2028', '\u2029'])('does not end a command: %j', async (separator) => {
    const { commands, problems } = await readWorktree(
      `verify:\n  - echo a${separator}b\n  - c${separator}d\n`,
    );

    expect(problems).toEqual([]);
    expect(commands).toEqual([`echo a${separator}b`, `c${separator}d`]);
  });
});

/** The text after the dash, and the command that is run. */
type ItemRow = readonly [item: string, command: string];

const plain = [
  'pnpm test',
  'true',
  'null',
  '~',
  '5',
  '2026-01-31',
  'FOO=1 npm test',
  './run.sh --all',
  '(cd a && npm test)',
  '$SHELL -c true',
  '~/bin/check',
  '/bin/true',
  '<in.txt wc -l',
  'npm run a:b',
  'curl http://localhost:3000/',
  'echo {a,b} c[1]',
  '-x',
  'a, b',
  'é — ü',
  'exit 3; exit 4',
  'a | b > c 2>&1 &',
];

/** These are not text in YAML, or not valid. */
const notText = [
  '[ -f a ] && b',
  '[ -f a ]',
  '[[ -f a ]] && b',
  '[ "$A" = "b: c" ]',
  '! grep -q TODO src/a.ts',
  '!grep -q TODO src/a.ts',
  'npm test -- -g "a: b"',
  'curl -H "Accept: text/html" localhost',
  'echo a:',
  '{ true; }',
  '@tool x',
  '`which true`',
  '*.sh',
  '&a b',
  '%a b',
  '> out.txt echo a',
  '| cat',
  '- a',
  '?a',
  ':a',
  ', a',
  '"npm" run lint',
  '"a" && "b"',
  "'a'b'c'",
  '"unclosed',
  "it's",
  '"run": x',
  '--- a',
];

/** Items that are quoted as a whole. */
const quoted: ItemRow[] = [
  ['"npm run lint"', 'npm run lint'],
  ["'npm run lint'", 'npm run lint'],
  ['"a: b"', 'a: b'],
  ["'[ -f a ]'", '[ -f a ]'],
  ["'it''s'", "it's"],
  ['"say \\"a\\""', 'say "a"'],
  ['"\\u00e9"', 'é'],
  ['"a # b"', 'a # b'],
  ['"a" # why', 'a'],
  ['" a "', 'a'],
];

/** The shell decides what is a comment: YAML does not know its quotes. */
const withComments = [
  'exit 5 # quick check',
  'exit 5 #',
  'exit 5# no comment',
  'exit 5 # a: b',
  'echo "a # b"',
  "echo 'a # b' c",
  'echo "a \\" # b"',
  "echo 'a \\' # b",
  "echo it's # c",
  'echo $# a# # c',
  'echo a \\# b',
  '[ -f a ] # c',
  '! a # c',
  '5 # c',
  'a &&\t# c',
];

describe('an item of verify is run', () => {
  test.each(plain)('as it is written: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n`)).toMatchObject({ commands: [item], problems: [] });
  });

  test.each(notText)('as it is written, even if it is not text in YAML: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n  - true\n`)).toMatchObject({
      commands: [item, 'true'],
      problems: [],
    });
  });

  test.each(quoted)('without the quotes around the whole item: %s', async (item, command) => {
    expect(await readWorktree(`verify:\n  - ${item}\n`)).toMatchObject({ commands: [command], problems: [] });
  });

  test.each(withComments)('with its comment: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n  - true\n`)).toMatchObject({
      commands: [item, 'true'],
      problems: [],
    });
  });
});

describe('sliceSections cuts a file at its top-level keys:', () => {
  test.each([
    [
      'a key and the lines below it',
      'a:\n  b\n\nc: d\n',
      [
        { key: 'a', line: 1, width: 2, inline: '', body: ['  b', ''] },
        { key: 'c', line: 4, width: 4, inline: ' d', body: [''] },
      ],
    ],
    [
      'quoted keys',
      '"a": 1\n\'b\':\n',
      [
        { key: 'a', line: 1, width: 6, inline: ' 1', body: [] },
        { key: 'b', line: 2, width: 4, inline: '', body: [''] },
      ],
    ],
    ['a blank before the colon', 'a :x\nb : y', [{ key: 'b', line: 2, width: 5, inline: ' y', body: [] }]],
    ['a key with dashes and digits', 'a-b_1:', [{ key: 'a-b_1', line: 1, width: 6, inline: '', body: [] }]],
    ['a key with a comment', 'a: # x', [{ key: 'a', line: 1, width: 6, inline: ' # x', body: [] }]],
  ])('%s', (_, text, sections) => {
    expect(sliceSections(text).sections).toEqual(sections);
  });

  // Such a key ends `verify:`: the lines below it are no commands.
  test.each([
    ['"a\': x', '"a\''],
    ['1a: b', '1a'],
    ['a b: c', 'a b'],
    ['a.b/c: d', 'a.b/c'],
    ['é:', 'é'],
    ['"a b": c', 'a b'],
    ['<<: *x', '<<'],
    ['a:b: c', 'a:b'],
    ['a: b: c', 'a'],
    ['a:\tb', 'a'],
    ['a\u2028b: c', 'a\u2028b'],
  ])('the line is a key: %j', (line, key) => {
    const { sections } = sliceSections(`verify:\n${line}\n  - x`);

    expect(sections.map((section) => [section.key, section.body])).toEqual([
      ['verify', []],
      [key, ['  - x']],
    ]);
  });

  test.each(['a:b', ' a: b', '\ta: b', '- a: b', '-a: b', '# a: b', '#a: b', 'a', ''])(
    'the line is not a key: %j',
    (line) => {
      expect(sliceSections(`verify:\n${line}\n  - x`).sections).toEqual([
        { key: 'verify', line: 1, width: 7, inline: '', body: [line, '  - x'] },
      ]);
    },
  );

  test('text before the first key is one problem at its first line', () => {
    expect(sliceSections('\n# c\nx\ny\na:\n').problems).toEqual([
      { line: 3, column: 1, message: expect.stringContaining('found "x" before any key') },
    ]);
  });

  test('text before the first key is reported at its first character', () => {
    expect(sliceSections('  verify:\n').problems).toMatchObject([{ line: 1, column: 3 }]);
  });

  test('sectionOf returns the first section with the key', () => {
    const { sections } = sliceSections('a: 1\nb: 2\na: 3\n');

    expect(sectionOf(sections, 'a')?.inline).toBe(' 1');
    expect(sectionOf(sections, 'x')).toBeUndefined();
  });
});

test.each([
  ['\n', 'a\nb\n', ['a', 'b', '']],
  ['\r\n', 'a\r\n\r\nb', ['a', '', 'b']],
  ['\r', 'a\rb', ['a', 'b']],
  ['a mixture', 'a\r\nb\rc\nd', ['a', 'b', 'c', 'd']],
  ['a byte order mark, the first only', '\uFEFFa\n\uFEFFb', ['a', '\uFEFFb']],
])('splitLines splits at %j', (_, text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});

test.each([
  ['', false],
  [' \t', false],
  ['# c', false],
  ['   # c', false],
  ['---', false],
  ['...', false],
  ['%YAML 1.2', false],
  ['a # c', true],
  ['  - a', true],
  [' ---', true],
  ['# a\u2028b', false],
])('hasContent(%j) is %s', (line, expected) => {
  expect(hasContent(line)).toBe(expected);
});

function itemsOf(text: string) {
  const [section] = sliceSections(text).sections;
  return sliceItems(section as NonNullable<typeof section>);
}

describe('sliceItems cuts a section at its dashes:', () => {
  test('an item has its position, and its lines keep their columns', () => {
    expect(itemsOf('a:\n\n  -   b: c\n      d: e\n').items).toEqual([
      { line: 3, column: 7, text: 'b: c', source: ['      b: c', '      d: e', ''] },
    ]);
  });

  test.each([
    ['at any indentation', '    - a\n  - b\n      - c\n- d', ['a', 'b', 'c', 'd']],
    ['not inside a block scalar', '  - |\n    a\n    - b\n  - c', ['|', 'c']],
    ['not inside a mapping', '  - run: |\n      a\n      - b\n  - c', ['run: |', 'c']],
    ['after a block scalar that ends by indentation', '  - >-\n    a\n  - b', ['>-', 'b']],
    ['an empty item', '  -\n  - a', ['', 'a']],
    ['not at a dash without a blank', '  - a\n  -b', ['a']],
  ])('%s', (_, body, texts) => {
    expect(itemsOf(`a:\n${body}`).items.map(({ text }) => text)).toEqual(texts);
  });

  test('comments and blank lines between two items belong to neither', () => {
    expect(itemsOf('a:\n  - b\n  # c\n\n  - d\n').items.map(({ source }) => source)).toEqual([
      ['    b'],
      ['    d'],
    ]);
  });

  test('a comment between the lines of a command is left out', async () => {
    const { commands } = await readWorktree('verify:\n  - a &&\n    # why\n    b\n');

    expect(commands).toEqual(['a && b']);
  });

  test.each([
    ['before the items', '\n  x y\n  - a', [{ line: 3, column: 3, text: 'x y' }]],
    ['between two items', '  - a\n  x\n  - b', [{ line: 3, column: 3, text: 'x' }]],
    ['after the last item', '  - a\n x', [{ line: 3, column: 2, text: 'x' }]],
    ['starting with a dash without a blank', '  - a\n  -b', [{ line: 3, column: 3, text: '-b' }]],
    [
      'several times',
      '  x\n  y\n  - a\n  z',
      [
        { line: 2, column: 3, text: 'x' },
        { line: 3, column: 3, text: 'y' },
        { line: 5, column: 3, text: 'z' },
      ],
    ],
    [
      'at the indentation of the dash of a mapping',
      '  - a: b\n  c: d',
      [{ line: 3, column: 3, text: 'c: d' }],
    ],
    ['never as a comment', '  # x\n  - a\n  # y\n# z', []],
    ['never as a blank line', '  - a\n\n', []],
    ['never with more indentation than the dash', '  - a\n   b', []],
  ])('a line outside of any item is returned: %s', (_, body, outside) => {
    expect(itemsOf(`a:\n${body}`).outside).toEqual(outside);
  });

  test('a line outside of any item is not part of one', () => {
    expect(itemsOf('a:\n  - b\n  x\n  - c').items.map(({ source }) => source)).toEqual([
      ['    b'],
      ['    c'],
    ]);
  });
});

test.each([
  ['npm test', true],
  ['a#b', true],
  ['a:b', true],
  ['a && "b"', true],
  ['a: b', false],
  ['a:', false],
  ['a # b', true],
  ['a # b: c', false],
  ['a \u2028b', true],
  ['a \u2028b: c', false],
  ['# a', false],
  ['"a"', false],
  ['[ -f a ]', false],
  ['! a', false],
  ['- a', false],
  ['', false],
])('isPlainCommand(%j) is %s', (text, expected) => {
  expect(isPlainCommand({ line: 1, column: 1, text, source: [text] })).toBe(expected);
});

test('isPlainCommand is false for a command on two lines', () => {
  expect(isPlainCommand({ line: 1, column: 1, text: 'a', source: ['a', '  b'] })).toBe(false);
});
