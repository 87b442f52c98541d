import { expect, test } from 'vitest';
import { verdictsIn } from '../../../src/chain/verdicts.ts';
import { reviewText } from '../../../src/messages/chain.ts';

test.for([
  ['GATE a: PASS - it holds', [{ name: 'a', passed: true, reason: 'it holds' }]],
  ['gate a: fail: it does not', [{ name: 'a', passed: false, reason: 'it does not' }]],
  ['**GATE a**: **PASS** — it holds', [{ name: 'a', passed: true, reason: 'it holds' }]],
  ['- GATE code-quality: PASSED - it holds', [{ name: 'code-quality', passed: true, reason: 'it holds' }]],
  ['> GATE a: PASS', [{ name: 'a', passed: true, reason: '' }]],
  [
    'x\nGATE a: FAIL - no\nGATE a: PASS - now',
    [
      { name: 'a', passed: false, reason: 'no' },
      { name: 'a', passed: true, reason: 'now' },
    ],
  ],
  ['GATE größe: PASS - it fits', [{ name: 'größe', passed: true, reason: 'it fits' }]],
  ['GATE `a`: PASS - it holds', [{ name: 'a', passed: true, reason: 'it holds' }]],
  ['Done.\r\nGATE a: PASS - it holds\r\n', [{ name: 'a', passed: true, reason: 'it holds' }]],
  ['the GATE a: PASS - it holds', []],
  ['GATE a: PASSABLE - it holds', []],
  ['GATE: PASS - it holds', []],
  ['', []],
] as const)('verdictsIn reads the verdicts of %j', ([message, verdicts]) => {
  expect(verdictsIn(message)).toEqual(verdicts);
});

test('verdictsIn reads the form that the agent is asked for', () => {
  const [line = ''] = /^GATE a: PASS - .*$/m.exec(reviewText([{ name: 'a', text: 'x' }], undefined)) ?? [];
  expect(verdictsIn(line)).toMatchObject([{ name: 'a', passed: true }]);
});
