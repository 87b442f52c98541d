import { expect, test } from 'vitest';
import { fewerTestsLines, testNotes } from '../../../src/messages/tests.ts';
import { resultOf, shellGate } from '../../helpers/gate-results.ts';

const results = [
  resultOf('lint', 'passed', { tests: 3 }),
  resultOf('test', 'passed', { flaky: 1 }),
  resultOf('e2e\n', 'passed', { flaky: 2, tests: 1, testsBefore: 120 }),
  resultOf('unit', 'empty', { tests: 0, testsBefore: 3 }),
  resultOf(shellGate('api', { report: 'junit.xml' }), 'passed', { noReport: true }),
];

test('a person reads which gates are flaky, ran fewer tests, or wrote no report', () => {
  expect(testNotes({ results })).toEqual([
    '`test` is flaky: it failed once and then passed on the same files',
    '`e2e` is flaky: it failed 2 times and then passed on the same files',
    '`e2e` ran 1 test; at its last pass it ran 120',
    '`unit` ran 0 tests; at its last pass it ran 3',
    '`api` wrote no report: there is no file junit.xml',
  ]);
});

test('an agent reads which gates ran fewer tests, and what to do', () => {
  expect(fewerTestsLines({ results })).toEqual([
    '`e2e` ran 1 test; at its last pass it ran 120. If a filter or a deletion was not part of the task, undo it.',
    '`unit` ran 0 tests; at its last pass it ran 3. If a filter or a deletion was not part of the task, undo it.',
  ]);
});
