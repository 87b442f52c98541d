import { expect, test } from 'vitest';
import { ignoreState, stopIgnoringState } from '../../../src/setup/edit-ignore-file.ts';

test.for([
  ['no file', undefined, '.trellis/.ralph*\n'],
  ['other patterns', 'dist\n', 'dist\n.trellis/.ralph*\n'],
  ['no line end', 'dist', 'dist\n.trellis/.ralph*\n'],
  ['Windows line ends', 'a\r\nb', 'a\r\nb\r\n.trellis/.ralph*\r\n'],
  ['a pattern of the root alone', '/.ralph*\n', '/.ralph*\n.trellis/.ralph*\n'],
] as const)('%s gets the pattern, and loses it again', ([, before, after]) => {
  expect(ignoreState(before)).toBe(after);
  expect(stopIgnoringState(after)?.trimEnd()).toBe(before?.trimEnd());
});

test.for(['.trellis/.ralph*', '/.trellis/.ralph*', '.trellis', '/.trellis/', '.trellis/**', '.ralph*'])(
  'what ignores the files already is left alone: %s',
  (pattern) => {
    const text = `dist\n${pattern}\n`;
    expect(ignoreState(text)).toBe(text);
  },
);
