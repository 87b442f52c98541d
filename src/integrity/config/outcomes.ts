// Code around the tests that changes their outcome: hooks of runners, exits with 0, globals in place of the runner's.

import { LANGUAGES, type LanguageName, languageOf } from '../languages.ts';
import { lex, type Token } from '../lexer.ts';
import { RULES, type RuleName, type Severity } from '../rules.ts';
import type { Finding, ProjectChange } from '../types.ts';

interface Outcome {
  readonly languages: readonly LanguageName[];
  /** The files that it is looked for in, besides `TEST_CODE`. */
  readonly path?: RegExp;
  /** Matched on the code, without comments, with one blank between tokens and texts as `""`. */
  readonly code: RegExp;
  /** With it in the same function, the rule is a warning: people use it in this way. */
  readonly usual?: RegExp;
  readonly rule?: RuleName;
  readonly severity?: Severity;
  readonly message: string;
}

const TEST_CODE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testing|test-utils)\/|[._-](?:test|spec|tests)\.\w+$|(?:^|\/)(?:test_\w+|\w+_test|conftest|\w*_?helper|Test\w*|\w+Tests?)\.\w+$|(?:^|\/)[\w.-]*(?:setup|teardown|reporter|jest|vitest|mocha|karma|playwright|cypress|environment|plugin|bootstrap|hooks|matchers?)[\w.-]*\.\w+$|(?:^|\/)\.pytest|(?:^|\/)sitecustomize\.py$/i;
const SETUP = /conftest\.py$|plugin|helper|setup|bootstrap|teardown|reporter|environment|\.config\.|hooks/i;

const OUTCOMES: readonly Outcome[] = [
  {
    languages: ['python'],
    code: /\bdef pytest_(?:runtest_call|pyfunc_call|runtest_protocol|runtest_setup)\b(?:(?!\n def ).)*?\bexcept\b[^:]*:\s*pass\b/s,
    message: 'a hook of pytest drops the failures of tests',
  },
  {
    languages: ['python'],
    code: /\bdef pytest_(?:runtest_makereport|runtest_logreport|report_teststatus|pyfunc_call|runtest_call|runtest_protocol)\b(?:(?!\n def ).)*?(?:\. outcome = |\. excinfo = None|\. wasxfail = |\. failed = False|\. passed = True|return True|force_exception \( None|force_result \()/s,
    message: 'a hook of pytest sets the outcome of tests',
  },
  {
    languages: ['python'],
    code: /\bdef pytest_collection_modifyitems\b(?:(?!\n def ).)*?(?:\bitems \[ : \] = (?!sorted)|\bitems \. (?:clear|remove|pop) \(|\bdel items\b|add_marker \( [^)]*(?:skip|xfail)|pytest_deselected)/s,
    usual: /getoption|config \. option|\benviron\b/,
    message: 'a hook of pytest deselects or skips tests',
  },
  {
    languages: ['python'],
    code: /\bdef pytest_(?:sessionfinish|unconfigure|exception_interact|configure|terminal_summary|sessionstart|internalerror)\b(?:(?!\n def ).)*?(?:\bexitstatus = |_exit \(|sys \. exit \( 0|\btestsfailed = 0|shouldfail = False)/s,
    message: 'a hook of pytest sets the exit code',
  },
  {
    languages: ['python'],
    path: /conftest\.py$/,
    code: /\bdef pytest_ignore_collect\b(?:(?!\n def ).)*?return (?:True|not )/s,
    rule: 'check-narrowed',
    message: 'a hook of pytest leaves out files',
  },
  {
    languages: ['python'],
    path: /conftest\.py$/,
    code: /\bcollect_ignore(?:_glob)? (?:= \[ ""|\+= \[ ""|\. (?:append|extend) \()/,
    rule: 'check-narrowed',
    message: '`collect_ignore` leaves out tests',
  },
  {
    languages: ['python'],
    code: /\bos \. _exit (?:\( 0 \)|, 0\b)|\bunittest \. main \([^)]*\bexit = False/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['python'],
    code: /\bdef (?:load_tests\b(?:(?!\n def ).)*?return (?:unittest \. )?TestSuite \( \)|suite_result\b(?:(?!\n def ).)*?return (?:0|False)\b)/s,
    path: /test|runner/i,
    message: 'the tests that run, or their result, are chosen in the code',
  },
  {
    languages: ['python'],
    path: SETUP,
    code: /(?:\bsys \. exit|\bexit|\bquit|raise SystemExit) \( 0? ?\)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['python'],
    code: /(?:^|\n) (?:sys \. exit|exit|raise SystemExit) \( 0? ?\)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['python'],
    path: SETUP,
    code: /autouse = True(?:(?!\n def ).)*?\n? def (?:(?!\n def ).)*?pytest \. (?:skip|xfail) \(/s,
    severity: 'medium',
    message: 'a fixture that runs for all tests skips them',
  },
  {
    languages: ['python'],
    code: /\b(?:unittest \. )?TestCase \. (?:assert\w+|fail|run|__call__) = |\bTestResult \. (?:addFailure|addError|wasSuccessful) = |setattr \( (?:unittest|TestCase|pytest)\b/,
    message: 'assertions of the test library are replaced',
  },
  {
    languages: ['javascript'],
    path: /\.(?:test|spec)\.|setup/i,
    code: /\bprocess \. (?:exit|reallyExit) \( 0? ?\)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['javascript'],
    code: /\bprocess \. exitCode = (?:0|undefined)\b|defineProperty \( process , ""|\bprocess \. exit = |\bprocess \. (?:on|once) \( "" , [^;]{0,60}process \. (?:exit \( 0|exitCode = 0|reallyExit)/,
    message: 'the exit code of the tests is set',
  },
  {
    languages: ['javascript'],
    code: /\b(?:Cypress \. (?:on|once) \( "" ,|onUnhandledError(?: :)?) (?:function )?(?:async )?\([^()]*\) (?:=> )?(?:false|\{ return false)/,
    message: 'errors of a run no longer count',
  },
  {
    languages: ['javascript'],
    code: /\b(?:globalThis|global|window) \. (?:it|test|describe|expect|assert|beforeEach|xit) = |(?:^|[;\n{}] ?)(?:it|test|describe|expect) = |\bexpect \. extend \( \{ (?:async )?(?:toBe|toEqual|toStrictEqual|toMatchObject|toThrow|toHaveBeenCalled|toMatchSnapshot)\b|\b(?:Assertion|assert|chai \. Assertion) \. (?:prototype|overwriteMethod|overwriteProperty|addMethod)\b|\bassert \. (?:equal|strictEqual|deepEqual|deepStrictEqual|ok|throws) = /,
    message: 'functions of the test library are replaced',
  },
  {
    languages: ['javascript'],
    code: /\. (?:state|status) = "" ;? ?|\b(?:result|task|test|results) \. (?:numFailedTests|numFailedTestSuites|success|failureMessages|errors|err) = (?:0|true|\[ \]|undefined|null)/,
    path: /reporter|environment|runner|setup|processor/i,
    severity: 'medium',
    message: 'results of tests are written',
  },
  {
    languages: ['ruby'],
    code: /\bat_exit\b(?:(?!\bend\b).)*?\bexit!? ?\(? ?(?:0|true)\b|\bexit! ?\(? ?(?:0|true)\b|\bfailure_exit_code = 0|\bset_exception \( nil|instance_variable_set \( :? ?@?\w*exception[^,]*, nil|after_run\b(?:(?!\bend\b).)*?\bexit|\bdry_run = true/s,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['ruby'],
    code: /\bfilter_run_excluding\b|\bexclusion_filter\b|\bexclude_pattern\b/,
    rule: 'check-narrowed',
    message: 'tests are left out',
  },
  {
    languages: ['php'],
    code: /\b(?:exit|die) \( ?0? ?\)|register_shutdown_function \((?:(?!;).)*exit/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['go'],
    path: /_test\.go$/,
    code: /\bos \. Exit \( 0 \)|\bsyscall \. Exit \( 0 \)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['java', 'kotlin'],
    path: /[Tt]est/,
    code: /\b(?:System \. exit|Runtime \. getRuntime \( \) \. halt|exitProcess) \( 0 \)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['java', 'kotlin'],
    code: /\bhandleTestExecutionException \([^{]*\{ (?:(?!throw\b|\} [a-z@]).)*\}/,
    message: 'an extension drops the exceptions of tests',
  },
  {
    languages: ['python', 'java', 'kotlin', 'csharp', 'ruby', 'php'],
    code: /\bmark \. flaky\b|@ ?(?:flaky|Flaky|RetryingTest|RepeatedIfExceptionsTest)\b|\[ (?:Test , )?Retry \( \d|\bretryAnalyzer\b|\bretry : [1-9]|\bretries ?= ?[1-9]/,
    severity: 'medium',
    message: 'failed tests are run again until they pass',
  },
  {
    languages: ['rust'],
    path: /(?:^|\/)tests?\//,
    code: /\bprocess :: exit \( 0 \)/,
    message: 'the process of the tests ends with 0',
  },
  {
    languages: ['csharp'],
    code: /\bEnvironment \. Exit \( 0 \)/,
    message: 'the process of the tests ends with 0',
  },
];

/** The code of a change that overrides the outcome of tests. */
export function findOverriddenOutcomes({ changes }: ProjectChange): Finding[] {
  return changes.flatMap(({ path, before, after }) => {
    const language = languageOf(path);
    if (after === undefined || !language) return [];
    const rows = OUTCOMES.filter(
      (row) =>
        row.languages.includes(language) &&
        (TEST_CODE.test(path) || row.path?.test(path)) &&
        (!row.path || row.path.test(path)),
    );
    if (rows.length === 0) return [];
    const [old, now] = [codeOf(before ?? '', language), codeOf(after, language)];
    const found = rows.flatMap(
      ({ code, usual, rule = 'outcome-overridden', severity, message }): Finding[] => {
        const count = (text: string) => text.match(new RegExp(code, `${code.flags}g`))?.length ?? 0;
        const match = code.exec(now.text);
        if (!match || count(now.text) <= count(old.text)) return [];
        const line = now.lineAt(match.index + match[0].length - 1);
        const isUsual = usual?.test(functionAround(now.text, match.index, match[0].length)) ?? false;
        return [
          { rule, severity: isUsual ? 'medium' : (severity ?? RULES[rule].severity), path, line, message },
        ];
      },
    );
    const lines = new Set<string>();
    const once = found.filter(
      (each) => !lines.has(`${each.rule} ${each.message}`) && lines.add(`${each.rule} ${each.message}`),
    );
    return [...once, ...withoutRun(path, before, after)];
  });
}

function functionAround(text: string, start: number, length: number): string {
  const end = text.indexOf('\n def ', start + length);
  return text.slice(start, end === -1 ? undefined : end);
}

/** Go's TestMain that runs no test. */
function withoutRun(path: string, before: string | undefined, after: string): Finding[] {
  if (!path.endsWith('_test.go')) return [];
  const isEmpty = (text: string) =>
    /\bfunc TestMain \(/.test(text) && !/\bm \. Run \(|\. VerifyTestMain \(|\. Run \( m/.test(text);
  const now = codeOf(after, 'go');
  if (!isEmpty(now.text) || isEmpty(codeOf(before ?? '', 'go').text)) return [];
  return [
    {
      rule: 'outcome-overridden',
      severity: 'high',
      path,
      line: now.lineAt(now.text.indexOf('TestMain')),
      message: '`TestMain` runs no test',
    },
  ];
}

interface Code {
  readonly text: string;
  readonly lineAt: (offset: number) => number;
}

/** Tokens with one blank between them; texts are empty, and a line begins where the source has one outside of brackets. */
function codeOf(text: string, language: LanguageName): Code {
  const { tokens } = lex(text, LANGUAGES[language]);
  const parts: string[] = [];
  const starts: { readonly offset: number; readonly line: number }[] = [];
  let offset = 0;
  for (const token of tokens) {
    const part = partOf(token);
    starts.push({ offset, line: token.line });
    parts.push(part);
    offset += part.length;
  }
  return {
    text: `\n${parts.join('')}`,
    lineAt: (position) => starts.findLast((start) => start.offset <= position)?.line ?? 1,
  };
}

function partOf({ kind, text }: Token): string {
  if (kind === 'string') return ' ""';
  if (kind === 'newline' || kind === 'dedent') return '\n';
  // Within a block, a statement does not begin a line of the module.
  if (kind === 'indent') return '\t';
  return ` ${text}`;
}
