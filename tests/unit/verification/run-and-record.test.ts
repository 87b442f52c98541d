import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFailures } from '../../../src/state/failures.ts';
import { failuresPath, outputDirectory } from '../../../src/state/paths.ts';
import { runAndRecord } from '../../../src/verification/run-and-record.ts';
import type { VerificationRequest } from '../../../src/verification/types.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { type Script, scriptedCommands } from '../../helpers/scripted-commands.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const RECORDED = {
  task: null,
  iteration: null,
  tree: null,
  gates: [
    {
      time: '2026-01-31T10:30:00.000Z',
      name: 'earlier',
      command: 'earlier',
      outcome: { reason: 'failed', exitCode: 1 },
      duration_ms: 1,
      errors: [],
      since: null,
      excerpt: [],
      log: null,
    },
  ],
};

/** A project with a recorded failure of the gate `earlier` in `verify`, and of another loop. */
async function run(script: Script, more: Partial<VerificationRequest>, aborted = false) {
  const root = temporaryTree({
    '.trellis/.ralph/failed-verify.json': JSON.stringify(RECORDED),
    '.trellis/.ralph/failed-task.json': JSON.stringify(RECORDED),
  });
  const controller = new AbortController();
  if (aborted) controller.abort();
  const path = failuresPath(root, 'verify');
  const { runCommand, specs } = scriptedCommands(script);
  const request: VerificationRequest = {
    root,
    gates: [shellGate('a'), shellGate('b')],
    failFast: true,
    outputDirectory: outputDirectory(root),
    failures: { path, covers: 'all' },
    ...more,
  };
  const done = await runAndRecord(
    { ...request, failures: { ...request.failures, path } },
    { runCommand, now: () => new Date('2026-02-01T00:00:00Z'), env: {}, signal: controller.signal },
  );
  const recorded = () =>
    readdirSync(join(root, '.trellis/.ralph')).filter((name) => name.startsWith('failed-'));
  const names = () => readFailures(path)?.gates.map(({ name }) => name);
  return { ...done, root, recorded, names, specs };
}

describe('runAndRecord after a pass', () => {
  test.for([
    { covers: 'all', left: [] },
    { covers: 'own', left: ['failed-task.json'] },
  ] as const)('of gates that cover "$covers" leaves the records $left', async ({ covers, left }) => {
    const { result, failed, recorded } = await run({}, { failures: { path: '', covers } });

    expect([result.verdict, failed]).toEqual(['passed', undefined]);
    expect(recorded()).toEqual(left);
  });

  test('of some gates keeps the recorded failures of the others', async () => {
    const { names, recorded } = await run({}, { failures: { path: '', covers: 'some' } });

    expect(names()).toEqual(['earlier']);
    expect(recorded()).toHaveLength(2);
  });
});

describe('runAndRecord after a failure', () => {
  test('replaces the record, and skips the later gates', async () => {
    const { result, names } = await run({ a: 1 }, {});

    expect(result.results.map(({ outcome }) => outcome.reason)).toEqual(['failed', 'skipped']);
    expect(names()).toEqual(['a']);
  });

  test('of some gates adds it to the recorded failures of the others', async () => {
    expect((await run({ a: 1 }, { failures: { path: '', covers: 'some' } })).names()).toEqual([
      'a',
      'earlier',
    ]);
  });

  test('runs every gate without failFast', async () => {
    const { result } = await run({ a: 1, b: 1 }, { failFast: false });

    expect(result.results.map(({ outcome }) => outcome.reason)).toEqual(['failed', 'failed']);
  });

  test('returns the data of the messages for the run of a loop', async () => {
    const attempt = { iteration: 2, maxIterations: 5 };
    const loop = { key: 'k', attempt };
    const { failed, root } = await run({ a: 1 }, { failures: { path: '', covers: 'own', loop } });

    expect(failed).toMatchObject({ attempt, root, untouched: false, remembered: [{ name: 'a', since: 2 }] });
  });

  test('keeps the earlier record when the run is aborted', async () => {
    const { names } = await run({ a: 1 }, {}, true);

    expect(names()).toEqual(['earlier']);
  });
});

test('runAndRecord writes the results file of a gate config, and returns its report', async () => {
  const root = temporaryTree();
  const resultsPath = join(root, 'out/results.json');
  const { report, notes } = await run({ b: 1 }, { resultsPath });

  expect(report).toMatchObject({ passed: false, firstFailure: { name: 'b' } });
  expect(notes).toEqual([]);
  expect(JSON.parse(readFileSync(resultsPath, 'utf8'))).toEqual(report);
});

test('runAndRecord makes a directory that git ignores', async () => {
  expect(existsSync(join((await run({}, {})).root, '.trellis/.ralph/.gitignore'))).toBe(true);
});
