import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { passedInTreesIn, setUpCommentsIn } from '../../../../src/diagnostics/failures/test-trees.ts';
import { condensed } from '../../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

test.each([
  ['FAILED [1]', 'Failures:\n\n  test/PeriodSpec.hs:9:\n  1) Period hour 6 is Day\n       expected: Day\n'],
  [
    '(FAILED - 1)',
    'Failures:\n\n  1) Period hour 6 is Day\n     Failure/Error: expect(day).to eq 6\n     # ./spec/period_spec.rb:9\n',
  ],
])('of the tests in a tree, those without a result have passed: %s', (result, failures) => {
  const shown = excerpt(
    `Money\n  renders 0\n  renders 5\nPeriod\n  hour 5 is Night\n  hour 6 is Day ${result}\n  hour 7 is Late\n  with a zone\n    hour 8 is Noon\n\n${failures}`,
  );

  expect(shown).toContain('hour 6 is Day');
  for (const passed of ['Money', 'renders', 'hour 5', 'hour 7', 'with a zone', 'hour 8'])
    expect(shown).not.toContain(passed);
});

test('a test in a tree that has passed is left out with a word of an error in its name', () => {
  const shown = excerpt(
    'Parse\n  readings\n    rejects a missing level\n    reads all\nPeriod\n  hour 6 is Day FAILED [1]\n\nFailures:\n\n  test/PeriodSpec.hs:9:\n  1) Period hour 6 is Day\n       expected: Day\n',
  );

  expect(shown).not.toContain('missing level');
});

test('lines below a test in a tree that failed are shown', () => {
  const shown = excerpt(
    'Period\n  hour 5 is Night\n  hour 6 is Day FAILED [1]\n    the clock is late\n  hour 7\n',
  );

  expect(shown).toContain('hour 6 is Day FAILED [1]\n    the clock is late');
});

test('names in a tree are shown where none has failed', () => {
  expect(excerpt('Period\n  hour 5 is Night\n  hour 6 is Day\nthe run has ended early\n')).toContain(
    'hour 5',
  );
});

test('what tests have logged between their names does not end the tree', () => {
  const logged = 'I, [2026-11-27T18:32:32.659722 #3590]  INFO -- clock: set';
  const shown = excerpt(
    `Money\n${logged}\n  renders 0\nPeriod\n${logged}\n  hour 5 is Night (FAILED - 1)\n${logged}\n  hour 7 is Late\n\nZone\n${logged}\n  is local\n`,
  );

  expect(shown).toContain('Period\n');
  for (const passed of ['Money', 'renders', 'hour 7', 'Zone', 'is local'])
    expect(shown).not.toContain(passed);
});

test('what is logged above the name of a test in a tree has passed if the test has', () => {
  const logged = 'E, [2026-11-27T18:32:32.659722 #3590] ERROR -- : the clock is late';
  const lines = ['Period', logged, '  refuses a late clock', logged, '  hour 6 is Day (FAILED - 1)'];

  expect([...passedInTreesIn(lines.map((text, at) => ({ at, text })))].toSorted()).toEqual([1, 2]);
});

test('what is logged above the name of a group in a tree is about no test of it', () => {
  const logged = 'E, [2026-11-27T18:32:32.659722 #3590] ERROR -- : the clock is late';
  const lines = ['Period', '  hour 6 is Day (FAILED - 1)', logged, '  with a zone', '    hour 8 is Noon'];

  expect([...passedInTreesIn(lines.map((text, at) => ({ at, text })))].toSorted()).toEqual([3, 4]);
});

test('the title of a group whose tests have all passed is not shown', () => {
  const shown = excerpt(
    '> mocha\n\n  Roster\n    ✔ reads\n[roster] 3 names\n    ✔ writes\n\n  Queue\n    ✔ waits\n    1) ends\n\n\n  1 failing\n\n  1) Queue\n       ends:\n     Error: no end\n      at a.js:3:5\n',
  );

  expect(shown).not.toContain('Roster');
  expect(shown).toContain('1) Queue\n       ends:\n     Error: no end');
});

test('the title of a test in TAP that passed is not shown', () => {
  const shown = excerpt(
    `# Subtest: cart\n    # Subtest: adds\n${'a log line\n'.repeat(300)}    ok 1 - adds\n    # Subtest: pays\nError: no card\n    at pay (src/pay.js:3:5)\n    not ok 2 - pays\n      ---\n      error: no card\n      ...\n    1..2\nnot ok 1 - cart\n`,
  );

  expect(shown).not.toContain('adds');
  expect(shown).toContain('not ok 2 - pays');
});

test('the title of a test in TAP that passed is not shown as a part of the failure above it', () => {
  const passed = Array.from({ length: 300 }, (_, i) => `    ok ${i + 1} - reads the code ${i}`).join('\n');
  const shown = excerpt(
    `#   Failed test 'past midnight'\n#   at t/clock.t line 11.\n#          got: '24:00H'\n#     expected: '00:00H'\nt/clock.t ..\nnot ok 1 - past midnight\n1..1\nDubious, test returned 1\nFailed 1/1 subtests\nt/code.t ..\n# Subtest: parse\n${passed}\n    1..300\nok 1 - parse\n# Subtest: describe\n    ok 1 - express\n    1..1\nok 2 - describe\n1..2\nok\n\nTest Summary Report\nt/clock.t   (Wstat: 256 (exited 1) Tests: 1 Failed: 1)\n  Failed test:  1\nResult: FAIL\n`,
  );

  expect(shown).toContain('past midnight');
  expect(shown).not.toContain('# Subtest');
});

test('a test of Ant is shown if something is below it', () => {
  const shown = excerpt(
    `${Array.from({ length: 200 }, (_, i) => `    [junit] Testcase: adds${i} took 0.003 sec\n`).join('')}    [junit] Testcase: pays took 0.011 sec\n    [junit] \tFAILED\n    [junit] junit.framework.AssertionFailedError: expected:<2> but was:<1>\n    [junit] \tat CartTest.pays(CartTest.java:18)\n    [junit] \n    [junit] Testcase: waits took 0.002 sec\n    [junit] TEST CartTest FAILED\n`,
  );

  expect(shown).toContain('Testcase: pays');
  expect(shown).not.toMatch(/Testcase: (?:adds|waits)/);
});

test('what tests of Rust have printed that have passed is left out where it is shown, too', () => {
  const shown = excerpt(
    "running 2 tests\ntest pays ... ok\ntest refuses ... FAILED\n\nsuccesses:\n\n---- pays stdout ----\nERROR billing: the payment does not match\n\n\nsuccesses:\n    pays\n\nfailures:\n\n---- refuses stdout ----\n\nthread 'refuses' (2) panicked at tests/payments.rs:20:5:\nthe draft was paid\n\n\nfailures:\n    refuses\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n",
  );

  expect(shown).not.toMatch(/successes|does not match/);
  expect(shown).toContain('the draft was paid');
});

describe('where no two tests of Rust run at the same time', () => {
  const failed =
    'test refuses ... FAILED\n\nfailures:\n    refuses\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored\n';

  test('what one prints between its name and its result is left out if it has passed', () => {
    const shown = excerpt(
      `running 3 tests\ntest pays ... [billing] ERROR: no such draft\nok\ntest waits ... [billing] ERROR: no such queue\nFAILED\nok\n${failed}`,
    );

    expect(shown).toContain('no such queue');
    expect(shown).not.toContain('no such draft');
  });

  test('the panic that a test expects is left out if it came by the other stream', () => {
    const panic = (name: string, said: string) =>
      `\nthread '${name}' (17) panicked at src/lib.rs:10:47:\n${said}\nstack backtrace:\n   0: shop::${name}\n             at ./src/lib.rs:10:47\n`;
    const shown = excerptText(
      excerptOf(
        condensed([
          ['stdout', 'running 3 tests\n'],
          ['stderr', panic('pays', 'a draft needs a dash')],
          ['stdout', 'test pays - should panic ... ok\ntest waits ... ok\n'],
          ['stderr', panic('refuses', 'the draft was paid')],
          ['stdout', failed],
        ]),
        5300,
        { hung: false },
      ),
    );

    expect(shown).toContain('the draft was paid');
    expect(shown).not.toContain('needs a dash');
  });
});

describe('what tests have said right above their results in TAP', () => {
  const said = (output: string) => setUpCommentsIn(output.split('\n').map((text, at) => ({ at, text })));

  test('is how they were set up, if two that passed have said the same, but for temporary names', () => {
    const output =
      '# setup: /tmp/tmp.8yw9RyfGyO\nok 1 prints the usage\n# setup: /tmp/tmp.QSXGhL2nSc\nok 2 writes an archive\n# setup: /tmp/tmp.FXlTBH3SON\nnot ok 3 keeps three\n#   `[ "$n" = 3 ]\' failed\n# setup: /tmp/tmp.1L5Y1pU25z';

    expect(said(output)).toEqual([0, 2, 4, 7]);
  });

  test.each([
    ['only one that passed', '# cart\nok 1 adds\n# cart\nnot ok 2 counts'],
    ['other tests', '# cart\nok 1 adds\n# order\nok 2 counts'],
    ['the names of subtests', '# Subtest: adds\nok 1 - adds\n# Subtest: adds\nok 2 - adds'],
    ['the numbers of what failed', '# 1 of 3\nok 1 adds\n# 2 of 3\nok 2 adds\n# 2 of 4\nnot ok 3 adds'],
  ])('says something of a test, if it is of %s', (_, output) => {
    expect(said(output)).toEqual([]);
  });
});
