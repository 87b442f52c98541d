import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPromptLibrary, templateNames } from '../../../../src/chain/parse/templates.ts';
import { temporaryTree } from '../../../helpers/temporary-tree.ts';

const templateOf = (content: string) =>
  readPromptLibrary(temporaryTree({ '.claude/commands/a.md': content })).template('a');

test('templates are found in two directories, criteria in one', () => {
  const library = readPromptLibrary(
    temporaryTree({
      '.claude/commands/both.md': 'of Claude Code',
      '.claude/commands/code.v-2_x.md': 'a name with punctuation',
      '.trellis/prompts/both.md': 'of Trellis',
      '.trellis/prompts/trellis.md': 'of Trellis alone',
      '.trellis/gates/quality.md': 'is good',
    }),
  );

  expect(['both', 'code.v-2_x', 'trellis', 'quality', 'other'].map(library.template)).toEqual([
    'of Claude Code',
    'a name with punctuation',
    'of Trellis alone',
    undefined,
    undefined,
  ]);
  expect(['quality', 'both', 'other'].map(library.criterion)).toEqual(['is good', undefined, undefined]);
});

test('templateNames lists the templates that can be read, sorted', () => {
  const root = temporaryTree({
    '.trellis/prompts/fix.md': 'x',
    '.trellis/prompts/both.md': 'x',
    '.trellis/prompts/large.md': 'x'.repeat(256 * 1024 + 1),
    '.trellis/prompts/directory.md/': '',
    '.claude/commands/both.md': 'x',
    '.claude/commands/a b.md': 'x',
    '.claude/commands/note.txt': 'x',
  });
  expect(templateNames(root)).toEqual(['both', 'fix']);
  expect(templateNames(join(root, 'nowhere'))).toEqual([]);
});

describe('the text of a template is read', () => {
  test.for([
    ['unchanged', 'a\n\nb\n', 'a\n\nb\n'],
    ['without its front matter', '---\ndescription: x\nmodel: y\n---\n\na\n', '\na\n'],
    ['with CRLF', '---\r\nx: y\r\n---\r\na\r\n', 'a\r\n'],
    ['without a byte order mark', '\uFEFF---\nx: y\n--- \na', 'a'],
    ['without an empty front matter', '---\n---\na', 'a'],
    ['without front matter that is the whole file', '---\nx: y\n---', ''],
    ['with a later line of dashes', '---\nx: y\n---\na\n---\nb', 'a\n---\nb'],
    ['with dashes that are not closed', '---\na\n----\n', '---\na\n----\n'],
    ['with dashes that do not come first', 'a\n---\nb\n---\n', 'a\n---\nb\n---\n'],
    ['with longer dashes', '----\na\n---\n', '----\na\n---\n'],
    ['if it is empty', '', ''],
    ['if it has 256 kB', 'x'.repeat(256 * 1024), 'x'.repeat(256 * 1024)],
    ['as missing if it has more', 'x'.repeat(256 * 1024 + 1), undefined],
  ] as const)('%s', ([, content, text]) => {
    expect(templateOf(content)).toBe(text);
  });
});

test.for([
  '../secret',
  '..',
  '.',
  '',
  '.hidden',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'a\0',
  'a b',
  'a\n',
  '-a',
  'ä',
])('a name with other characters is not a template: %j', (name) => {
  const root = temporaryTree({
    '.claude/secret.md': 'x',
    '.claude/commands/.hidden.md': 'x',
    '.claude/commands/..md': 'x',
    '.claude/commands/...md': 'x',
    '.claude/commands/.md': 'x',
    '.claude/commands/a/b.md': 'x',
    '.claude/commands/a b.md': 'x',
    '.claude/commands/a\n.md': 'x',
    '.claude/commands/a\\b.md': 'x',
    '.claude/commands/-a.md': 'x',
    '.claude/commands/ä.md': 'x',
  });
  expect(readPromptLibrary(root).template(name)).toBeUndefined();
});

test('a file that cannot be read does not exist', () => {
  const root = temporaryTree({
    '.claude/commands/directory.md/': '',
    '.trellis/gates': 'a file',
    '.trellis/prompts/': '',
  });
  const commands = join(root, '.claude/commands');
  execFileSync('mkfifo', [join(commands, 'pipe.md')]);
  symlinkSync(join(commands, 'loop.md'), join(commands, 'loop.md'));
  symlinkSync('/dev/zero', join(commands, 'endless.md'));
  const library = readPromptLibrary(root);

  expect(['directory', 'pipe', 'loop', 'endless'].map(library.template)).toEqual(Array(4).fill(undefined));
  expect(library.criterion('quality')).toBeUndefined();
  expect(readPromptLibrary(join(root, 'nowhere')).template('a')).toBeUndefined();
});

test('a link to a file outside of the project is not a template', () => {
  const outside = temporaryTree({ 'secret.md': 'secret', 'commands/b.md': 'b' });
  const root = temporaryTree({ '.trellis/prompts/': '', '.claude/': '', '.trellis/gates/': '' });
  symlinkSync(join(outside, 'secret.md'), join(root, '.trellis/prompts/a.md'));
  symlinkSync(join(outside, 'commands'), join(root, '.claude/commands'));
  symlinkSync('/etc/passwd', join(root, '.trellis/gates/x.md'));
  const { template, criterion } = readPromptLibrary(root);
  expect(['a', 'b'].map(template)).toEqual([undefined, undefined]);
  expect(criterion('x')).toBeUndefined();
  expect(templateNames(root)).toEqual([]);
});

test('a project that is a link has its templates', () => {
  const root = temporaryTree({ 'real/.trellis/prompts/a.md': 'text' });
  symlinkSync(join(root, 'real'), join(root, 'link'));
  expect(readPromptLibrary(join(root, 'link')).template('a')).toBe('text');
});

test('a link to a template is followed', () => {
  const root = temporaryTree({ 'shared/a.md': 'shared', '.claude/commands/': '' });
  symlinkSync(join(root, 'shared/a.md'), join(root, '.claude/commands/a.md'));
  expect(readPromptLibrary(root).template('a')).toBe('shared');
});
