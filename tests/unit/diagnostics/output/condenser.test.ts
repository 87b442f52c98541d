import { expect, test } from 'vitest';
import { Condenser } from '../../../../src/diagnostics/output/condenser.ts';
import { condensed } from '../../../helpers/condensed.ts';

test('a line that is near two failures is kept once', () => {
  const { near } = condensed(
    'the server listens\nsrc/a.ts:1:1 - error TS1: no\nsrc/b.ts:1:1 - error TS2: no\n',
  ).outline;

  expect(near.map(({ text }) => text)).toEqual(['the server listens']);
});

test('assertions that differ in their values alone say different things', () => {
  const failed = (name: string, value: string) =>
    `FAIL  src/${name}.test.ts > adds up\nAssertionError: no match\n- Expected\n+ Received\n\n- ${value}\n+ none\n`;
  const { failures } = condensed(failed('cart', 'three') + failed('cart', 'seven'));
  const assertions = failures.filter(({ block }) => block.headline.text.startsWith('Assertion'));

  expect(assertions).toHaveLength(2);
  expect(new Set(assertions.map(({ message }) => message)).size).toBe(2);
});

test('the first of the numbered tasks may print on the other stream', () => {
  const condenser = new Condenser();
  condenser.write('stderr', Buffer.from('[0] src/a.ts:1:1 - error TS1: no\n'));
  condenser.write('stdout', Buffer.from('[1] src/b.ts:1:1 - error TS2: no\n'));

  expect(condenser.findings().failures.map(({ block }) => block.headline.prefix)).toEqual(['[0] ', '[1] ']);
});
