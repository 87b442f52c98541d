import { describe, expect, test } from 'vitest';
import { failuresOf } from '../../../../src/diagnostics/reports/failures-of.ts';
import { readReport } from '../../../../src/diagnostics/reports/read-report.ts';
import type { Report, ReportedFailure } from '../../../../src/diagnostics/reports/types.ts';

/** @returns undefined for what is no report */
function read(text: string | Buffer): Report | undefined {
  const report = readReport(Buffer.from(text));
  return typeof report === 'string' ? undefined : report;
}
const failuresIn = (text: string | Buffer): readonly ReportedFailure[] => read(text)?.failures ?? [];

/** The failures of a report as texts: `name|place|rule|message|details`. */
function summary(text: string): string[] {
  return failuresIn(text).map(({ kind, name, file, line, column, rule, message, details }) => {
    const place = [file, line, column].filter(Boolean).join(':');
    const parts = [kind === 'warning' ? '(warning)' : undefined, name, place, rule, message, details];
    return parts
      .filter(Boolean)
      .map((part) => String(part).trim())
      .join('|');
  });
}

const rows = (table: Record<string, [report: string, failures: string[]]>) => Object.entries(table);

describe("JUnit's XML", () => {
  test.each(
    rows({
      'has a failure and an error': [
        '<testsuites><testsuite name="s"><testcase classname="m.T" name="adds"><failure message="1 is not 2">at a.py:3</failure></testcase><testcase classname="m.T" name="ok"/><testcase classname="m.T" name="reads"><error type="IOError" message="gone"/></testcase></testsuite></testsuites>',
        ['m.T > adds|1 is not 2|at a.py:3', 'm.T > reads|gone'],
      ],
      'has only the type of an error': [
        '<testsuite><testcase name="a"><error type="IOError"/></testcase></testsuite>',
        ['a|IOError'],
      ],
      'has suites in suites, and no classes': [
        '<testsuites><testsuite name="math"><testsuite name="sum"><testcase name="adds" classname="test"><failure>no</failure></testcase></testsuite></testsuite></testsuites>',
        ['math > sum > adds|no'],
      ],
      'repeats the class in the name': [
        '<testsuite><testcase classname="math" name="math adds"><failure>no</failure></testcase></testsuite>',
        ['math adds|no'],
      ],
      'names the file and the line of a test': [
        '<testsuite><testcase name="adds" file="a.rb" line="3"><failure>no</failure></testcase></testsuite>',
        ['adds|a.rb:3|no'],
      ],
      'has the reason in what the test printed': [
        '<testsuite><testcase name="t"><failure message=""/><system-out>core dumped</system-out></testcase></testsuite>',
        ['t|core dumped'],
      ],
      'has text in CDATA, and entities': [
        '<testsuite><testcase name="&lt;T&gt; &#x3e; a"><failure><![CDATA[<1> & <2>]]> &amp; more</failure></testcase></testsuite>',
        ['<T> > a|<1> & <2> & more'],
      ],
      'has tests that passed later, and further attempts of one that failed': [
        '<testsuite><testcase name="flaky"><flakyFailure message="x"><stackTrace>s</stackTrace></flakyFailure></testcase><testcase name="a"><failure>one</failure><rerunFailure message="two"><stackTrace>two</stackTrace></rerunFailure></testcase></testsuite>',
        ['a|one'],
      ],
      'has skipped tests, and tests that print the word': [
        '<testsuite><testcase name="a"><skipped message="failure"/></testcase><testcase name="b"><system-out><![CDATA[<failure>x</failure>]]></system-out></testcase></testsuite>',
        [],
      ],
      'has an error of a suite': [
        '<testsuite name="math"><error message="cannot start">no database</error></testsuite>',
        ['math|cannot start|no database'],
      ],
      'has two failures of one test': [
        '<testsuite><testcase name="a"><failure message="one"/><failure message="two"/></testcase></testsuite>',
        ['a|one', 'a|two'],
      ],
    }),
  )('that %s', (_, [report, failures]) => {
    expect(summary(report)).toEqual(failures);
  });

  const CASE = '<testcase name="a"><failure message="no">';

  test('that ends too early still names what failed before', () => {
    expect(read(`<testsuite>${CASE}at a.ts:3`)).toMatchObject({
      failures: [{ name: 'a', message: 'no', details: 'at a.ts:3' }],
      isWhole: false,
    });
  });

  test('with control characters and a broken entity is read', () => {
    const [failure] = failuresIn(
      `<testsuite>${CASE}a \u001B[31m\u0000 &nope; b</failure></testcase></testsuite>`,
    );
    expect(failure?.details).toMatch(/&nope; b$/);
  });

  test('with a message of megabytes is read', () => {
    const report = `<testsuite><testcase name="a"><failure message="no ${'x'.repeat(3_000_000)}"/></testcase></testsuite>`;
    expect(read(report)).toMatchObject({ failures: [{ name: 'a' }], isWhole: true });
  });

  test('does not expand the entities that it declares', () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};">`).join('');
    const report = `<!DOCTYPE x [<!ENTITY e0 "ha">${bomb}<!ENTITY f SYSTEM "file:///etc/passwd">]><testsuite>${CASE}&e30;&f;</failure></testcase></testsuite>`;
    expect(failuresIn(report)).toMatchObject([{ details: '&e30;&f;' }]);
  });

  test('is given up where it is nested deeper than any report', () => {
    const deep = `<testsuites>${'<testsuite>'.repeat(200_000)}`;
    expect(read(deep)).toMatchObject({ failures: [], isWhole: false });
  });

  test('is given up where most of it is not XML', () => {
    expect(read(`<testsuite>${'</a>&&<<'.repeat(100_000)}`)?.isWhole).toBe(false);
  });

  test.each([
    ['UTF-16', Buffer.from(`\uFEFF<testsuite>${CASE}é</failure></testcase></testsuite>`, 'utf16le')],
    [
      'ISO 8859-1',
      Buffer.from(
        `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite>${CASE}é</failure></testcase></testsuite>`,
        'latin1',
      ),
    ],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF<testsuite>${CASE}é</failure></testcase></testsuite>`)],
  ])('is read in %s', (_, bytes) => {
    expect(failuresIn(bytes)).toMatchObject([{ details: 'é' }]);
  });
});

describe('SARIF', () => {
  const log = (run: object) => JSON.stringify({ version: '2.1.0', runs: [run] });
  const place = (uri: string, startLine?: number) => ({
    locations: [
      { physicalLocation: { artifactLocation: { uri }, ...(startLine && { region: { startLine } }) } },
    ],
  });

  test.each([
    ['a level of its own', { level: 'error', message: { text: 'no' }, ruleId: 'r' }, ['r|no']],
    ['the level of its rule', { ruleIndex: 0, message: { text: 'no' } }, ['e|no']],
    ['the level that is the default', { ruleId: 'x', message: { text: 'no' } }, ['(warning)|x|no']],
    ['the text of its rule', { ruleId: 'e', message: { id: 'm', arguments: ['x', 'y'] } }, ['e|x is not y']],
    [
      'a place',
      { level: 'error', message: { text: 'no' }, ...place('src/a%20b.ts', 3) },
      ['src/a b.ts:3|no'],
    ],
    ['a file', { level: 'error', message: { text: 'no' }, ...place('file:///p/a.ts') }, ['/p/a.ts|no']],
    ['a note', { level: 'note', message: { text: 'no' } }, []],
    ['a pass', { kind: 'pass', level: 'error', message: { text: 'no' } }, []],
    ['a suppression', { level: 'error', message: { text: 'no' }, suppressions: [{ kind: 'inSource' }] }, []],
    [
      'a suppression that was rejected',
      { level: 'error', message: { text: 'no' }, suppressions: [{ kind: 'external', status: 'rejected' }] },
      ['no'],
    ],
    [
      'what is gone since the last run',
      { level: 'error', baselineState: 'absent', message: { text: 'no' } },
      [],
    ],
  ])('with %s', (_, result, failures) => {
    const rules = [
      {
        id: 'e',
        defaultConfiguration: { level: 'error' },
        messageStrings: { m: { text: '{0} is not {1}' } },
      },
    ];
    expect(summary(log({ tool: { driver: { rules } }, results: [result] }))).toEqual(failures);
  });

  test('with an error of the tool itself', () => {
    const toolExecutionNotifications = [
      { level: 'error', message: { text: 'cannot parse' }, ...place('a.ts', 1) },
      { level: 'note', message: { text: 'fine' } },
    ];
    expect(summary(log({ invocations: [{ toolExecutionNotifications }] }))).toEqual(['a.ts:1|cannot parse']);
  });
});

describe('TAP', () => {
  test.each(
    rows({
      'has no block': ['TAP version 13\n1..2\nok 1 - a\nnot ok 2 - adds', ['adds']],
      'excuses failures': ['1..3\nnot ok 1 - a # TODO later\nnot ok 2 - b # skip no db\nnot ok 3 c', ['c']],
      'has a block of YAML': [
        'not ok 1 - adds\n  ---\n  duration_ms: 3\n  error: |-\n    1 !== 2\n    \n    more\n  expected: 1\n  actual: 2\n  ...\n1..1',
        ['adds|1 !== 2\n\nmore|expected: 1\nactual: 2'],
      ],
      'has a message in quotes': ['not ok 1 - a\n  ---\n  message: "no"\n  ...\n1..1', ['a|no']],
      'has comments below a test': [
        'not ok 1 - a\n#   Failed test\n#   at a.t line 3\n1..1\n# the end',
        ['a|Failed test\n  at a.t line 3'],
      ],
      'has subtests': [
        '# Subtest: math\n    not ok 1 - adds\n    ok 2 - b\n    1..2\nnot ok 1 - math\n  ---\n  error: 1 subtest failed\n  ...\nok 2 - b\nnot ok 3 - alone\n1..3',
        ['math > adds', 'alone'],
      ],
      'is given up by the program': ['1..4\nok 1\nBail out! no database', ['Bail out! no database']],
      'follows the banner of a package manager': [
        '\n> shop@1.0.0 test\n> tape\n\nTAP version 13\nnot ok 1 adds\n1..1',
        ['adds'],
      ],
    }),
  )('that %s', (_, [report, failures]) => {
    expect(summary(report)).toEqual(failures);
  });

  test('that ends within a block is incomplete', () => {
    expect(read('1..2\nnot ok 1 - a\n  ---\n  error: no')).toMatchObject({
      failures: [{ name: 'a', message: 'no' }],
      isWhole: false,
    });
  });
});

describe('JSON', () => {
  const json = (value: unknown) => JSON.stringify(value, null, 2);

  test.each(
    rows({
      'of pytest-json-report': [
        json({
          exitcode: 1,
          tests: [
            { nodeid: 'a.py::ok', outcome: 'passed' },
            {
              nodeid: 'a.py::adds',
              outcome: 'failed',
              call: {
                outcome: 'failed',
                crash: { path: 'a.py', lineno: 3, message: 'no' },
                longrepr: 'E no',
              },
            },
            { nodeid: 'a.py::db', outcome: 'error', setup: { outcome: 'failed', longrepr: 'no db' } },
          ],
          collectors: [{ nodeid: 'b.py', outcome: 'failed', longrepr: 'SyntaxError' }],
        }),
        ['b.py|SyntaxError', 'a.py::adds|a.py:3|no|E no', 'a.py::db|no db'],
      ],
      'of golangci-lint': [
        json({
          Issues: [
            {
              FromLinter: 'errcheck',
              Text: 'Error return value is not checked',
              Severity: '',
              Pos: { Filename: 'a.go', Line: 3, Column: 5 },
            },
          ],
        }),
        ['a.go:3:5|errcheck|Error return value is not checked'],
      ],
      'of Ruff': [
        json([
          { code: 'F401', filename: '/p/a.py', location: { row: 1, column: 8 }, message: 'unused import' },
        ]),
        ['/p/a.py:1:8|F401|unused import'],
      ],
      'of Pylint': [
        json([
          { type: 'error', path: 'a.py', line: 3, column: 1, symbol: 'undefined-variable', message: 'no x' },
          { type: 'convention', path: 'a.py', line: 1, column: 0, symbol: 'c', message: 'no docstring' },
        ]),
        ['a.py:3:1|undefined-variable|no x', '(warning)|a.py:1|c|no docstring'],
      ],
      'of PHPStan': [
        json({
          totals: { errors: 1, file_errors: 1 },
          files: {
            'a.php': { messages: [{ message: 'no method x()', line: 3, identifier: 'method.notFound' }] },
          },
          errors: ['Ignored pattern was not matched'],
        }),
        ['a.php:3|method.notFound|no method x()', 'Ignored pattern was not matched'],
      ],
      'of RSpec, with a file that could not be loaded': [
        json({ examples: [], messages: ['An error occurred while loading ./a_spec.rb.', 'Run options: x'] }),
        ['An error occurred while loading ./a_spec.rb.'],
      ],
      'of ESLint, with a file that cannot be parsed': [
        json([
          {
            filePath: 'a.js',
            messages: [{ fatal: true, severity: 2, line: 1, column: 3, message: 'Parsing error' }],
          },
        ]),
        ['a.js:1:3|Parsing error'],
      ],
      'of Playwright, with an error outside of tests': [
        json({ suites: [], errors: [{ message: 'no tests', location: { file: 'a.ts', line: 1 } }] }),
        ['a.ts:1|no tests'],
      ],
      'with a banner before it': ['> shop@1.0.0 lint\n\n[{"filename":"a.py","message":"no"}]', ['a.py|no']],
    }),
  )('%s', (_, [report, failures]) => {
    expect(summary(report)).toEqual(failures);
  });

  test('of `go test`, with a package that does not compile', () => {
    const events = [
      { ImportPath: 'm/a', Action: 'build-output', Output: 'a.go:3:2: undefined: x\n' },
      { ImportPath: 'm/a', Action: 'build-fail' },
      { Action: 'output', Package: 'm/b', Test: 'TestX', Output: '    b_test.go:3: no\n' },
      { Action: 'fail', Package: 'm/b', Test: 'TestX' },
      { Action: 'fail', Package: 'm/b' },
    ];
    expect(summary(events.map((event) => JSON.stringify(event)).join('\n'))).toEqual([
      'm/a|a.go:3:2: undefined: x',
      'm/b > TestX|b_test.go:3: no',
    ]);
  });

  test('with a line that ends too early still names what failed before', () => {
    const report = '{"Action":"fail","Package":"m","Test":"TestX"}\n{"Action":"fa';
    expect(read(report)).toMatchObject({ failures: [{ name: 'm > TestX' }], isWhole: false });
  });

  test.each([
    ['another type in every place', '{"testResults":[null,1,{"assertionResults":7,"status":"failed"}]}'],
    ['members of prototypes', '[{"__proto__":{"message":"no"},"constructor":{"message":"no"}}]'],
    ['lists in lists', `{"runs":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['suites in suites', `{"errors":[],"suites":${'[{"suites":'.repeat(50_000)}[]${'}]'.repeat(50_000)}}`],
  ])('with %s is no error', (_, report) => {
    expect(() => read(report)).not.toThrow();
  });
});

test('annotations of GitHub name a file, a place and a message', () => {
  const annotations = [
    '::group::lint',
    '::error file=src/a.ts,line=3,col=5,title=TS2322::Type error%0Aexpected 50%25',
    '::warning file=src/b.ts,line=1::unused',
    '::notice::done',
    '::error::no place',
  ];
  expect(summary(annotations.join('\n'))).toEqual([
    'src/a.ts:3:5|TS2322: Type error|expected 50%',
    '(warning)|src/b.ts:1|unused',
    'no place',
  ]);
});

describe('a report of megabytes', () => {
  const MANY = 2_000_000;
  const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  // With a search that takes the square of the length, each of them would take minutes.
  test.each([
    ['empty lines', '\n'.repeat(MANY)],
    ['blanks in an annotation', `::error ${' '.repeat(MANY)}`],
    ['a name of slashes', `{"Action":"fail","Package":"m","Test":"${'a/'.repeat(MANY)}"}`],
    [
      'failures in XML',
      `<testsuite>${'<testcase name="a/b"><failure>no</failure></testcase>'.repeat(50_000)}`,
    ],
    ['suites in XML', '<testsuite name="a">'.repeat(MANY / 20)],
    ['attributes in XML', `<testsuite ${'a="1" '.repeat(MANY / 6)}>`],
    ['lines of TAP', '    not ok 1 - a\n  ---\n'.repeat(MANY / 25)],
    ['an open brace', `{${' '.repeat(MANY)}`],
    ['lists in what was expected', `{"passes":[],"failures":[{"err":{"expected":${NESTED}}}]}`],
  ])('of %s is read in one pass', (_, report) => {
    const failures = failuresIn(report);
    expect(() => failuresOf(failures, (text) => text)).not.toThrow();
  });
});

test.each([
  ['nothing', ''],
  ['zeros', '\0'.repeat(1000)],
  ['a page', '<!doctype html><html><body>404</body></html>'],
  ['a sentence', 'all is well'],
  ['a broken value of JSON', '{"testResults": ['],
])('%s is no report', (_, text) => {
  expect(readReport(Buffer.from(text))).toBe('is in no known format');
});

test.each([
  ['is deeper than any report', '['.repeat(1e6)],
  ['is closed, and deeper than any report', `${'['.repeat(1e5)}${']'.repeat(1e5)}`],
  ['has more values than any report', `[${'{},'.repeat(1_100_000)}{}]`],
])('JSON that %s is not parsed, because its values take many times its memory', (_, text) => {
  expect(readReport(Buffer.from(text))).toBe('has too many values to be read');
});

test('brackets and commas in texts are no values', () => {
  const message = '[{,\\"'.repeat(300_000);
  const report = JSON.stringify([{ message, file: 'a.ts', line: 1 }]);
  expect(failuresIn(report)).toEqual([expect.objectContaining({ message, file: 'a.ts', line: 1 })]);
});

describe('of more failures than are read, the others are only counted in', () => {
  const times = 6000;
  test.each([
    [
      'JUnit XML',
      `<testsuite>${'<testcase name="a"><failure message="m"/></testcase>'.repeat(times)}</testsuite>`,
    ],
    ['TAP', `TAP version 14\n${'not ok 1 - a\n'.repeat(times)}`],
    ['annotations', '::error file=a.ts,line=3::m\n'.repeat(times)],
    ['JSON lines', '{"Action":"fail","Package":"p","Test":"a"}\n'.repeat(times)],
  ])('%s', (_, report) => {
    const failures = failuresIn(report);
    expect(failures).toHaveLength(times);
    const [kept, counted] = [failures[4999], failures[5000]];
    expect(Object.keys(kept ?? {}).length).toBeGreaterThan(1);
    expect(Object.keys(counted ?? {})).toEqual(['kind']);
  });
});

test('an attribute that is longer than what is kept is cut, and the rest of the XML is read', () => {
  const long = 'x'.repeat(1_000_000);
  const [first, second] = failuresIn(
    `<testsuite><testcase name="a"><failure message="${long}"/></testcase><testcase name="b"><failure message="m"/></testcase></testsuite>`,
  );
  expect(first?.message?.length).toBeLessThan(300_000);
  expect(second).toMatchObject({ name: 'b', message: 'm' });
});
