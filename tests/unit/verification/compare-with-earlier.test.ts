import { describe, expect, test } from 'vitest';
import type { GateOutcome, GateResult } from '../../../src/gates/types.ts';
import { readTestCounts } from '../../../src/state/test-counts.ts';
import { compareWithEarlier } from '../../../src/verification/compare-with-earlier.ts';
import type { FailureRecord, VerificationRequest } from '../../../src/verification/types.ts';
import { OUTCOMES, resultOf, summaryOf } from '../../helpers/gate-results.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const STOP: FailureRecord = {
  path: '',
  loop: { key: 'k', attempt: { iteration: 1, maxIterations: 5 } },
  covers: 'all',
};
const VERIFY: FailureRecord = { path: '', covers: 'all' };
const ONLY: FailureRecord = { path: '', covers: 'some' };
const CHAIN: FailureRecord = { ...STOP, covers: 'own' };

/** A run whose gate `test` ran so many tests; undefined: its output does not say how many. */
interface Run {
  readonly as: FailureRecord;
  readonly tests: number | undefined;
  readonly more?: readonly GateResult[];
  readonly aborted?: boolean;
}

async function runs(root: string, { as, tests, more = [], aborted = false }: Run) {
  const controller = new AbortController();
  if (aborted) controller.abort();
  const request: VerificationRequest = { root, gates: [], failFast: true, outputDirectory: '', failures: as };
  const given = resultOf('test', tests === 0 ? 'empty' : 'passed', tests === undefined ? {} : { tests });
  const { results } = await compareWithEarlier(
    request,
    summaryOf(given, ...more),
    undefined,
    controller.signal,
  );
  return results[0]?.testsBefore;
}

describe('compareWithEarlier', () => {
  test.each<[string, Run[], (number | undefined)[], number | undefined]>([
    [
      'reports a number that is less than half, and compares with it from then on',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: 40 },
        { as: STOP, tests: 40 },
      ],
      [undefined, 120, undefined],
      40,
    ],
    [
      'does not report half of the tests',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: 60 },
      ],
      [undefined, undefined],
      60,
    ],
    [
      'reports a lower number in each verify, until a stop',
      [
        { as: STOP, tests: 120 },
        { as: VERIFY, tests: 40 },
        { as: ONLY, tests: 40 },
        { as: STOP, tests: 40 },
      ],
      [undefined, 120, 120, 120],
      40,
    ],
    [
      'does not let an agent lower the number in steps',
      [
        { as: STOP, tests: 120 },
        { as: VERIFY, tests: 70 },
        { as: VERIFY, tests: 40 },
      ],
      [undefined, undefined, 120],
      120,
    ],
    [
      'takes a higher number from verify',
      [
        { as: STOP, tests: 20 },
        { as: VERIFY, tests: 120 },
      ],
      [undefined, undefined],
      120,
    ],
    ['records nothing for typed gates', [{ as: CHAIN, tests: 120 }], [undefined], undefined],
    [
      'keeps the number when the output does not say it',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: undefined },
        { as: STOP, tests: 40 },
      ],
      [undefined, undefined, 120],
      40,
    ],
    [
      'keeps the number when no test ran',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: 0 },
      ],
      [undefined, 120],
      120,
    ],
    [
      'keeps the number when another gate fails',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: 40, more: [resultOf('lint', 'failed')] },
      ],
      [undefined, 120],
      120,
    ],
    [
      'keeps the number when the run is aborted',
      [
        { as: STOP, tests: 120 },
        { as: STOP, tests: 40, aborted: true },
      ],
      [undefined, 120],
      120,
    ],
  ])('%s', async (_, done, reported, recorded) => {
    const root = temporaryTree();
    const seen = [];
    for (const run of done) seen.push(await runs(root, run));

    expect(seen).toEqual(reported);
    expect(readTestCounts(root).get('test')).toBe(recorded);
  });

  test('has a number for each worktree', async () => {
    const [one, other] = [temporaryTree(), temporaryTree()];
    await runs(one, { as: STOP, tests: 120 });

    expect(await runs(other, { as: STOP, tests: 40 })).toBeUndefined();
  });

  test('ignores a file that is not its own', async () => {
    const root = temporaryTree({
      '.trellis/.ralph/tests.json': '[{"gate":"test"},{"gate":1,"tests":2},null,7]',
    });

    expect(await runs(root, { as: STOP, tests: 40 })).toBeUndefined();
    expect([...readTestCounts(root)]).toEqual([['test', 40]]);
  });

  test.each<[GateOutcome['reason'], boolean, number | undefined]>([
    ['failed', true, 1],
    ['timed-out', true, 1],
    ['killed', true, 1],
    ['failed', false, undefined],
    // The agent has installed it, or there is more time.
    ['not-found', true, undefined],
    ['out-of-time', true, undefined],
    ['empty', true, undefined],
  ])(
    'of a gate that ended as %s and passes now, on an unchanged tree: %s, flaky is %s',
    async (reason, isTreeUnchanged, flaky) => {
      const gate = { name: 'test', command: 'test', outcome: OUTCOMES[reason], time: '', duration_ms: 1 };
      const gates = [{ ...gate, errors: [], since: 1, excerpt: [], log: null }];
      const previous = { record: { task: 'k', iteration: 1, tree: 'a', gates }, isTreeUnchanged };
      const request: VerificationRequest = {
        root: '/',
        gates: [],
        failFast: true,
        outputDirectory: '',
        failures: STOP,
      };
      const { results } = await compareWithEarlier(
        request,
        summaryOf(resultOf('test'), resultOf('other')),
        previous,
        new AbortController().signal,
      );

      expect(results.map((each) => each.flaky)).toEqual([flaky, undefined]);
    },
  );
});
