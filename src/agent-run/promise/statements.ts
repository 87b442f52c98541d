import {
  CONDITIONAL_BEFORE,
  EXCEPT,
  EXCEPTION_INTENDED_AFTER,
  FIXED_AFTER,
  FIXED_BEFORE,
  NEGATED_BEFORE,
  NEGATED_VERB_BEFORE,
  NOTHING_AFTER,
  OUT_OF_SCOPE_AFTER,
  PAST_BEFORE,
  type StatementPattern,
  states,
} from '../../gates/words/statements.ts';

// Failing and passing tests, in words and as test runners print them.

const FAILING_SUBJECT = '(?:tests?|specs?|test suites?|suites?|test cases?|test runs?)';
const MANY =
  '(?:[1-9][\\d,]{0,9}|one|two|three|four|five|six|seven|eight|nine|ten|some|several|many|multiple|a few)';
const STILL = String.raw`(?:\s+(?:still|currently|now|also|both|just|continue to|keep|remains?|do|does|is|are|have|has|(?:in|for|of) \S+))*`;

/** The test should fail, or failed before the change. */
const FAILS_AS_INTENDED_AFTER =
  /^\s*(?:if|when|whenever|unless|without|before|until|against|at first|initially|previously|earlier|as (?:expected|intended|designed|it should|they should)|by design|first|loudly|fast|on (?:main|master|head|the (?:old|original|previous|base|unpatched|unfixed|parent))|with (?:the|an?) (?:old|bug|original|previous|broken|wrong))\b/i;
/** Somebody made sure that a test fails when it should. */
const CHECKED_TO_FAIL_BEFORE =
  /\b(?:see|saw|seen|watch\w*|confirm\w*|verif\w+|check(?:ed|s)?|prov\w+|made|let|that)\b/i;
const REVERTED_BEFORE =
  /\b(?:revert\w*|stash\w*|undo\w*|with(?:out)? the (?:old|original|previous|broken|unpatched|unfixed)|fixture|sample|example|demo)\b/i;
const OTHER_TIME_BEFORE = [FIXED_BEFORE, PAST_BEFORE, CONDITIONAL_BEFORE, REVERTED_BEFORE];
const FAILING_EXCEPT_BEFORE = [NEGATED_BEFORE, ...OTHER_TIME_BEFORE];
const VERB_EXCEPT_BEFORE = [NEGATED_VERB_BEFORE, ...OTHER_TIME_BEFORE];
const FAILING_EXCEPT_AFTER = [FIXED_AFTER, NOTHING_AFTER, FAILS_AS_INTENDED_AFTER];

const FAILING_IN_WORDS: readonly StatementPattern[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:tests|specs|(?:test )?suites?)${STILL}\s+(?:fail(?:s|ed|ing)?|(?<=\b(?:are|is|still|remains?) )red)\b`,
      'gi',
    ),
    exceptBefore: VERB_EXCEPT_BEFORE,
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:test|spec|test case)${STILL}\s+(?:fails|failed|(?<=is )failing)\b`,
      'gi',
    ),
    exceptBefore: [...VERB_EXCEPT_BEFORE, CHECKED_TO_FAIL_BEFORE],
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
  {
    pattern: new RegExp(
      String.raw`(?:\b${MANY}(?: of the)?(?:\s+[\w-]+){0,2}?|\bthere (?:are|is)(?: still)?(?: an?)?|\bstill)\s+failing\s+${FAILING_SUBJECT}\b|\bfailing ${FAILING_SUBJECT}(?=\s*(?:$|:|\||remain|left))`,
      'gi',
    ),
    exceptBefore: FAILING_EXCEPT_BEFORE,
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
];

/** "pass a token" and "pass secrets to the child" are something else. */
const PASSING = String.raw`(?:pass(?:es|ing)?|succeeds?|green)\b(?!\s+(?:an?|the|any|this|its|their|…|(?:[\w-]+\s+){1,3}(?:to|into|through|via)\b))`;
const TESTS = String.raw`(?:[\w-]+\s+){0,2}?${FAILING_SUBJECT}`;
const NOT_PASSING: readonly StatementPattern[] = [
  {
    pattern: new RegExp(
      String.raw`\b${FAILING_SUBJECT}(?:\s+(?:still|currently|now|in \S+|for \S+))*\s+(?:(?:do|does|did|are|is|will|wo)(?:\s+not|n't)|cannot|never)(?:\s+(?:all|yet|currently|fully|even))*\s+${PASSING}`,
      'gi',
    ),
    exceptBefore: [...OTHER_TIME_BEFORE, CHECKED_TO_FAIL_BEFORE],
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:not (?:all|every|a single|one|any)|none|no|few)(?:\s+of)?(?:\s+(?:the|my|our))?\s+${TESTS}(?:\s+(?:are|is|do|does|currently|yet|now|will))*\s+${PASSING}`,
      'gi',
    ),
    exceptBefore: OTHER_TIME_BEFORE,
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
];

/** "No tests fail except auth": the exception takes the negation back. */
const FAILING_EXCEPTION: StatementPattern = {
  pattern: new RegExp(
    String.raw`\b(?:(?:no|zero|0|none of (?:the|my|our)) (?:${TESTS}(?:\s+(?:are|is|do|does|still|now))*\s+fail(?:s|ed|ing)?|(?:failing|failed|red)\s+${FAILING_SUBJECT})|(?:all|every|each|the(?: whole| entire| full)?) (?:of the )?${TESTS}(?:\s+(?:now|are|is|again|still))*\s+(?:pass(?:es|ed|ing)?|green))${EXCEPT}(?!\w)`,
    'gi',
  ),
  exceptBefore: OTHER_TIME_BEFORE,
  exceptAfter: [FIXED_AFTER, OUT_OF_SCOPE_AFTER, EXCEPTION_INTENDED_AFTER],
};

/** The number does not count tests. */
const OTHER_UNIT_AFTER =
  /^\s+(?:attempts?|log-?ins?|requests?|tries|retries|times|jobs?|calls?|payments?|connections?|deliver\w+|uploads?)\b/i;
const LIMIT_BEFORE = /\b(?:after|up to|more than|at least|at most|every|per|allows?)\s*$/i;

/** Only in a line that is about tests. */
const FAILING_IN_NUMBERS: readonly StatementPattern[] = [
  {
    pattern: new RegExp(
      String.raw`(?<![\w.-])[1-9][\d,]{0,9}\s+(?:${FAILING_SUBJECT}\s+|checks?\s+)?(?:failed|failing|failures?)\b`,
      'gi',
    ),
    exceptBefore: [...FAILING_EXCEPT_BEFORE, LIMIT_BEFORE],
    exceptAfter: [...FAILING_EXCEPT_AFTER, OTHER_UNIT_AFTER],
  },
  {
    pattern: /\b(?:failed|failures?|failing)\s*[:=|]\s*[1-9]\d*\b(?!%)/gi,
    exceptBefore: FAILING_EXCEPT_BEFORE,
    exceptAfter: [FIXED_AFTER],
  },
];
const ABOUT_TESTS = /\b(?:tests?|specs?|suites?|pass(?:ed|ing)?|skipped|assertions?|examples?)\b/i;

/** Lines of test runners. */
const FAILING_IN_OUTPUT =
  /^\s*(?:FAIL(?:ED|URES!)?\b|not ok \d|--- FAIL|[#ℹ] fail [1-9]|test result: FAILED|[\s>*+-]*[1-9]\d* (?:failing|failed|failures?)\W*$)/;
/** The same in prose, where a sentence may begin with the word. */
const FAILING_IN_PASTED_OUTPUT =
  /^\s*(?:FAIL(?:ED)?\s+(?:\((?:failures|errors)|\S*[/.:]\S)|not ok \d|--- FAIL: \S|test result: FAILED|[\s>*+-]*[1-9]\d* (?:failing|failed|failures?)\W*$)/;

/** Whether a line states that tests fail now. The parameters are those of `states`. */
export function statesFailingTests(prose: string, next = ''): boolean {
  if (FAILING_IN_PASTED_OUTPUT.test(prose)) return true;
  const inWords = [...FAILING_IN_WORDS, ...NOT_PASSING, FAILING_EXCEPTION];
  if (inWords.some((pattern) => states(prose, pattern, next))) return true;
  return ABOUT_TESTS.test(prose) && FAILING_IN_NUMBERS.some((pattern) => states(prose, pattern, next));
}

/** Whether a line of a message, or of the output of a test runner in it, shows failing tests. */
export function showsFailingTestLine(line: string): boolean {
  return FAILING_IN_OUTPUT.test(line) || statesFailingTests(line);
}

const PASSING_SUBJECT = '(?:tests?|specs?|test suites?|suites?|assertions|checks)';
const NOW = String.raw`(?:\s+(?:now|all|each|again|are|is|have|has|been|in \S+|for \S+|of \S+|still|both))*`;
const PASS = '(?:pass|passes|passed|passing|green|succeed|succeeds|succeeded)';

/** They should pass, or passed earlier. */
const EXPECTED_BEFORE =
  /\b(?:will|make|making|let|get|need\w*|expect\w*|want|to|once|before|after|cannot|unable|previously|formerly|earlier|initially|originally|used to)\b/i;
const PASSING_EXCEPT_BEFORE = [NEGATED_BEFORE, CONDITIONAL_BEFORE, EXPECTED_BEFORE];
const PASSING_EXCEPT_AFTER = [
  /^\s*(?:if|when|once|unless|until|except|but|only|on (?:main|master|the (?:old|base)))\b/i,
  /\bno tests (?:were )?(?:found|ran|run|to run|collected)\b/i,
];

const PASSING_IN_WORDS: readonly StatementPattern[] = [
  {
    pattern: new RegExp(
      String.raw`(?<![\w.-])[1-9][\d,]{0,9}(?:\s*(?:\/|of|out of)\s*\d+)?(?:\s+${PASSING_SUBJECT})?${NOW}\s+${PASS}\b`,
      'gi',
    ),
    exceptBefore: PASSING_EXCEPT_BEFORE,
    exceptAfter: PASSING_EXCEPT_AFTER,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:tests|specs|(?:test )?suites?|every (?:test|spec))${NOW}\s+${PASS}\b`,
      'gi',
    ),
    exceptBefore: PASSING_EXCEPT_BEFORE,
    exceptAfter: PASSING_EXCEPT_AFTER,
  },
];

/** Lines of test runners: Jest and Vitest, Go, TAP and node:test, xUnit, Cargo, PHPUnit, RSpec and Maven, CTest. */
const PASSING_IN_OUTPUT: readonly RegExp[] = [
  /^\s*(?:--- )?PASS(?:ED)?\b(?!\W*0\b)/,
  /^\s*ok\s+\S+\s+(?:[\d.]+m?s\b|\(cached\))/,
  /^\s*(?:ok \d+\b|[#ℹ] pass [1-9])/,
  /\bpassed\s*[:=|]\s*[1-9]/i,
  /\btest result: ok\b(?!\. 0 passed)/,
  /^\s*OK \([1-9]\d* tests?\b/,
  /\b(?:[1-9]\d* (?:runs|tests|examples|specs|scenarios)\b|tests run: [1-9]).{0,200}\b(?:0 (?:failures|failed)|failures: 0)\b/i,
  /\b100% (?:of )?(?:the )?tests pass/i,
];

/** Whether a line of a message, or of the output of a test runner in it, shows passing tests. */
export function showsPassingTestLine(line: string): boolean {
  return (
    PASSING_IN_OUTPUT.some((pattern) => pattern.test(line)) ||
    PASSING_IN_WORDS.some((pattern) => states(line, pattern))
  );
}
