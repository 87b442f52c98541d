import { expect, test } from 'vitest';
import { addIgnorePattern, removeIgnorePattern, STATE } from '../../../src/setup/plan-setup.ts';

test.for([
  ['a missing file', undefined, '.trellis/.ralph*\n'],
  ['other patterns', 'dist\n', 'dist\n.trellis/.ralph*\n'],
  ['a last line without a line break', 'dist', 'dist\n.trellis/.ralph*\n'],
  ['Windows line endings', 'a\r\nb', 'a\r\nb\r\n.trellis/.ralph*\r\n'],
  ['a pattern for the root directory alone', '/.ralph*\n', '/.ralph*\n.trellis/.ralph*\n'],
] as const)(
  'addIgnorePattern adds the pattern to %s, and removeIgnorePattern removes it',
  ([, before, after]) => {
    expect(addIgnorePattern(before, STATE)).toBe(after);
    expect(removeIgnorePattern(after)?.trimEnd()).toBe(before?.trimEnd());
  },
);

test.for(['.trellis/.ralph*', '/.trellis/.ralph*', '.trellis', '/.trellis/', '.trellis/**', '.ralph*'])(
  'addIgnorePattern keeps a file that ignores the state already: %s',
  (pattern) => {
    const text = `dist\n${pattern}\n`;
    expect(addIgnorePattern(text, STATE)).toBe(text);
  },
);
