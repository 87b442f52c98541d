import { DENIED, NOTHING_AFTER, PAST, PUT_RIGHT_AFTER, PUT_RIGHT_BEFORE, SUPPOSED } from './excuses.ts';
import { type Sign, tells } from './sign.ts';

const TESTS = '(?:tests?|specs?|test suites?|suites?|test cases?|test runs?)';
const MANY =
  '(?:[1-9][\\d,]{0,9}|one|two|three|four|five|six|seven|eight|nine|ten|some|several|many|multiple|a few)';
const STILL = String.raw`(?:\s+(?:still|currently|now|also|both|just|continue to|keep|do|does|is|are|have|has|(?:in|for|of) \S+))*`;

/** Behind: it fails as it is meant to, or did before. */
const MEANT_TO_FAIL =
  /^\s*(?:if|when|whenever|unless|without|before|until|against|as (?:expected|intended|designed|it should|they should)|by design|first|loudly|fast|on (?:main|master|head|the (?:old|original|previous|base|unpatched|unfixed|parent))|with (?:the|an?) (?:old|bug|original|previous|broken|wrong))\b/i;
/** Before: somebody saw to it that a test fails where it should. */
const MADE_TO_FAIL =
  /\b(?:see|saw|seen|watch\w*|confirm\w*|verif\w+|check(?:ed|s)?|prov\w+|made|let|that)\b/i;
const REVERTED = /\b(?:revert\w*|stash\w*|undo\w*)\b/i;
const BEFORE = [DENIED, PUT_RIGHT_BEFORE, PAST, SUPPOSED, REVERTED];
const AFTER = [PUT_RIGHT_AFTER, NOTHING_AFTER, MEANT_TO_FAIL];

const IN_WORDS: readonly Sign[] = [
  {
    words: new RegExp(String.raw`\b(?:tests|specs|(?:test )?suites?)${STILL}\s+fail(?:s|ed|ing)?\b`, 'gi'),
    before: BEFORE,
    after: AFTER,
  },
  {
    words: new RegExp(
      String.raw`\b(?:test|spec|test case)${STILL}\s+(?:fails|failed|(?<=is )failing)\b`,
      'gi',
    ),
    before: [...BEFORE, MADE_TO_FAIL],
    after: AFTER,
  },
  {
    words: new RegExp(
      String.raw`(?:\b${MANY}(?: of the)?(?:\s+[\w-]+){0,2}?|\bthere (?:are|is)(?: still)?(?: an?)?|\bstill)\s+failing\s+${TESTS}\b|\bfailing ${TESTS}(?=\s*(?:$|:|\||remain|left))`,
      'gi',
    ),
    before: BEFORE,
    after: AFTER,
  },
];

/** Behind a number: what is counted is no test. */
const OTHER_THINGS =
  /^\s+(?:attempts?|log-?ins?|requests?|tries|retries|times|jobs?|calls?|payments?|connections?|deliver\w+|uploads?)\b/i;
const LIMIT = /\b(?:after|up to|more than|at least|at most|every|per|allows?)\s*$/i;

/** These count in a line that speaks of tests. */
const IN_NUMBERS: readonly Sign[] = [
  {
    words: new RegExp(
      String.raw`(?<![\w.-])[1-9][\d,]{0,9}\s+(?:${TESTS}\s+|checks?\s+)?(?:failed|failing|failures?)\b`,
      'gi',
    ),
    before: [...BEFORE, LIMIT],
    after: [...AFTER, OTHER_THINGS],
  },
  {
    words: /\b(?:failed|failures?|failing)\s*[:=|]\s*[1-9]\d*\b(?!%)/gi,
    before: BEFORE,
    after: [PUT_RIGHT_AFTER],
  },
];
const OF_TESTS = /\b(?:tests?|specs?|suites?|pass(?:ed|ing)?|skipped|assertions?|examples?)\b/i;

/** As runners begin a line. */
const IN_OUTPUT = /^\s*(?:FAIL(?:ED|URES!)?\b|not ok \d|--- FAIL|[#ℹ] fail [1-9]|test result: FAILED)/;

/**
 * Whether a line says that tests fail now.
 *
 * @param prose without what it only quotes
 * @param next what follows it, where it ends as a heading does
 */
export function saysTestsFail(prose: string, next = ''): boolean {
  if (IN_WORDS.some((sign) => tells(prose, sign, next))) return true;
  return OF_TESTS.test(prose) && IN_NUMBERS.some((sign) => tells(prose, sign, next));
}

/** Whether a line of a message, or of the output of a test runner in it, says that tests fail. */
export function showsFailingTests(line: string): boolean {
  return IN_OUTPUT.test(line) || saysTestsFail(line);
}
