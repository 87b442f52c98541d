/**
 * The one table of what lines of output say. A new kind of error is one entry, and `npm run docs` then writes the texts that
 * its lines have. `rules.test.ts` proves of each entry that they do, and that no earlier entry takes its example.
 */

import { DEBUGGED } from './prefix.ts';
import { NUMBERED_PLACE } from './structure.ts';

/** How sure a line is about a failure, and how much it says: from the name of a failed test down to a warning. */
export const SEVERITY = {
  /** A test, a check or a target that failed, by name. */
  failedTest: 6,
  /** Which place in which file is wrong, and what. */
  located: 5,
  /** An exception, or what a program prints when it gives up. */
  thrown: 4,
  /** A log line of the level "error", a wrapper's line about a failure. */
  tagged: 3,
  /** A word for a failure, anywhere. */
  mentioned: 2,
  warning: 1,
} as const;

/** What a line says. Only the names of `SEVERITY` are failures. */
export type Classification = keyof typeof SEVERITY | 'passed' | 'summary' | 'chatter' | 'plain';

interface Rule {
  readonly id: string;
  readonly is: Exclude<Classification, 'plain'>;
  /** Flags: none, or `i`. */
  readonly pattern: RegExp;
  readonly example: string;
}

// Compilers speak the user's language: German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese, Korean.
const ERROR = 'error|fehler|erreur|errore|erro|ошибка|错误|錯誤|エラー|오류';
const WARNING = 'warning|warn|warnung|avertissement|advertencia|avviso|aviso|предупреждение|警告|경고';

/** `file:12:3`, `file(12,3)`, `file:[12,3]`, `"file", line 12`: a place, before what is wrong there. */
const PLACE =
  '(?:(?:[A-Za-z_)\\]"]|\\.[a-z]+\\d+):\\d+(?:[:.]\\d+)?(?:-\\d+(?::\\d+)?)?|\\w\\(\\d+(?:[,:] ?\\d+)?\\)|\\w:\\[\\d+,\\d+\\]|\\bline \\d+(?: col(?:umn)? \\d+)?)';
const AFTER_PLACE = '\\s*(?::|-|–|\\))?\\s*(?:\\[?\\w+\\]?[: ]\\s*)?\\[?';
/** A file or its address, a line and a column, and what is wrong there. */
const LETTER_PLACE = '(?:file://)?\\S*\\w\\.\\w+(?::\\d+:\\d+|: ?\\(\\d+, ?\\d+\\)):? \\S';

const ERRNO =
  '\\bE(?:ACCES|ADDRINUSE|AI_AGAIN|CONN[A-Z]+|EXIST|ISDIR|MFILE|NETUNREACH|NOENT|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|TIMEDOUT|RESOLVE|404)\\b';
const DISK_FULL = 'No space left on device|[Dd]isk quota exceeded';
const NO_MEMORY = '[Cc]annot allocate memory|oom-kill';
const NO_NETWORK = 'Could not resolve host|Temporary failure in name resolution';

/**
 * Causes outside the code, for lines that are known to be errors. A group is the name or number that the advice is about.
 */
export const CAUSES = {
  'disk-full': new RegExp(`\\bENOSPC\\b|${DISK_FULL}`, 'i'),
  'port-in-use':
    /\bEADDRINUSE\b(?:.*?:(\d{2,5})\b)?|address already in use(?:.*?:(\d{2,5})\b)?|port (\d{2,5}) is (?:already )?in use/i,
  'out-of-memory': new RegExp(
    `heap out of memory|\\bOutOfMemory(?:Error|Exception)\\b|\\bMemoryError\\b|${NO_MEMORY}`,
    'i',
  ),
  'missing-dependency':
    /(?:Cannot find (?:module|package)|No module named|ERR_MODULE_NOT_FOUND.*package|no required module provides package|package) ['"]?(?!node:)((?:@[\w.-]+\/)?[A-Za-z][\w.-]*)(?:\/[\w./-]+)?['"]?/,
  unreachable: new RegExp(`\\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN|NETUNREACH|TIMEDOUT)\\b|${NO_NETWORK}`),
} as const;

/** The key of a level. */
const LEVEL = '(?:level|lvl|sev(?:erity)?|@l)(?:name|_?text)?["\']?';
/** A number is a level beside the time, or beside what wrote the record; elsewhere it may be data. */
const ORIGIN = '"(?:ts|time|timestamp|@timestamp|date|datetime|asctime|pid|hostname|logger|msg)":';
const numbered = (level: string, condition = '') =>
  `^\\s*\\{${condition}.*(?:${ORIGIN}.*"level": ?${level}\\b|"level": ?${level}\\b.*${ORIGIN})`;
const WITHOUT_ERROR = '(?!.*"(?:err|error|exception|exc_info|stack|stack_trace|stacktrace)": ?["{])';
/** A record of journald has the number of syslog: up to 3 it is an error, and 4 a warning. */
const priority = (levels: string) => `^\\s*\\{.*"PRIORITY": ?"[${levels}]"`;

/** The date and time behind the letter of a level: glog and klog, and Ruby's logger. */
const LETTER_STAMP = '(?:\\d+ \\d+:\\d+:\\d+[.,]\\d+\\s|, \\[\\d+-\\d+-)';

/**
 * What a logger puts before the level: a date, a time, a thread in brackets, or by a name of several words. Each text has
 * one way to match, in a row of them too: with several, a line of numbers would take forever.
 */
const STAMP = '(?:(?=[.:,/TZ+-]*\\d)[\\d.:,/TZ+-]+|[AP]M|-|\\[[^\\]]*\\]|\\(\\d+\\)|[A-Z][a-z]+[A-Z]\\w*)';

/** What a server logs of a request. */
const METHOD = 'GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS';
const SERVED = '200|201|202|204|206|301|302|303|304|307|308';
const REFUSED = '400|401|403|404|405|406|409|410|412|413|415|422|423|428|429';

/** Not how a run ended, which loggers call information: both counts, or the verdict at the end. */
const WITHOUT_VERDICT =
  '(?!.*(?:\\d pass\\w*\\b.*\\b[1-9]\\d* fail|\\b[1-9]\\d* fail\\w*\\b.*\\d pass|: FAIL\\w*\\W*$))';

/** Words of an error: what says them is shown, whatever has logged it. */
const WITHOUT_FAILURE = '(?!.*\\b(?:err|error|exception|fatal|fail|failed|failure)\\b)';

/** A wrapper or a build tool that reports how the command it called ended. */
const COMMAND_FAILED =
  /^(?:[\w.-]+(?:\[\d+\])?: \*\*\* |\*\*\* \[)|\b(?:exit(?:ed)?|died|ended|failed|terminated)(?: with)?(?: code| status| signal)[ :=]+[1-9]\d*\b|\breturned (?:a )?non-zero|\b(?:[Cc]ommand|Lifecycle script) (?:.* )?failed\b|^# Looks like your test (?:exited with [1-9]|died\b)/;
/** A line about the end of a command; the lines above it say why it failed. */
export const COMMAND_END = new RegExp(
  `${COMMAND_FAILED.source}|\\bexit(?:ed)?(?: with)?[ :=]+[1-9]\\d*\\b|ELIFECYCLE`,
);

/** The result of a test of many, whose number may be padded: how its program has ended is no end of the run. */
export const NUMBERED_TEST = /^\s*\d+\/\d+ /;

/** Counts of nothing: `0 errors`, `no problems found`, `errors=0`. Rules for failures do not see them. */
export const ZERO_COUNTS =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|fail(?:ures?|ed|ing)?|problems?|issues?|warnings?|exceptions?)\b|\b(?:errors?|failures?|failed|problems?|issues?|warnings?)(?: \w+){0,2}["']?\s*[=:]\s*(?:0\b|none\b|\[\])|\b(?:errors?|fail(?:ures?|ed)?|problems?|issues?|warnings?) 0\b|\berror-free\b/gi;

function rules(is: Rule['is'], table: Readonly<Record<string, Omit<Rule, 'id' | 'is'>>>): Rule[] {
  return Object.entries(table).map(([id, rule]) => ({ id, is, ...rule }));
}

/** The name of a failed test may end like a result: `✕ marks the invoice as passed`. */
const NO_FAILED_TEST = '(?!\\s*(?:[✗✘✕×✖❌] |● .* › |not ok \\d|--- FAIL:|FAIL\\s|FAILED\\s|\\d+\\) ))';

/** In order: the first rule that matches a line decides. */
export const RULES: readonly Rule[] = [
  // A test that passed or was skipped, whatever it is called.
  ...rules('passed', {
    'check-mark': { pattern: /^\s*[✓✔√☑✅○↓↩∅]\s/i, example: '✓ throws an error' },
    // In a tree.
    'ok-at-end': { pattern: /^\s+\S.* \(OK\)$/, example: '    returns the header Error (OK)' },
    'check-mark-at-end': { pattern: /^[│├└╰─ ]*[│├└╰].*\s[✓✔]$/, example: '├─ errors ✔' },
    'passed-word': {
      pattern:
        /^\s*(?:<\w+> |\[\s*|\[\s*[\d.]+\]\s+)?(?:ok|pass|passed(?! in:$)|skip|skipped|success|xfail)\s*\]?(?:[\s:](?!\s*\d)|\s+\d+\/\d+\s|$)/i,
      example: 'PASS src/error.test.ts',
    },
    'passed-in-brackets': {
      pattern: /^\s*(?:- )?[[(](?:pass|passed|ok|skip|skipped|todo)[\])](?:\s|$)/i,
      example: '(pass) cart > handles the error',
    },
    'passed-in-json': {
      pattern:
        /"(?:status|outcome|result|action)": ?"(?:pass(?:ed)?|ok|success|skip(?:ped)?)"|^\["(?:pass(?:ed)?|ok|skip(?:ped)?)", ?\{/i,
      example: '{"title":"fails","status":"passed"}',
    },
    // What the tests of a class have logged was expected.
    'passed-class': {
      pattern: /^(?:\[INFO\] )?Tests run: \d+, +Failures: 0, +Errors: 0,.*\bTime elapsed\b/,
      example:
        '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.086 s - in shop.ErrorTest',
    },
    'passed-in-xml': {
      pattern: /^\s*<testcase\b.*\/>$/i,
      example: '<testcase classname="Store" name="shows an error" time="0"/>',
    },
    // The mark comes after the time.
    'passed-after-time': {
      pattern: /(?:^|= )\d+\.\d+ s = [.S]$/i,
      example: 'CartTest#test_rejects_an_error = 0.00 s = .',
    },
    'passed-after-share': {
      pattern: /^\[ *\d+%\] (?:PASSED|SKIPPED|XFAIL) /,
      example: '[ 95%] PASSED tests/test_error.py::test_fails',
    },
    // Playwright's mark of a test that did not run looks like a line of a diff.
    'not-run-at-place': {
      pattern: /^\s+-\s+\d+ (?:\[[^\]]+\] › )?\S+:\d+:\d+ › /,
      example: '  -   3 [staging] › e2e/cart.spec.ts:10:3 › cart › shows an error',
    },
    'nothing-found': {
      pattern: new RegExp(
        `^${NO_FAILED_TEST}(?:.*\\w: no (?:issues|problems|errors|warnings)(?: found)?|\\S*[./]\\S* validates)\\.?$`,
        'i',
      ),
      example: 'docs/errors.md: no issues found',
    },
    // A test that is still to be done may fail.
    'tap-ok': {
      pattern: /^\s*(?:ok \d+\b|not ok\b.*# (?:TODO|SKIP)\b)/i,
      example: 'not ok 3 - fails # TODO',
    },
    // Where ScalaTest, specs2 and MUnit run in sbt; one that failed has stars behind its name, or `==> X` before it.
    'passed-in-sbt': { pattern: /^\[info\] +[-+] (?!.*\*\*\*)/, example: '[info] - refuses an error' },
    'go-passed': { pattern: /^\s*--- (?:pass|skip)\b/i, example: '--- PASS: Error' },
    'googletest-passed': {
      pattern: /^\s*\[(?:\s*(?:ok|passed)\s*| ?run\s*|-{10}|={10})\]/i,
      example: '[ RUN      ] Math.Adds',
    },
    // It began, or ended without a word for a failure.
    'test-began': {
      pattern:
        /^\W*(?:test|suite)\b.* started(?: at [\d:. +-]+)?\.?$|^test suite '.*' (?:passed|finished) at [\d:. +-]+$/i,
      example: "Test Case '-[CartTests testError]' started.",
    },
    'passed-after-dots': {
      pattern: new RegExp(
        `^${NO_FAILED_TEST}.*(?:(?<!\\.)\\.{3,}|…)\\s*(?:ok|passed|skipped|ignored|xfail|expected failure)\\b.{0,40}$`,
        'i',
      ),
      example: 'test fails ... ignored',
    },
    'passed-after-colon': {
      pattern: /^\s+\S.*: {2,}OK(?: \([\d.]+s\))?$/,
      example: '    refuses an error:   OK (0.02s)',
    },
    // In columns that a script has made: the result is the first, the second, or the last one.
    'passed-in-first-column': { pattern: /^\s+ok {2,}\S/i, example: '  ok   0007_errors.up.sql' },
    'passed-in-second-column': {
      pattern: /^(?:\[ *\d[\d.]*\] |\S+ {2,})\[ ?(?:ok|pass(?:ed)?) ?\] /i,
      example: '[   60000] [ ok ] error after reset = 0x00000001',
    },
    'answered-yes': { pattern: /\? {2,}yes$/i, example: ' 8. Is an error documented?              yes' },
    'passed-in-last-column': {
      pattern: /^[|│] .* [|│] +(?:[✅✔✓]|pass(?:ed)?|ok|success) *[|│]$/iu,
      example: '| backward | `0006_error.down.sql` | ✅ |',
    },
    // Of pytest-sugar.
    'passed-before-bar': {
      pattern: /^ \S+ ✓+ +\d+% [█▉▊▋▌▍▎▏]+ *$/,
      example: ' tests/test_error.py ✓✓✓                       18% █▊        ',
    },
    // Of test-unit.
    'passed-in-test-unit': {
      pattern: /^\s+test\S.*:\t+\.: \([\d.]+\)$/,
      example: '  test_error[149h]:\t\t\t\t.: (0.000175)',
    },
    // Of DejaGnu.
    'not-run': { pattern: /^UN(?:SUPPORTED|TESTED): \S/, example: 'UNTESTED: the error of a printer' },
    // Of autotest.
    'passed-in-columns': {
      pattern: /^\s*\d+: \S.* {2}(?:ok|skipped \(.*\))$/,
      example: '  2: an error in a row                  ok',
    },
    'passed-before-time': {
      pattern: /^\s*\d+\/\d+ .*\s(?:OK|SKIP|EXPECTEDFAIL)\s+[\d.]+ ?m?s\b/,
      example: ' 2/10 ringlog:unit / errors   OK             0.02s',
    },
    'passed-property': {
      pattern: /^\s*\+{3} OK, passed \d+ tests\b/i,
      example: '    +++ OK, passed 100 tests.',
    },
    // The details of one that failed are below it.
    'passed-in-exunit': {
      pattern: /^\s+\* test .* \[L#\d+\]$/,
      example: '  * test tells about an error (0.7ms) [L#11]',
    },
    // A test and its time; one that failed has its message between them.
    'passed-with-time': {
      pattern: /^(?:IGNORE_)?TEST\(\w+, \w+\) - \d+ ms$/,
      example: 'TEST(Cart, error_without_items) - 0 ms',
    },
    // Of test-unit, with the reason.
    omitted: {
      pattern: /^Omission: .* \[\w+\(\S+\)\]$/,
      example: 'Omission: no error yet [test_fails(CartTest)]',
    },
    // The name of a file, and two dots at least; the time is before it, or behind.
    'passed-file': {
      pattern: /^(?:\[[\d:]+\] )?\S+\.t \.{2,} ok\b/,
      example:
        '[09:24:16] t/error.t .. ok      419 ms ( 0.01 usr  0.00 sys +  0.04 cusr  0.01 csys =  0.06 CPU)',
    },
    'passed-at-place': {
      pattern: /^\S+:\d+: (?:SUCCESS|PASS|PASSED|OK)\b/i,
      example: 'src/cart_test.cc:12: SUCCESS: CHECK( adds("error") == 3 ) is correct!',
    },
    'passed-at-end': {
      pattern: new RegExp(
        // Node.js has left out lines of a diff that are the same.
        `^${NO_FAILED_TEST}(?!\\s*\\+ actual - expected )(?!.*\\s(?:FAIL|TIMEOUT|ERROR)\\s).*(?<!(?:^|[^.\\w])\\d+\\s)\\b(?:PASSED|XFAIL|SKIPPED)\\b(?:\\s*[[(].*|:?\\s*)$`,
        'i',
      ),
      example: 'tests/test_a.py::test_error PASSED [ 4%]',
    },
  }),
  // What package managers, downloads and progress bars print on the way.
  ...rules('chatter', {
    'json-log': {
      pattern: new RegExp(
        `^\\s*\\{${WITHOUT_ERROR}${WITHOUT_VERDICT}.*${LEVEL}: ?"(?:trace|debug|verbose|info|information|notice|default)"`,
        'i',
      ),
      example: '{"level":"info","ts":1795365699.6,"msg":"3 errors handled"}',
    },
    'json-log-number': {
      pattern: new RegExp(numbered('(?:10|20|30)', `${WITHOUT_ERROR}${WITHOUT_VERDICT}`), 'i'),
      example: '{"level":30,"time":1795365699599,"pid":4711,"msg":"3 errors handled"}',
    },
    logfmt: {
      pattern: /\b(?:level|lvl|severity)=(?:trace|debug|info|notice)\b(?!.*\berr(?:or)?=\S)/i,
      example: 'time=10:30 level=info msg="3 errors handled"',
    },
    // The level is in capitals, begins the line, or an arrow follows; a compiler's note is behind a place.
    'text-log': {
      pattern: new RegExp(
        `^\\s*(?:[|│>]\\s+|\\w[\\w/.-]*\\.py::\\S+\\s+|[.*F]{1,100}(?=\\d{4}-))?(?:${STAMP}(?:\\s+|(?<=:)(?=[A-Z])))*\\[?(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE|HTTP|SILLY)\\]?(?:[\\s:]|$)${WITHOUT_VERDICT}|^(?:${STAMP}\\s+)+LOG\\s|^(?:${STAMP}\\s+|UTC +|[\\w[\\]-]+@[\\w[\\]-]+ )*LOG: {2}\\S|^(?:\\w[\\w/.-]*\\.py::\\S+\\s+)?(?:(?:${STAMP}|\\w+=\\S+)\\s+)+\\[(?:info|debug|trace) *\\]\\s|^(?:${STAMP}\\s+)*\\w+\\.(?:INFO|DEBUG|NOTICE):\\s|^(?:info|debug|verbose): ${WITHOUT_VERDICT}|^info +(?:=>|-) |^[\\w.]+ +\\w+ +\\d+ (?:INFO|DEBUG) {2}`,
      ),
      example: '2026-11-22 17:21:10,001 [main] INFO  c.e.Relay - 3 errors handled',
    },
    // Not in sbt, which says there what failed.
    'bracket-level': {
      pattern:
        /^\[(?:info ?|(?:info|debug) +)\] (?![\s*+-])(?!.*(?:fail|error|abort|expected|did not|was not|:\d|:$))/i,
      example: '[info] POST /carts/errata locale="en"',
    },
    'json-log-priority': {
      pattern: new RegExp(priority('5-7')),
      example: '{"PRIORITY":"6","_PID":"812","MESSAGE":"3 errors handled"}',
    },
    'letter-log': {
      pattern: new RegExp(`^[IDV]${LETTER_STAMP}`),
      example: 'I1122 22:53:33.536420   21351 store.cc:4] 3 errors handled',
    },
    // With the level between the brackets of the time.
    'bracket-log': {
      pattern: /^\[[^\]]*\b(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE)\b[^\]]*\]\s(?!\s*job {2}\d)/,
      example: '[2026-11-22 22:52:04,945: INFO/MainProcess] 3 errors handled',
    },
    // The levels of MySQL, MariaDB and Redis, which tests start beside them.
    'server-log': {
      pattern: new RegExp(
        `^(?:${STAMP}\\s+)+\\[(?:Note|System)\\]\\s|^\\d+:[A-Z] \\d+ [A-Z]\\w\\w \\d{4} [\\d:.]+ [.*-]\\s`,
      ),
      example: '2026-11-22 20:07:19 0 [Note] InnoDB: 3 errors handled',
    },
    // The next ones are files and steps that are as they should be. Unlike a test that passed, they do not say that the
    // errors above them were expected.
    'file-verdict': {
      pattern:
        /^\s*(?:\w+ )?[\w@./+-]*\w\.\w+:?\s+(?:is )?(?:source |syntax )?(?:OK|ok|valid)(?: \(\d+ warnings?\))?$/,
      example: 'checked docs/errors.md ok (2 warnings)',
    },
    'nothing-in-file': {
      pattern: /^no (?:\w+ )?(?:issues|problems|errors|warnings) (?:detected|found) in \S+$/i,
      example: 'No syntax errors detected in run.php',
    },
    // A runner of tasks, of what it will run, and a CI service.
    'cache-miss': {
      pattern: /^cache (?:miss|bypass), (?:force )?executing \w+$|^Cache not found for (?:input )?keys?: /,
      example: 'cache miss, executing 4afb79279fb8586b',
    },
    // What a CI service shows apart, and is no error.
    'ci-notice': { pattern: /^::(?:notice|debug|group|endgroup)\b/, example: '::notice title=Run::1 failed' },
    'step-in-brackets': {
      pattern: /^\[(?:STARTED|COMPLETED)\]\s/,
      example: '[COMPLETED] Reverting to original state because of errors...',
    },
    // The levels of a logger of release tools.
    'information-sign': {
      pattern: new RegExp(`^(?:${STAMP} +)+[›»] +[ℹ✔]`),
      example: '[7:58:27 PM] [semantic-release] › ℹ  Found no failed release',
    },
    'npm-log': {
      pattern:
        /^\s*npm (?:(?:notice|http|timing|verb(?:ose)?|silly?|info)\b|warn unknown \w+ config )|^gyp (?:info|verb)\b|^\(node:\d+\) Warning: The 'NO_COLOR' env is ignored/i,
      example: 'npm http fetch GET 200 https://registry.npmjs.org/failed',
    },
    // The module `debug`, in a file and on a terminal.
    'debug-module': {
      pattern: new RegExp(
        `^(?:\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ${DEBUGGED}${WITHOUT_FAILURE}| {2}${DEBUGGED}${WITHOUT_FAILURE}.*\\+\\d+m?s$)`,
        'i',
      ),
      example: '2026-11-29T02:41:33.864Z mqttjs:client publish :: rejected',
    },
    'debug-log': {
      pattern: /^\s*(?:● )?\[?(?:q?debug|trace|verbose)\b(?!\s*[=(])/i,
      example: '[debug] fatal: x',
    },
    // An answer, also if it is no: what is missing is named by the error at the end.
    probe: {
      pattern:
        /^(?:configure: )?checking .*\.\.\.|^-- (?:looking for|performing test|detecting|check(?:ing)?|the \w+ compiler identification is)\b/i,
      example: 'checking for error_at_line... no',
    },
    download: {
      pattern:
        /^\s*(?:down|up)load(?:(?:ing|ed)\b| https?:)|^\s*(?:fetching|resolving|unpacking|selecting|progress)\b(?!\s*[=(])/i,
      example: 'Downloading error-1.0.tgz',
    },
    // The hashes of the files that a diff of git compares.
    'index-of-diff': {
      pattern: /^index [\da-f]{7,}\.\.[\da-f]{7,}(?: \d{6})?$/,
      example: 'index f574a0a..07bc81e 100644',
    },
    // How an editor shows a file.
    'mode-line': { pattern: /^\W*-\*- [\w: ;-]+ -\*-\W*$/, example: '# -*- compilation -*-' },
    // What is installed, not what is wrong with it.
    'package-versions': {
      pattern: /(?:(?:^|[\s,])[\w.-]{1,60}==\d[\w.+!-]{0,40}(?=[\s,]|$)){5}/,
      example: 'lint installed: attrs==22.2,error==23.1,click==8.1,flake8==5.0,mypy==1.0,tox==3.2',
    },
    'go-progress': { pattern: /^\s*=== (?:run|pause|cont|name)\b/i, example: '=== RUN   TestError' },
    // What Meson says of the machine, and of what it has found.
    'meson-setup': {
      pattern:
        /^(?:The Meson build system$|(?:Source|Build) dir: \/|Project (?:name|version): |(?:Host|Build) machine cpu(?: family)?: |Run-time dependency \S+ found: YES|Program \S+ found: YES|C(?:\+\+)? (?:compiler|linker) for the host machine: |Build targets in project: |Build type: native build$|Found (?:pkg-config: |ninja-))/,
      example: 'Run-time dependency error-c found: YES 2.74.6',
    },
    // What runners of R, Octave and Erlang print around tests.
    'nothing-to-say': {
      pattern: /^(?:\* DONE|═+ DONE ═+|>{5} processing \S+|\s*output:<<"">>)$/,
      example: '>>>>> processing fail_safe',
    },
    // How dune compares, above the differences.
    'dune-compares': {
      pattern: /^\s*git \(internal\) \(exit \d+\)$|^\(cd \S+ && \S*git --no-pager diff /,
      example: '(cd _build/default && /usr/bin/git --no-pager diff -u test/error.expected test/error.output)',
    },
    // What a test bench prints at a place, and a time of the simulation.
    'simulated-note': {
      pattern: /:\d+:@\d+[fpnum]?s:\((?:report |assertion )?note\):/,
      example: 'a.vhd:15:7:@6ns:(report note): cycle 1: error = 1',
    },
    // What two runners of C++ print around each test.
    'test-around': {
      pattern: /^\S+\(\d+\): (?:Entering|Leaving) test (?:case|suite|module) "|^\d+\.\d{6} s: \S/,
      example: 'a.cpp(13): Leaving test case "keeps_errors"; testing time: 287us',
    },
    'reading-settings': {
      pattern: /^Hint: (?:Start|End) of reading config file \S/,
      example: 'Hint: End of reading config file /etc/error.cfg',
    },
    // What a runner prints for TeamCity around each test; its failure is a message of its own.
    'teamcity-progress': {
      pattern:
        /^\s*##teamcity\[(?:test(?:Started|Finished|Count|Ignored|Suite\w+)|flow\w+|enteredTheMatrix|block\w+|progress\w+|compilation(?:Started|Finished)|publishArtifacts|importData|buildStatisticValue) /,
      example: "##teamcity[testStarted name='shows an error' flowId='15411']",
    },
    'without-tests': {
      pattern: /^\s*\?\s+\S+\s+\[no test files\]$/,
      example: '?   \texample.com/errors\t[no test files]',
    },
    // What runs each test in a program of its own prints around it, and where.
    'test-program': {
      pattern:
        /^(?:Internal ctest changing into directory: |Test project \/|Running main\(\) from |Note: Google Test filter = | +Start +\d+: \S|Running suite\(s\): |Testsuite summary for )|^ ?\d+ FAILED TEST(?:S|\(S\))?$|^\[ {2}FAILED {2}\] \d+ test(?:s|\(s\))?, listed below:$|^(?:Test command: |Working Directory: |Test timeout computed to be: )|^test \d+$|^\d+%: Checks: \d+, Failures: 0, Errors: 0$|^>>> (?:\w+=\S* )+\S|^Dubious, test returned \d|^ {2}Non-zero exit status: \d|^(?:Running|Testsuite:) (?:[a-z]\w*\.)+[A-Z][\w$]*$/,
      example: '      Start  3: ErrorTest.Failed',
    },
    // A row of a table that counts what is listed above; one of values has blanks behind the bars.
    'row-of-counts': {
      pattern: /^\|[A-Za-z][^|]*(?:\|(?:[-+\d.,]+|=|NC) *)+\|$/,
      example: '|import-error            |1           |',
    },
    'console-heading': { pattern: /^\s*● Console$/, example: '  ● Console' },
    // What a mock says besides the values, and what a suite of Erlang prints of a test that passed.
    // Which modules a bundler came by, below what is wrong in one.
    'imported-by': { pattern: /^ @ \.{1,2}\/\S+ [\d:, -]+$/, example: ' @ ./src/index.tsx 4:0-50 6:85-96' },
    // What a browser does before it can act on an element, again and again until the timeout.
    'action-step': {
      pattern:
        /^\s+- (?:waiting \d+ms|retrying \w+ action|scrolling into view if needed|done scrolling|element is visible, enabled and stable|performing \w+ action)$/,
      example: '        - element is visible, enabled and stable',
    },
    'mock-note': {
      pattern: /^E\s+(?:pytest introspection follows|Args|Kwargs):$/,
      example: 'E       pytest introspection follows:',
    },
    'passed-suite-test': {
      pattern: /^%%% \w+(?: ==>(?: \S+: OK)?|: \.+)$/,
      example: '%%% error_SUITE ==> errors.one: OK',
    },
    'tracemalloc-note': {
      pattern: /^ *Enable tracemalloc to get traceback where the object was allocated\.$/,
      example: '  Enable tracemalloc to get traceback where the object was allocated.',
    },
    // What test runners of OCaml and Erlang, and what builds for them, note of a run.
    'run-place': {
      pattern:
        /^(?:This run has ID `|Full test results in `|Logs saved to `|Test Successful in |EXPERIMENTAL: Writing retry specification at | +call rebar\d ct with '--retry'| +cover summary written to: |===> (?:Analyzing applications|Verifying dependencies|Fetching |Compiling |Performing |Running ))/,
      example: 'Full test results in `/p/_build/_tests/errors`.',
    },
    'ocaml-step': {
      pattern: /^ +(?:ocaml(?:c|opt|dep|lex|yacc|mklib|mktop)|menhir|js_of_ocaml) \S+$/,
      example: '      ocamlc test/errors/test_errors.bc',
    },
    // What a build of TeX says below the errors: they are above.
    'latexmk-note': {
      pattern: /^Latexmk: (?!.*\berror\b)/i,
      example: "Latexmk: Missing input file 'errors.toc' in:",
    },
    // What a runner notes of the run as a whole.
    'run-note': {
      pattern:
        /^(?:Loaded suite \S+|Started)$|^\s*(?:Snapshots: +0 \w+|Determining test suites to run\.*|Ran all test suites\b.*\.|(?:Critical path:?|Recoverable time:|Cache:) +=? *[\d.,/]+ ?(?:m?s|sec(?:onds)?|hit)\b.*|Output of \d+ successful tasks were not shown\b.*)$|^\s+• (?:turbo \d\S*|Packages in scope: .*|Running \S.* in \d+ packages|Remote caching (?:disabled|enabled))$/,
      example: 'Ran all test suites matching /errors/i.',
    },
    // What a runner, a library or a loader explains of each failure.
    'general-note': {
      pattern:
        /^This might cause false positive tests\.|^Hint: Enable verbose mode in order to have the list\b|^'\S+' is the closest name in that directory\.|^ts-loader-default_[\da-f]+$|^The following warnings were encountered during tests:$|^BW\d+: |^\s+\(?from function `(?:bats_|run')/,
      example: 'This might cause false positive tests. Resolve unhandled errors to make sure.',
    },
    // How a bundler looked for a module that it names above as not found.
    'resolver-step': {
      pattern:
        /^resolve '\S+' in '\S+'$|^\s+(?:\.(?:[cm]?[jt]sx?|json|s?css|vue)$|Parsed request is a (?:module|directory)|using description file: |Field '\w+' doesn't contain a valid alias configuration|resolve as module$|looking for modules in |existing directory |single file module$|no extension$|as directory$|\S+ (?:doesn't exist(?: or is not a directory)?|is not a (?:file|directory))$)/,
      example: "      /p/errors/node_modules doesn't exist or is not a directory",
    },
    // A server has done what was asked. The numbers are named, because lines that differ in others are read as one.
    'request-served': {
      pattern: new RegExp(
        `"(?:${METHOD}) /\\S* HTTP/\\d(?:\\.\\d)?" (?:${SERVED})\\b|(?<=^(?:--> )?)(?:${METHOD}) /\\S* (?:${SERVED})(?:$| [\\d.]+ ?m?s\\b)|(?<=^<-- )(?:${METHOD}) /\\S*$`,
      ),
      example: '127.0.0.1 - - [27/Nov/2026:18:32:53 +0000] "GET /errors HTTP/1.1" 200 15 "-" "curl/7.88.1"',
    },
    // Of java.util.logging; the level and the message are on the next line.
    'record-heading': {
      pattern: /(?:^|\] )[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d [AP]M [\w.$]+ [\w$<>]+$/,
      example: 'Nov 27, 2026 10:11:04 PM org.mill.ErrorRates load',
    },
    // Of PHP's own server.
    connection: {
      pattern: /(?:^|\] )(?:[\d.]+|\[[\da-f:]+\]):\d+ (?:Accepted|Closing)$/,
      example: '127.0.0.1:50678 Accepted',
    },
    // What Catch and doctest print above the first failure of a program.
    'program-of-tests': {
      pattern:
        /^(?:Filters: \S.*|Randomness seeded to: \d+|\S+ is a Catch2? v\d\S* host application\.|\[doctest\] (?:doctest version is|run with) ".*|# Running:)$/,
      example: 'Filters: refuses an error',
    },
    // What pre-commit says of a hook below its title, which has the name and the result.
    'hook-of-commit': {
      pattern: /^- (?:hook id: \S+|duration: [\d.]+s|exit code: \d+)$/,
      example: '- hook id: no-errors',
    },
    // A limit of time, or a count beside it, may be why the run failed.
    'time-taken': {
      pattern:
        /^[\s#[]*(?:(?:(?:total|testing|elapsed|run|test) )*(?:time|duration)(?: \(real\)| taken by .{1,80}?)?|took(?: a total of)?|(?:finished|done) in|start(?:ed)? (?:at|on))[\s:=›]{1,40}(?:[a-z]{3} [a-z]{3} \d+ )?(?:\d+:\d+[:.]\d+\S*|(?:\d+m)?[\d.,]+ ?(?:m?s\b|sec|millisec|min))(?!.*(?:fail|error|pass|exceed|limit|than\b|! )).*$/i,
      example: 'Finished in 11ms on 26 files with 97 rules using 2 threads.',
    },
    resources: {
      pattern:
        /^coverage: [\d.]+% of statements(?: in \S+)?$|^(?:real|user|sys)\s+\d+m[\d.]+s$|^EMPTY \S+$|^(?:CPU Usage: |(?:==\d+==)?\s+(?:HEAP SUMMARY:$|(?:in use at exit|total heap usage): )|Maximum Resident Size: |Page faults with |Files=\d+, Tests=\d+, |worker restarts: \d+, max worker memory usage: )|^[\d.]+ tests\/s/,
      example:
        'Files=14, Tests=188,  2 wallclock secs ( 0.06 usr  0.02 sys +  0.52 cusr  0.11 csys =  0.71 CPU)',
    },
    // What cargo does with each package; the errors and the failed targets have its name.
    'package-step': {
      pattern:
        /^ +(?:(?:Compiling|Checking|Fresh|Downloaded) \S+ v\d\S*(?: \(.*\))?|Finished `?\w+.* target\(s\) in .*|Running (?:unittests )?\S+ \(\S+\)|Doc-tests \S+)$|^running \d+ tests?$/,
      example: '   Compiling thiserror v1.0.2',
    },
    // What make calls a compiler or a linker for, where it does not print the command; their errors name the file.
    'short-command': {
      pattern:
        /^ {2}(?:CC|CXX|CCLD|CXXLD|LD|AR|AS|HOSTCC|HOSTLD|OBJCOPY|RANLIB)(?: \[M\])? +\S+$|^libtool: (?:link|compile|install|finish): |^ninja: Entering directory /,
      example: '  CC      lib/errors.o',
    },
    // What a compiler of several projects does with each.
    'project-status': {
      pattern:
        /^(?:\[?\d{1,2}:\d\d:\d\d(?: [AP]M)?\]?(?: -)? )?(?:Projects in this build:|Project '.*' is (?:up to|out of) date\b|Building project ')/,
      example:
        "[2:43:26 AM] Project 'errors/tsconfig.json' is out of date because output file 'x' does not exist",
    },
    // What a runner of tasks says of one, and what tox does before it runs a command.
    'task-state': {
      pattern:
        /^@?[\w./-]+ [\w:-]+ (?:➔ start|… queued|✓ done\b)|^[\w.-]+ (?:create|installdeps|inst-nodeps|develop-inst|run-test-pre): /,
      example: '@desk/errors lint ➔ start',
    },
    // When it began and ended, and that it ended well, beside others that failed.
    'command-state': {
      pattern:
        /\b(?:started|stopped) at \d{4}-\d\d-\d\d [\d:.]+(?: after [\d,.]+ ?m?s)?$|^(?:npm|pnpm|yarn|bun|node) .*\bexited with code 0$|^--> (?:Timings:|[│├┌└])/,
      example: 'npm run errors exited with code 0',
    },
    // The scripts that pnpm runs at the same time, beside one that failed: which begin, and that one has ended.
    'script-of-workspace': {
      pattern:
        /^[\w@.-]+(?:\/[\w@.-]+)+ [\w.:-]+\$ \S|^Done$|^\s*WARN\s+Local package\.json exists, but node_modules missing\b/,
      example: 'packages/errors build$ tsc -p .',
    },
    // A snapshot that no test has read.
    'obsolete-snapshot': {
      pattern: /^\s*(?:› \d+ snapshots?(?: files?)? obsolete\b|↳ +• )/,
      example: ' › 1 snapshot file obsolete from 1 test suite. To remove it, run `npm test -- -u`.',
    },
    // A command that a build tool has called, and what it has set for it.
    'called-command': {
      pattern:
        /^\s*(?:\/[\w@.+-]+){2,} -(?!.*: )\S+ .* -\S|^ +(?:cd (?:\/[\w@.+-]+){2,}$|setenv \w|export \w+\\=)/,
      example: '    /opt/llvm/bin/clang -x c -Wno-error -c /p/src/errors.c',
    },
    // What is being done to each resource, and how long that took.
    'resource-step': {
      pattern: /^\S+: (?:still )?\w+(?:ing\.{3}| complete after \d+\w*)(?: \[.*\])?$/i,
      example: 'data.aws_sns_topic.errors: Read complete after 0s [id=errors]',
    },
    // Bundlers list what they have built before the errors.
    'bundle-part': {
      pattern:
        /^\s*(?:(?:assets|modules) by \S+ .*\d|(?:orphan|runtime|cacheable|built) modules\b.*\d|asset \S+ [\d.]+ (?:bytes|[KMG]iB)|\S+(?: \+ \d+ modules)? [\d.]+ (?:bytes|[KMG]iB) .*\[(?:built|code generated|cached)\])/,
      example: '  ./src/errors.js 39 bytes [built] [code generated]',
    },
    'built-size': {
      pattern: /^\s*(?:ℹ )?\S*\w\.\w+\s{2,}(?:[\d,]+\.)?\d+ [kKMG]?i?B(?:\s+[│|].*)?$/,
      example: 'dist/assets/errors-DmdE8sH0.js        0.28 kB │ gzip:  0.23 kB',
    },
    // What was made of a project.
    'built-file': {
      pattern: /^\s{2,}[\w.-]+ -> \S*[\\/]\S*\.\w+$|^TSFILE: \S+$|^\S+ → \S+(?:, \S+)*\.{3}$/,
      example: '  Shop.Errors -> /p/src/Shop.Errors/bin/Release/net8.0/Shop.Errors.dll',
    },
    'format-tag': {
      pattern:
        /^(?:CLI|ESM|CJS|IIFE|DTS) (?:Build(?:ing)?\b|Using\b|Target:|Cleaning\b|Running\b|tsup v|⚡|\S+ +[\d.]+ [KMG]?B$)/,
      example: 'ESM dist/errors.mjs 253.00 B',
    },
    'zero-count': {
      pattern:
        /^\s*(?:(?:Expected Fail|Unexpected Pass|Skipped|Timeout|Fail|Failures|Errors|Warnings|Pending|Todo): {2,}0|# (?:ERROR|SKIP|XFAIL|XPASS): +0|[#ℹ] (?:cancelled|skip(?:ped)?|suites|todo) 0|(?:(?:definitely|indirectly|possibly) lost|still reachable|suppressed): 0 bytes in 0 blocks|<!-- (?:suites|fail|cancelled|skipped|todo) 0 -->)$/,
      example: 'Unexpected Pass:    0',
    },
    // In a table, beside how many there were.
    'zero-count-in-row': {
      pattern: /^│ +[a-z][a-z -]* │ +\d+ │ +0 │$/,
      example: '│            test-errors │               12 │                0 │',
    },
    // What failed has a count of its own.
    'passed-count': {
      pattern:
        /^\s*(?:(?:Tests?(?: (?:Files|Suites))?|Suites|Specs):? +[1-9]\d* (?:passed|passing)(?:, [1-9]\d* total| \([^()]*\))*|[#ℹ] (?:(?:tests|suites|pass) [1-9]\d*|fail 0|duration_ms [\d.]+)|<!-- (?:(?:tests|suites|pass|skipped|todo) [1-9]\d*|duration_ms [\d.]+) -->|test result: ok\. .*)$/i,
      example: 'Test Suites: 2 passed, 2 total',
    },
    // Of containers of tests, too.
    'count-in-brackets': {
      pattern: /^\[ +\d+ (?:containers \w+|tests (?:found|skipped|started|aborted|successful)) +\]$/,
      example: '[        18 tests skipped       ]',
    },
    // Repairs that an editor may offer for a problem, and a file without one.
    'suggestion-in-json': {
      pattern:
        /^\s*\{"messageId":"suggest|^\s*\{"(?:messageId|fix)":(?=.*"fix":\{"range":|\{"range":).*"desc":"|^\s*\{"filePath":"[^"]*","messages":\[\]|^\s*"usedDeprecatedRules":\[\]/,
      example: '{"messageId":"suggestNever","fix":{"range":[43,46]},"desc":"Use never for errors."}',
    },
    'go-progress-in-json': {
      pattern: /"Action":"(?:start|run|pause|cont)"/i,
      example: '{"Action":"run","Test":"TestError"}',
    },
    'memory-dump': {
      pattern: /^\s*(?:=>)?0x[\da-f]+:(?:[ [\]][\da-f]{2}){8}/i,
      example: '=>0x0c447fff82a0: fd fd fd fd fd fd fd fd[fd]fd fd',
    },
    // The registers of a program that crashed, and what was mapped into its memory.
    'machine-state': {
      pattern:
        /^\s*(?:[A-Z][A-Z\d]{1,5}(?:\[\d+\])? ?[:=] ?0x[\da-f]{8,16}(?: 0x[\da-f]{16})?(?:[,\s]+|$))+$|^(?:0x)?[\da-f]{8,}-(?:0x)?[\da-f]{8,} [r-][w-][x-][ps-] [\da-f]{8}\s|^Heap$|^JNI global refs: |^ +(?:(?:garbage-first|concurrent-mark-sweep) heap|[A-Z]\w+(?:Gen|space)|(?:def new|tenured) generation|(?:region size|(?:eden|from|to|the|object|class) space))(?: .*)? \d+K\b/i,
      example: '7fd6071d7000-7fd6071d8000 r--p 00000000 fe:00 5595241   /usr/lib/liberror.so',
    },
    // What else a crash prints of the memory: its bytes in a listing, words, addresses alone, and what V8 was doing.
    'memory-listing': {
      pattern:
        /^\s*[\da-f]{4,}: (?:[\da-f]{2} +){4}|^[\dA-F]{8,}: [\dA-F]{16}(?: = |$)|^(?:0x[\da-f]{6,}\s*){2,}$|^Call stack traceback locations:$|^<--- (?:Last few GCs|JS stacktrace) --->$|^-+ Native stack trace -+$|^\[\d+:0x[\da-f]+\]\s+\d+ ms: |^.*\(average mu = [\d.]+, current mu = /,
      example: '<--- JS stacktrace --->',
    },
    // What the bytes of the shadow memory mean.
    'memory-legend': {
      pattern: /^Shadow byte(?:s around| legend)|^ {2}[A-Z][A-Za-z ]+: {2,}[a-f][\da-f]+$/,
      example: '  Array error:             ac',
    },
    'progress-bar': {
      pattern:
        /^(?:\s*[[|])?[#=>.█▓▒░━╸\s-]{6,}(?:[\]|]\s*)?\d{1,3}(?:\.\d+)?%|^\s*\S+ +[[|][#=>.█▓▒░━╸ -]{6,}[\]|] *\d{1,3}%[ \d/.]*$|^\s*\d{1,3}%\s*[|[]|^\w[\w ]* \d{1,3}% \((?:elapsed|remaining|eta)\b/i,
      example: '[==========>        ] 50% failed jobs',
    },
    'build-progress': {
      pattern:
        /^\[\s*\d+(?:%|(?:\/| of )\d+)\] (?:building|linking|compiling|generating|copying|processing|installing|scanning|creating|preparing|built)\b|^[\w ]+\.\.\.\s*\[\s*\d+%\]/i,
      example: '[ 50%] Building C object src/error.c.o',
    },
    // A step that failed, or warns, says so.
    'numbered-step': {
      pattern:
        /^\[\s*\d+\/\d+\] (?!.*(?:FAIL|ERR|BAD|\b[Ff]ailed\b|\b[Ee]rror:|\b[Ww]arn|[✗✘×✖❌⨯✕]|\bnot\b|\bbroken\b|\bdiffers?\b|\bexpected\b|\bmissing\b|\b[Tt]imed? ?out\b|\bkilled\b|\bcrashed\b|\b[45]\d\d\b))/,
      example: '[2/29] cc -Ilib -o lib/failure.o -c src/failure.c',
    },
    'files-checked': {
      pattern: /^\d+\/\d+ files checked \d+% done$/,
      example: '2/3 files checked 52% done',
    },
    // What was changed on a host, with all that is known of it.
    'changed-on-host': {
      pattern: /^changed: \[[^\]]+\](?:$| => | -> )/,
      example: 'changed: [web1] => (item=errors) => {"changed": true, "gid": 0}',
    },
    'debugger-note': {
      pattern:
        /^\[(?:New (?:Thread 0x|LWP )|Thread 0x[\da-f]+ .*exited|Thread debugging using |Current thread is )|^Using host libthread_db |^ +Id +Target Id +Frame|^ +\d+ +Thread 0x[\da-f]+ |^No locals\.$/,
      example: '[Thread 0x7ffff7dca6c0 (LWP 2864) "error" exited]',
    },
    // What a library of Node.js prints of a part of the program, by its name, if it was asked to.
    'debug-of-part': {
      pattern:
        /^[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ [\d:]+ GMT [\w.-]+(?::[\w.*-]+)+ (?!.*(?:[Ee]rror\b|[Ff]ail|Exception))/,
      example: "Sat, 28 Nov 2026 07:57:12 GMT express:router use '/' errors",
    },
    // Of a library that C programs share.
    'glib-log': {
      pattern:
        /(?:^|\s)(?:\*\* (?:Message|INFO)|\(\S+:\d+\): (?:[\w.-]+-)?(?:DEBUG|INFO|Message)): [\d:.]+: /,
      example: '(/p/tests/fees:32090): fees-DEBUG: 07:37:22.999: error.c:23: 3 errors handled',
    },
    // Of Perl's runner of jobs. What went wrong in a job, and where, has other tags.
    'note-of-job': {
      pattern: /^[[(] {0,2}(?:MEMORY|TIME|LAUNCH|NOTE|PLAN|PASSED|INTERNAL) {0,2}[\])](?: {2}|\s*$)/,
      example: '( LAUNCH )  job  4    t/unit/errors.t',
    },
    'erlang-report': {
      pattern: /^=(?:INFO|NOTICE|DEBUG|PROGRESS) REPORT==== /,
      example: '=PROGRESS REPORT==== 28-Nov-2026::07:35:28.479298 ===',
    },
    // A test may ask for it: its result is below.
    'answer-in-brackets': {
      pattern: new RegExp(
        `(?:^|\\s)\\[(?:${SERVED}|${REFUSED}) [A-Z][A-Za-z ]+, [\\d.]+[kM]?B, [\\d.]+m?s\\]$`,
      ),
      example: '  GET http://127.0.0.1:4187/errors [404 Not Found, 195B, 7ms]',
    },
    // Test runners and bundlers that redraw a line; the last line of a count is a summary.
    redrawn: {
      pattern:
        /^\s*[\u2801-\u28ff](?:\s|\w|$)|^ RUNS {2}\S|: Executed (\d+) of (?!\1\b)\d+ (?!.*\b(?:DISCONNECTED|ERROR)\b).*\bsecs\b|^<s> \[webpack\.Progress\] |^ *BUNDLE +\S.* \d+(?:\.\d+)?% \(\d+\/\d+\)$/,
      example: 'Chrome 120 (Linux): Executed 46 of 64 (1 FAILED) (0 secs / 0.086 secs)',
    },
    // What git merges by itself, in each of its languages: the conflicts have lines of their own.
    'merged-file': {
      pattern:
        /^(?:Auto-merging|automatischer Merge von|Fusion automatique de|Auto-fusionando|Auto-mesclando|Auto-merging di|Автослияние|自动合并|自動合併) \S+$/,
      example: 'Auto-merging docs/errors.md',
    },
    // What a scanner of Python counts below what it has found.
    'numbers-of-scan': {
      pattern:
        /^(?:Run started:\d|(?:Code scanned|Run metrics):$|\tTotal (?:lines of code|lines skipped|potential issues|issues \(by )|\t\t(?:Undefined|Low|Medium|High): \d)/,
      example: '\tTotal lines of code: 121 errors',
    },
    // What a bundler has built, by kind.
    'built-by-kind': {
      pattern:
        /^(?:Entrypoint \S+(?: [\d.]+ \w+)? = |(?:javascript|css|asset) modules \d|css \S+ [\d.]+ \w+ \[built\])/,
      example: 'Entrypoint errors = errors.js errors.css',
    },
    // How many warnings are above, and what the error above stops.
    'warnings-of-package': {
      pattern:
        /^warning: (?:`\S+` \([^()]*\) generated \d+ warnings?\b(?! emitted)|build failed, waiting for other jobs)|^\d+ deprecation warnings? total$/,
      example:
        'warning: `errors` (lib) generated 1 warning (run `cargo fix --lib -p errors` to apply 1 suggestion)',
    },
    'timed-file': {
      pattern: /^\s*\d+\/\d+ \S+ [\d.]+ ?m?s(?: X)?$/,
      example: ' 2/62 src/errors.ts 517.08ms',
    },
    'done-after-dots': {
      pattern: /^\w+ing .*\.\.\. (?:\w+ )?(?:complete|done|found)\.?$/,
      example: 'copying extra files for errors... done',
    },
    // A tool that introduces itself.
    'name-of-tool': {
      pattern: /^[A-Z][a-z]+, an? (?:\w+ ){1,3}(?:analy[sz]er|checker|debugger|detector|profiler)$/,
      example: 'Memcheck, a memory error detector',
    },
    // What a tool says about itself, whatever it was called for.
    'update-notice': {
      pattern:
        /^\W*(?:update available\b|(?:a )?new (?:\w+ )*(?:version|release) (?:of \S+ )?(?:is )?(?:now )?available\b|changelog: +https?:|run ["'`].*["'`] to (?:update|upgrade)\b)/i,
      example: '│      Update available! 9.1.0 → 12.0.0      │',
    },
    telemetry: {
      pattern:
        /^https?:\S+\/telemetry\/?$|\banonymous(?:ly)?\b.*\b(?:track|telemetry|usage|metrics|statistics|analytics)|\b(?:disable|enable|opt[ -]out of) (?:this |the |our )?(?:tracking|telemetry|analytics)\b|\bopt[ -]out\b.*\banonymous\b|^This information is used to shape the \w+ roadmap\b/i,
      example: 'Skipping submitting anonymous metrics due to the following error: fetch failed',
    },
    // A member of an object that Node has printed: a function, or what is private to a library.
    'inspected-member': {
      pattern:
        /^\s+(?:[\w$.]+|'[^']*'|\[\w+(?:\([\w.]*\))?\]): (?:<ref \*\d+> )?\[[[ ]*(?:Function|Getter|Setter|Circular|AsyncFunction|class)\b|^\s+(?:_\w+|\[(?:k[A-Z]\w+|Symbol\([\w.]*\))\]): /,
      example: '        error: [Function: handleRequestError],',
    },
    // In a tree of tests, what is known of each beside its name.
    'described-test': {
      pattern:
        /^[│├└─ ]*[│├└][│├└─ ]+(?:(?:tags|uniqueId|parent): \[|source: \w+ \[|duration: \d|.* (?:dynamically registered|finished after \d+ ms\.)$)/,
      example: '│  │     parent: [engine:junit-jupiter]/[class:shop.ErrorTest]',
    },
    // What node:test prints above a group; one that failed has a mark below.
    'group-of-tests': {
      pattern: /^\s*▶ (?!(?:.*\s)?(?:\w*Error|error|ERROR|[Ff]ailed|FAIL\w*)(?:[: ]|$))\S/,
      example: '▶ errors',
    },
    'container-state': {
      pattern:
        /^\s*(?:container|network|volume|image) \S+\s+(?:(?:creat|start|wait|stopp|remov|pull|build)(?:ing|ed)|healthy|running|built)(?:\s+[\d.]+s)?$/i,
      example: ' Container shop-errors-1  Stopped',
    },
    // Without a letter for a failure.
    dots: {
      pattern: /^\s*(?:\S+ )?(?:\.{5,}|·{5,}|\.+(?= +\[))\s*(?:\[\s*\d+%\])?$/,
      example: 'tests/test_error.py ......   [ 50%]',
    },
    covered: {
      pattern: /^[^|]+\|(?:\s*100(?:\.0+)?\s*\|)+\s*$/,
      example: '  errors.js    |     100 |      100 |     100 |     100 |',
    },
    'covered-in-columns': {
      pattern: /^\S+(?:\s+\d+)+\s+100(?:\.0+)?%\s*$/,
      example: 'pkg/errors.py      4      0      2      0   100%',
    },
    // The progress meter of curl, and the heading of it.
    transfer: {
      pattern:
        /^(?:[\d\s.kMGTP-]*\s(?:--|\d+):(?:--|\d\d):(?:--|\d\d)){3}|^\s+% \w+\s+% \w+\s+% \w|^\s+Dload\s/,
      example: '100    80    0    80    0     0    916      0 --:--:-- --:--:-- --:--:--   919',
    },
    // What it sends and receives where it prints that; the status and the body of the answer say what is wrong.
    'http-exchange': {
      pattern:
        /^\s+(?:user-agent|accept(?:-[a-z]+)?|content-length|connection|keep-alive|etag): \S|^\s+date: (?:mon|tue|wed|thu|fri|sat|sun), \d|^[<>] (?:accept(?:-[a-z]+)?|cache-control|connection|content-(?:encoding|length|type)|date|etag|host|keep-alive|last-modified|server|set-cookie|transfer-encoding|user-agent|vary|x-powered-by): |^[{}] \[\d+ bytes data\]$|^\* (?: +Trying |Connection #\d|Closing connection|Hostname \S+ was found|shutting down connection|HTTP \d+\.\d, assume close|Mark bundle as|Request completely sent|upload completely|We are completely uploaded|Host \S+ was resolved|IPv[46]: |TCP_NODELAY set|ALPN|using HTTP)|^Note: Unnecessary use of -X or --request, /i,
      example: '< Server: errors.example',
    },
    // The runner of most tests in Python prints it above them; a number of errors may follow that of the tests.
    'test-session': {
      pattern:
        /^(?:=+ test session starts =+$|(?:\[gw\d+\] |platform )\w+ (?:-- )?Python \S|(?:rootdir|cachedir|plugins|configfile): |asyncio: mode=|benchmark: \d|hypothesis profile '|collected \d+ items?$|gw\d+ [CI[]|scheduling tests via )/i,
      example: 'plugins: error-for-skips-2.0, cov-4.0.0',
    },
    // Where it prints a log of each test, the result is below that; failures are printed with their names at the end.
    'test-of-session': {
      pattern: /^\S+\.py::\w+(?:::\w+)*(?:\[.*\])? ?$|^(?:FAILED|ERROR) +\[ *\d+%\]$/,
      example: 'tests/test_error.py::test_fails[invalid]',
    },
    'slow-tests': {
      pattern:
        /^=+ slowest (?:\d+ )?durations =+$|^\d+\.\d+s (?:call|setup|teardown) +\S|^\(\d+ durations < /,
      example: '0.12s call     tests/test_errors.py::test_fails',
    },
    // Of unittest, with what the test has logged in place of its result.
    'test-with-log': {
      pattern:
        /^\w+ \([\w.]+\) \.\.\. (?!(?:ok|FAIL|ERROR|skipped|expected|unexpected)\b)\S.*(?<!\b(?:FAIL|ERROR))$/,
      example: 'test_fails (tests.CartTest.test_fails) ... 2026-11-22 17:21:10 [DEBUG] 3 errors',
    },
    'tap-frame': { pattern: /^\s*(?:TAP version \d+|\d+\.\.[1-9]\d*)$/, example: '1..25' },
    // A host, or a suite, in which nothing failed, beside those in which something did.
    'nothing-failed-there': {
      pattern:
        /^\S+\s+: ok=\d+ .*\bunreachable=0 .*\bfailed=0\b|^\s*Executed \d+ tests?, with .*\b0 failures /,
      example: 'web1 : ok=4    changed=3    unreachable=0    failed=0    skipped=1    rescued=0    ignored=0',
    },
    // The options of a command.
    synopsis: {
      pattern: /^\s*(?:\d+\.\s|usage:\s)?[\w@./-]+ [^\]]*\[-{1,2}\w/i,
      example: '  7. git commit [-m <message>] [--fail-on-error]',
    },
    'package-manager-note': {
      pattern:
        /^Don't run Bundler as root\.|^installing your bundle as root will break |^\w+ on this machine\.$|^WARNING: Running pip as the 'root' |A complete log of this run|^Please report to \S+@\S+$|\bfunding\b|^\s*(?:\[\w+\] )?(?:-> )?\[Help \d/i,
      example: '3 packages are looking for funding',
    },
    // How to get a longer output: the same after each failure.
    'how-to-debug': {
      pattern:
        /^(?:\[ERROR\] |> |note: )(?:re-)?run(?: \w+)? (?:with|using)(?: the)? `?(?:-|RUST_BACKTRACE)|^\s*to (?:re-run|rerun)\b|^note: (?:some details are omitted|to improve backtraces)|^(?:\d+|some) errors? ha(?:s|ve) detailed (?:information that is not shown\.|explanations: )|^Use 'stats\.errorDetails|^\[ERROR\] (?:To see the full stack trace|For more information about the errors|Please refer to|After correcting)|^[>*] Get more help at|^use --\w+ to see\b/i,
      example: '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
    },
  }),
  // A place in a file, with a word for how bad it is.
  ...rules('tagged', {
    'cross-in-last-column': {
      pattern: /^[|│] .* [|│] +(?:[❌✗✘✖]|fail(?:ed)?) *[|│]$/iu,
      example: '| check | `members.sql` | ❌ |',
    },
    // A bug wherever it is: what should have been done was not.
    'never-awaited': {
      pattern: /\bRuntimeWarning: coroutine '.*' was never awaited$/,
      example: "/p/app.py:24: RuntimeWarning: coroutine 'Queue.put' was never awaited",
    },
    // ShellCheck exits with 1 for each of these levels.
    'shellcheck-finding': {
      pattern: /^\s*\^-+\^? SC\d+ \((?:warning|info|style)\): \S/,
      example: '  ^--^ SC2086 (info): Double quote to prevent globbing and word splitting.',
    },
  }),
  // Of D, whatever the message says.
  ...rules('thrown', {
    'exception-at-place': {
      pattern: /^[\w.]+(?:Error|Exception)@\S+\(\d+\)(?:: |$)/,
      example: 'core.exception.AssertError@source/alarm.d(74): expected warning, got critical',
    },
  }),
  ...rules('warning', {
    'located-warning': {
      pattern: new RegExp(
        `${PLACE}${AFTER_PLACE}(?:\\w*(?:${WARNING})|note|info|hint|notice|remark|style|refactor|convention|suggestion|performance|portability|information)(?![\\w/])`,
        'i',
      ),
      example: "src/a.c:3:5: warning: unused variable 'x' [-Wunused-variable]",
    },
    // Of Pylint: the letter before the number says how bad it is.
    'pylint-remark': {
      pattern: /^\S+:\d+: \[[CRW]\d{4}\(/,
      example: 'shop/error.py:12: [W0611(unused-import), ] Unused import os',
    },
    // An error that a script goes on after.
    'ignored-error': {
      pattern: /^(?!\S*make).*\S \(ignored\)$/,
      example: 'error: role "web" does not exist (ignored)',
    },
    'warning-below': { pattern: /^\s*Warning number \d+$/, example: '  Warning number 26' },
    // Meson says it of tests that pass, too.
    'tap-remark': {
      pattern: /^ERROR: Unknown TAP output lines /,
      example: 'ERROR: Unknown TAP output lines for a supported TAP version.',
    },
    // An error that a program has handled: it calls the record of it information.
    'handled-error-in-json': {
      pattern: new RegExp(
        `${numbered('(?:10|20|30)', WITHOUT_VERDICT)}|^\\s*\\{${WITHOUT_VERDICT}.*${LEVEL}: ?"(?:trace|debug|verbose|info|information|notice|default)"`,
        'i',
      ),
      example: '{"level":30,"time":1795365699599,"pid":4711,"err":{"type":"Error"},"msg":"bad request"}',
    },
    'warning-level': {
      pattern: new RegExp(
        `${numbered('40')}|^\\s*\\{.*${LEVEL}: ?"warn(?:ing)?"|\\b(?:level|lvl|severity)=warn`,
        'i',
      ),
      example: '{"level":40,"time":1795365699599,"pid":4711,"msg":"3 errors handled"}',
    },
    // Of a linter in JSON: 2 is an error.
    'warning-in-json': {
      pattern: /^\s*\{"ruleId":.*"severity": ?1\b/,
      example: '{"ruleId":"no-unused-vars","severity":1,"message":"\'error\' is not used."}',
    },
    // The level is a letter before the place.
    'warning-letter-before-place': {
      pattern: new RegExp(`^[wi]: ${LETTER_PLACE}`),
      example: "w: file:///p/src/Cart.kt:7:9 Parameter 'error' is never used.",
    },
    // The same, if it is a warning.
    'simulated-warning': {
      pattern: /:\d+:@\d+[fpnum]?s:\((?:report |assertion )?warning\):/,
      example: 'a.vhd:15:7:@6ns:(assertion warning): error = 1',
    },
    // The level is behind the message, with the rule.
    'warning-at-end': {
      pattern: /^\s*\S*\w:\d+(?::\d+)?:? .*[[(]warning(?:\/[\w@/-]+)?[\])]$/i,
      example: "src/a.js:3:5: Expected '===' and instead saw '=='. [Warning/eqeqeq]",
    },
    'warning-below-file': {
      pattern: /^\s*(?:\s|\d+:\d+-)\d+:\d+\s+(?:⚠|!|warn|info(?:rmation)?\b|hint\b)|^[CIRW]:\s*\d+:/i,
      example: '  16:5  warning  Unexpected console statement  no-console',
    },
  }),
  ...rules('located', {
    'eslint-compact': {
      pattern: /^\S+: line \d+, col \d+, Error - \S/,
      example: "/p/src/cart.js: line 5, col 28, Error - 'total' is not defined. (no-undef)",
    },
    // Without signs outside ASCII; the place and the source are below.
    'rule-behind-cross': {
      pattern: /^\s+x [\w@-]+\([\w@/-]+\): \S/,
      example: '  x eslint(no-debugger): `debugger` statement is not allowed',
    },
    // Of a mutation tester: no test notices this change, of which the place and the code are below.
    'surviving-mutant': {
      pattern: /^\[(?:Survived|NoCoverage)\] [A-Z]\w+$/,
      example: '[Survived] EqualityOperator',
    },
    // What is wrong is below it.
    'googletest-place': {
      pattern: /^(?:\S+\.\w+(?::\d+|\(\d+\))|unknown file): Failure$/,
      example: 'tests/cart_test.cpp:23: Failure',
    },
    'located-error': {
      pattern: new RegExp(
        `${PLACE}${AFTER_PLACE}(?:fatal |internal |syntax |type )?(?:[\\w.]*exception|[\\w.]*(?:${ERROR}))(?:\\b|[:\\s\\[：]|$)`,
        'i',
      ),
      example: "src/a.c:3:5: error: expected ';' before 'return'",
    },
    // What a tool prints for GitHub Actions, Azure Pipelines and TeamCity where it runs there.
    'ci-error': {
      pattern:
        /^\s*(?:::error(?:::| [a-z])|##\[error\]|##vso\[task\.logissue [^\]]*\btype=error|##teamcity\[buildProblem )/i,
      example: '::error file=src/a.ts,line=3,col=5::unused variable',
    },
    // The place is above or below it. A test that failed has a mark too, but no level, and no rule that it breaks.
    'marked-error': {
      pattern: /^\s*[✗✘×✖❌⨯✕]\s*(?:\[ERROR\]|error(?=\s.*\s[a-z]+(?:[-/][a-z]+)+$))\s+\S/,
      example: '⨯ error Dependency zod has multiple versions. multiple-versions',
    },
    // Of Perl::Critic: the place in the file is behind what is wrong.
    'place-behind-message': {
      pattern: /^\S+\.\w{1,8}: \S.* at line \d+, column \d+\./,
      example:
        'lib/Export.pm: Subroutine prototypes used at line 17, column 1.  See page 194 of PBP.  (Severity: 5)',
    },
    'shellcheck-error': {
      pattern: /^\s*\^-+\^? SC\d+ \(error\): \S|: warning: .* \[SC\d+\]$/,
      example: '  ^--^ SC2045 (error): Iterating over ls output is fragile. Use globs.',
    },
    'error-at-end': {
      pattern: /^\s*\S*\w:\d+(?::\d+)?:? .*\[error(?:\/[\w@/-]+)?\]$/i,
      example: "src/a.js:3:5: 'x' is not defined. [Error/no-undef]",
    },
    // A logger's place has no column, and no directory.
    'error-tag-before-place': {
      pattern: /^\[(?:ERROR|error)\] (?:\S*\w\.\w+:(?:\d+:\d|\[\d+,\d)|\S*[\\/]\S*\w\.\w+:\d+: \S)/,
      example: '[ERROR] src/Row.java:3:14: Empty catch block. [EmptyCatchBlock]',
    },
    'error-letter-before-place': {
      pattern: new RegExp(`^e: ${LETTER_PLACE}`),
      example: "e: file:///p/src/Cart.kt:12:24 Unresolved reference 'total'.",
    },
    'error-below-file': {
      pattern: /^\s*(?:(?:\s|\d+:\d+-)\d+:\d+\s+(?:✖|×|error\b|fatal\b)|[✖×✘✗]\s+\d+:\d+\s)|^[EF]:\s*\d+:/i,
      example: "  16:5  error  'x' is not defined  no-undef",
    },
  }),
  ...rules('summary', {
    'leading-count': {
      pattern:
        /^\W*\d+ (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|passed|passing|warnings?|tests?)\b|^(?:FAILED|FAIL|OK)(?: \(.*\))?$/i,
      example: '✖ 5 problems (5 errors, 0 warnings)',
    },
    // Of each file in which tests of Perl failed, at the end.
    'failed-in-file': {
      pattern: /^ {2}(?:Failed tests?: {2}\d[-\d, ]*$|Parse errors: )/,
      example: '  Failed tests:  3-4',
    },
  }),
  // Before the numbers of failed tests, and before counts.
  ...rules('located', {
    'fault-below': {
      pattern: /^\s*(?:We've found a bug for you!|Warning number \d+ \(configured as error\))$/,
      example: "  We've found a bug for you!",
    },
    'numbered-place': { pattern: NUMBERED_PLACE, example: '[2] openapi.yaml:9:7 at #/paths/get' },
    // In a table of a file.
    'error-in-row': {
      pattern: /^\s*\d+\s+\| (?:ERROR|VIOLATION)\s*\| \S/,
      example: " 14 | VIOLATION | Avoid unused local variables such as '$unused'.",
    },
    // A formatter's finding has no other words: its diff is below.
    'diff-at-place': { pattern: /^Diff in \S+(?::\d+| at line \d+):$/, example: 'Diff in src/lib.rs:14:' },
    // Of git, in each of its languages.
    'merge-conflict': {
      pattern: /^(?:CONFLICTO?|KONFLIKT|CONFLIT|CONFLITT?O|КОНФЛИКТ|冲突|衝突|競合|충돌) ?[(（]/,
      example: 'CONFLICT (content): Merge conflict in docs/cart.md',
    },
    // Of an assertion library of Go, and a test framework of C.
    'place-of-assertion': {
      pattern: /^\s*Error Trace:\s+\S+:\d+|^\S+\.\w+:\d+:[EF]:\w/,
      example: '        \tError Trace:\t/p/cart_test.go:52',
    },
    'rejected-hunk': {
      pattern: /^Hunk #\d+ FAILED\b|\bhunks? (?:FAILED|ignored)\b/,
      example: '1 out of 1 hunk FAILED -- saving rejects to file src/m8.c.rej',
    },
  }),
  // A test, a check or a target that failed, by name.
  ...rules('failedTest', {
    'cross-mark': { pattern: /^\s*[✗✘×✖❌⨯✕]\s*\S/, example: '✗ adds two numbers' },
    // It has not ended when the run did. Before a result, the mark is alone with a title.
    'unfinished-mark': { pattern: /^\s*◌ .* › \S/, example: '  ◌ worker › closes the queue' },
    'failed-in-brackets': {
      pattern: /^\s*[[(]\s*(?:fail|failed)\s*[\])]:?\s+(?!at\s\S*:\d)\S/i,
      example: '(fail) cart > adds [0.43ms]',
    },
    'failed-in-second-column': {
      pattern: /^(?:\[ *\d[\d.]*\] |\S+ {2,})\[ ?fail(?:ed)? ?\] /i,
      example: '[   60000] [FAIL] level after 4 pushes got=0x00000003 want=0x00000004',
    },
    'answered-no': { pattern: /\? {2,}no$/i, example: ' 2. Do all modules have that version?        no' },
    // Of Ansible: that another host has passed does not excuse it.
    'failed-on-host': {
      pattern: /^(?:fatal|failed): \[[^\]]+\]/,
      example: 'fatal: [web01]: FAILED! => {"msg": "Assertion failed"}',
    },
    'result-at-end': { pattern: / = \d+\.\d+ s = [FE]$/, example: 'CartTest#test_adds = 0.00 s = F' },
    'jest-bullet': {
      // At the left edge with two blanks, it is how a prompt begins a note.
      pattern: /^(?:\s+●\s+|● )(?!Console$)\S/,
      example: '● math › adds',
    },
    'unexpected-pass': { pattern: /^\s*(?:XPASS: |\[XPASS\(strict\)\])/, example: 'XPASS: adds.test 3' },
    'fail-word': {
      pattern: /^\s*(?:FAIL|FAILED|BROKEN|UNMET|KO|NOK):?\s+(?:\[\s*[\d.]+m?s\]\s*)?[\w./\\@"'[|-]/,
      example: ' FAIL  tests/a.test.ts > adds',
    },
    // Behind the name, in ScalaTest; before it, in QtTest.
    'failed-between-stars': {
      pattern: /^(?:\[info\] )? *- .*\S \*\*\* FAILED \*\*\*(?: \([^()]*\))?$/,
      example: '[info] - adds *** FAILED *** (12 milliseconds)',
    },
    'failed-in-class': {
      pattern: /^(?:FAIL!|XPASS) +: \w+::/,
      example: 'FAIL!  : CartTest::adds(two) Compared values are not the same',
    },
    'failed-before-time': {
      pattern: /^\s*\d+\/\d+ .*\s(?:FAIL|TIMEOUT|ERROR)\s+[\d.]+ ?m?s\b/,
      example: '8/8 cache    TIMEOUT        2.02s   killed by signal 15 SIGTERM',
    },
    'python-test-error': {
      pattern: /^ERROR:? (?:\w+ \(|\S+::|collecting )/,
      example: 'ERROR: test_add (tests.T.test_add)',
    },
    'go-failed': { pattern: /^\s*--- FAIL\b/, example: '--- FAIL: TestAdd (0.00s)' },
    'tap-not-ok': { pattern: /^\s*not ok\b/, example: 'not ok 2' },
    'surefire-failed': {
      pattern: /<<< (?:FAILURE|ERROR)!/,
      example: 'ATest.adds:7 -- Time elapsed: 0.01 s <<< FAILURE!',
    },
    'numbered-failure': { pattern: /^\s*\d+\) \S/, example: '  1) math adds:' },
    'failed-in-json': {
      pattern:
        /"(?:[Ss]tatus|[Oo]utcome|[Rr]esult|[Aa]ction)": ?"(?:fail(?:ed|ure)?|error)"|^\["fail(?:ed)?", ?\{/,
      example: '{"Action":"fail","Test":"TestAdd"}',
    },
    'teamcity-failed': {
      pattern: /^\s*##teamcity\[testFailed /,
      example: "##teamcity[testFailed name='adds' message='expected 3' details='a.ts:3|n']",
    },
    'perl-failed-test': { pattern: /^\s*(?:#\s+)?Failed (?:test\b|.*:$)/, example: "#   Failed test 'adds'" },
    'failed-at-end': {
      pattern:
        /(?<!^(?:\[\w+\] )?BUILD )\b(?:FAILED|FAIL|ERROR)\s*(?:\[\s*\d+%?\]|\(.*\)\s*)?$|:\d+: FAILED:$|\(FAILED - \d+\)$/,
      example: 'tests/test_a.py::test_add FAILED [ 50%]',
    },
    'failed-with-time': {
      pattern: /^Test Case '.*' failed \(\d+\.\d+ seconds\)\.?$/,
      example: "Test Case '-[CartTests testAdds]' failed (22.490 seconds).",
    },
    'failed-after-counts': {
      pattern: /^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: .* \[E\]$/,
      example: '00:01 +2 -1: cart adds [E]',
    },
    'failed-after-dots': {
      pattern:
        /(?:(?<!\.)\.{3,}|…)\s*(?:\**(?:FAILED|FAIL|ERROR|Failed)\s*(?:$|[\d[(])|\*{3}(?:Timeout|Exception)\b|\*failed\*$)/,
      example: '2/3 Test #2: adds .........................***Failed    0.01 sec',
    },
  }),
  // Compilers and bundlers that do not name the place in the same line.
  ...rules('located', {
    'error-code': {
      pattern: new RegExp(`^\\s*(?:${ERROR})(?:\\[[\\w:/-]+\\]|\\s[A-Z]+\\d+)\\s*[:：]?`, 'i'),
      example: 'error[E0308]: mismatched types',
    },
    // JUnit and Checkstyle; the test or the file is in the tag around it.
    'error-in-xml': {
      pattern: /^\s*<(?:failure|error)\s(?:[^>]* )?message="/,
      example: '<failure message="Unexpected any.">line 2, col 15, Unexpected any.</failure>',
    },
    // The console of Symfony, which Composer and Laravel use too; the message is in a box below.
    'error-of-php': { pattern: /^In \S+\.php line \d+:$/, example: 'In ImportCommand.php line 31:' },
    'error-in-file': { pattern: new RegExp(`^\\s*(?:${ERROR}) in \\S`, 'i'), example: 'ERROR in ./src/a.js' },
    // The code of a check says how bad it is; what is wrong is an object, or its place is below.
    'error-letter': {
      pattern: /^(?:\S.{0,100}: \((?:\w+\.)?[EF]\d+\) \S|[EF]\d+:? ['"A-Z]\S* \S)/,
      example: "shop.Order.total: (fields.E134) 'max_digits' must be at least 'decimal_places'.",
    },
    // What is wrong with it is below.
    'invalid-file': {
      pattern: /^\S*[\w-]\.\w+:? (?:(?:is )?(?:invalid|not valid)|failed test)\.?$/,
      example: 'config/sites/selby.json invalid',
    },
    'bundler-error': {
      pattern: /^\s*(?:\[!\]|CMake Error\b)/i,
      example: '[!] (plugin commonjs) SyntaxError: Unexpected token',
    },
    'bundler-error-code': {
      pattern: /^\s*\[[A-Z]+(?:_[A-Z]+)+\] /,
      example: '[UNRESOLVED_IMPORT] Module not found.',
    },
  }),
  // An exception, or what a program prints when it gives up.
  ...rules('thrown', {
    exception: {
      // With the prefix of pytest and Node: `Foo::BarError [code]: …`, `java.lang.IllegalStateException`.
      pattern:
        /^[\s│]*(?:E\s{2,7}|> ?|ℹ (?=\w+(?:Error|Exception):)|# |Uncaught |Caused by: |caught: |\[?cause\]?: )?(?:[\w$]+(?:\.|::|\\))*(?:Assertion |[\w$]*)(?:Error|Exception|Failure|Panic|Interrupt|Exit)\b(?:\s*[[(][\w .:]+[\])])?(?::|\s*$)/,
      example: "TypeError: Cannot read properties of undefined (reading 'x')",
    },
    'failed-example-raised': {
      pattern: /^UNEXPECTED EXCEPTION: \S/,
      example: "UNEXPECTED EXCEPTION: ValueError('not enough values')",
    },
    'pytest-error-line': { pattern: /^\s*E {2,7}\S/, example: 'E   assert 3 == 4' },
    'crash-heading': {
      pattern:
        /^(?:\s*(?:Fortran runtime error: |exception (?:error|exit|throw): |Traceback \(most recent)|goroutine \d+ \[running|panic:|Caused by:|Exception in thread|Current thread .*most recent call|Uncaught\b|Unhandled\b|Killed\b|Aborted\b)/,
      example: 'goroutine 1 [running]:',
    },
    // Of Go, as a server logs it that goes on.
    'recovered-panic': {
      pattern: /\bpanic (?:serving \S|recovered\b)|\brecovered (?:from )?(?:a )?panic\b/i,
      example: '2026/11/27 21:31:02 http: panic serving 127.0.0.1:58442: boom',
    },
    fatal: {
      pattern: /\b[Ff]atal (?:error|exception)|^\s*(?:fatal|FATAL|error|Error):? \S/,
      example: 'fatal: Kein Git-Repository',
    },
    'operating-system': {
      pattern:
        /panicked at|undefined reference to|Undefined symbols for|[Dd]uplicate symbols?\b|multiple definition of|: command not found|: not found$|No such file or directory|[Pp]ermission denied|[Ss]egmentation fault|core dumped/,
      example: 'sh: 1: eslint: not found',
    },
    runtime: {
      pattern: new RegExp(
        `[Oo]ut ?[Oo]f ?[Mm]emory|already in use|Connection refused|unbound variable|runtime error:|==\\d+==\\s*ERROR|stack overflow|\\*{3} [\\w ]+ \\*{3}: terminated|[Tt]imed out after \\d|[Ee]xceeded timeout of \\d|^\\W*Timeout\\b|[Dd]eadlock(?: detected)?[:!.]?$|${DISK_FULL}|${NO_MEMORY}|${NO_NETWORK}`,
      ),
      example: 'bash: fork: Cannot allocate memory',
    },
    'command-failed': { pattern: COMMAND_FAILED, example: 'exit status 1' },
    errno: {
      // A code without a message, or a word for a failure before it, may be in the name of a test.
      pattern: new RegExp(`${ERRNO}(?=[:,]| \\S*\\d)|(?:[Ee][Rr][Rr]|[Ff]ail|\\bcode ).*${ERRNO}`),
      example: 'connect ECONNREFUSED 127.0.0.1:5432',
    },
    'returned-error': {
      pattern: /\breturned error: \d/i,
      example: 'curl: (22) The requested URL returned error: 503',
    },
    // The stacks are below it.
    'sanitizer-warning': {
      pattern: /\bWARNING: (?:DATA RACE$|\w+Sanitizer: )/,
      example: 'WARNING: DATA RACE',
    },
    // After it, the program ends.
    'fatal-letter': {
      pattern: new RegExp(`^F${LETTER_STAMP}`),
      example: 'F1122 22:53:33.536420   21351 store.cc:5] Check: 599 vs. 600',
    },
    'failed-due-to': {
      pattern: /\b(?:[Ff]ailed|[Aa]borted|[Ss]topped) (?:due to|because of) \S/,
      example: 'Compilation failed due to warnings while using the --warnings-as-errors option',
    },
    // What Valgrind reports, with the stacks below.
    'memory-error': {
      pattern:
        /^(?:==\d+== )?(?:Invalid (?:read|write) of size \d|(?:Invalid|Mismatched) free\(\)|Conditional jump or move depends on uninit|Use of uninitiali[sz]ed value of size|Syscall param \S+ .*(?:uninit|unaddressable)|Source and destination overlap in |Process terminating with default action of signal)|\bbytes in [\d,]+ blocks are (?:definitely|possibly) lost\b/,
      example: '==7== 8 bytes in 1 blocks are definitely lost in loss record 1 of 1',
    },
    // Of Perl.
    'perl-error': {
      pattern:
        /\b(?:Undefined subroutine \S+ called|Illegal (?:division by|modulus) zero|Not an? (?:HASH|ARRAY|CODE|SCALAR|GLOB) reference|Modification of (?:a read-only|non-creatable) |Bareword "\S+" not allowed|Global symbol "\S+" requires |Can't (?:locate|call|use) |Died).*\bat \S+ line \d/,
      example: 'Undefined subroutine &Harvest::sum called at lib/Harvest.pm line 18.',
    },
    // A linker, of a program that is too large for the machine.
    'memory-region': {
      pattern: /\bregion [`'"]\S+ overflowed by \d+ bytes|\bwill not fit in region\b/,
      example: "ld: region `FLASH' overflowed by 4692 bytes",
    },
    // A check of a test program, with what it got, and the time before it.
    'failed-check': {
      pattern:
        /^\[[^\]]*\]\s+(?:FAIL|FAILED|NOK|MISMATCH)\b:?\s.*(?:\bgot\b.*\bexpected\b|\bexpected\b.*\b(?:got|was|actual)\b)/,
      example: '[18.0 ns] FAIL head: got 0xxx, expected 0x47',
    },
    'not-thrown': {
      pattern: /\b(?:did not|didn['’]t) (?:panic|raise|throw)\b/i,
      example: 'note: test did not panic as expected at src/lib.rs:99:28',
    },
    // The file behind the line.
    'line-of-file': {
      pattern: /^\S.*\b(?:at|on|in|near) line \d+ (?:of|in) (?:file )?["'`]?\S*\w[/.]\w/i,
      example: 'dnsmasq: bad address at line 3 of conf/dnsmasq.conf',
    },
    // Beside those of warnings.
    'list-of-errors': { pattern: /^\s*Errors:$/, example: 'Errors:' },
    'numbered-issue': {
      pattern: /^\W*(?:Issue|Problem|Violation|Defect)s?\b(?!:\s*\d+$)\s*[:#\d[]/,
      example: 'Violation #1: no cycles',
    },
    inability: {
      pattern: /^\s*(?:Unable to|Cannot find|Can't|Could not|Cannot)\b/,
      example: 'Cannot find name x',
    },
    assertion: {
      pattern:
        /^(?![\s│]*Warning: ).*\b[Aa]ssert(?:ion)?\b.{0,200}\b[Ff]ailed\b|\bFailed assert|\bAssertion Failure: \S|^ASSERT:\S|^\s*Failure\/Error:/,
      example: "a.out: a.c:3: main: Assertion `x' failed.",
    },
  }),
  ...rules('thrown', {
    // TeX names no place before an error, and starts it with what is a warning elsewhere.
    'tex-error': {
      pattern: /^! (?:[A-Z][\w ()'\\]*\.$|\w+ Error:|Missing |Too many |Package )/,
      example: '! Undefined control sequence.',
    },
  }),
  ...rules('chatter', {
    // Before an error, or the numbers of a run, it says neither.
    'information-mark': {
      pattern:
        /^ℹ (?!(?:tests|suites|pass|fail|cancelled|skipped|todo) )(?!.*(?:error|exception|\bfail|\bwarn))\S/i,
      example: 'ℹ vite building the client for production',
    },
  }),
  // How a run ended, in numbers.
  ...rules('summary', {
    count: {
      pattern:
        /(?<![:.\d]|:\d\d,)(?<!\b(?:attempt|try|retry) #?(?:\d+ of )?)\b(?!0\d|(?<=\b[a-z]*[a-rt-z] )\d+ failed: \S)\d+ (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|passed|passing|warnings?|vulnerabilities)\b/i,
      example: 'Tests: 1 failed, 2 passed, 3 total',
    },
    'tap-count': {
      pattern:
        /^ \d+ (?:pass|fail|skip|todo)$|^\s*#\s(?:tests|pass|fail|suites)\s+\d|^\s*(?:ℹ )?(?:tests|pass|fail|suites|duration_ms) \d/i,
      example: 'ℹ fail 2',
    },
    'build-failed': {
      pattern: /^(?:\[\w+\] )?BUILD (?:FAILURE|FAILED)\b|^ninja\b.*build stopped/i,
      example: 'BUILD FAILURE',
    },
    'labelled-count': {
      // A program that returned an error has not counted, and neither has an attempt: `attempt 1 failed: 503`.
      pattern: /(?<!\breturned |\d )\b(?:errors?|failures?|failed)\s*[=:]\s*[1-9]\d*\b/i,
      example: 'errors: 3',
    },
  }),
  ...rules('warning', {
    warning: {
      pattern: new RegExp(
        `(?:^|[\\s\\[(:])\\w*(?:${WARNING})s?(?:$|[\\s\\]):\\[])|\\((?:info|style|note|hint)\\)|\\bdeprecat(?:ed|ion)\\b`,
        'i',
      ),
      example: 'WARN something',
    },
    'warning-sign': {
      pattern: /^(?:\[\w+\])?\s*(?:[⚠!]|\(!\))\s/,
      example: '(!) Some chunks are large after minification.',
    },
    'warning-code': {
      pattern: /^(?:\S.{0,100}: \((?:\w+\.)?W\d+\) \S|W\d+:? ['"A-Z]\S* \S)/,
      example: 'W2001 Parameter Stage not used.',
    },
    'warning-letter': {
      pattern: new RegExp(`^W${LETTER_STAMP}`),
      example: 'W1122 22:53:33.536420   21351 store.cc:4] slow',
    },
    'warning-priority': {
      pattern: new RegExp(priority('4')),
      example: '{"PRIORITY":"4","_PID":"812","MESSAGE":"slow"}',
    },
  }),
  ...rules('thrown', {
    // A place at the start of a line, or behind the name of a program, and words about it, but none for how bad it is, or
    // for what is being done there.
    'located-words': {
      pattern:
        /^(?:(?:[\w+-]+: )?(?:\.{0,2}\/?[\w@.+~\\/()-]*\w\.\w{1,8}|\.{0,2}\/[\w@.+~/-]*\w)|[\w+-]+: (?:[\w@+~-]+\/)+\w+)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)|:\[\d+,\d+\])(?::|\s-|\s)(?!\S*\([\w ]*note\):|(?:\d+:)?\s*(?:entering|leaving|running|starting|checking|required)\b)\s*\S+\s+\S/i,
      example: "a.py:3:1: F401 'os' imported but unused",
    },
    // Without the column, it may be what a test has logged.
    'indented-place': {
      pattern: /^\s+[\w@.+~\\/()-]*\w\.\w{1,8}:\d+:\d+:\s\s*\S+\s+\S/,
      example: '  src/a.js:2:22: Extra semicolon. (semi)',
    },
    // In two words, where a build tool names the sort of error.
    'sort-of-error': {
      pattern: /^(?:Type|Syntax|Parse|Parsing|Build|Compile|Compilation|Runtime) error: \S/,
      example: "Type error: Type 'Props' does not satisfy the constraint 'PageProps'.",
    },
    'too-little-covered': {
      pattern: /\bcoverage\b.*\b(?:not met|not reached|does not meet)\b/i,
      example: 'Jest: "global" coverage threshold for branches (70%) not met: 65.62%',
    },
    'limit-exceeded': {
      pattern:
        /^(?!.* --\w)(?:.*\b(?:limit|budget|quota|threshold)\b.{0,30}\bexceed(?:ed|s)\b|.*\bexceed(?:ed|s)?\b.{0,30}\b(?:limit|budget|quota|threshold)\b)/i,
      example: 'Package size limit has exceeded by 2.88 kB',
    },
    'not-exported': {
      pattern: /^(?:\S+ \(\d+:\d+\): )?"\S+" is not exported by\b/,
      example: '"slug" is not exported by the Stall::Format module',
    },
    'shell-location': {
      pattern: /^[\w@.+~\\/-]+: line \d+: \S/,
      example: 'deploy.sh: line 12: x: readonly variable',
    },
  }),
  // Lines of logs and wrappers.
  ...rules('tagged', {
    'npm-error': { pattern: /^\s*npm (?:error|err!)/i, example: 'npm error code 1' },
    'error-tag': {
      pattern:
        /^\s*(?:\[?(?:error|err|fatal|critical|crit|severe|failure|fail)|\[(?:alert|emerg))\]?!?(?=[\s:\]])/i,
      example: '[ERROR] Failed to execute goal',
    },
    'error-of-program': {
      pattern: new RegExp(`^[\\w./+-]+: (?:fatal )?(?:${ERROR}): \\S`, 'i'),
      example: 'configure: error: no acceptable C compiler found in $PATH',
    },
    'error-tag-after-time': {
      // Where a runner has indented what a test logs, the time is no prefix.
      pattern:
        /^(?:(?:\S+\s+){1,3}|\s+\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\s+)\[?(?:error|fatal|critical|severe)\]?(?=[\s:]).*/i,
      example: '10:30:00 ERROR boom',
    },
    'error-level': {
      pattern: new RegExp(
        `${LEVEL}\\s*[=:]\\s*["']?(?:error|eror|fatal|critical|crit|alert|emerg|emergency|d?panic|severe|reject(?:ed)?|violation|2)\\b`,
        'i',
      ),
      example: '{"severity":2,"message":"boom"}',
    },
    'error-level-number': {
      pattern: new RegExp(numbered('(?:50|60)'), 'i'),
      example: '{"level":50,"time":1795365699599,"pid":4711,"msg":"boom"}',
    },
    'error-level-priority': {
      pattern: new RegExp(priority('0-3')),
      example: '{"PRIORITY":"3","_PID":"812","MESSAGE":"boom"}',
    },
    'error-level-letter': {
      pattern: new RegExp(`^E${LETTER_STAMP}`),
      example: 'E1122 22:53:33.536420   21351 store.cc:4] boom',
    },
    'error-level-in-brackets': {
      pattern: /^\[[^\]]*\d[^\]]*\b(?:ERROR|FATAL|CRITICAL)\b[^\]]*\]\s/,
      example: '[2026-11-22 22:52:04,945: ERROR/MainProcess] boom',
    },
    // Of what a formatter would change, it names the files only.
    'would-change': { pattern: /^[Ww]ould reformat:? \S*\w\.\w+$/, example: 'would reformat src/cart.py' },
    'error-constant': {
      pattern: /^\s*ELIFECYCLE\b|\bERR_[A-Z]+_/i,
      example: ' ELIFECYCLE  Command did not succeed.',
    },
  }),
  ...rules('mentioned', {
    // Of Perl: what ended the program, or what it warned of.
    'perl-place': {
      pattern: /^(?!\W*at\b)\S.* at \S+\.(?:p[lm]|t) line \d+(?:, <\S*> (?:line|chunk) \d+)?\.$/,
      example: 'no such crate at lib/Crate.pm line 12.',
    },
    word: {
      pattern:
        // Not in a step that is announced (`Flushing what became invalid...`), in a text that a script prints, in an option
        // (`-Werror`), at the start of a line that a diff removes, at the end of the name of a file, or as the name of a column.
        /^(?!Name +Stmts |\s*[A-Z][a-z]+ing [^:]*\.{3}$|\++ (?:\S+:\d+: )?echo ).*?(?<!(?:^|\s)-\S*)(?:\b(?:errors?|fail(?:ed|ing|s|ures?)?|fatal|exceptions?|cannot|could not|unable to|unresolved|denied|aborted|killed|missing|invalid|unexpected|not (?:found|supported)|unsupported|went wrong|expected)\b|error\b)(?!\.[a-z]\w{0,5}\b)/i,
      example: 'handles errors gracefully',
    },
  }),
];
