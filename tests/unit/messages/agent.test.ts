import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GateOutcome, GateResult } from '../../../src/gates/types.ts';
import { blockReason, brokenConfigReason, type FailedRun, gateLine } from '../../../src/messages/agent.ts';
import type { FailedGate } from '../../../src/state/failures.ts';
import { rememberGates } from '../../../src/verification/record-failure.ts';
import { findingsOf } from '../../helpers/condensed.ts';
import { markerGate, OUTCOMES, printed, resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const ROOT = '/the/project';
const SECOND = { iteration: 2, maxIterations: 5 };
const reasonOf = (...results: GateResult[]) => reasonIn({}, ...results);
const headOf = (reason: string, lines = 2) => reason.split('\n').slice(0, lines);
const bytesOf = (reason: string) => Buffer.byteLength(JSON.stringify(reason));
const LOG = `${ROOT}/.trellis/.ralph/output/test.log`;

function reasonIn(run: Partial<FailedRun>, ...results: GateResult[]): string {
  const findings = findingsOf(results);
  const known = { attempt: SECOND, root: ROOT, findings, remembered: [], earlier: [], untouched: false };
  return blockReason(summaryOf(...results), { ...known, ...run });
}

describe("begins with the lines of Trellis's Python hook", () => {
  test.each([
    [OUTCOMES.failed, 'Iteration 2/5. Verification failed:', 'Command failed: pnpm test'],
    [OUTCOMES['not-found'], 'Iteration 2/5. Verification failed:', 'Command failed: pnpm test'],
    [OUTCOMES['not-executable'], 'Iteration 2/5. Verification failed:', 'Command failed: pnpm test'],
    [OUTCOMES.killed, 'Iteration 2/5. Verification failed:', 'Command failed: pnpm test'],
    [OUTCOMES['timed-out'], 'Iteration 2/5. Verification failed:', 'Command timed out: pnpm test'],
    [OUTCOMES['not-started'], 'Iteration 2/5. Verification failed:', 'Command error: pnpm test'],
    [OUTCOMES['out-of-time'], 'Iteration 2/5. Verification incomplete:', 'Out of time: pnpm test'],
  ] as [GateOutcome, string, string][])('%j', (outcome, ...head) => {
    expect(headOf(reasonOf(resultOf('pnpm test', outcome)))).toEqual(head);
  });

  test('lists all missing markers', () => {
    const reason = reasonOf(
      resultOf(markerGate('LINT_FINISH'), 'marker-missing'),
      resultOf(markerGate('OTHER_FINISH'), 'passed'),
      resultOf(markerGate('TEST_FINISH'), 'marker-missing'),
    );

    expect(headOf(reason)).toEqual([
      'Iteration 2/5. Missing completion markers: LINT_FINISH, TEST_FINISH.',
      '',
    ]);
    expect(reason).toMatch(/was run and passed/);
  });
});

test('a list of missing markers that is too long ends after a whole marker', () => {
  const markers = Array.from({ length: 500 }, (_, i) => `LONG_MARKER_NUMBER_${i}_FINISH`);
  const reason = reasonOf(...markers.map((name) => resultOf(markerGate(name), 'marker-missing')));

  const [, list = '', more = ''] = /markers: (.*) and (\d+) more\.\n/.exec(reason) ?? [];
  expect(list.split(', ')).toEqual(markers.slice(0, markers.length - Number(more)));
});

test('the reason of a block shows the failure, its log and the results of all gates', () => {
  const failure = { durationMs: 8000, output: printed('1 of 3 failed\n', { logPath: LOG }) };
  const reason = reasonOf(
    resultOf('lint', 'passed', { durationMs: 2100 }),
    resultOf(shellGate('test', { command: 'pnpm test' }), 'failed', failure),
    resultOf('build', 'skipped'),
  );

  expect(reason).toBe(`Iteration 2/5. Verification failed:
Command failed: pnpm test
Gate "test" exited with code 1, after 8 s.

1 of 3 failed

Full output: .trellis/.ralph/output/test.log

Gates: lint ✓ 2.1 s · test ✗ 8 s · build – not run
Never weaken a test or check to pass. If a gate is wrong or cannot be satisfied: ralph-loop escalate --gate <name> "<reason>"
Fix the cause, not the gate. All gates run again at your next stop.`);
});

describe('the reason of a block says', () => {
  test.each([
    ['that there was no output', resultOf('a', 'failed'), 'It printed nothing.'],
    [
      'what to do about a missing program',
      resultOf('a', 'not-found'),
      'is not installed, or its name is misspelled',
    ],
    [
      'that the result of an unfinished run is not known yet',
      resultOf('a', 'out-of-time'),
      'is not known yet',
    ],
    ['the command of several lines on one line', resultOf('a\nb', 'failed'), 'Command failed: a b\n'],
  ])('%s', (_, result, words) => {
    expect(reasonOf(result)).toContain(words);
  });

  test('what four gates printed, and how many more failed', () => {
    const results = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
      resultOf(name, 'failed', { output: printed(`${name}!`) }),
    );
    const reason = reasonOf(...results);

    for (const shown of ['a!', 'b!', 'c!', 'd!', '2 more gates failed']) expect(reason).toContain(shown);
    expect(reason).not.toContain('e!');
  });

  test('that a non-blocking gate failed, without its output', () => {
    const warning = shellGate('w', { blocking: false });
    const reason = reasonOf(resultOf(warning, 'failed', { output: printed('w!') }), resultOf('a', 'failed'));

    expect(reason).not.toContain('w!');
    expect(reason).toContain('Gates: w ⚠ 0 ms · a ✗ 0 ms');
  });
});

describe('the reason of a block fits into the limit of the hosts', () => {
  const long = (text: string) =>
    resultOf(shellGate(text), 'failed', {
      durationMs: 1,
      output: printed(text.repeat(20), { logPath: LOG }),
    });
  const many = (n: number, of: (i: number) => GateResult) => Array.from({ length: n }, (_, i) => of(i));
  const words = 'a rather long command line '.repeat(300);
  const rows: [string, GateResult[]][] = [
    ['one long line', [long('x'.repeat(7500))]],
    ['long commands', many(3, () => long(words))],
    ['four of them', many(4, () => long(words))],
    ['many gates', many(500, (i) => long(`gate ${i} `))],
    ['many gates with long commands', many(50, (i) => long(`${i} ${words}`))],
    ['letters outside the BMP', many(4, () => long('🎉'.repeat(4000)))],
    ['halves of pairs', many(4, () => long('\ud800'.repeat(4000)))],
    ['a long cause', [resultOf('a', { reason: 'not-started', message: 'x'.repeat(50_000) })]],
    ['long causes', many(4, (i) => resultOf(`${i}`, { reason: 'not-started', message: words }))],
    [
      'long paths',
      many(4, (i) => resultOf(`${i}`, 'failed', { output: printed(words, { logPath: `${ROOT}/${words}` }) })),
    ],
    ['letters of three bytes', many(4, () => long('検証'.repeat(2000)))],
    ['letters of two bytes', [long('é'.repeat(4000))]],
    ['quotes and backslashes', [long('"\\'.repeat(4000))]],
    ['lines of one letter', [long('"\n'.repeat(4000))]],
    [
      'a command of three-byte letters',
      many(4, (i) =>
        resultOf(shellGate(`${i}`, { command: '検'.repeat(200) }), 'failed', {
          output: printed('検'.repeat(9000)),
        }),
      ),
    ],
    ['short halves of pairs', [resultOf('\ud800x', 'failed', { output: printed('y') })]],
  ];
  test.each(rows)('with at most 6000 well-formed characters: %s', (_, results) => {
    const reason = reasonOf(...results);

    expect(reason.length).toBeLessThanOrEqual(6000);
    expect(reason.isWellFormed()).toBe(true);
    expect(headOf(reason, 1)).toEqual(['Iteration 2/5. Verification failed:']);
  });

  // Codex cuts a reason at about 10 kB.
  test.each(rows)('with at most 7800 bytes of JSON: %s', (_, results) => {
    expect(bytesOf(reasonOf(...results))).toBeLessThanOrEqual(7800);
  });

  test.each(rows)('with its last line, which says what to do next: %s', (_, results) => {
    expect(reasonOf(...results)).toMatch(/(It runs|All gates run) again at your next stop\.$/);
  });

  test.each([
    ['markers', many(500, (i) => resultOf(markerGate(`LONG_MARKER_NUMBER_${i}_FINISH`), 'marker-missing'))],
    ['one marker', [resultOf(markerGate('X'.repeat(50_000)), 'marker-missing')]],
    ['markers of three-byte letters', many(500, (i) => resultOf(markerGate(`検証${i}`), 'marker-missing'))],
    ['markers of half a pair', [resultOf(markerGate('\ud800_FINISH'), 'marker-missing')]],
  ])('with many missing markers: %s', (_, results) => {
    const reason = reasonOf(...results);

    expect(reason.length).toBeLessThanOrEqual(6000);
    expect(bytesOf(reason)).toBeLessThanOrEqual(7800);
    expect(reason.isWellFormed()).toBe(true);
    expect(reason).toMatch(/a check that you did not run\.$/);
  });

  test.each([
    ['letters', 'x'],
    ['three-byte letters', '検'],
    ['quotes', '"'],
  ])('with an invalid config, whose values consist of %s', (_, letter) => {
    const problems = Array.from({ length: 300 }, (_, i) => `worktree.yaml:${i}:1: ${letter.repeat(1000)}`);
    const reason = brokenConfigReason(problems, SECOND);

    expect(reason.length).toBeLessThanOrEqual(6000);
    expect(bytesOf(reason)).toBeLessThanOrEqual(7800);
    expect(reason).toMatch(/The gates run at your next stop\.$/);
  });

  const errors = (letter: string) =>
    Array.from(
      { length: 300 },
      (_, i) => `src/a${i}.c:${i}:5: error: ${letter.repeat(40)} ${'abcdefghij'[i % 10]}`,
    ).join('\n');
  test.each([
    ['letters', 'x'],
    ['three-byte letters', '検'],
    ['quotes', '"'],
  ])('with at least 2500 bytes of a long output: %s', (_, letter) => {
    const reason = reasonOf(resultOf('a', 'failed', { output: printed(errors(letter)) }));

    expect(bytesOf(reason)).toBeGreaterThan(2500);
    expect(bytesOf(reason)).toBeLessThanOrEqual(7800);
    expect(reason.length).toBeLessThanOrEqual(6000);
  });

  test('with the whole output of a gate that printed little', () => {
    const results = [
      resultOf('a', 'failed', { output: printed('1 of 3 failed') }),
      ...many(3, () => long(words)),
    ];

    expect(reasonOf(...results)).toContain('1 of 3 failed');
  });
});

describe('a failure that is the same as at an earlier stop', () => {
  const output = printed('src/a.c:3:5: error: e1\nsrc/a.c:4:5: error: e2\n', { logPath: LOG });
  const results = [resultOf('a', 'failed', { output }), resultOf('b', 'failed', { output: printed('new!') })];
  const since = (iteration: number) =>
    rememberGates(summaryOf(...results), findingsOf(results), [], { iteration, time: new Date(0) }).slice(
      0,
      1,
    );

  test('is summarized', () => {
    const reason = reasonIn({ remembered: since(1) }, ...results);

    expect(
      reason,
    ).toContain(`Unchanged since iteration 1: your changes since then did not fix the cause. Remaining errors:
  src/a.c:3:5: error: e1
  src/a.c:4:5: error: e2
Try another approach`);
    expect(reason).toContain('Full output: .trellis/.ralph/output/test.log');
    expect(reason).toContain('new!');
  });

  test('is shown in full if it is new in this iteration', () => {
    expect(reasonIn({ remembered: since(2) }, ...results)).toBe(reasonOf(...results));
  });

  test('keeps of each of its tests what was expected and received, and where', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const codeOf = (name: string) =>
      Array.from({ length: 20 }, (_, n) => `    ${n + 3}|     some code of test ${name}, ${n}\n`).join('');
    const failures = names.map(
      (name, i) =>
        ` FAIL  tests/${name}.test.ts > adds ${name}\nAssertionError: expected ${i}.9 to be ${i}.5\n\n- Expected\n+ Received\n\n- ${i}.5\n+ ${i}.9\n\n ❯ tests/${name}.test.ts:${i + 3}:29\n${codeOf(name)}\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${i}/5]⎯\n`,
    );
    const failing = resultOf('a', 'failed', { output: printed(failures.join('\n')) });
    const remembered = rememberGates(summaryOf(failing), findingsOf([failing]), [], {
      iteration: 1,
      time: new Date(0),
    });
    const [first, again] = [reasonOf(failing), reasonIn({ remembered }, failing)];

    for (const [i, name] of names.entries())
      expect(again).toContain(
        `\n   FAIL  tests/${name}.test.ts > adds ${name}\n  AssertionError: expected ${i}.9 to be ${i}.5\n  - Expected\n  + Received\n  - ${i}.5\n  + ${i}.9\n   ❯ tests/${name}.test.ts:${i + 3}:29\n`,
      );
    expect(again).not.toContain('some code of test');
    expect(again.length).toBeLessThan(first.length / 2);
  });

  test('is summarized as in the example of the documentation', () => {
    const passed = (name: string, durationMs: number) => resultOf(name, 'passed', { durationMs });
    const text = ` ❯ tests/cart.test.ts (12 tests | 1 failed) 31ms
   × adds the shipping costs 6ms
     → expected 104.9 to be 109.9 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  tests/cart.test.ts > adds the shipping costs
AssertionError: expected 104.9 to be 109.9 // Object.is equality

- Expected
+ Received

- 109.9
+ 104.9

 ❯ tests/cart.test.ts:14:24
     14|     expect(total(cart)).toBe(109.9);
       |                         ^

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
      Tests  1 failed | 11 passed (12)
`;
    const logPath = `${ROOT}/.trellis/.ralph/output/npm-test.log`;
    const failing = resultOf('npm test', 'failed', { durationMs: 8200, output: printed(text, { logPath }) });
    const all = [passed('npm run lint', 2100), passed('npm run typecheck', 8000), failing];
    const remembered = rememberGates(summaryOf(...all), findingsOf(all), [], {
      iteration: 1,
      time: new Date(0),
    });
    const page = readFileSync(new URL('../../../docs/feedback.md', import.meta.url), 'utf8');

    expect(page).toContain(`\`\`\`\n${reasonIn({ remembered }, ...all)}\n\`\`\``);
  });

  test('fits into the limit of the hosts, even if its lines are long', () => {
    const long = resultOf('a', 'failed', {
      output: printed(
        Array.from({ length: 40 }, (_, i) => `✗ adds ${i}\n  Error: ${'検"'.repeat(150)}`).join('\n'),
      ),
    });
    const remembered = rememberGates(summaryOf(long), findingsOf([long]), [], {
      iteration: 1,
      time: new Date(0),
    });
    const reason = reasonIn({ remembered }, long);

    expect(reason).toContain('Unchanged since iteration 1');
    expect(reason).toContain('\n  … more failures …\n');
    expect(bytesOf(reason)).toBeLessThanOrEqual(7800);
  });

  test('is preceded once by a note if the working tree has not changed', () => {
    const reason = reasonIn({ untouched: true }, ...results);

    expect(reason.match(/Nothing in the working tree has changed/g)).toHaveLength(1);
    expect(reasonOf(...results)).not.toContain('working tree');
  });

  test('is not said to have survived changes if the working tree has not changed', () => {
    const reason = reasonIn({ remembered: since(1), untouched: true }, ...results);

    expect(reason).toContain('\nUnchanged since iteration 1. Remaining errors:\n  src/a.c:3:5: error: e1\n');
    expect(reason).not.toMatch(/your changes|the code that you changed/);
  });
});

describe('a gate that ended as at the last stop, whatever it printed', () => {
  const reasonAgain = (outcome: GateOutcome, before: string, now: string) => {
    const then = resultOf('a', outcome, { output: printed(before) });
    const result = resultOf('a', outcome, { output: printed(now), durationMs: 12_000 });
    const recorded = (each: GateResult, iteration: number, before: readonly FailedGate[]) =>
      rememberGates(summaryOf(each), findingsOf([each]), before, { iteration, time: new Date(0) });
    const earlier = recorded(then, 1, []);
    const remembered = recorded(result, 2, earlier);
    return reasonIn({ earlier, remembered }, result);
  };

  test.each([
    [OUTCOMES['timed-out'], 'It timed out again: it was still running after 120 s and was ended.'],
    [OUTCOMES.killed, 'It was killed by SIGKILL again, after 12 s.'],
    [OUTCOMES['not-found'], 'It exited with code 127 again: a program it calls was not found, after 12 s.'],
    [OUTCOMES['not-started'], 'It again could not be started: spawn EACCES, after 12 s.'],
    [OUTCOMES.empty, 'It ran no test again, after 12 s.'],
  ] as [GateOutcome, string][])('is reported as ended so again: %j', (outcome, words) => {
    expect(reasonAgain(outcome, 'step 3', 'step 4')).toContain(`\n${words}\n`);
    expect(reasonOf(resultOf('a', outcome))).not.toContain('again:');
  });

  test('is not, if it failed with other errors', () => {
    const reason = reasonAgain(OUTCOMES.failed, 'Error: a', 'Error: b');

    expect(reason).toContain('It exited with code 1, after 12 s.\n\nError: b\n');
  });

  test.each(['timed-out', 'killed'] as const)(
    'is shown with what it printed, and without a word about other files: %s',
    (outcome) => {
      const reason = reasonAgain(OUTCOMES[outcome], 'RUN a', 'RUN a');

      expect(reason).toContain('\nUnchanged since iteration 1. Its output:\n  RUN a\n');
      expect(reason).not.toContain('another file');
    },
  );

  test('is shown with advice instead of a word about other files', () => {
    const inUse = 'Error: listen EADDRINUSE: address already in use :::3000';
    const reason = reasonAgain(OUTCOMES.failed, inUse, inUse);

    expect(reason).toContain('It is as it was at the last run');
    expect(reason).not.toContain('another file');
  });
});

describe('a gate that fails with other failures than at the last stop', () => {
  const failing = (text: string, outcome: GateOutcome = OUTCOMES.failed) =>
    resultOf('a', outcome, { output: printed(text), durationMs: 12_000 });
  const recorded = (result: GateResult, iteration: number) =>
    rememberGates(summaryOf(result), findingsOf([result]), [], { iteration, time: new Date(0) });
  const reasonAfter = (before: GateResult, now: GateResult) =>
    reasonIn({ earlier: recorded(before, 1), remembered: recorded(now, 2) }, now);
  const FIRST = failing('✗ adds\n  Error: a\n✗ counts\n  Error: b\n✗ ends\n  Error: c');

  test('is shown in full, below what is not reported any more and what is new', () => {
    const now = failing('✗ ends\n  Error: c\n✗ begins\n  Error: d');

    expect(reasonAfter(FIRST, now)).toContain(`It exited with code 1, after 12 s.
No longer reported since the last run: adds · counts
New since the last run: begins

✗ ends
  Error: c
✗ begins
  Error: d
`);
  });

  test('has the place of a failure that the agent has read, where it is now', () => {
    const passed = Array.from({ length: 100 }, (_, i) => `✓ passes ${i} of the tests`).join('\n');
    const notes = Array.from({ length: 9 }, (_, i) => `    note ${i} on the cause`).join('\n');
    const adds = (line: number) =>
      `${passed}\n✗ adds\n  Error: a\n${notes}\n    at Object.adds (src/a.js:${line}:3)`;
    const now = failing(`${adds(12)}\n${passed}\n✗ begins\n  Error: d\n    at Object.begins (src/a.js:20:3)`);

    expect(reasonAfter(failing(adds(9)), now)).toContain(`New since the last run: begins

… 100 lines …
✗ adds
  Error: a
… 9 lines …
    at Object.adds (src/a.js:12:3)
… 100 lines …
✗ begins
`);
  });

  test.each([
    [
      'the values differ only',
      FIRST,
      failing('✗ adds\n  Error: z\n✗ counts\n  Error: b\n✗ ends\n  Error: c'),
    ],
    ['no failure remains: the run may have ended before it', FIRST, failing('✗ begins\n  Error: d')],
    ['it did not come to its end', FIRST, failing('✗ adds\n  Error: a', OUTCOMES['timed-out'])],
    ['it did not come to its end before', failing('✗ adds\n  Error: a', OUTCOMES.killed), FIRST],
  ])('is shown without such lines where %s', (_, before, now) => {
    expect(reasonAfter(before, now)).not.toContain('since the last run');
  });
});

describe('the reason for an invalid config', () => {
  test('has a line for each problem', () => {
    expect(brokenConfigReason(['worktree.yaml:1:1: a', 'worktree.yaml:2:1: b'], SECOND).split('\n')).toEqual([
      'Iteration 2/5. Verification failed:',
      'The gate configuration is invalid, so no gate was run:',
      'worktree.yaml:1:1: a',
      'worktree.yaml:2:1: b',
      '',
      expect.stringMatching(/^Never weaken a test or check to pass\. .*: ralph-loop escalate --gate /),
      expect.stringContaining('without making the gates less strict'),
    ]);
  });

  test.each([
    [20, undefined],
    [21, 'and 1 more problem'],
    [22, 'and 2 more problems'],
  ])('has at most twenty problems: of %d, %j', (n, more) => {
    const reason = brokenConfigReason(
      Array.from({ length: n }, (_, i) => `problem ${i}`),
      SECOND,
    );

    expect(reason.match(/^problem \d+$/gm)).toHaveLength(20);
    expect(reason.match(/^and .*$/m)?.[0]).toBe(more);
  });
});

test('the line with the results of all gates has at most 600 characters', () => {
  const results = Array.from({ length: 300 }, (_, i) => resultOf(`gate ${i} ${'x'.repeat(100)}`));

  expect(gateLine(summaryOf(...results)).length).toBeLessThanOrEqual(600);
});
