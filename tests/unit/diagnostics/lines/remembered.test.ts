import { expect, test } from 'vitest';
import { remembered } from '../../../../src/diagnostics/lines/remembered.ts';

function questionsFor(texts: readonly string[]): string[] {
  const asked: string[] = [];
  const isLong = remembered((text) => {
    asked.push(text);
    return text.length > 1;
  });
  expect(texts.map(isLong)).toEqual(texts.map((text) => text.length > 1));
  return asked;
}

test('a question about a text is asked once, whatever the answer', () => {
  expect(questionsFor(['a', 'bb', 'a', 'bb', 'a'])).toEqual(['a', 'bb']);
});

test('the answers about a thousand texts are remembered, and no more', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `text ${i}`);

  expect(questionsFor([...many, 'text 0'])).toHaveLength(1000);
  expect(questionsFor([...many, 'one more', 'text 0'])).toHaveLength(1002);
});
