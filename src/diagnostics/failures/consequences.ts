import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { type Line, positionsOf, type StoredFailure } from './failure.ts';

/** A target that could not be made. */
const TARGET = /^\S*make\S*: \*\*\* \[.*\] \S+ \d+$/;
/** What is printed because something above it has failed. It names no other cause, but how far the failure went. */
const REACHES: readonly RegExp[] = [
  // Each make reports the target that the make below it could not make.
  TARGET,
  /\bdue to (?:\d+ )?previous errors?\b/,
  /\bis aborted, commands ignored\b/,
  // How each task ended, from what runs them, and that others go on.
  /^(?:::error::)?(?:ERROR +)?command \(.*\) \S.* exited \(\d+\)$|^(?:ERROR +)?run failed: command +exited \(\d+\)$|^WARNING +command finished with error, but continuing\.{3}$/,
  // What a package manager reports of each package.
  /^ERROR\s+@?[\w./-]+@\d\S* \S+: `.*`$/,
  // Tests that were not run, or not to their end.
  /^(?:- )?Not run because\b/,
  /^'?test did not finish before its parent and was cancelled'?$/,
];
/** Members of an error of Node with a value that most of them have. */
const NODE_MEMBERS: readonly string[] = [
  'generatedMessage: (?:true|false)',
  '(?:failed|isFailed): true',
  '(?:message|severity): failed',
  '(?:timedOut|killed|is[A-Z]\\w+): false',
  'errno: -?\\d+',
  "operator: '(?:\\w+|[!=]=+)'",
  "code: 'ERR_(?:ASSERTION|TEST_FAILURE)'",
  "name: 'AssertionError'",
  "type: 'suite'",
  "digest: '\\d+'",
  "error: '(?:\\d+ subtests?|test) failed'",
  'exitCode: 1',
  'signal: ~',
  "failureType: '(?:testCodeFailure|subtestsFailed|cancelledByParent)'",
  '(?:duration_ms|durationMs): [\\d.]+',
  '(?:columnNumber|typeName|methodName|functionName|tapCaught): .*',
  "diff: 'simple'",
  "(?:signal|stdout|stderr|output|innerError|syntaxPlugin): (?:null|undefined|''|\\[ null, null, null \\])",
];
/** What is printed because something above it has failed, and says nothing else. */
const SAYS_NOTHING: readonly RegExp[] = [
  /^\S*make\S*: (?:Target .* not remade because of errors\.|Leaving directory .*)$/,
  /^(?:\S+: )?(?:\S+:\d+: '' : )?(?:[Ff]atal(?: error)?: )?[Cc]ompilation (?:terminated|aborted)\.?$/,
  /^(?:\w+: )?\d+ compilation errors?\..*[Nn]o code generated\.$|\bis not generated for failed compile\b/,
  // A compiler that starts other programs, and a runner of scripts: the exit code of what has said why it failed.
  /^\S+: (?:(?:fatal )?error: )?\S+ returned (?:\d+ exit status|an error exitcode)$/i,
  /^npm (?:error|ERR!) (?:Lifecycle script .*|code (?:\d+|ELIFECYCLE)|errno \d+|location .*|command .*)$/,
  /^gyp ERR! (?:System|command|cwd|node(?:-gyp)? -v|\$npm_package_\w+|not ok|stack at)\b/,
  /^ELIFECYCLE\s|^\[ELIFECYCLE\] |^ERR_PNPM_RECURSIVE_\w+$|^Exit status \d+$/,
  /\bnote: each undeclared identifier is reported only once\b/,
  /^FAIL$|^(?:Failures|✖ failing tests):$/,
  // That frames are left out, and how a test of Perl and its program end whose failures are above.
  /^\[\.{3}\]$|^\.{3} \d+ lines? matching cause stack trace \.{3}$/,
  // The end of what is said of a test.
  /^={4,} \S+ FAILED$/,
  /^shunit2:ERROR \S+\(\) returned non-zero return code\.$/,
  /^# Looks like you failed \d+ tests? of \d+\.$|^Failed \d+\/\d+ subtests$/,
  // What an analyzer counts, or has left out, and how a runner repeats one example.
  /^\d+ warnings? generated\.$|^Suppressed \d+ warnings? \(/,
  /^(?:E\s+)?You can reproduce this example by temporarily adding @reproduce_failure\(/,
  /^- \d+ ms$/,
  // Where a runner has written the error above, and that it is there.
  /^File "\S*\/oUnit-\S+\.log", line \d+, characters [\d-]+:$|^Error: .* \(in the log\)\.$/,
  /^rake aborted!$|^Tasks: TOP => \S+$/,
  /^(?:successes|local rejects|global rejects): \d+$/,
  // How to run one test again, of which the failure has the name and the place.
  /^(?:bin\/)?rails test \S+:\d+$/,
  // How many have passed; another line says how many have not.
  /^[#ℹ] (?:duration_ms [\d.]+|suites \d+|pass \d+|(?:cancelled|skipped|todo) 0)$/,
  /^(?:Tests?(?: Files| Suites)?:? +)?\d+ pass(?:ed|ing)(?: \([^)]*\))?$/i,
  // How a test may take longer.
  /^(?:Add a timeout value to this test to increase the timeout, )?if this is a long-running test\b/i,
  // The class and the method of a test, whose name has both.
  /^MethodSource \[className = .*\]$/,
  // What a runner explains of each error that no test has caught, a framework of each assertion, and a sanitizer of each report.
  /^- (?:The error was thrown, while|If the error occurred after the test had been completed,) /,
  /^Either the assertion indicates an error in the framework itself, or we should provide substantially$|^more information in this error message to help you determine and fix the underlying cause\.$|^In either case, please report this assertion by filing a bug on GitHub:$|^https:\/\/\S+\/issues\/new\b\S*$/,
  /^HINT: this may be a false positive if your program uses some custom stack unwind mechanism|^\(longjmp and C\+\+ exceptions \*are\* supported\)$|^(?:==\d+==)?ABORTING$/,
  // What a sanitizer has reported above, at a place in itself.
  /^SUMMARY: \w+Sanitizer: [\w-]+ \S*\blibsanitizer\//,
  // What a build tool says of each task that failed, and of the whole build.
  /^FAILURE: Build (?:failed with an exception|completed with \d+ failures)\.$|^> (?:Compilation (?:failed; see the compiler (?:error )?output (?:below|for details)|error\. See log for more details)|A failure occurred while executing [\w.$]+|There were failing tests\. See the report at: \S+|Check your code and dependencies to fix .*)\.?$|^\d+ actionable tasks?: |^\[Incubating\] Problems report is available at: /,
  /^FAILED: Build did NOT complete successfully\b|^Target \S+ failed to build$/,
  /^Test failed\. See exception logs above\.$|^The test description was: |^Gradle task \S+ failed with exit code \d+$/,
  // What the runtimes of Node and Erlang print of each error, or process.
  /^(?:# )?Node\.js v\d\S*$/,
  new RegExp(`^(?:${NODE_MEMBERS.join('|')}),?$`),
  /^(?:ancestors|links|messages|dictionary): \[.*\]$|^(?:message_queue_len|heap_size|stack_size|reductions): \d+$|^trap_exit: false$|^status: running$|^neighbours:$/,
];

/** Where the script that failed is: nothing new if a line above has named it, or a line below has the name of its package. */
const PLACE_OF_SCRIPT = /^npm (?:error|ERR!) (?:path|location|workspace) (\S+?)(?:@\d\S*)?$/;
const PATH_OF_SCRIPT = /^npm (?:error|ERR!) (?:path|location) /;
const PACKAGE_OF_SCRIPT = /^npm (?:error|ERR!) workspace /;
/** Lines from the path to the package. */
const REACH = 3;

/** Without what says only that something above it has failed; the first line of each sort stays. */
export function withoutConsequences(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const causes = positionsOf(
    failures.filter(
      ({ block: { severity, headline } }) => severity >= SEVERITY.thrown && !isConsequence(headline),
    ),
  );
  const cause = lines.find(({ at }) => causes.has(at))?.at ?? Number.POSITIVE_INFINITY;
  const reached = new Set<RegExp>();
  /** Whether a cause was shown since the last target that could not be made. */
  let isExplained = true;
  let level = 0;
  return lines.filter((line) => {
    if (line.at <= cause) return true;
    if (causes.has(line.at)) isExplained = true;
    const place = PLACE_OF_SCRIPT.exec(saidIn(line.text))?.[1];
    if (place !== undefined) return !isNamed(place, line, lines);
    const reach = matching(REACHES, line.text);
    if (!reach) return !saysNothing(line.text);
    if (reach === TARGET) {
      const isOther = !isExplained && makeLevelOf(line.text) >= level;
      isExplained = false;
      level = makeLevelOf(line.text);
      if (isOther) return true;
    }
    return !reached.has(reach) && reached.add(reach);
  });
}

function isNamed(place: string, line: Line, lines: readonly Line[]): boolean {
  const isPath = PATH_OF_SCRIPT.test(saidIn(line.text));
  return lines.some(
    ({ at, text }) =>
      (at < line.at && text.includes(place)) ||
      (isPath && at > line.at && at <= line.at + REACH && PACKAGE_OF_SCRIPT.test(saidIn(text))),
  );
}

/** Whether a line says where the script is that a task has run, and the prefix of the task names the package. */
export function isNamedByPrefix(text: string, prefix: string): boolean {
  const place = PLACE_OF_SCRIPT.exec(text)?.[1];
  return (
    place !== undefined &&
    prefix.includes(PATH_OF_SCRIPT.test(text) ? (place.split('/').at(-1) ?? place) : place)
  );
}

/** How deep a make is below the first one; those of one level do not report each other. */
export function makeLevelOf(text: string): number {
  return Number(/make\S*\[(\d+)\]: /.exec(text)?.[1] ?? 0);
}

/** Whether a line says only that something above it has failed. */
export function saysNothing(text: string): boolean {
  return matching(SAYS_NOTHING, text) !== undefined;
}

/** Whether a line is only printed because something above it has failed. */
export function isConsequence({ text }: Line): boolean {
  return matching(REACHES, text) !== undefined || saysNothing(text);
}

function matching(patterns: readonly RegExp[], text: string): RegExp | undefined {
  const said = saidIn(text);
  return patterns.find((pattern) => pattern.test(said));
}

function saidIn(text: string): string {
  return withoutPrefix(text).trim();
}
