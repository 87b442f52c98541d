/** Words that tell something, unless the words around them take it back. */
export interface StatementPattern {
  /** Global: every place in a line is looked at. */
  readonly pattern: RegExp;
  /** What takes it back in front of it, in the same clause. */
  readonly exceptBefore?: readonly RegExp[];
  /** What takes it back behind it, up to the end of the sentence. */
  readonly exceptAfter?: readonly RegExp[];
}

/** So far is looked around: nobody's sentence is longer, and lines may be. */
const CONTEXT_CHARACTERS = 300;
const UP_TO_CLAUSE = /^.*(?:[.!?:;,–—](?=\s|$)|[(|]|\s-\s|\b(?:but|however|although|though|except)\b)/is;
const SENTENCE_END = /[.!?](?=\s|$)/;
const UP_TO_SENTENCE = /^.*[.!?;](?=\s)/s;
/** A sentence that begins so does not speak of what is now. */
const OTHER_TIME =
  /^\W*(?:(?:initially|previously|originally|formerly|earlier|at first|at the start|before\b[^,:]*|baseline|on (?:main|master|the (?:old|base|original|unpatched)\b[^,:]*)|without (?:the|my|this)\b[^,:]*|[^,:]*\b(?:revert\w*|stash\w*|undone)\b[^,:]*)[,:]|(?:if|unless|whenever|in case)\b[^,]*,)/i;
/** A next sentence that still speaks of the same. */
const CONTINUES =
  /^[.!]\s+(?:that|this|it|they|these|those|both|all|everything|now|fix(?:ed|ing)|repair(?:ed|ing)|resolved)\b[^.!?]*/i;

/**
 * Whether a line tells what a sign stands for. A question tells nothing.
 *
 * @param prose a line without what it only quotes
 * @param next what follows it, where it ends with the words as a heading does
 */
export function states(
  prose: string,
  { pattern: words, exceptBefore: before = [], exceptAfter: after = [] }: StatementPattern,
  next = '',
): boolean {
  for (const { 0: found, index } of prose.matchAll(words)) {
    const end = index + found.length;
    const behind = prose.slice(Math.max(0, index - CONTEXT_CHARACTERS), index);
    const clause = behind.replace(UP_TO_CLAUSE, '');
    const sentence = sentenceIn(`${prose.slice(end, end + CONTEXT_CHARACTERS)} ${next}`);
    if (sentence === undefined || OTHER_TIME.test(behind.replace(UP_TO_SENTENCE, ''))) continue;
    if (before.some((excuse) => excuse.test(clause))) continue;
    if (!after.some((excuse) => excuse.test(sentence))) return true;
  }
  return false;
}

/** @returns undefined where it is a question */
function sentenceIn(text: string): string | undefined {
  const end = SENTENCE_END.exec(text);
  if (end?.[0] === '?') return undefined;
  return end ? text.slice(0, end.index) + (CONTINUES.exec(text.slice(end.index))?.[0] ?? '') : text;
}

// What takes the words of a sign back: each is looked for in the clause before them, or the sentence behind them.

/** A few words, of one clause and one half of an "and". */
const FEW = String.raw`(?:\s+(?!(?:and|or)\b)[\w'/…-]+){0,5}\s*$`;

/** Before: "there is no", "nothing that I", "zero". Some more words may stand between. */
export const NEGATED_BEFORE = new RegExp(
  String.raw`(?:\b(?:no|not|never|none|nothing|nobody|without|zero|0|neither|nor|any|free of|instead of|rather than|lack of|absence of|avoid\w*)|n't)${FEW}`,
  'i',
);

const FIX_VERB =
  '(?:fix|resolv|remov|replac|address|clear|delet|dropp|correct|repair|solv|unblock|implement|complet|finish|clos|eliminat|handl|tackl|convert|clean|answer|mend)';

/** Before: "I removed the last", "by fixing both". */
export const FIXED_BEFORE = new RegExp(
  String.raw`(?<!\b(?:not|never|be|to)\s(?:yet\s)?)(?<!n't\s)\b${FIX_VERB}(?:ed|es|s|ing)\b${FEW}`,
  'i',
);

/** Behind: "are fixed", "has been removed", "which I repaired", "– resolved", "; fixing", "no longer", "now they pass". */
export const FIXED_AFTER = new RegExp(
  [
    String.raw`(?:\b(?:is|are|was|were|been|got|since|I|we|I've|we've|later)(?:\s+(?:now|all|both|since|also|already|been|have|has|had|then|successfully|fully|just))*\s+|(?:\b(?:now|all|already)|[(–—→>:;,.|✅-])\s*(?:(?:now|since|already|all)\s+)?)(?:${FIX_VERB}ed|done|gone|met|green|clean|passing|merged)\b`,
    String.raw`[;:,.–—-]\s*(?:now\s+)?(?:fixing|repairing)\b`,
    String.raw`\bno longer\b`,
    String.raw`\b(?:now|all|both)(?:\s+(?:it|they|all|everything|now|of them))*\s+(?:pass|passes|passed|work|works)\b`,
  ].join('|'),
  'i',
);

/** Behind: ": none", "| 0 |". */
export const NOTHING_AFTER =
  /^[\s|:=()–—-]*(?:(?:none(?! of)|nothing|nobody|nil|n\/a|zero|0(?![.\d]))\b|no\s*(?:[.,|)]|$))/i;

/** Behind: the task did not ask for it. */
export const OUT_OF_SCOPE_AFTER =
  /\b(?:out of scope|outside (?:of )?(?:the|this)|beyond (?:the|this)|not part of|in a follow-up|for a follow-up|separate (?:task|issue|ticket|pr)|on purpose|by design|as (?:specified|requested|required))\b/i;

/** Before: what was, and is not said to be so still. */
export const PAST_BEFORE =
  /\b(?:previously|formerly|earlier|initially|originally|at first|at the start|used to|was|were|had|once)\b/i;

/** Before: what would be, and is not said to be so. */
export const CONDITIONAL_BEFORE =
  /\b(?:if|when|whenever|wherever|unless|whether|in case|until|would|could|might|may|should|must|so that|ma[kd]es? sure|ensur\w+|prevents?)\b/i;

/** Before: a program does, shows or looks for it. */
export const PROGRAM_BEFORE =
  /\b(?:check(?:s|ed|ing)?|search(?:ed|es|ing)?|grep\w*|scan\w*|look(?:s|ed|ing)? for|detect\w*|flag(?:s|ged)|reports?|reject\w*|warns?|match(?:es|ed)|prints?|returns?|throws?|raises?|logs?|shows?|displays?|says?|message|lint\w*|rule|responds?|documents?|documented|describes?|explains?)\b/i;

const FAILING_SUBJECT = '(?:tests?|specs?|test suites?|suites?|test cases?|test runs?)';
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
const FAILING_EXCEPT_BEFORE = [NEGATED_BEFORE, FIXED_BEFORE, PAST_BEFORE, CONDITIONAL_BEFORE, REVERTED];
const FAILING_EXCEPT_AFTER = [FIXED_AFTER, NOTHING_AFTER, MEANT_TO_FAIL];

const FAILING_IN_WORDS: readonly StatementPattern[] = [
  {
    pattern: new RegExp(String.raw`\b(?:tests|specs|(?:test )?suites?)${STILL}\s+fail(?:s|ed|ing)?\b`, 'gi'),
    exceptBefore: FAILING_EXCEPT_BEFORE,
    exceptAfter: FAILING_EXCEPT_AFTER,
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:test|spec|test case)${STILL}\s+(?:fails|failed|(?<=is )failing)\b`,
      'gi',
    ),
    exceptBefore: [...FAILING_EXCEPT_BEFORE, MADE_TO_FAIL],
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

/** Behind a number: what is counted is no test. */
const OTHER_THINGS =
  /^\s+(?:attempts?|log-?ins?|requests?|tries|retries|times|jobs?|calls?|payments?|connections?|deliver\w+|uploads?)\b/i;
const LIMIT = /\b(?:after|up to|more than|at least|at most|every|per|allows?)\s*$/i;

/** These count in a line that speaks of tests. */
const FAILING_IN_NUMBERS: readonly StatementPattern[] = [
  {
    pattern: new RegExp(
      String.raw`(?<![\w.-])[1-9][\d,]{0,9}\s+(?:${FAILING_SUBJECT}\s+|checks?\s+)?(?:failed|failing|failures?)\b`,
      'gi',
    ),
    exceptBefore: [...FAILING_EXCEPT_BEFORE, LIMIT],
    exceptAfter: [...FAILING_EXCEPT_AFTER, OTHER_THINGS],
  },
  {
    pattern: /\b(?:failed|failures?|failing)\s*[:=|]\s*[1-9]\d*\b(?!%)/gi,
    exceptBefore: FAILING_EXCEPT_BEFORE,
    exceptAfter: [FIXED_AFTER],
  },
];
const OF_TESTS = /\b(?:tests?|specs?|suites?|pass(?:ed|ing)?|skipped|assertions?|examples?)\b/i;

/** As runners begin a line. */
const FAILING_IN_OUTPUT =
  /^\s*(?:FAIL(?:ED|URES!)?\b|not ok \d|--- FAIL|[#ℹ] fail [1-9]|test result: FAILED)/;

/**
 * Whether a line says that tests fail now.
 *
 * @param prose without what it only quotes
 * @param next what follows it, where it ends as a heading does
 */
export function statesFailingTests(prose: string, next = ''): boolean {
  if (FAILING_IN_WORDS.some((sign) => states(prose, sign, next))) return true;
  return OF_TESTS.test(prose) && FAILING_IN_NUMBERS.some((sign) => states(prose, sign, next));
}

/** Whether a line of a message, or of the output of a test runner in it, says that tests fail. */
export function showsFailingTestLine(line: string): boolean {
  return FAILING_IN_OUTPUT.test(line) || statesFailingTests(line);
}

const PASSING_SUBJECT = '(?:tests?|specs?|test suites?|suites?|assertions|checks)';
const NOW = String.raw`(?:\s+(?:now|all|each|again|are|is|have|has|been|in \S+|for \S+|of \S+|still|both))*`;
const PASS = '(?:pass|passes|passed|passing|green|succeed|succeeds|succeeded)';

/** Before: they are meant to, or did once. */
const WISHED =
  /\b(?:will|make|making|let|get|need\w*|expect\w*|want|to|once|before|after|cannot|unable|previously|formerly|earlier|initially|originally|used to)\b/i;
const PASSING_EXCEPT_BEFORE = [NEGATED_BEFORE, CONDITIONAL_BEFORE, WISHED];
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

/** As runners print it: Jest and Vitest, Go, TAP and node:test, xUnit, Cargo, PHPUnit, RSpec and Maven, CTest. */
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

/** Whether a line of a message, or of the output of a test runner in it, says that tests pass. */
export function showsPassingTestLine(line: string): boolean {
  return (
    PASSING_IN_OUTPUT.some((sign) => sign.test(line)) || PASSING_IN_WORDS.some((sign) => states(line, sign))
  );
}
