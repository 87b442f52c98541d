import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { GateReports } from '../../../../src/diagnostics/reports/gate-reports.ts';
import type { CommandGate, GateOutcome } from '../../../../src/gates/types.ts';
import { condensed } from '../../../helpers/condensed.ts';
import { resultOf, shellGate } from '../../../helpers/gate-results.ts';
import { type Project, test } from '../../../helpers/project.ts';

const report = (message = 'no') =>
  `<testsuite><testcase name="adds"><failure message="${message}"/></testcase></testsuite>`;

interface Run {
  readonly gate?: Partial<CommandGate>;
  readonly outcome?: GateOutcome;
  readonly secrets?: readonly string[];
}

/** What the excerpt of a gate says whose command is a function. */
function excerptAfter(
  { root }: Project,
  command: () => void,
  { gate: fields, outcome = { reason: 'failed', exitCode: 1 }, secrets = [] }: Run = {},
): string[] {
  const gate = shellGate('test', { report: 'junit.xml', cwd: root, ...fields });
  const reports = new GateReports(root, secrets);
  reports.started(gate);
  command();
  const findings = reports.addTo(resultOf(gate, outcome), condensed('1 failed\n'));
  return excerptText(excerptOf(findings ?? condensed(''), 6000, { hung: false })).split('\n');
}

const FAILURE = ['✗ adds', '  no'];

describe('the report of a gate', () => {
  test('is read where the gate has written it', ({ makeProject }) => {
    const project = makeProject();
    expect(excerptAfter(project, () => project.write({ 'junit.xml': report() }))).toEqual([
      ...FAILURE,
      '1 failed',
    ]);
  });

  test('of an earlier run is not read', ({ makeProject }) => {
    const project = makeProject({ 'junit.xml': report('old') });
    expect(excerptAfter(project, () => {})).toEqual([
      '1 failed',
      'The report junit.xml is of an earlier run.',
    ]);
  });

  test('is read where it replaces that of an earlier run, whatever time it has', ({ makeProject }) => {
    const project = makeProject({ 'junit.xml': report('old') });
    const replace = () => {
      project.write({ 'new.xml': report() });
      utimesSync(project.path('new.xml'), 0, 0);
      renameSync(project.path('new.xml'), project.path('junit.xml'));
    };
    expect(excerptAfter(project, replace)).toEqual([...FAILURE, '1 failed']);
  });

  test('is reported as missing by the name that the config has', ({ makeProject }) => {
    expect(excerptAfter(makeProject(), () => {})).toEqual([
      '1 failed',
      'The report junit.xml was not written.',
    ]);
  });

  test('is not read if the gate has passed', ({ makeProject }) => {
    const project = makeProject();
    const write = () => project.write({ 'junit.xml': report() });
    expect(excerptAfter(project, write, { outcome: { reason: 'passed' } })).toEqual(['1 failed']);
  });

  test('is not read if the gate has known failures', ({ makeProject }) => {
    const project = makeProject();
    const baseline = {
      root: project.root,
      exitCode: 1,
      reported: {},
      failures: [{ kind: 'test', file: null, message: 'x', count: 1 }],
    };
    const write = () => project.write({ 'junit.xml': report() });
    expect(excerptAfter(project, write, { gate: { baseline } })).toEqual(['1 failed']);
  });

  test('may be several files, those of earlier runs among them', ({ makeProject }) => {
    const project = makeProject({ 'target/reports/TEST-old.xml': report('old') });
    const write = () =>
      project.write({
        'target/reports/TEST-b.xml': report('b fails'),
        'target/reports/TEST-a.xml': report('a fails'),
        'target/reports/summary.xml': report('summary'),
      });
    expect(excerptAfter(project, write, { gate: { report: 'target/reports/TEST-*.xml' } })).toEqual([
      '✗ adds',
      '  a fails',
      '✗ adds',
      '  b fails',
      '1 failed',
    ]);
  });

  test('shows no secret', ({ makeProject }) => {
    const project = makeProject();
    const write = () => project.write({ 'junit.xml': report('sent hunter2&amp;hunter2 here') });
    const text = excerptAfter(project, write, { secrets: ['hunter2&hunter2'] }).join('\n');
    expect(text).toContain('sent *** here');
  });

  test('is read as far as it goes', ({ makeProject }) => {
    const project = makeProject();
    const write = () => project.write({ 'junit.xml': report().slice(0, -20) });
    expect(excerptAfter(project, write)).toEqual([
      ...FAILURE,
      '1 failed',
      'The report junit.xml is incomplete.',
    ]);
  });
});

describe('instead of a report,', () => {
  const cases: [string, (project: Project) => void, RegExp][] = [
    ['a text', (project) => project.write({ 'junit.xml': 'done' }), /is in no known format/],
    ['a FIFO', ({ path }) => execFileSync('mkfifo', [path('junit.xml')]), /not a regular file/],
    ['a directory', ({ path }) => mkdirSync(path('junit.xml')), /is a directory/],
    ['a device', ({ path }) => symlinkSync('/dev/zero', path('junit.xml')), /symbolic link/],
    [
      'a link out of the project',
      ({ path }) => symlinkSync('/etc/passwd', path('junit.xml')),
      /symbolic link/,
    ],
    [
      'a link to itself',
      ({ path }) => symlinkSync('junit.xml', path('junit.xml')),
      /was not read|was not written/,
    ],
    [
      'a file of gigabytes',
      (project) => {
        project.write({ 'junit.xml': '' });
        truncateSync(project.path('junit.xml'), 3 * 1024 ** 3);
      },
      /too large/,
    ],
  ];
  test.for(cases)('%s is a note in the excerpt', ([, write, note], { makeProject }) => {
    const project = makeProject();
    const lines = excerptAfter(project, () => write(project));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(note);
    expect(lines[1]).not.toContain(project.root);
  });

  test('a link within the project is followed', ({ makeProject }) => {
    const project = makeProject({ 'out/.keep': '' });
    const write = () => {
      project.write({ 'out/junit.xml': report() });
      symlinkSync('out/junit.xml', project.path('junit.xml'));
    };
    expect(excerptAfter(project, write)).toEqual([...FAILURE, '1 failed']);
  });

  test('a second name of a file is that file', ({ makeProject }) => {
    const project = makeProject({ 'a.xml': report() });
    expect(excerptAfter(project, () => linkSync(project.path('a.xml'), project.path('junit.xml')))).toEqual([
      ...FAILURE,
      '1 failed',
    ]);
  });
});

test.for<[string, () => string]>([
  [
    'many errors in one test',
    () => `<testsuite><testcase name="a">${'<error/>'.repeat(300_000)}</testcase></testsuite>`,
  ],
  ['many failures', () => '::error::boom\n'.repeat(300_000)],
  ['a message of many lines', () => `::error::boom${'%0Ab'.repeat(300_000)}\n`],
  [
    'a long name, and many verdicts',
    () =>
      JSON.stringify({
        testResults: [
          {
            assertionResults: [
              {
                status: 'failed',
                title: 'x > '.repeat(3_000_000),
                failureMessages: ['✗ failed\n'.repeat(100)],
              },
            ],
          },
        ],
      }),
  ],
  [
    'names of many parts',
    () =>
      JSON.stringify({
        testResults: [
          {
            assertionResults: Array.from({ length: 20_000 }, () => ({
              status: 'failed',
              title: '/'.repeat(600),
            })),
          },
        ],
      }),
  ],
])('a report with %s is read', ([, of], { makeProject }) => {
  const project = makeProject();
  const shown = excerptAfter(project, () => project.write({ 'junit.xml': of() }));

  expect(shown.length).toBeGreaterThan(1);
});
