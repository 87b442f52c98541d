import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';
import { feedbackCases, lostFacts } from '../../helpers/feedback-cases.ts';

describe.each(feedbackCases())('the excerpt of $name', ({ events, facts }) => {
  const pieces = events.map(({ fd, text }): Piece => [fd === 1 ? 'stdout' : 'stderr', text]);
  const excerpt = excerptText(excerptOf(condensed(pieces), 6000, { hung: false }));

  test.each(facts)('contains $why: $re', (fact) => {
    expect(lostFacts(excerpt, { facts: [fact] }), excerpt).toEqual([]);
  });

  test('is no longer than its limit', () => {
    expect(excerpt.length).toBeLessThanOrEqual(6000);
  });
});
