import { describe, expect, test } from 'vitest';
import type { Baseline } from '../../../src/config/baseline.ts';
import { judge } from '../../../src/diagnostics/judge.ts';
import { Condenser, type Findings } from '../../../src/diagnostics/output/condenser.ts';
import { countOf } from '../../../src/gates/known-failures.ts';
import type { Gate, GateResult } from '../../../src/gates/types.ts';
import { recordedBaseline, tracked, updatedBaseline } from '../../../src/verification/record-baseline.ts';
import type { VerificationRun } from '../../../src/verification/types.ts';
import { resultOf, shellGate, summaryOf } from '../../helpers/gate-results.ts';

const ROOT = '/the/project';

type End = Parameters<typeof resultOf>[1];
interface Ended {
  readonly gate: Gate;
  readonly end: End;
  readonly text?: string;
}

/** A run of gates as it ends after the review. */
function runOf(...ended: readonly Ended[]): VerificationRun {
  const findings = new Map<Gate, Findings>();
  const results = ended.map(({ gate, end, text = '' }): GateResult => {
    const baseline = gate.kind === 'command' ? gate.baseline : undefined;
    const condenser = new Condenser(gate.kind === 'command' ? gate : {});
    condenser.write('stdout', Buffer.from(text));
    const result = resultOf(gate, end);
    if (!baseline) return result;
    const judged = judge(result, baseline, condenser.findings());
    if (judged.findings) findings.set(gate, judged.findings);
    return judged.result;
  });
  return { result: summaryOf(...results), findings, failed: undefined, report: undefined, notes: [] };
}

const LINES = ['x', 'y', 'z'].map(
  (name) => `src/${name}.ts(1,1): error TS2304: Cannot find name '${name}'.\n`,
);
const [X = '', Y = '', Z = ''] = LINES;
const failed = (exitCode = 1): End => ({ reason: 'failed', exitCode });

/** What was recorded for gates with these outputs. */
function recorded(outputs: Readonly<Record<string, string>>): Baseline {
  const ended = Object.entries(outputs).map(([name, text]) => ({
    gate: tracked(shellGate(name), ROOT),
    end: failed(),
    text,
  }));
  return recordedBaseline(runOf(...ended), new Map()).baseline;
}

/** How many failures are known of each gate. */
const counts = (baseline: Baseline) =>
  Object.fromEntries([...baseline].map(([name, { failures }]) => [name, countOf(failures)]));

describe('a recorded baseline', () => {
  test.each<[string, Partial<Ended>, Record<string, number>, RegExp | undefined]>([
    ['knows what fails now', { end: failed(), text: X + Z }, { a: 2 }, undefined],
    ['does not have a gate that passes', { end: 'passed' }, {}, undefined],
    ['keeps a gate that did not run', { end: 'skipped' }, { a: 2 }, undefined],
    ['keeps a gate that no changed file affects', { end: 'unaffected' }, { a: 2 }, undefined],
    [
      'keeps a gate without failures in its output',
      { end: failed(), text: 'no\n' },
      { a: 2 },
      /^`a` cannot be baselined: its output names no failures$/,
    ],
    ['keeps a gate that printed nothing', { end: failed() }, { a: 2 }, /names no failures/],
    [
      'keeps a gate that timed out',
      { end: 'timed-out', text: X },
      { a: 2 },
      /^`a` cannot be baselined: it timed out/,
    ],
    [
      'keeps a gate that was not found',
      { end: 'not-found', text: X },
      { a: 2 },
      /cannot be baselined: it exited with code 127/,
    ],
    [
      'keeps a gate with too many failures',
      { end: failed(), text: X.repeat(20_001) },
      { a: 2 },
      /too many failures/,
    ],
  ])('%s', (_, ended, left, problem) => {
    const before = recorded({ a: X + Y });
    const run = runOf({ gate: tracked(shellGate('a'), ROOT), end: 'passed', ...ended });
    const { baseline, problems } = recordedBaseline(run, before);
    expect(counts(baseline)).toEqual(left);
    expect(problems).toEqual(problem ? [expect.stringMatching(problem)] : []);
  });

  test('is made of all files, where the command allows it', () => {
    const [a, b] = ['eslint', 'eslint {changed_files}'].map((name) => shellGate(name, { paths: ['src/**'] }));
    expect([a, b].map((gate) => gate && 'paths' in tracked(gate, ROOT))).toEqual([false, true]);
  });

  test('says what was added and removed, and drops gates that are gone', () => {
    const before = recorded({ a: X + Y, gone: Z });
    const run = runOf({ gate: tracked(shellGate('a'), ROOT), end: failed(), text: Y + Z });
    expect(recordedBaseline(run, before).gates).toEqual([
      { name: 'a', known: 2, added: 1, removed: 1 },
      { name: 'gone', known: 0, added: 0, removed: 1 },
    ]);
  });

  test('keeps what a command for the changed files has not seen', () => {
    const name = 'eslint {changed_files}';
    const before = recorded({ [name]: X + Y });
    const run = runOf({ gate: tracked(shellGate(name), ROOT), end: failed(), text: Y + Z });
    expect(counts(recordedBaseline(run, before).baseline)).toEqual({ [name]: 3 });
  });
});

describe('an updated baseline', () => {
  const before = recorded({ a: X + Y });
  const known = before.get('a');
  const gate = shellGate('a', { ...(known && { baseline: { ...known, root: ROOT } }) });

  test.each<[string, Omit<Ended, 'gate'>, Record<string, number>]>([
    ['loses what is fixed', { end: failed(), text: Y }, { a: 1 }],
    ['loses a gate that passes', { end: 'passed' }, {}],
    ['keeps what still fails', { end: failed(), text: X + Y }, { a: 2 }],
    ['does not get new failures', { end: failed(), text: X + Y + Z }, { a: 2 }],
    ['keeps everything of a gate that fails in another way', { end: failed(), text: Z }, { a: 2 }],
    [
      'keeps everything of a gate that printed less and exited with another code',
      { end: failed(2), text: Y },
      { a: 2 },
    ],
    ['keeps everything of a gate that timed out', { end: 'timed-out', text: Y }, { a: 2 }],
    ['keeps everything of a gate that did not run', { end: 'skipped' }, { a: 2 }],
  ])('%s', (_, ended, left) => {
    expect(counts(updatedBaseline(runOf({ gate, ...ended }), before).baseline)).toEqual(left);
  });
});
