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
export const FEW = String.raw`(?:\s+(?!(?:and|or)\b)[\w'/…-]+){0,5}\s*$`;

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
