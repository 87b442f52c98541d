import { expect, test } from 'vitest';
import { remembered, rememberedOf } from '../../../../src/diagnostics/lines/remembered.ts';

test('a question about a text is answered once', () => {
  const asked: string[] = [];
  const answer = remembered((text) => {
    asked.push(text);
    return text.length;
  });
  expect(['a', 'bc', 'a', 'bc'].map(answer)).toEqual([1, 2, 1, 2]);
  expect(asked).toEqual(['a', 'bc']);
});

test('a question about an object is answered once, even if there is no answer', () => {
  const asked: object[] = [];
  const answer = rememberedOf((key: object) => {
    asked.push(key);
    return undefined;
  });
  const [one, two] = [{}, {}];
  expect([one, two, one].map(answer)).toEqual([undefined, undefined, undefined]);
  expect(asked).toEqual([one, two]);
});
