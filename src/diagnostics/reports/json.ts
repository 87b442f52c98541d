import { isList, listAt, membersAt, numberAt, textAt, valueAt } from './json-values.ts';
import { readSarif } from './sarif.ts';
import type { ReportedFailure } from './types.ts';

interface Format {
  readonly is: (report: unknown) => boolean;
  readonly read: (report: unknown) => ReportedFailure[];
}

/** The reports that are one value of JSON, by what only they have. */
const FORMATS: Readonly<Record<string, Format>> = {
  sarif: { is: (report) => isList(report, 'runs'), read: readSarif },
  /** Jest, and Vitest after it. */
  jest: {
    is: (report) => isList(report, 'testResults'),
    read: (report) => listAt(report, 'testResults').flatMap(readJestFile),
  },
  mocha: {
    is: (report) => isList(report, 'failures') && isList(report, 'passes'),
    read: (report) => listAt(report, 'failures').map(readMochaTest),
  },
  playwright: {
    is: (report) => isList(report, 'suites') && isList(report, 'errors'),
    read: (report) => [
      ...listAt(report, 'errors').map((error): ReportedFailure => ({ kind: 'error', ...errorOf(error) })),
      ...listAt(report, 'suites').flatMap((suite) => readPlaywrightSuite(suite, [])),
    ],
  },
  /** The plugin pytest-json-report. */
  pytest: {
    is: (report) => isList(report, 'tests') && valueAt(report, 'exitcode') !== undefined,
    read: (report) => [...listAt(report, 'collectors'), ...listAt(report, 'tests')].flatMap(readPytestNode),
  },
  rspec: {
    is: (report) => isList(report, 'examples'),
    read: (report) => [
      ...listAt(report, 'examples').flatMap(readRspecExample),
      ...listAt(report, 'messages').flatMap((text): ReportedFailure[] =>
        typeof text === 'string' && /error/i.test(text) ? [{ kind: 'error', details: text }] : [],
      ),
    ],
  },
  phpstan: {
    is: (report) => membersAt(report, 'files').length > 0 || isList(report, 'errors'),
    read: (report) => [
      ...membersAt(report, 'files').flatMap(([file, found]) => readIssues(listAt(found, 'messages'), file)),
      ...listAt(report, 'errors').map(
        (error): ReportedFailure => ({ kind: 'error', message: String(error) }),
      ),
    ],
  },
  'golangci-lint': {
    is: (report) => isList(report, 'Issues'),
    read: (report) => readIssues(listAt(report, 'Issues')),
  },
  /** ESLint and Stylelint: a list of files; Ruff, Pylint and others: a list of what is wrong. */
  list: {
    is: Array.isArray,
    read: (report) =>
      listAt(report).flatMap((item) => {
        const file = textAt(item, 'filePath') ?? textAt(item, 'source');
        const ofFile = ['messages', 'warnings', 'parseErrors'].flatMap((key) => listAt(item, key));
        return ofFile.length > 0 ? readIssues(ofFile, file) : readIssues([item]);
      }),
  },
};

/** @returns undefined for what is no report */
export function readJson(value: unknown): ReportedFailure[] | undefined {
  return Object.values(FORMATS)
    .find(({ is }) => is(value))
    ?.read(value);
}

function readJestFile(result: unknown): ReportedFailure[] {
  const file = textAt(result, 'name') ?? textAt(result, 'testFilePath');
  const tests = listAt(result, 'assertionResults').filter((test) => textAt(test, 'status') === 'failed');
  if (tests.length === 0 && textAt(result, 'status') === 'failed')
    return [{ kind: 'test', name: file, details: textAt(result, 'message') }];
  return tests.map((test) => {
    const titles = [...listAt(test, 'ancestorTitles'), valueAt(test, 'title')];
    return {
      kind: 'test',
      name: titles.filter(Boolean).join(' > '),
      file,
      line: numberAt(test, 'location', 'line'),
      details: listAt(test, 'failureMessages').join('\n'),
    };
  });
}

function readMochaTest(test: unknown): ReportedFailure {
  return {
    kind: 'test',
    name: textAt(test, 'fullTitle'),
    file: textAt(test, 'file'),
    ...errorOf(valueAt(test, 'err')),
  };
}

/** What a runner in JavaScript says of an error. */
function errorOf(error: unknown): Pick<ReportedFailure, 'file' | 'line' | 'message' | 'details'> {
  const compared = ['expected', 'actual'].flatMap((key) => {
    const value = valueAt(error, key);
    return ['string', 'number', 'boolean'].includes(typeof value) ? [`${key}: ${value}`] : [];
  });
  const file = textAt(error, 'location', 'file');
  return {
    ...(file !== undefined && { file, line: numberAt(error, 'location', 'line') }),
    message: textAt(error, 'message') ?? textAt(error, 'value'),
    details: [...compared, textAt(error, 'stack') ?? ''].join('\n'),
  };
}

/** Suites of suites, as far as a person would nest them. */
const MAX_TITLES = 20;

function readPlaywrightSuite(suite: unknown, titles: readonly string[]): ReportedFailure[] {
  const own = [...titles, textAt(suite, 'title') ?? ''];
  if (own.length > MAX_TITLES) return [];
  return [
    ...listAt(suite, 'suites').flatMap((inner) => readPlaywrightSuite(inner, own)),
    ...listAt(suite, 'specs').flatMap((spec) =>
      listAt(spec, 'tests')
        .filter((test) => textAt(test, 'status') === 'unexpected')
        .map((test): ReportedFailure => {
          const project = textAt(test, 'projectName');
          const name = [...own, textAt(spec, 'title') ?? ''].filter(Boolean).join(' > ');
          return {
            kind: 'test',
            name: project ? `[${project}] ${name}` : name,
            file: textAt(spec, 'file'),
            line: numberAt(spec, 'line'),
            ...errorOf(valueAt(listAt(test, 'results').at(-1), 'error')),
          };
        }),
    ),
  ];
}

function readPytestNode(node: unknown): ReportedFailure[] {
  const outcome = textAt(node, 'outcome');
  if (outcome !== 'failed' && outcome !== 'error') return [];
  const phases = ['setup', 'call', 'teardown'].filter((phase) => textAt(node, phase, 'outcome') === 'failed');
  const reasons = phases.length > 0 ? phases.map((phase) => valueAt(node, phase)) : [node];
  return reasons.map((reason) => ({
    kind: 'test',
    name: textAt(node, 'nodeid'),
    file: textAt(reason, 'crash', 'path'),
    line: numberAt(reason, 'crash', 'lineno'),
    message: textAt(reason, 'crash', 'message'),
    details: textAt(reason, 'longrepr'),
  }));
}

function readRspecExample(example: unknown): ReportedFailure[] {
  if (textAt(example, 'status') !== 'failed') return [];
  const error = textAt(example, 'exception', 'class');
  const message = textAt(example, 'exception', 'message')?.trim();
  return [
    {
      kind: 'test',
      name: textAt(example, 'full_description'),
      file: textAt(example, 'file_path'),
      line: numberAt(example, 'line_number'),
      // A failed expectation says so itself.
      message: error?.includes('ExpectationNotMet') ? message : `${error}: ${message}`,
      details: listAt(example, 'exception', 'backtrace').join('\n'),
    },
  ];
}

/** What linters call the parts of what they have found. The first that is there counts. */
const ISSUE = {
  file: [['filename'], ['filePath'], ['file'], ['path'], ['Pos', 'Filename']],
  line: [['line'], ['location', 'row'], ['location', 'line'], ['Pos', 'Line'], ['startLine']],
  column: [['column'], ['location', 'column'], ['Pos', 'Column'], ['col']],
  rule: [['ruleId'], ['rule'], ['code'], ['identifier'], ['symbol'], ['FromLinter'], ['check_name']],
  message: [['message'], ['text'], ['Text'], ['description']],
  severity: [['severity'], ['Severity'], ['type'], ['level']],
} as const;

function readIssues(issues: readonly unknown[], fileOfAll?: string): ReportedFailure[] {
  return issues.flatMap((issue) => {
    const textOf = (part: keyof typeof ISSUE) =>
      ISSUE[part].map((path) => textAt(issue, ...path)).find((text) => text !== undefined);
    const numberOf = (part: keyof typeof ISSUE) =>
      ISSUE[part].map((path) => numberAt(issue, ...path)).find((number) => number !== undefined);
    const [message, tip] = [textOf('message'), textAt(issue, 'tip')];
    if (message === undefined) return [];
    const kind = isWarning(textOf('severity') ?? numberOf('severity')) ? 'warning' : 'error';
    const file = fileOfAll ?? textOf('file');
    const place = { file, line: numberOf('line'), column: numberOf('column') };
    // Stylelint repeats the rule at the end of the message.
    const rule = textOf('rule');
    const text =
      rule !== undefined && message.endsWith(` (${rule})`) ? message.slice(0, -rule.length - 3) : message;
    return [{ kind, ...place, rule, message: text, details: tip }];
  });
}

/** ESLint counts: 1 is a warning. A tool without levels reports errors. */
function isWarning(severity: string | number | undefined): boolean {
  return severity === 1 || /^(?:warn|info|note|hint|convention|refactor|style)/i.test(String(severity ?? ''));
}
