import { expect, test } from 'vitest';
import { stepTitlesIn } from '../../../../src/diagnostics/failures/step-titles.ts';

test('what a runner of Tcl says of a test is no title of a step', () => {
  const texts = [
    '---- cart-1 start',
    '---- errorInfo: no such variable',
    '---- cart-2 start',
    '---- errorCode: NONE',
  ];

  expect(stepTitlesIn(texts.map((text, at) => ({ at, text }))).size).toBe(0);
});
