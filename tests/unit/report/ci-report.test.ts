import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { printable } from '../../../src/base/text.ts';
import type { CommandGate, GateOutcome } from '../../../src/gates/types.ts';
import { codeBlock, codeSpan } from '../../../src/messages/markdown.ts';
import { annotations } from '../../../src/report/ci/annotations.ts';
import type { CiReport } from '../../../src/report/ci/ci-report.ts';
import { junitText } from '../../../src/report/ci/junit.ts';
import { sarifText } from '../../../src/report/ci/sarif.ts';
import { summaryText } from '../../../src/report/ci/summary.ts';

const HOSTILE = '@all <img src=x> [a](http://b) `#1` ]]> & "q" \u0007\u001b[31m\r\n::error::x';

function gate(
  name: string,
  outcome: GateOutcome,
  more: Partial<CommandGate> = {},
): CiReport['gates'][number] {
  const command: CommandGate = {
    kind: 'command',
    name,
    command: 'x',
    cwd: '/p',
    env: {},
    timeoutSeconds: 1,
    blocking: true,
    order: 100,
    ...more,
  };
  const output = { head: [], tail: [], omittedBytes: 0 };
  return {
    result: { gate: command, outcome, durationMs: 1234, output },
    outcome: 'ended',
    excerpt: outcome.reason === 'passed' ? '' : HOSTILE,
  };
}

const REPORT: CiReport = {
  verdict: 'failed',
  base: `the merge base with ${HOSTILE}`,
  durationMs: 2000,
  gates: [
    gate(HOSTILE, { reason: 'failed', exitCode: 1 }),
    gate('lint', { reason: 'passed' }),
    gate('audit', { reason: 'failed', exitCode: 2 }, { blocking: false }),
    gate('docs', { reason: 'unaffected' }),
  ],
  findings: [{ rule: 'test-skipped', severity: 'high', path: 'a b/ü.ts', line: 3, message: HOSTILE }],
  problems: [
    { rule: 'gate-failed', level: 'error', place: undefined, title: 'a: 1, 2%', message: HOSTILE },
    { rule: 'gate-failed', level: 'warning', place: { path: 'a:b,c.ts' }, title: 't', message: 'm' },
    { rule: 'test-skipped', level: 'error', place: { path: 'a b/ü.ts', line: 3 }, title: 't', message: 'm' },
    {
      rule: 'test-focused',
      level: 'note',
      place: { path: 'a.ts', line: 1 },
      title: 't',
      message: 'm',
      allowed: 'why',
    },
  ],
};

interface Result {
  readonly level: string;
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region?: { readonly startLine: number };
      };
    },
  ];
}

describe('the report of a run in CI', () => {
  test('is valid SARIF 2.1.0, and every result has a place', () => {
    const path = createRequire(import.meta.url).resolve(
      '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
    );
    const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
    const isValid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
    for (const problems of [REPORT.problems, []]) {
      const log = JSON.parse(sarifText({ ...REPORT, problems }, '.trellis/worktree.yaml'));
      expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true);
      expect(log.runs[0].results).toHaveLength(problems.length);
    }
    const { results } = JSON.parse(sarifText(REPORT, 'worktree.yaml')).runs[0];
    expect(
      results.map(({ level, locations: [{ physicalLocation }] }: Result) => [
        level,
        physicalLocation.artifactLocation.uri,
        physicalLocation.region?.startLine,
      ]),
    ).toEqual([
      ['error', 'worktree.yaml', undefined],
      ['warning', 'a%3Ab%2Cc.ts', undefined],
      ['error', 'a%20b/%C3%BC.ts', 3],
      ['note', 'a.ts', 1],
    ]);
    expect(results[3].suppressions).toEqual([{ kind: 'inSource', justification: 'why' }]);
  });

  test('has fingerprints in SARIF that the next run of the same code has, too', () => {
    const fingerprints = (message: string, output: string, line: number) => {
      const common = { rule: 'gate-failed', level: 'error', title: 'test failed' } as const;
      const problems = [
        { ...common, place: { path: 'a.test.ts', line }, message },
        { ...common, place: undefined, message: output },
      ];
      const { results } = JSON.parse(sarifText({ ...REPORT, problems }, 'worktree.yaml')).runs[0];
      return results.map(({ partialFingerprints }: { partialFingerprints: object }) => partialFingerprints);
    };
    const first = fingerprints('adds (12 ms): expected 3 to be 4', 'in 335.7 ms', 3);
    expect(fingerprints('adds (15 ms): expected 3 to be 4', 'in 406.8 ms', 5)).toEqual(first);
    expect(fingerprints('adds (15 ms): expected 3 to be 5', 'in 406.8 ms', 5)[0]).not.toEqual(first[0]);
  });

  test('is XML whose texts cannot end an element, with a case for each gate and one for integrity', () => {
    const xml = junitText(REPORT);
    expect(xml).toContain('tests="5" failures="2" errors="0" skipped="2"');
    expect(xml).not.toMatch(/<img/);
    expect(printable(xml)).toBe(xml);
    expect([...xml.matchAll(/<testcase /g)]).toHaveLength(5);
    expect(junitText({ ...REPORT, base: undefined })).toContain('there is nothing to compare with');
  });

  test('is annotations whose properties and messages are escaped, errors before warnings', () => {
    expect(annotations(REPORT)).toEqual([
      expect.stringMatching(/^::error title=a%3A 1%2C 2%25::@all .*%0D%0A::error::x$/),
      '::error file=a b/ü.ts,line=3,title=t::m',
      '::warning file=a%3Ab%2Cc.ts,title=t::m',
    ]);
    const many = Array.from({ length: 30 }, () => REPORT.problems).flat();
    expect(annotations({ ...REPORT, problems: many })).toHaveLength(20);
  });

  test('is Markdown in which texts of the project are in code, and fits in a comment', () => {
    const text = summaryText(REPORT);
    const outside = text
      .replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
      .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toMatch(/@all|<img|http:|#1\b/);
    expect(text).toMatch(/^### ralph-loop: failed/);
    const [first] = REPORT.gates;
    const gates = Array.from({ length: 200 }, () => ({ ...first, excerpt: 'x'.repeat(4000) }));
    const large = { ...REPORT, gates } as CiReport;
    expect(summaryText(large).length).toBeLessThan(65_536);
  });
});

describe('a text in Markdown', () => {
  test.for([
    ['a', '`a`'],
    ['`a`', '`` `a` ``'],
    ['a ``` b', '```` a ``` b ````'.replace('```` a', '````a').replace('b ````', 'b````')],
    ['a\nb', '`a b`'],
    ['', '` `'],
  ] as const)('%j as a code span is %j', ([text, span]) => {
    expect(codeSpan(text)).toBe(span);
  });

  test('has a fence that is longer than those in it', () => {
    expect(codeBlock('a\n````\n@b')).toEqual(['`````text', 'a', '````', '@b', '`````']);
  });
});
