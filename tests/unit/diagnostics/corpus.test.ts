import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { condensed, type Piece } from '../../helpers/condensed.ts';

/** Outputs of real tools for small broken projects, and the facts that a fix needs. */
const CASES = fileURLToPath(new URL('../../fixtures/feedback/', import.meta.url));
const read = (name: string, file: string) => readFileSync(`${CASES}/${name}/${file}`, 'utf8');

interface Fact {
  readonly re: string;
  readonly why: string;
}

function excerptFor(name: string): string {
  const events: { fd: 1 | 2; text: string }[] = read(name, 'events.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const pieces = events.map(({ fd, text }): Piece => [fd === 1 ? 'stdout' : 'stderr', text]);
  return excerptText(excerptOf(condensed(pieces), 6000, { hung: false }));
}

describe.each(readdirSync(CASES))('the excerpt of %s', (name) => {
  const excerpt = excerptFor(name);
  const { must }: { must: Fact[] } = JSON.parse(read(name, 'expect.json'));

  test.each(must)('contains $why: $re', ({ re }) => {
    expect(excerpt).toMatch(new RegExp(re, 'mu'));
  });

  test('is no longer than its limit', () => {
    expect(excerpt.length).toBeLessThanOrEqual(6000);
  });
});
