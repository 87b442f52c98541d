/** How lines belong together: what a line is beside its neighbours, whatever it says. */

import { formTable } from './forms.ts';
import { isExternalFrame, isExternalPlace } from './stack-frames.ts';

/** Before the name of an error, Vitest prints four signs if the line is short. */
const SEPARATOR = /^\s*([=_*#~⎯─━—―-])\1{3}(?:\1+|(?<=⎯)(?= ))/;
/** Signs fill the line: behind a long title there are few, and around it one on each side. */
const TITLE = /^([^\s=*#].*) (?:\*{3,}|[=#]{10,})$/;
const LONG_TITLE = /^_+ (?!_)(\S.*[^\s_]) _+$/;
/** Before a colon or an equals sign: what a line of details is about. */
const LABELS =
  'note|help|hint|info|expected|received|actual|got|want|wanted|but was|which is|left|right|diff|difference|cause|reason|details?|stack|symbol|location|required|found|message|code|suppressed|operator|comparison|solution|possible|see|fix';
/** What was expected and what was received; a diff; a note on the lines above. */
const DETAIL = formTable(/^\s*/i, {
  // A shell that traces its commands may print the place of each in a script.
  'a line of a diff': { pattern: /[+-](?![+-]{3}|\+* \S+\.[a-z]*sh:\d+: )/, example: '-   "price": 2,' },
  'values that differ': { pattern: /['"\w.-]+ !== ['"\w.-]+$/, example: '2000 !== 1000' },
  'where a diff is': { pattern: /@@ -\d/, example: '@@ -1,6 +1,6 @@' },
  'a value, by its name': {
    pattern: new RegExp(`(?:=\\s|\\*\\s)?(?:${LABELS})\\b.{0,40}?[:=]`),
    example: '  = note: expected type: `u32`',
  },
  'what else was thrown': {
    pattern: /(?:during handling|the above exception|direct cause|nested exception|caused by|called from)\b/,
    example: 'The above exception was the direct cause of the following exception:',
  },
  'why a type does not fit another one': {
    pattern: /Types? (?:of (?:parameters|property) '.* (?:are|is) incompatible|'.*' is not assignable to)/,
    example: "    Types of property 'grain' are incompatible.",
  },
  'the stack below': {
    pattern: /when\b.{1,60}\bstack(?=:$)/,
    example: 'When it was thrown, the stack:',
  },
  'another name': { pattern: /(?:did you mean|instead of|referenced by|in:)\b/, example: 'Did you mean: x' },
  'what is at an address': {
    pattern: /(?:==\d+==\s+)?Address 0x[\da-f]+ is\b/,
    example: " Address 0x4b3d135 is 0 bytes after a block of size 5 alloc'd",
  },
  'who had memory': {
    pattern: /(?:freed|(?:previously )?allocated) by thread\b/,
    example: 'freed by thread T0 here:',
  },
  // Of testify, with tabs.
  'a label of an assertion': {
    pattern: /(?:Error|Test|Messages):\s*\t/,
    example: '        \tError:      \tNot equal: ',
  },
  'a tag for what is known of a test': {
    pattern: /[[(] {1,2}(?:DIAG|DEBUG) {1,2}[\])] {2}job /,
    example: '(  DIAG  )  job  7    | 0   | eq | 3     |',
  },
  pytest: { pattern: /E\s{2,}/, example: 'E       assert 3 == 4' },
  "Python's difflib": { pattern: /\?\s/, example: '?          ^^^^' },
  'a comment, as in TAP': { pattern: /#(?:\s|$)/, example: '#   expected 3' },
  'an item': { pattern: /[→·•]/, example: '    • No instance for (Num Cart)' },
});

export const NUMBERED_PLACE =
  /^(?:\[\d+\]|#?\d+[.)]) (?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}:\d+/;
const PLACE = /(?<![\w./\\-])[\w./\\-]+\.\w+(?:\?\w+)?(?::\d+|:\[\d+,\d+\]|\(\d+|"(?:, line)? \d+)/;

/** A line of source with its number, or with two in a diff; in a row of a table, the number is that of what is wrong. */
const NUMBERED =
  /^\s*(?:>\s*)?\d+(?:\s*[|│┃](?! (?:ERROR|VIOLATION) *\|)|\t|\s+\d+\s*[│┃]|\s[+~]\s|\s-\s{2,})/;
/** The title of an error while pytest collects the tests, or sets one up. */
const OUTSIDE_TESTS = /^_{3,} ERROR /;
const SUGGESTION = /^\s*(?:[=|│]\s*)?(?:help|hint|tip|suggestion):\s/i;
const NOTE = /^\S.*?(?::\d+|\(\d+(?:,\d+)?\)): note: /i;

/** What a program says of itself: its version, where it is from, or what it does first. */
const BANNER = formTable(/^/i, {
  'a name and a version': {
    pattern:
      /\W*(?:[A-Za-z@][\w@./-]* +(?:- +)?){1,8}?["(]?v?\d+\.\d+[\w.+~-]*[")]?(?: *[[(][^\])]*[\])])?(?: +[-–|] .*| for \S+| \/\S*| by [A-Z].*| \w+ing\b.*(?:\.{3}|…)| [\d-]+)?$/,
    example: 'PHPUnit 9.6.7 by Sebastian Bergmann and contributors.',
  },
  'a version behind a colon': { pattern: /[A-Z]\w*: v?\d+\.\d+\.\d+$/, example: 'ESLint: 9.39.5' },
  'a build': { pattern: /[A-Z].* \(build \d.*\)$/, example: 'OpenJDK Runtime Environment (build 17.0.15)' },
  'who has made it': { pattern: /Copyright \(/, example: 'Copyright (C) 2012 Ann Example' },
  'its address': { pattern: /https?:\/\/\S+$/, example: 'https://lint.example/' },
});

/** `[2/3] lint`, `== 20260214-add-orders: migrating ===`, `==> lint`. */
const STEP = /^\[\s*\d+\/\d+\] \S|^=+ +\S.*: \w+ing =+$|^(?:=+>|:{2,4}|>{2,4}) \S/;
/** Words that end like what is being done, and say how something is. */
const STATES =
  'nothing|something|everything|according|breaking|clashing|colliding|conflicting|contradicting|crashing|dangling|differing|during|exceeding|existing|expecting|failing|following|giving|hanging|including|interesting|leading|leaking|mismatching|missing|outstanding|overlapping|pending|refusing|rejecting|remaining|string|trailing|violating|warning';
/** Begins with a word such as `Compiling`, also behind the name of a program. */
const PROGRESS = new RegExp(
  `^\\W*(?:info\\W+)?(?:[a-z][\\w.-]*(?:\\[\\d+\\])?: )?(?!(?:${STATES})\\b)\\w+ing\\b(?!: )`,
  'i',
);
/** A letter or a dot for each test, with a file before them, or behind them how far the run was. */
const TEST_LETTERS =
  /^\s*(?:\S+ )?(?:(?=(?:[^.·]{0,9}[.·]){5})[-.·*EFINPRSUWXsx]+|[.EFRSXsx]+(?=\s+(?:\[|\d+ \/)))\s*(?:\[\s*\d+%\]|\d+ \/ \d+ \(\s*\d+%\))?$/;

export const STRUCTURE_TABLES = { DETAIL, BANNER };
const patterns = [
  SEPARATOR,
  TITLE,
  LONG_TITLE,
  PLACE,
  NUMBERED,
  SUGGESTION,
  OUTSIDE_TESTS,
  NOTE,
  TEST_LETTERS,
];
/** Everything else that this file looks for. */
export const STRUCTURE: readonly RegExp[] = patterns;

/** A question about a line, which its text answers. */
function question(pattern: RegExp): (text: string) => boolean {
  patterns.push(pattern);
  return (text) => pattern.test(text);
}

/** A line of one repeated character, or a title between such characters, or before them. */
export function separatorIn(text: string): { readonly title: string } | null {
  const title = (TITLE.exec(text) ?? LONG_TITLE.exec(text))?.[1];
  if (title !== undefined) return { title };
  const [start, sign = ''] = SEPARATOR.exec(text) ?? [];
  if (start === undefined) return null;
  const [between = ''] = text.slice(start.length).split(sign.repeat(3), 1);
  return { title: between.trim() };
}

/** Where an error of Vitest has come from that no test has caught. */
export const namesOrigin = question(
  /^(?:This error originated in ".*" test file\.|The latest test that might've caused the error is ")/,
);

/** The heading of what a test logged: it is no part of a failure, however deep it is indented. */
export const startsTestLog = question(
  /^\s*● Console$|^(?:stdout|stderr) \| |^ {2,4}console\.(?:log|info|debug|trace|dir|table|warn|error)$/,
);

/** The heading of tests that were skipped, or expected to fail, and what comes after them. */
export const startsExpected = question(
  /^Pending:(?: \(Failures listed here are expected|$)|^There (?:was|were) \d+ (?:skipped|incomplete) tests?:$|^ *\d+\) Skipped:$/,
);
export const endsExpected = question(
  /^--$|^(?:Failures|There (?:was|were) .*):$|^ *\d+\) (?:Failure|Error):$/,
);

/** In TAP, a test that is still to be done has failed, as it should; the comments or the block below say how. */
export const startsToDo = question(/^\s*# {3}Failed \(TODO\) test\b|^\s*not ok\b.*# TODO\b/i);
export const isDetailInTap = question(/^\s*# {2,}\S/);
export const startsBlockInTap = question(/^\s+---$/);
export const endsBlockInTap = question(/^\s+\.{3}$/);

/** The heading of all tests that failed: each has a name. */
export const isFailuresHeading = question(/^(?:Failures|✖ failing tests):$/);

/** A test that was skipped. It has run nothing, so that no error is its own. */
export const wasSkipped = question(/^\W*(?:skip(?:ped)?)\b|\bskipped\b(?!: \d)|#\s*skip\b/i);

/** Tests that begin, or how many there are: whether they pass is another line. */
export const beginsTest = question(/^\[(?: RUN +|={10}|-{10})\] |^=== RUN /);

/** The heading of a list of options, which a command prints below its error. */
export const startsUsage = question(/(?:^|\s)Usage:$/i);

/**
 * The heading of a file that was recorded of a test, such as a picture; a line ends what is said of it. A runner of tests
 * prints the content of a text, and the place of any other file.
 */
export const startsAttachment = question(/^\s*attachment #\d+: .* \((?!text\/)[\w.+-]+\/[\w.+-]+\)(?: |$)/);

/** An exception, or the start of its stack. */
export const isException = question(
  /^(?:[\w$]+(?:\.|::|\\))*[\w$]*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)|^Traceback \(/,
);

/** The heading of a stack of Python: the exception is below it. */
export const isTraceback = question(/^\s*Traceback \(most recent call last\):$/);

/** An error that has no frame: the place above it is the only one. */
export function isSyntaxError(text: string): boolean {
  return text.trimStart().startsWith('SyntaxError');
}

/** Below what a linter has found: it is a warning only. */
export const saysWarning = question(/^Warning was generated by the \S+ rule\.$/);

/** A comment: the name of the tests below it in TAP, of the package in Go. */
export const isComment = question(/^# \S/);

/** The files through which a compiler has come to the one that the next line is about: they are no stack. */
export const startsInclusion = question(/^In file included from |^ +from \S+:\d+[,:]$/);

/** What a compiler has inserted, and where: a template is used there, above an error in it. */
export const isInstantiation = question(
  /^\S+: In (?:instantiation|substitution) of |^\S+:\d+:\s+required (?:from|by) /,
);

/** A function that a compiler has tried for a call, and why it does not fit. */
export const isCandidate = question(
  /\bnote: candidate\b|^\s+Overload \d+ of \d+, '|^\s+\w+ .* is not applicable$|^\s+where .*\btype-variables:$/,
);

/** Such a function of TypeScript; what does not fit is below it. */
export const isOverload = question(/^\s+Overload \d+ of \d+, '/);

/** A statement that warnings made the command fail. */
export const treatsWarningsAsErrors = question(
  /warnings? (?:being |are )?treated as errors|max-warnings|too many warnings|(?:aborted with|finished with problems,) \d+ warnings?|code style issues|failed due to warnings/i,
);

/** What a package manager prints before it runs a script, `> shop@1.0.0 test`: what comes next is about nothing above. */
export const startsCommand = question(/^> (?:@[\w.~-]+\/)?[\w.~-]+@\d[\w.+-]* \S/);

/** The class of which the tests are run next. */
export const startsClass = question(/^(?:\[INFO\] )?(?:Running|Testsuite:) (?:[a-z]\w*\.)+[A-Z][\w$]*$/);

/** A test of unittest, with what it has logged in place of its result: that is alone on a line below. */
export const startsLoggedTest = question(
  /^\w+ \([\w.]+\) \.\.\. (?!(?:ok|FAIL|ERROR|skipped|expected|unexpected)\b)/,
);

/** A place and nothing else: the next line says what is wrong there. */
export const isPlaceOnly = question(
  /^\s*(?:File ".*", line (?:\d+|\?, in \S+)|(?:In |test at )?\S+:\d+(?::\d+)?:?$|(?:In )?\S+ line \d+:?\s*$)/,
);

/** A place with an ordinal: the title of one of several failures. */
export const isNumberedPlace = question(NUMBERED_PLACE);

/** How ReScript begins what it says of an error, or of a warning; the place, the source and the message are below. */
export const isTitleOfFault = question(
  /^\s*(?:We've found a bug for you!|Warning number \d+(?: \(configured as error\))?)$/,
);

/** The title of a failed test in Python, above a ruler. What it says has paragraphs, up to the next ruler. */
export const isUnittestTitle = question(/^(?:FAIL|ERROR): \w+ \([\w.]+\)/);

/** What a linter has found at a line and a column of the file above, in a table: its columns may end in line. */
export const isFinding = question(/^\s+\d+:\d+ +(?:error|warning|information|info|hint) {2,}\S/);

/** A file, and what in it the next line is about: `a.c: In function ‘f’:`, ``ld: a.o: in function `f':``. */
export const isFileHeading = question(/^(?:[\w./+-]+: )?\S*\w\.\w+: (?!.*:\d).*:$/);

/** The file, or the program, that a table, or a series of tests, is about. */
export const isFileTitle = question(
  /^(?:FILE|Compiling): \S+$|^\S*\w\.\w+ \.{2,} ?$|^ *\w+ alias \S+ \(exit \d+\)$/,
);

/** An item of a list: of tests, it is no result, but may name one that was skipped long before. */
export const isNumbered = question(/^\s*\d+\)\s/);

/** A line of a frame of text; a table has more columns. */
export const isFramed = question(/^\s*[|│║](?:\s[^|│║]*)?[|│║]$/);

/** A pointer to the place that the line above is about. */
export const isPlacePointer = question(/^\s*-->\s+\S+:\d/);

/** What a linter found: the name of the rule, and a sentence. */
export const isRuleMessage = question(/^[a-z][a-z\d]*(?:-[a-z\d]+)*(?:\[[a-z\d-]+\])?: [A-Z]\w* \S/);

/** A place at the left edge. */
export const startsWithPlace = question(/^[\w@.+~/-]*\w\.[a-z]\w{0,7}:\d+(?::\d+)?(?: |$)/i);

/** Names a place in code that is not external. */
export function namesPlace(text: string): boolean {
  return PLACE.test(text) && !isExternalPlace(text) && !isExternalFrame(text);
}

/** The name of a failed test on a line of its own, between signs: of pytest, and of cargo. */
export const isTestTitle = question(/^_{3,} \S.* _{3,}$|^-{4} \S.* std(?:out|err) -{4}$/);

/** Where a suite begins in the tree that Node.js prints; where it ends, its duration follows. */
export const startsSuite = question(/^\s*▶ \S(?!.*\(\d[\d.]*ms\)$)/);

/** Names a line of a file, also apart from the name of the file. */
export const namesLine = question(/\bline \d|[A-Za-z]\w{0,7}:\d|\w\(\d+[,)]|^\s*\d+:\d/i);

/** A member of an object in expanded JSON: its neighbours describe the same thing. */
export const isMember = question(/^\s+"[\w-]+": ?(?:[^{[]+|\[[^{[\]]*\],?)$/);

/** The members of an expanded record below a text of several lines, up to its end. */
export const isRestOfRecord = question(/^\s*"[\w$-]+":.*\}$/);

/** Between two exceptions of a chain, in Python. */
export const isChained = question(
  /^(?:The above exception was the direct cause|During handling of the above exception)\b/,
);

/** The name of the test that the lines below are about, where it is on a line of its own. */
export const namesTest = question(
  /^\s*(?:test(?: ?case)?|scenario(?: outline| template)?|example): +\S|^lein test :only \S/i,
);

/** What a compiler notes about the error above, at a place of its own. */
export function isNote(text: string): boolean {
  return / note: /i.test(text) && NOTE.test(text);
}

/** Quoted or suggested text, or the name of a test in a title: its words say nothing about the run. */
export function isQuoted(text: string): boolean {
  if (NUMBERED.test(text) || SUGGESTION.test(text)) return true;
  return isTestTitle(text) && !OUTSIDE_TESTS.test(text);
}

/** A caret, and what underlines with it, points into the line of source above; words may follow. */
export const isCaret = question(/^\s*~*\s*\^/);

/** A code frame, a caret, a pointer. */
export const isCode = question(
  /^\s*(?:(?:>\s*)?\d+\s*(?:[|│┃]|:(?!\d)|>>> \S)|[|│┃╭╰├└]|-->|:::|[~^¯─-]+\s*$|[\^~]|>\s)/,
);

/** What was expected or received: named as such, a line of a diff, or what a test says behind its place. */
export const isValue = question(
  /^\s*(?:E\s{2,}|[#|]\s+)?(?:[+-](?![+-]{2})|\W{0,3}(?:expected|received|actual|got|want(?:ed)?|but was|left|right|which is|with expansion)\b.{0,40}?[:=<\s]|[\w./-]+\.\w+:\d+: \S)/i,
);

export function isDetail(text: string): boolean {
  return DETAIL.pattern.test(text);
}

/** The title of a step: `[2/3] lint packages/web`. */
export const isTitleOfStep = question(STEP);

/** The start of a step: its title, or `Checking packages/web`. Lines of one form differ in this. */
export function startsStep(text: string): boolean {
  return isTitleOfStep(text) || (PROGRESS.test(text) && /\w\s+\w/.test(text));
}

/** A record in JSON that says what the program begins to do: `{"level":20,"row":23,"msg":"importing row"}`. */
export const isRecordOfStep = question(/^\s*\{"(?=.*"(?:msg|message)":"[A-Za-z]+ing \w)/);

/** What is being done, not what is wrong: `Compiling a`, `checking for b... yes`, `..F..`. */
export function isProgress(text: string): boolean {
  return PROGRESS.test(text) || isTestLetters(text);
}

/** `..F..` */
export function isTestLetters(text: string): boolean {
  return TEST_LETTERS.test(text);
}

/** What a program says of itself when it starts. */
export function isBanner(text: string): boolean {
  return BANNER.pattern.test(text.trim());
}

/** A request that a server has answered, as it logs it. */
export const isRequest = question(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/\S* [1-5]\d\d\b/);

/** A record of a log of a level below that of a warning; its members may follow. */
export const isLogged = question(/\b(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE)\b/);

/** Words, at most with a bullet, and a colon: other signs may name a file or a value. */
export const isIntroduction = question(/^[^\p{L}\d]{0,6}(?:\d+ )?\p{L}[\p{L}\d ,()'’-]*[\p{L}\d)]:$/u);

/** Has a letter or a number. */
export const hasWords = question(/[\p{L}\d]/u);

/** An item of a list. */
export const isItem = question(/^\s*(?:[-*•]\s|\d+[.)](?:\s|[A-Z]))/);

/** A line that introduces the next one. */
export function introducesNext(text: string): boolean {
  return text.endsWith(':');
}

/** A text in YAML begins in the next line. */
export function introducesText(text: string): boolean {
  return /: [|>][+-]?$/.test(text);
}

/** Ends within brackets: the lines below go on with what is in them. */
export function opensBracket(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if ('([{'.includes(character)) open++;
    else if (')]}'.includes(character)) open--;
  }
  return open > 0;
}

/** Characters before the first that is not blank; -1 in a blank line. */
export function indentOf(text: string): number {
  return text.search(/\S/);
}
