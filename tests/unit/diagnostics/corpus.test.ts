import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';
import { feedbackCases, lostFacts } from '../../helpers/feedback-cases.ts';

const excerptFrom = (pieces: readonly Piece[]) =>
  excerptText(excerptOf(condensed(pieces), 6000, { hung: false }));

describe.each(feedbackCases())('the excerpt of $name', ({ events, facts, noise }) => {
  const pieces = events.map(({ fd, text }): Piece => [fd === 1 ? 'stdout' : 'stderr', text]);
  const excerpt = excerptFrom(pieces);

  test.each(facts)('contains $why: $re', (fact) => {
    expect(lostFacts(excerpt, { facts: [fact] }), excerpt).toEqual([]);
  });

  test.runIf(noise.length > 0)('has no line that a reader had no use for', () => {
    expect(
      noise.filter(({ text }) => excerpt.includes(text)),
      excerpt,
    ).toEqual([]);
  });

  test('is no longer than its limit', () => {
    expect(excerpt.length).toBeLessThanOrEqual(6000);
  });

  // What comes through two pipes at the same moment is read from one, then from the other, in pieces of any size.
  const stdout = pieces.filter(([stream]) => stream === 'stdout');
  const stderr = pieces.filter(([stream]) => stream === 'stderr');

  test.runIf(stdout.length > 0 && stderr.length > 0)('has its facts whichever stream is read first', () => {
    for (const arrived of [
      [...stdout, ...stderr],
      [...stderr, ...stdout],
    ]) {
      const other = excerptFrom(arrived);
      expect(lostFacts(other, { facts }), other).toEqual([]);
    }
  });

  test('is the same in pieces of 61 bytes', () => {
    const cut = pieces.flatMap(([stream, text]) => {
      const bytes = Buffer.from(text);
      const starts = Array.from({ length: Math.ceil(bytes.length / 61) }, (_, i) => i * 61);
      return starts.map((start): Piece => [stream, bytes.subarray(start, start + 61)]);
    });

    expect(excerptFrom(cut)).toBe(excerpt);
  });
});
