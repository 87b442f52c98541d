import { type MessageLine, messageLines, plainProse } from '../../gates/words/message.ts';
import {
  CONDITIONAL_BEFORE,
  EXCEPT,
  EXCEPTION_INTENDED_AFTER,
  FIXED_AFTER,
  FIXED_BEFORE,
  NEGATED_BEFORE,
  NOTHING_AFTER,
  OUT_OF_SCOPE_AFTER,
  PAST_BEFORE,
  PROGRAM_BEFORE,
  type StatementPattern,
  states,
} from '../../gates/words/statements.ts';
import { showsFailingTestLine, showsPassingTestLine, statesFailingTests } from './statements.ts';

type ContradictionKind =
  | 'todo'
  | 'fixme'
  | 'not-done'
  | 'still-to-do'
  | 'remaining-work'
  | 'blocked'
  | 'cannot-complete'
  | 'exception'
  | 'tests-fail';

/** A line of a message that says that the work is not done. */
export interface Contradiction {
  readonly kind: ContradictionKind;
  /** From 1. */
  readonly line: number;
  /** The whole line, trimmed. */
  readonly text: string;
}

/** Before the match: somebody else needs to do it. */
const OTHERS_BEFORE =
  /\b(?:you|users?|callers?|clients?|consumers?|customers?|developers?|operators?|admins?|they|people|anyone|who|deployments?)(?:\s+(?:will|may|then|now))?\s*$/i;
const BEFORE = [NEGATED_BEFORE, FIXED_BEFORE, CONDITIONAL_BEFORE];
const AFTER = [FIXED_AFTER, NOTHING_AFTER, OUT_OF_SCOPE_AFTER];
/** For `TODO:` and `FIXME:`. After the match: the sentence is about such marks in general. */
const MARK_EXCEPTIONS: Pick<StatementPattern, 'exceptBefore' | 'exceptAfter'> = {
  exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE, /\bconsidered\b/i],
  exceptAfter: [...AFTER, /^\s*(?:comments?|markers?|marks|tags?|annotations?|lines|placeholders?)\b/i],
};
/** The second mark of a list does not count: "no TODO: or FIXME: is left". */
const FIRST = String.raw`(?<!\b(?:TODO|FIXME|XXX|HACK)s?:?[,/ ]+(?:(?:or|and|nor) )?)`;

const I = String.raw`(?:^|[^\w\s]\s*|\b(?:I|we|I'm|we're|but|and|so|therefore|unfortunately|however)\b(?:\s+(?:am|are|was|were|still|therefore|also|honestly|currently|really|simply|thus|yet|unfortunately|now))*\s*)`;
const CANNOT =
  "(?:cannot|can't|can not|could not|couldn't|unable to|not able to|not ready to|have(?: not|n't) been able to)";
const YET = '(?:yet|currently|honestly|truthfully|fully)';
const WORK =
  '(?:this|it|that|task|work|progress|step|implementation|stage|story|ticket|feature|migration|deployment|release|tests|rest|completion)';
const NOW = '(?:\\s+(?:currently|still|now|completely|fully|being))*';

/** The specification does not ask for it. */
const NOT_ASKED_AFTER =
  /\b(?:does(?:n't| not)|did(?:n't| not)) (?:ask|require|need|mention|want)|\bnot (?:asked|required|requested|needed|necessary|part)\b|\bno need\b|\bunnecessary\b/i;
/** "anything else", "my own parser", "but reused". */
const OTHER_WORK_AFTER =
  /^\s+(?:anything|any (?:other|further|additional|new|extra)|(?:my|our|its|an?) (?:own|new|separate|custom|second)|so\b|that\b)|\binstead\b|\bbut (?:re)?used?\b/i;
const UNTIL_AFTER = /^[^.]*\b(?:until|unless|before|without|when|if)\b/i;
/** "methods that are not implemented": which ones, not that there are some. */
const RELATIVE_BEFORE = /\S\s+(?:that|which)\s*$/i;
const NOT_DONE_AFTER = [FIXED_AFTER, OUT_OF_SCOPE_AFTER, NOT_ASKED_AFTER];
const NOT = String.raw`(?:\s+not|n't)`;
const BLOCKED = String.raw`\b(?:is|are|remains?)(?:\s+(?:still|currently|now))*\s+blocked`;

/** The first pattern that matches a line determines its kind. */
const CONTRADICTION_PATTERNS: readonly (readonly [ContradictionKind, StatementPattern])[] = [
  ['todo', { pattern: new RegExp(String.raw`${FIRST}\bTODO(?:\([^()]{0,80}\))?:`, 'g'), ...MARK_EXCEPTIONS }],
  [
    'fixme',
    { pattern: new RegExp(String.raw`${FIRST}\bFIXME(?:\([^()]{0,80}\))?:`, 'g'), ...MARK_EXCEPTIONS },
  ],
  [
    'not-done',
    {
      pattern:
        /\b(?:not|n't|hasn't|haven't|isn't|aren't)\s+(?:been\s+)?yet\s+(?:been\s+|fully\s+)?(?:implemented|done|complete|completed|finished)\b|(?:\bnot|n't)\s+(?:been\s+)?(?:fully\s+)?(?:implemented|done|complete|completed|finished)\s+yet\b|\byet to be (?:implemented|done|completed|finished)\b/gi,
      exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE],
      exceptAfter: AFTER,
    },
  ],
  [
    'not-done',
    {
      pattern: new RegExp(
        String.raw`\b(?:I|we)(?:\s+(?:still|also|currently))*(?:(?:\s+(?:have|did)(?:\s+still)?)${NOT}|'ve not)\s+(?:(?:yet|fully|completely|actually)\s+)*(?:implement(?:ed)?|finish(?:ed)?|completed?|done)\b`,
        'gi',
      ),
      exceptBefore: [CONDITIONAL_BEFORE, PAST_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, OTHER_WORK_AFTER],
    },
  ],
  [
    'not-done',
    {
      pattern: new RegExp(
        String.raw`\b(?:is|are|has|have)${NOT}(?:\s+been)?(?:\s+(?:yet|fully|completely|currently|actually))*\s+implemented\b`,
        'gi',
      ),
      exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE, RELATIVE_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, /^\s+by\b/i],
    },
  ],
  [
    'not-done',
    {
      pattern: new RegExp(
        String.raw`\b(?:(?:I am|I'm|we are|we're)(?:\s+(?:still|currently))*\s+not|(?:task|work|implementation|stage|story|ticket|feature|migration|refactoring)\s+(?:is|are)${NOT})(?:\s+(?:yet|fully|completely|quite))*\s+(?:done|finished|completed?)\b`,
        'gi',
      ),
      exceptBefore: [...BEFORE, PAST_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, UNTIL_AFTER],
    },
  ],
  [
    'not-done',
    {
      pattern: /^[\s#>*+-]*not(?: yet)? (?:implemented|done|finished|completed)\b(?=\s*(?:[:|]|$))/gi,
      exceptAfter: [NOTHING_AFTER, OUT_OF_SCOPE_AFTER],
    },
  ],
  [
    'not-done',
    {
      pattern:
        /\b(?:is|are|remains?|left)(?:\s+(?:still|currently|only))*\s+(?:unimplemented|unfinished|(?:partially|partly|half) (?:implemented|done|finished))\b|\b(?:task|work|implementation|step|stage|story|ticket|feature|migration|refactoring) (?:is|remains)(?: still)? incomplete\b/gi,
      exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE, RELATIVE_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, UNTIL_AFTER],
    },
  ],
  [
    'not-done',
    {
      pattern: /\b(?:is|are) still missing\b/gi,
      exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, /^\s+(?:in|from|when|if)\b/i],
    },
  ],
  [
    'exception',
    {
      pattern: new RegExp(
        String.raw`\b(?:(?:everything|(?:all|every|each)(?:\s+[\w-]+){0,3}?\s+(?:tests?|specs?|checks?|gates?|suites?|builds?))\s+pass(?:es)?|(?:all|every|everything|each)(?:\s+[\w-]+){0,4}?\s+(?:works?|(?:is|are|was|were|has been|have been)(?:\s+(?:now|already|fully))*\s+(?:done|completed?|finished|implemented|working|ready|green))|nothing(?: else)? (?:remains|is left|is missing|is open|left)(?: to be done| to do)?|no (?:remaining|open|outstanding|further|more) (?:work|tasks?|steps?|items?|todos?|issues)(?: (?:is|are) left)?|no (?:work|tasks?|steps?|items?) (?:remains?|(?:is|are) left))${EXCEPT}(?!\w)`,
        'gi',
      ),
      exceptBefore: [CONDITIONAL_BEFORE, PAST_BEFORE],
      exceptAfter: [...NOT_DONE_AFTER, EXCEPTION_INTENDED_AFTER],
    },
  ],
  [
    'still-to-do',
    {
      pattern:
        /\bstill\s+(?:needs?|have|has)\s+to\b|\bstill\s+needs?\s+(?:work|fixing|implementing|tests|testing)\b/gi,
      exceptBefore: [...BEFORE, OTHERS_BEFORE, PROGRAM_BEFORE],
      exceptAfter: AFTER,
    },
  ],
  [
    'remaining-work',
    {
      pattern:
        /\bremaining (?:work|tasks?|steps?|items?|todos?)\b|\b(?:work|tasks?|steps?|items?) (?:still )?(?:remains?|remaining)\b|\b(?:much|more|a lot|some) remains to be done\b|\bwhat (?:still )?(?:remains|is left)(?= is\b|:)/gi,
      exceptBefore: [...BEFORE, PAST_BEFORE],
      exceptAfter: AFTER,
    },
  ],
  [
    'blocked',
    {
      pattern: new RegExp(
        String.raw`(?:^[\s#>*+-]*|[.:;,(–—]\s+|\b(?:I am|I'm|we are|we're|it's|${WORK} (?:is|remains))${NOW}\s+|\b(?:tests|currently|still)(?: are)?\s+)blocked (?:by|on)\b`,
        'gi',
      ),
      exceptBefore: [...BEFORE, PAST_BEFORE],
      exceptAfter: [...AFTER, /\bbefore\b/i],
    },
  ],
  [
    'blocked',
    {
      pattern: new RegExp(
        String.raw`${BLOCKED} (?:by|on)\s+(?:(?:an?|the|its|our|some)\s+)?(?:missing|lack|failing|unavailable|unresolved|pending|open|upstream|TASK\b|issue|ticket|#\d)`,
        'gi',
      ),
      exceptBefore: [...BEFORE, PAST_BEFORE],
      exceptAfter: [...AFTER, /\bbefore\b/i],
    },
  ],
  [
    'blocked',
    {
      // In contrast to something that is done, "the API is blocked" is about the work, not about what the program does.
      pattern: new RegExp(
        String.raw`(?<=\b(?:but|however|though|although),?\s(?:(?!requests?|users?|accounts?|clients?|calls?|threads?|connections?|attempts?)[\w'-]+\s){0,6})${BLOCKED}\b`,
        'gi',
      ),
      exceptBefore: [...BEFORE, PAST_BEFORE],
      exceptAfter: [...AFTER, /^\s+(?:after|when|if|until|unless|for)\b/i],
    },
  ],
  [
    'cannot-complete',
    {
      pattern: new RegExp(
        String.raw`${I}(?:${CANNOT}|failed to|did not manage to|didn't manage to)\s+(?:${YET}\s+)?(?:implement|(?:get|make)\s+(?:[\w.'…-]+\s+){1,6}?(?:to\s+)?(?:pass|work|working|compile|run|build|succeed|green))\b`,
        'gi',
      ),
      exceptBefore: [/\b(?:if|whether|when|unless|nothing|previously|earlier|initially|at first)\b/i],
      exceptAfter: [...NOT_DONE_AFTER, /\b(?:until|without|before)\b|[,;] (?:so|but|then|now)\b/i],
    },
  ],
  [
    'cannot-complete',
    {
      pattern: new RegExp(
        String.raw`${I}${CANNOT}\s+(?:${YET}\s+)?(?:complete|finish|claim|declare|promise|output the (?:completion )?promise|mark (?:this|it|the task)|call (?:this|it))\b|\b${WORK} (?:cannot|can't|could not|couldn't) be (?:completed|finished)\b`,
        'gi',
      ),
      exceptBefore: [/\b(?:if|whether|when|unless|nothing|previously|earlier|initially|at first)\b/i],
      exceptAfter: [FIXED_AFTER, OUT_OF_SCOPE_AFTER],
    },
  ],
];

/** A label or a heading, which the next line completes. */
const INCOMPLETE = /^\s*#|[:|]$/;
/** The lines after a heading that are read with it: an empty line, and the one that completes it. */
const LOOKAHEAD_LINES = 2;
const LOOKAHEAD_CHARACTERS = 300;
/** An item that is ticked off. */
const DONE_ITEM = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(?:\[[xX]\]|[✅✓✔☑])/u;

/**
 * Finds the lines of an agent's last message that say that the work is not done, in order. A statement that is negated,
 * fixed, conditional or only quoted (code, quotation marks, `>`) does not count. In doubt nothing is found: denying a
 * true promise costs an iteration, while the gates detect a false one.
 */
export function findContradictions(message: string): Contradiction[] {
  const lines = joinWrapped(messageLines(message));
  const prose = lines.map(({ text, place }) =>
    place === 'prose' && !DONE_ITEM.test(text) ? plainProse(text).trimEnd() : '',
  );
  const lastPass = lines.findLastIndex(
    ({ text }) => showsPassingTestLine(text) && !showsFailingTestLine(text),
  );
  return lines.flatMap(({ number: line, text }, index): Contradiction[] => {
    const words = prose[index] ?? '';
    if (words === '') return [];
    const following = prose.slice(index + 1, index + 1 + LOOKAHEAD_LINES).join(' ');
    const next = INCOMPLETE.test(words) ? following.slice(0, LOOKAHEAD_CHARACTERS) : '';
    const found = CONTRADICTION_PATTERNS.find(([, pattern]) => states(words, pattern, next));
    // Failing tests above passing tests have been fixed.
    const kind =
      found?.[0] ?? (index > lastPass && statesFailingTests(words, next) ? 'tests-fail' : undefined);
    return kind === undefined ? [] : [{ kind, line, text: text.trim() }];
  });
}

/** A line that the next one may continue: no heading, no table, and no end of a sentence. */
const OPEN_LINE = /^(?!\s*#).*[^\s.!?:;|]\s*$/;
const CONTINUATION = /^\s*(?:[a-z]|(?:TODO|FIXME)\b)/;

/** Joins the lines of a sentence that is wrapped: a negation may be in the line before. */
function joinWrapped(lines: readonly MessageLine[]): MessageLine[] {
  const joined: { first: MessageLine; texts: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    const isWrapped =
      above?.place === 'prose' &&
      line.place === 'prose' &&
      OPEN_LINE.test(above.text) &&
      CONTINUATION.test(line.text);
    if (isWrapped) joined.at(-1)?.texts.push(line.text);
    else joined.push({ first: line, texts: [line.text] });
  }
  return joined.map(({ first, texts }) => ({ ...first, text: texts.join(' ') }));
}
