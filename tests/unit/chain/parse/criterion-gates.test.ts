import { describe, expect, test } from 'vitest';
import { parsePrompt } from '../../../../src/chain/parse/parse-prompt.ts';
import { LIBRARY, stepOf, verifyGate } from '../../../helpers/typed-prompt.ts';

const REST = 'follows REST conventions';

describe('a criterion is', () => {
  test.for([
    ['a text', ':: "follows REST conventions"', [['criterion-1', REST]]],
    ['a text in single quotes', ":: 'follows REST conventions'", [['criterion-1', REST]]],
    ['a text with escapes', String.raw`:: "is \"good\" \o/"`, [['criterion-1', String.raw`is "good" \o/`]]],
    ['a text without blanks, in a script that has none', ':: "符合规范"', [['criterion-1', '符合规范']]],
    [
      'each text for itself',
      ':: "a b" :: "c d"',
      [
        ['criterion-1', 'a b'],
        ['criterion-2', 'c d'],
      ],
    ],
    [
      'numbered around the names that were typed',
      ':: "a b" :: criterion-1:"one" :: "c d" :: criterion-3:"three"',
      [
        ['criterion-2', 'a b'],
        ['criterion-1', 'one'],
        ['criterion-4', 'c d'],
        ['criterion-3', 'three'],
      ],
    ],
    ['a text with a name', ':: rest:"follows REST conventions"', [['rest', REST]]],
    ['one word with a name', ":: tone:'kind'", [['tone', 'kind']]],
    ['a text with a name in another script', ':: 安全_1-a:"x"', [['安全_1-a', 'x']]],
    ['a name with a dash, taken as its text', ':: code-quality', [['code-quality', 'code-quality']]],
    ['a name with more dashes', ':: owasp-top-10_2021', [['owasp-top-10_2021', 'owasp-top-10_2021']]],
    ['the file of a name', ':: quality', [['quality', 'No function is longer than a page.']]],
    ['the file of any name', ':: Security_v1', [['Security_v1', 'No secret is logged.']]],
    ['a name whose file is empty', ':: empty.one', [['empty.one', 'empty.one']]],
    [
      'a name with a dash before the next gate',
      ':: code-quality :: verify-all',
      [
        ['code-quality', 'code-quality'],
        ['verify-all', 'verify-all'],
      ],
    ],
  ] as const)('%s', ([, gates, criteria]) => {
    const expected = criteria.map(([name, text]) => ({ name, text }));
    expect(stepOf(`fix ${gates}`)).toEqual({ text: 'fix', verify: [], criteria: expected });
  });
});

describe('behind a criterion', () => {
  test.for([
    ['build it :: "follows REST conventions" and be quick', 'build it and be quick'],
    ['build it :: rest:"x y", and be quick', 'build it, and be quick'],
    ['build it :: quality and be quick', 'build it and be quick'],
    ['build it :: quality.', 'build it.'],
    ['build it :: code-quality.', 'build it.'],
    ['build it :: code-quality\nand be quick', 'build it\nand be quick'],
    ['build it :: code-quality, :: quality', 'build it,'],
    ['build it :: quality note: this', 'build it note: this'],
    ['build it :: "a b" mx:3', 'build it mx:3'],
  ] as const)('goes on what the agent is to do: %j', ([prompt, text]) => {
    expect(stepOf(prompt).text).toBe(text);
  });
});

test('criteria and commands stand together', () => {
  expect(stepOf('build it :: code-quality :: verify:"a" max:2 :: "a b" now :: verify:"b"')).toEqual({
    text: 'build it now',
    verify: [verifyGate('a', { maxAttempts: 2 }), verifyGate('b')],
    criteria: [
      { name: 'code-quality', text: 'code-quality' },
      { name: 'criterion-1', text: 'a b' },
    ],
  });
});

describe('what is no criterion', () => {
  test.for([
    ['one word in quotes', 'x :: "b"'],
    ['nothing in quotes', 'x :: ""'],
    ['blanks in quotes', 'x :: "  "'],
    ['a word without a file', 'x :: qualities'],
    ["a word of JavaScript's", 'x :: constructor'],
    ['a name with a dash before other text', 'x :: code-quality and more'],
    ['a name with an upper-case letter', 'x :: Code-Quality'],
    ['a name with one letter before the dash', 'x :: n-first'],
    ['a name with one letter behind the dash', 'x :: last-n'],
    ['a name and a number', 'x :: len-1'],
    ['a name with an underscore', 'x :: code_quality'],
    ['a name that ends in a dash', 'x :: code-quality-'],
    ['a path', 'x :: ../quality'],
    ['a name with a text that has no quotes', 'x :: rest:conventions'],
    ['a name with a blank before its text', 'x :: rest: "a b"'],
    ['a text without a blank before it', 'x ::"a b"'],
    ['a text without a blank before the colons', 'x:: "a b"'],
    ['a name without a blank before it', 'x ::quality'],
    ['a name without a blank before the colons', 'x:: quality'],
  ] as const)('%s', ([, prompt]) => {
    expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
  });
});
