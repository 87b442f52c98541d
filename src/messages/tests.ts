import { count, oneLine } from '../base/text.ts';
import type { GateResult, RunResult } from '../gates/types.ts';

/** What a person reads about gates that are flaky, ran no tests or fewer than before, or wrote no report. */
export function testNotes({ results }: Pick<RunResult, 'results'>): string[] {
  return results.flatMap((result) => [
    ...flakyNote(result),
    ...emptyNote(result),
    ...fewerTestsNote(result),
    ...reportNote(result),
  ]);
}

/** For a gate that may run no test. */
function emptyNote({ gate, outcome, tests, testsBefore }: GateResult): string[] {
  const isEmpty = outcome.reason === 'passed' && tests === 0 && testsBefore === undefined;
  return isEmpty ? [`${quoted(gate)} ran no test`] : [];
}

function flakyNote({ gate, flaky = 0 }: GateResult): string[] {
  if (flaky === 0) return [];
  const often = flaky === 1 ? 'once' : `${flaky} times`;
  return [`${quoted(gate)} is flaky: it failed ${often} and then passed on the same files`];
}

function fewerTestsNote({ gate, tests = 0, testsBefore }: GateResult): string[] {
  if (testsBefore === undefined) return [];
  return [`${quoted(gate)} ran ${count(tests, 'test')}; at its last pass it ran ${testsBefore}`];
}

function reportNote({ gate, noReport }: GateResult): string[] {
  if (!noReport || gate.kind === 'marker') return [];
  return [`${quoted(gate)} wrote no report: there is no file ${oneLine(gate.report ?? '', 200)}`];
}

/** What the agent reads about gates that ran fewer tests than before. */
export function fewerTestsLines({ results }: Pick<RunResult, 'results'>): string[] {
  return results
    .flatMap(fewerTestsNote)
    .map((note) => `${note}. If a filter or a deletion was not part of the task, undo it.`);
}

function quoted({ name }: GateResult['gate']): string {
  return `\`${oneLine(name, 60)}\``;
}
