/** What a program has logged while its tests ran: where failed tests say what is wrong, most errors above them were expected. */

import { type FailureBlock, type Line, PRIORITY, type StoredFailure } from '../failures/failure.ts';
import { isRecipe } from '../failures/recipes.ts';
import { stepTitlesIn } from '../failures/step-titles.ts';
import { Vocabulary } from '../failures/vocabulary.ts';
import { classificationOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { isCode, startsCommand, treatsWarningsAsErrors } from '../lines/structure.ts';

/** A mistake in the code: hardly a test expects it. */
const MISTAKE =
  /\b(?:(?:Type|Range|Reference|Syntax|Key|Index|Attribute|Name|ZeroDivision|Import|ModuleNotFound|UnboundLocal|Recursion|Assertion|NoMethod|Operational|Integrity|Programming)Error|NullPointerException|\w*OutOfBounds\w*|ClassCastException|ArithmeticException|StackOverflow\w*|panic(?:ked)?|nil pointer|SIG[A-Z]{3,}|undefined (?:method|variable)|[Uu]nhandled|[Uu]ncaught|[Oo]ut of memory)\b/;
/** A failure of the system: a test that expects it has passed below. */
const OF_SYSTEM =
  /\bE(?:(?:CONN|ADDR|HOST|NET|AI_)[A-Z]+|ACCES|NOENT|PIPE|TIMEDOUT|NOTFOUND|MFILE|NOSPC|PERM)\b/;
/** A status with which a server refuses, or fails. */
const STATUS = /(?<![\w.:/-])[45]\d\d(?![\w.:/-])/g;
/** That of a server that has failed. */
const FAILED = '500';
/** That of a record. */
const OWN_STATUS = /\bstatus(?:Code)?"?[:=] ?([45]\d\d)\b/;
/** The message of a record. */
const MESSAGE = /"(?:msg|message|err|error|reason)":"((?:[^"\\]|\\.)+)"/g;
const JSON_START = /^\s*\[?\{"/;
/** A time, a level, or JSON. */
const RECORD = /^.{0,40}\d:\d\d|^\W*(?:ERROR|FATAL|CRITICAL)\b|^\[(?:error|fatal)\]|^\s*\{"/;
/** An error shares so many words with the test that it explains: one may be what the whole program is about. */
const MIN_SHARED = 2;
/** The result of a test or a task, behind its name. */
const RESULT = /[✖✘✗×]|\b(?:FAIL(?:ED)?|fail(?:ed)?)\W*$/;
/** A list of results has one line below the name of a test. */
const MIN_DETAILS = 2;

/** A line further above a failure is not its own. */
const LEAD_LINES = 8;

/** What a program has logged while its tests ran, above all failed ones. */
interface LoggedErrors {
  /** Explain no failed test: they say nothing that these say, and are no mistakes in the code. */
  readonly expected: ReadonlySet<StoredFailure>;
  /** Are why a server failed, though a test passed below them. */
  readonly causes: ReadonlySet<StoredFailure>;
}

/**
 * The errors that a program has logged while its tests ran; none if no failed test says what is wrong.
 *
 * @param failures with the severities that the results of tests have given them: a reason is as severe as its test
 * @param lines of the output, as far as known: what a step before the tests has printed is about something else
 */
export function loggedErrorsIn(failures: readonly StoredFailure[], lines: readonly Line[]): LoggedErrors {
  const names = new Set(
    failures.flatMap(({ block }) => (block.severity === SEVERITY.failedTest ? block.headline.at : [])),
  );
  // Below the name of a test, what was thrown may be a failure of its own.
  const isTest = ({ headline, severity }: FailureBlock) =>
    severity === SEVERITY.failedTest || names.has(headline.at - 1) || names.has(headline.at - 2);
  const tests = failures.filter(({ block }) => isTest(block) && saysWhy(block) && !isAboveResult(block));
  if (tests.length === 0) return { expected: new Set(), causes: new Set() };
  const first = Math.min(...tests.map(({ block }) => startOf(block)));
  const titles = stepTitlesIn(lines);
  const began = lines.findLast((line) => line.at < first && (startsCommand(line.text) || titles.has(line)));
  const isOfTests = ({ headline: { at } }: FailureBlock) => at > (began?.at ?? -1) && at < first;
  // Below the first of them, a record that only mentions an error, or that a passed test excuses.
  const isBeside = (stored: StoredFailure) =>
    stored.severity === SEVERITY.mentioned &&
    stored.block.headline.at > first &&
    (isRecordOfError(stored.block.headline) ||
      ownStatusOf(stored) !== undefined ||
      (stored.block.severity > SEVERITY.mentioned && hasStack(stored.block)));
  const logged = failures.filter(
    (stored) => isLogged(stored) && (isOfTests(stored.block) || isBeside(stored)),
  );
  if (logged.length === 0) return { expected: new Set(), causes: new Set() };
  // What was logged may be shown as the heading of a test.
  const vocabulary = new Vocabulary(
    tests.map(({ block }) => ({ ...block, lines: block.lines.filter(({ at }) => at >= startOf(block)) })),
  );
  const statusesOf = ({ block }: StoredFailure): string[] =>
    block.lines.flatMap(({ text }) => (isCode(text) ? [] : text.match(STATUS)) ?? []);
  const statuses = new Set(tests.flatMap(statusesOf));
  const crashes = tests
    .filter((test) => statusesOf(test).includes(FAILED))
    .reduce((sum, { times }) => sum + times, 0);
  const isMistake = ({ severity, block }: StoredFailure) =>
    block.severity >= SEVERITY.tagged &&
    block.lines.some(
      ({ text }) => MISTAKE.test(text) || (severity > SEVERITY.mentioned && OF_SYSTEM.test(text)),
    );
  // What is logged right above a failed test is its reason: the errors that a test has passed below are of others.
  const reasons = failures.filter(
    ({ severity, block }) =>
      severity === SEVERITY.failedTest &&
      (block.severity < SEVERITY.failedTest || isAboveResult(block)) &&
      isOfTests(block) &&
      hasStack(block),
  ).length;
  const areExplained = reasons > 0 && reasons >= (crashes || tests.length);
  const isExcused = ({ severity, block }: StoredFailure) =>
    severity === SEVERITY.mentioned && block.severity > SEVERITY.mentioned;
  const mistakes = logged.filter(isMistake).length;
  // Each may be why one test failed: of more tests, others are.
  const areEnough = mistakes > 0 && mistakes >= crashes;
  const mayBeCause = (stored: StoredFailure) =>
    stored.block.severity >= SEVERITY.tagged &&
    (isMistake(stored) || (!areEnough && ownStatusOf(stored) === undefined && hasStack(stored.block)));
  // With as many causes as crashes, of which none has a passed test below it, the excused ones are no causes.
  const own = logged.filter((stored) => mayBeCause(stored) && !isExcused(stored));
  const areFound = own.length > 0 && own.reduce((sum, { times }) => sum + times, 0) >= crashes;
  const sharesWords = (line: Line) => vocabulary.hasWordsOf(line, MIN_SHARED);
  const explains = (stored: StoredFailure) => {
    const own = ownStatusOf(stored);
    if ((areExplained || (areFound && !isMistake(stored))) && isExcused(stored)) return false;
    // With another status than any failed test has seen, a server has refused what it should refuse.
    if (own?.startsWith('4') && statuses.size > 0 && !statuses.has(own)) return false;
    // Where no failed test has seen that the server failed, the test that passed below expected it.
    if (isMistake(stored)) return crashes > 0 || isBeside(stored) || !isExcused(stored);
    // All that is logged may share words with what is tested.
    const isOnlyBeside = isBeside(stored);
    if (messagesOf(stored).some((line) => vocabulary.hasNameOf(line) || (!isOnlyBeside && sharesWords(line))))
      return true;
    if (stored.block.severity === SEVERITY.mentioned || statuses.size === 0) return false;
    return own === undefined ? !areEnough : statuses.has(own);
  };
  return {
    expected: new Set(logged.filter((stored) => !explains(stored))),
    causes: new Set(crashes > reasons ? logged.filter(mayBeCause) : []),
  };
}

/** Where a failure begins, without the command far above that it is shown with. */
function startOf({ headline, lines }: FailureBlock): number {
  return lines.find(({ at }) => headline.at - at <= LEAD_LINES)?.at ?? headline.at;
}

/** Whether a failure is the record of an error, with the name of the test below it that failed because of it. */
function isAboveResult({ headline, lines, severity }: FailureBlock): boolean {
  const last = lines.at(-1);
  return (
    severity === SEVERITY.failedTest &&
    last !== undefined &&
    classificationOf(last.text) === 'failedTest' &&
    isRecordOfError(headline)
  );
}

/** Whether a failed test says more than a list of results does. */
function saysWhy({ headline, lines }: FailureBlock): boolean {
  const below = lines.filter(({ at, priority }) => at > headline.at && priority >= PRIORITY.detail);
  return new Set(below.map(({ text }) => text)).size >= MIN_DETAILS;
}

/** Whether a failure is the record of an error, an exception with its stack, or only mentions that something failed. */
function isLogged({ severity, block }: StoredFailure): boolean {
  const { headline } = block;
  if (COMMAND_END.test(headline.text) || treatsWarningsAsErrors(headline.text)) return false;
  if (severity < SEVERITY.mentioned || Math.max(severity, block.severity) > SEVERITY.thrown) return false;
  // Only mentioned, or excused by a test that has passed below.
  if (severity === SEVERITY.mentioned)
    return !RESULT.test(headline.text) && !isRecipe(headline.text) && !isFinding(headline.text);
  return block.severity > SEVERITY.warning && (RECORD.test(headline.text) || hasStack(block));
}

/** What a compiler or a linter has found has its place at the start, unlike what a program logs. */
function isFinding(text: string): boolean {
  return /^\S+\.\w+:\d+(?::\d+)?: \S/.test(withoutPrefix(text));
}

/** Its time may be taken for a prefix, and so may the name of a logger before its level. */
function isRecordOfError({ text }: Line): boolean {
  return RECORD.test(text) || RECORD.test(withoutPrefix(text));
}

function hasStack({ lines }: FailureBlock): boolean {
  return lines.some(({ text }) => isFrame(text) || text.includes('"stack":'));
}

function ownStatusOf({ block }: StoredFailure): string | undefined {
  for (const { text } of block.lines) {
    const [, status] = OWN_STATUS.exec(text) ?? [];
    if (status !== undefined) return status;
  }
  return undefined;
}

/** What an error says, without what its logger and its stack say. */
function messagesOf({ block }: StoredFailure): Line[] {
  return block.lines
    .filter(({ text }) => !isFrame(text))
    .map((line) => ({ ...line, text: withoutPrefix(line.text) }))
    .flatMap((line) =>
      JSON_START.test(line.text)
        ? [...line.text.matchAll(MESSAGE)].map(([, text = '']) => ({ ...line, text }))
        : line,
    );
}
