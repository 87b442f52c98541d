import { expect, test } from 'vitest';
import { gateVerdicts, readVerdicts } from '../../../src/mcp/gate-verdicts.ts';

const BOTH = [
  { name: 'tests', passed: true, reason: 'I wrote two' },
  { name: 'docs.v2', passed: false, reason: 'they are old' },
];

test.for([
  ['the requested form', 'GATE tests: PASS - I wrote two\nGATE docs.v2: FAIL - they are old'],
  [
    'the requested form in Markdown',
    '- **GATE tests: PASS** - I wrote two\n- **GATE docs.v2: FAIL** - they are old',
  ],
  ['lines without the word GATE', 'tests: PASS - I wrote two\n* docs.v2: FAIL - they are old'],
  [
    'lines with other text around them',
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
  ['an object as JSON', '{"tests":"PASS - I wrote two","docs.v2":"FAIL - they are old"}'],
  ['a list as JSON', ' ["GATE tests: PASS - I wrote two", "GATE docs.v2: FAIL - they are old"]'],
] as const)('readVerdicts reads %s', ([, given]) => {
  expect(readVerdicts(gateVerdicts.parse(given))).toEqual(BOTH);
});

test.for([
  ['an empty text', ''],
  ['an unknown word', 'GATE tests: maybe'],
  ['JSON in another form', '[{"a":1}]'],
  ['a number as JSON', '7'],
  ['an object without a verdict', [{ name: 'tests', reason: 'I wrote two' }]],
  ['an empty list', []],
] as const)('readVerdicts finds no verdict in %s', ([, given]) => {
  expect(readVerdicts(gateVerdicts.parse(given))).toEqual([]);
});

test('readVerdicts keeps a verdict without a reason, which does not count', () => {
  expect(readVerdicts([{ name: 'tests', passed: true }])).toEqual([
    { name: 'tests', passed: true, reason: '' },
  ]);
});

test.for([[7], [true], [[7]], [{ tests: 7 }]])('gateVerdicts does not accept %j', ([given]) => {
  expect(gateVerdicts.safeParse(given).success).toBe(false);
});
