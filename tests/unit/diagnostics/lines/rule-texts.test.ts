import { describe, expect, test } from 'vitest';
import { requiredTexts, ruleTextsFile } from '../../../helpers/rule-texts.ts';

// `npm run docs` writes this file: it runs this test with --update.
test('the texts of the rules are read from their patterns', async () => {
  await expect(ruleTextsFile()).toMatchFileSnapshot('../../../../src/diagnostics/lines/rule-texts.ts');
});

describe('the texts of which each match has one', () => {
  test.each([
    [/abc/, ['abc']],
    [/ABC\d+x/i, ['abc']],
    [/^\s*abc?$/, ['ab']],
    [/a(?:bc|de)f/, ['abcf', 'adef']],
    [/(?:abc)+d/, ['abc']],
    [/(?:abc)*de/, ['de']],
    [/(?:abc)?de/, ['de']],
    [/[Cc]annot|[Cc]ould not/, ['cannot', 'could n']],
    [/errors?\b/, ['error']],
    [/ab(?=.*cdef)/, ['cdef']],
    [/ab(?!.*cdef)/, ['ab']],
    [/\w+ (?:abc|\d)/, []],
    [/[^ab]:/, []],
    [/[✓✔]/, ['✓', '✔']],
    [/[a-c]x{2}/, []],
  ])('of %s', (pattern, texts) => {
    expect(requiredTexts(pattern)).toEqual(texts);
  });
});
