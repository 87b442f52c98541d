import { expect } from 'vitest';
import { excerptOf, excerptText } from '../../src/diagnostics/excerpt.ts';
import type { CommandGate } from '../../src/gates/types.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { failuresPath, outputDirectory } from '../../src/state/paths.ts';
import { runAndRecord } from '../../src/verification/run-and-record.ts';
import { shellGate } from '../helpers/gate-results.ts';
import { gitProject } from '../helpers/git-project.ts';
import { type MakeProject, test } from '../helpers/project.ts';

const REPORT = '.trellis/.ralph/junit.xml';

/** Runs a gate with a report in a repository; returns its excerpts. */
function repository(makeProject: MakeProject, fields: Partial<CommandGate>) {
  const project = gitProject(makeProject, { 'a.txt': 'a' });
  const run = async () => {
    const gate = shellGate('test', { cwd: project.root, report: REPORT, ...fields });
    const { result, findings } = await runAndRecord(
      {
        root: project.root,
        gates: [gate],
        failFast: true,
        outputDirectory: outputDirectory(project.root),
        failures: { path: failuresPath(project.root, 'verify'), covers: 'all' },
      },
      {
        runCommand,
        now: () => new Date(),
        env: project.environment,
        signal: new AbortController().signal,
      },
    );
    const excerpts = [...findings.values()].map((found) =>
      excerptText(excerptOf(found, 6000, { hung: false })),
    );
    return { excerpts, results: result.results };
  };
  return { project, run };
}

const write = (test: string) =>
  `printf '<testsuite><testcase name="${test}"><failure message="no"/></testcase></testsuite>' > ${REPORT}`;

test('a gate that prints nothing has the failures of its report in its excerpt', async ({ makeProject }) => {
  const { run } = repository(makeProject, { command: `${write('adds')}; exit 1` });
  expect(await run()).toMatchObject({ excerpts: ['✗ adds\n  no'] });
});

test('a report that the gate has not written again is not in its excerpt', async ({ makeProject }) => {
  const { project, run } = repository(makeProject, {
    command: `echo no compiler; test -e ${REPORT} || { ${write('adds')}; }; exit 1`,
  });
  expect(await run()).toMatchObject({ excerpts: ['✗ adds\n  no\nno compiler'] });
  expect(project.has(REPORT)).toBe(true);
  expect(await run()).toMatchObject({
    excerpts: [`no compiler\nThe report ${REPORT} is of an earlier run.`],
  });
});

test('the report of the last attempt counts', async ({ makeProject }) => {
  const { run } = repository(makeProject, {
    command: `test -e one && { ${write('second')}; exit 1; }; touch one; ${write('first')}; exit 1`,
    retries: 1,
  });
  expect(await run()).toMatchObject({ excerpts: ['✗ second\n  no'] });
});

test('a gate that passes without its report says so, because the path may be wrong', async ({
  makeProject,
}) => {
  const { run } = repository(makeProject, { command: write('adds'), report: 'junit.xlm' });
  expect(await run()).toMatchObject({ results: [{ outcome: { reason: 'passed' }, noReport: true }] });
  const { run: runRight } = repository(makeProject, { command: write('adds') });
  expect((await runRight()).results[0]?.noReport).toBeUndefined();
});

test('a gate that has passed is not run again because of its report, or because the config names another', async ({
  makeProject,
}) => {
  const fields: Record<string, string> = { command: write('adds') };
  const { run } = repository(makeProject, fields);
  expect((await run()).results[0]?.reused).toBeUndefined();
  expect((await run()).results[0]?.reused).toBeDefined();
  fields.report = 'other.xml';
  expect((await run()).results[0]?.reused).toBeDefined();
});
