/** Words that state something, unless the words around them take it back. */
export interface StatementPattern {
  /** Must have the flag `g`: every match in a line is tried. */
  readonly pattern: RegExp;
  /** Exceptions in the text before a match, from the start of its clause. */
  readonly exceptBefore?: readonly RegExp[];
  /** Exceptions in the text after a match, to the end of its sentence. */
  readonly exceptAfter?: readonly RegExp[];
}

/** How far around a match exceptions are looked for. A line may be megabytes long. */
const CONTEXT_CHARACTERS = 300;
const UP_TO_CLAUSE =
  /^.*(?:[.!?:;,–—](?=\s|$)|[(|]|\s-\s|\b(?:but|however|although|though|whereas|except|so(?! that)|therefore)\b)/is;
const SENTENCE_END = /[.!?](?=\s|$)/;
const UP_TO_SENTENCE = /^.*[.!?;](?=\s)/s;
/** "Without the fix", which shows that a test works, as opposed to "without the database", which is missing. */
const WITHOUT_FIX = String.raw`without (?:the|my|our|this|that|these|it|them)\b(?!(?: \w+)? (?:database|db|network|internet|server|service|docker|redis|postgres|credentials?|keys?|tokens?|secrets?|access|connection|browser|gpu|environment)\b)`;
/** The beginning of a sentence about the past, or about a condition. */
const OTHER_TIME = new RegExp(
  String.raw`^\W*(?:(?:initially|previously|originally|formerly|earlier|at first|at the start|before\b[^,:]*|baseline|on (?:main|master|the (?:old|base|original|unpatched)\b[^,:]*)|${WITHOUT_FIX}[^,:]*|[^,:]*\b(?:revert\w*|stash\w*|undone)\b[^,:]*)[,:]|(?:if|unless|whenever|in case|should)\b[^,]*,)`,
  'i',
);
/** The beginning of a sentence that continues the statement of the previous one. */
const CONTINUES =
  /^[.!]\s+(?:that|this|it|they|these|those|both|all|everything|now|fix(?:ed|ing)|repair(?:ed|ing)|resolved)\b[^.!?]*/i;

/**
 * Whether a line states what a pattern describes. A question states nothing.
 *
 * @param prose a line without code and quotations
 * @param next the text after the line, if the line is a heading or a label
 */
export function states(
  prose: string,
  { pattern, exceptBefore = [], exceptAfter = [] }: StatementPattern,
  next = '',
): boolean {
  for (const { 0: match, index } of prose.matchAll(pattern)) {
    const end = index + match.length;
    const before = prose.slice(Math.max(0, index - CONTEXT_CHARACTERS), index);
    const after = sentenceAfter(`${prose.slice(end, end + CONTEXT_CHARACTERS)} ${next}`);
    if (after === undefined || OTHER_TIME.test(before.replace(UP_TO_SENTENCE, ''))) continue;
    const clause = before.replace(UP_TO_CLAUSE, '');
    if (exceptBefore.some((exception) => exception.test(clause))) continue;
    if (!exceptAfter.some((exception) => exception.test(after))) return true;
  }
  return false;
}

/** Returns the rest of a sentence; undefined for a question. */
function sentenceAfter(text: string): string | undefined {
  const end = SENTENCE_END.exec(text);
  if (end?.[0] === '?') return undefined;
  return end ? text.slice(0, end.index) + (CONTINUES.exec(text.slice(end.index))?.[0] ?? '') : text;
}

// Exceptions. The name says on which side of the match they are looked for.

/** Up to five words of the same clause. */
const FEW = String.raw`(?:\s+(?!(?:and|or)\b)[\w'/…-]+){0,5}\s*$`;

/** "there is no", "nothing that I", "zero", each with up to five words before the match. */
export const NEGATED_BEFORE = new RegExp(
  String.raw`(?:\b(?:no|not|never|none|nothing|nobody|without|zero|0|neither|nor|any|free of|instead of|rather than|lack of|absence of|avoid\w*)|n't)${FEW}`,
  'i',
);

/**
 * The same for a verb with its subject, as in "no tests fail": "with no network the tests fail" and "without a database the
 * tests fail" negate something else.
 */
export const NEGATED_VERB_BEFORE = new RegExp(
  [
    String.raw`\b(?:none|neither) of(?: (?:the|my|our|these|those))?(?:\s+[\w-]+){0,2}\s*$`,
    String.raw`\b(?:no|zero|0|any|nor|without)(?:\s+(?!(?:the|an?|my|our|its|all|both|some|these|those|two|three|\d+)\b)[\w'/-]+){0,2}\s*$`,
    String.raw`\b${WITHOUT_FIX}${FEW}`,
    String.raw`(?:\b(?:not|never|nothing|nobody|instead of|rather than|lack of|absence of|free of|avoid\w*)|n't)${FEW}`,
  ].join('|'),
  'i',
);

const FIX_VERB =
  '(?:fix|resolv|remov|replac|address|clear|delet|dropp|correct|repair|solv|unblock|implement|complet|finish|clos|eliminat|handl|tackl|convert|clean|answer|mend)';

/** "I removed the last", "by fixing both". */
export const FIXED_BEFORE = new RegExp(
  String.raw`(?<!\b(?:not|never|be|to)\s(?:yet\s)?)(?<!n't\s)\b${FIX_VERB}(?:ed|es|s|ing)\b${FEW}`,
  'i',
);

/** "are fixed", "has been removed", "which I repaired", "– resolved", "; fixing", "no longer", "now they pass". */
export const FIXED_AFTER = new RegExp(
  [
    String.raw`(?:\b(?:is|are|was|were|been|got|since|I|we|I've|we've|later)(?:\s+(?:now|all|both|since|also|already|been|have|has|had|then|successfully|fully|just))*\s+|(?:\b(?:now|all|already)|[(–—→>:;,.|✅-])\s*(?:(?:now|since|already|all)\s+)?)(?:${FIX_VERB}ed|done|gone|met|green|clean|passing|merged)\b`,
    String.raw`[;:,.–—-]\s*(?:now\s+)?(?:fixing|repairing)\b`,
    String.raw`\bno longer\b`,
    String.raw`\b(?:now|all|both)(?:\s+(?:it|they|all|everything|now|of them))*\s+(?:pass|passes|passed|work|works)\b`,
  ].join('|'),
  'i',
);

/** ": none", "| 0 |". */
export const NOTHING_AFTER =
  /^[\s|:=()–—-]*(?:(?:none(?! of)|nothing|nobody|nil|n\/a|zero|0(?![.\d]))\b|no\s*(?:[.,|)]|$))/i;

/** The task did not ask for it. */
export const OUT_OF_SCOPE_AFTER =
  /\b(?:out of scope|outside (?:of )?(?:the|this)|beyond (?:the|this)|not part of|in a follow-up|for a follow-up|separate (?:task|issue|ticket|pr)|on purpose|by design|as (?:specified|requested|required))\b/i;

/** An exception to a statement about everything or nothing. */
export const EXCEPT = String.raw`,?\s+(?:except(?:ing)?(?: for| in)?|apart from|aside from|other than|besides|save for|with (?:the|one|a single) exception(?: of)?|but(?=\s+(?:one|two|three|four|five|\d+|for)\b))`;
/** The exception is no defect: a condition, or something that this work is not about. */
export const EXCEPTION_INTENDED_AFTER =
  /^\s*(?:that|when|if|unless|where|on purpose|as)\b|\b(?:skipped|ignored|disabled|quarantined|already|pre-?existing|unrelated|before (?:my|this|the)|on (?:main|master))\b/i;

/** A past state. */
export const PAST_BEFORE =
  /\b(?:previously|formerly|earlier|initially|originally|at first|at the start|used to|was|were|had|once)\b/i;

/** A condition or a possibility. */
export const CONDITIONAL_BEFORE =
  /\b(?:if|when|whenever|wherever|unless|whether|in case|until|would|could|might|may|should|must|so that|ma[kd]es? sure|ensur\w+|prevents?)\b/i;

/** A program does, shows or looks for it. */
export const PROGRAM_BEFORE =
  /\b(?:check(?:s|ed|ing)?|search(?:ed|es|ing)?|grep\w*|scan\w*|look(?:s|ed|ing)? for|detect\w*|flag(?:s|ged)|reports?|reject\w*|warns?|match(?:es|ed)|prints?|returns?|throws?|raises?|logs?|shows?|displays?|says?|message|lint\w*|rule|responds?|documents?|documented|describes?|explains?)\b/i;

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
