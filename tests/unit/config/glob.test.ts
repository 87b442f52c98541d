import { describe, expect, test } from 'vitest';
import { pathMatcher } from '../../../src/config/glob.ts';

describe('a pattern of paths', () => {
  test.for<readonly [pattern: string, matches: readonly string[], others: readonly string[]]>([
    ['*', ['a', '.a', 'a b', 'ü', 'a\nb', '-a'], ['a/b']],
    ['**', ['a', '.a/.b', 'a/b/c\nd'], []],
    ['*.js', ['a.js', '.js'], ['src/a.js', 'a.jsx', 'ajs']],
    ['**.js', ['a.js', 'src/a.js', 'src/b/a.js'], ['a.ts']],
    ['**/*.js', ['a.js', 'src/b/a.js'], ['a.ts']],
    ['src/**', ['src/a', 'src/.b/c'], ['src', 'src2/a', 'x/src/a']],
    ['src/**.js', ['src/a.js', 'src/b/a.js'], ['a.js']],
    ['src/**/*.js', ['src/a.js', 'src/b/c/a.js'], ['src2/a.js']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['a/xb', 'ab']],
    ['**/b', ['b', 'a/b'], ['ab', 'a/ab']],
    ['a**/b', ['a/b', 'axx/b', 'a/x/b'], ['ab']],
    ['{**/x,y/**/z}', ['x', 'a/x', 'y/z', 'y/b/z'], ['z', 'yz']],
    ['src', ['src'], ['src/a', 'a/src']],
    ['src/', ['src/a', 'src/b/c'], ['src', 'x/src/a']],
    ['/src/*', ['src/a'], ['x/src/a']],
    ['././src/*', ['src/a'], []],
    ['a?c', ['abc', 'aüc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['[CB]at', ['Cat', 'Bat'], ['cat', 'at']],
    ['[0-9a-f]', ['0', 'e'], ['g', '/']],
    ['[!a-c]', ['d', ']'], ['a', '/', '']],
    ['[^a]', ['b'], ['a', '/']],
    ['a[!b]c', ['axc'], ['a/c', 'abc']],
    ['a[.-0]c', ['a.c', 'a0c'], ['a/c']],
    ['[]a]', [']', 'a'], ['b']],
    [String.raw`[\]\\]`, [']', '\\'], ['a']],
    ['[^^]', ['a'], ['^']],
    ['[z-a]', ['[z-a]'], ['z', 'a', '-']],
    ['[a', ['[a'], ['a']],
    ['[]', ['[]'], []],
    ['*.{js,ts}', ['a.js', 'a.ts'], ['a.{js,ts}', 'a.']],
    ['{a,b{c,d}}/*', ['a/x', 'bc/x', 'bd/x'], ['b/x', 'c/x']],
    ['{a}', ['{a}'], ['a']],
    ['{a,b{c}', ['{a,b{c}'], ['a']],
    ['{a,{b}}', ['a', '{b}'], ['b']],
    ['a,b}', ['a,b}'], []],
    ['{,x}y', ['y', 'xy'], ['x']],
    ['{[,],a}', [',', 'a'], ['[', '[,]']],
    [String.raw`\*`, ['*'], ['a', String.raw`\*`]],
    [String.raw`\!a`, ['!a'], ['a']],
    [String.raw`a\{b,c}`, ['a{b,c}'], ['ab']],
    ['a\\', ['a\\'], ['a']],
    ['app/(auth)/$id/^+|.#"\'', ['app/(auth)/$id/^+|.#"\''], ['app/auth/$id/^+|.#"\'']],
    ['@(a)', ['@(a)'], ['a']],
    ['a b/*', ['a b/c d'], ['ab/c']],
    ['src\\**', ['src*', 'src*a'], ['src/a', 'src\\a']],
    // The same letters, composed and decomposed.
    ['\u00fc*', ['u\u0308', '\u00fcber'], ['u']],
    ['u\u0308*', ['u\u0308', '\u00fcber'], ['u']],
    ['Src/*', ['Src/a'], ['src/a']],
  ])('%s', ([pattern, matches, others]) => {
    const match = pathMatcher([pattern]);

    expect(matches.filter((path) => !match(path))).toEqual([]);
    expect(others.filter(match)).toEqual([]);
  });
});

describe('a list of patterns', () => {
  test.for<readonly [patterns: readonly string[], matches: readonly string[], others: readonly string[]]>([
    [['a', 'b'], ['a', 'b'], ['c']],
    [
      ['**', '!**/*.md'],
      ['a', 'src/b'],
      ['a.md', 'src/b.md'],
    ],
    [['docs/**', '!docs/**', 'docs/x'], ['docs/x'], ['docs/a', 'a']],
    [['!a', 'a'], ['a'], ['b']],
    [['!docs/**'], ['a'], ['docs/a']],
    [['!docs/', '!*.md'], ['a'], ['docs/a', 'a.md']],
    [[], ['a'], []],
  ])('%j', ([patterns, matches, others]) => {
    const match = pathMatcher(patterns);

    expect(matches.filter((path) => !match(path))).toEqual([]);
    expect(others.filter(match)).toEqual([]);
  });
});
