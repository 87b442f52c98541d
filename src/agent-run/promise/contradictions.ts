import { messageLines, plainProse } from './message.ts';
import {
  CONDITIONAL_BEFORE,
  FIXED_AFTER,
  FIXED_BEFORE,
  NEGATED_BEFORE,
  NOTHING_AFTER,
  OUT_OF_SCOPE_AFTER,
  PAST_BEFORE,
  PROGRAM_BEFORE,
  type StatementPattern,
  showsFailingTestLine,
  showsPassingTestLine,
  states,
  statesFailingTests,
} from './statements.ts';

type ContradictionKind =
  | 'todo'
  | 'fixme'
  | 'not-yet-done'
  | 'still-to-do'
  | 'remaining-work'
  | 'blocked'
  | 'cannot-complete'
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
const CANNOT = "(?:cannot|can't|can not|could not|couldn't|unable to|not able to|not ready to)";
const YET = '(?:yet|currently|honestly|truthfully|fully)';
const WORK =
  '(?:this|it|that|task|work|progress|step|implementation|stage|story|ticket|feature|migration|deployment|release|tests|rest|completion)';
const NOW = '(?:\\s+(?:currently|still|now|completely|fully|being))*';

/** The first pattern that matches a line determines its kind. */
const CONTRADICTION_PATTERNS: readonly (readonly [ContradictionKind, StatementPattern])[] = [
  ['todo', { pattern: new RegExp(String.raw`${FIRST}\bTODO(?:\([^()]{0,80}\))?:`, 'g'), ...MARK_EXCEPTIONS }],
  [
    'fixme',
    { pattern: new RegExp(String.raw`${FIRST}\bFIXME(?:\([^()]{0,80}\))?:`, 'g'), ...MARK_EXCEPTIONS },
  ],
  [
    'not-yet-done',
    {
      pattern:
        /\b(?:not|n't|hasn't|haven't|isn't|aren't)\s+(?:been\s+)?yet\s+(?:been\s+|fully\s+)?(?:implemented|done|complete|completed|finished)\b|(?:\bnot|n't)\s+(?:been\s+)?(?:fully\s+)?(?:implemented|done|complete|completed|finished)\s+yet\b|\byet to be (?:implemented|done|completed|finished)\b/gi,
      exceptBefore: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE],
      exceptAfter: AFTER,
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
  const lines = messageLines(message);
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
