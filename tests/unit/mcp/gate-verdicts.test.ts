import { expect, test } from 'vitest';
import { gateVerdicts, readVerdicts } from '../../../src/mcp/gate-verdicts.ts';

const BOTH = [
  { name: 'tests', passed: true, reason: 'I wrote two' },
  { name: 'docs.v2', passed: false, reason: 'they are old' },
];

test.for([
  ['the form that is asked for', 'GATE tests: PASS - I wrote two\nGATE docs.v2: FAIL - they are old'],
  ['in Markdown', '- **GATE tests: PASS** - I wrote two\n- **GATE docs.v2: FAIL** - they are old'],
  ['without its first word', 'tests: PASS - I wrote two\n* docs.v2: FAIL - they are old'],
  [
    'with words around it',
    'My review:\nGATE tests: PASS - I wrote two\n\nGATE docs.v2: FAIL - they are old\nThat is all.',
  ],
  ['a list of lines', ['GATE tests: PASS - I wrote two', 'docs.v2: FAILED: they are old']],
  [
    'a list of objects',
    [
      { name: 'tests', verdict: 'PASS', reason: 'I wrote two' },
      { name: 'docs.v2', passed: false, reason: 'they are\nold' },
    ],
  ],
  ['lines by name', { tests: 'PASS - I wrote two', 'docs.v2': 'FAIL - they are old' }],
  [
    'objects by name',
    {
      tests: { passed: true, reason: 'I wrote two' },
      'docs.v2': { verdict: 'fail', reason: 'they are old' },
    },
  ],
  ['JSON in a text', '{"tests":"PASS - I wrote two","docs.v2":"FAIL - they are old"}'],
  ['a list as JSON in a text', ' ["GATE tests: PASS - I wrote two", "GATE docs.v2: FAIL - they are old"]'],
] as const)('%s', ([, given]) => {
  expect(readVerdicts(gateVerdicts.parse(given))).toEqual(BOTH);
});

test.for([
  ['nothing', ''],
  ['no verdict', 'GATE tests: maybe'],
  ['JSON that is none', '[{"a":1}]'],
  ['a number as JSON', '7'],
  ['an object without a verdict', [{ name: 'tests', reason: 'I wrote two' }]],
  ['an empty list', []],
] as const)('none is found in %s', ([, given]) => {
  expect(readVerdicts(gateVerdicts.parse(given))).toEqual([]);
});

test('one without a reason is found, and is none later', () => {
  expect(readVerdicts([{ name: 'tests', passed: true }])).toEqual([
    { name: 'tests', passed: true, reason: '' },
  ]);
});

test.for([[7], [true], [[7]], [{ tests: 7 }]])('what is of no form is refused: %j', ([given]) => {
  expect(gateVerdicts.safeParse(given).success).toBe(false);
});
