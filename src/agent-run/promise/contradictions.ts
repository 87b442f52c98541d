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

/** A line of a message that says the work is not done. */
export interface Contradiction {
  readonly kind: ContradictionKind | 'tests-fail';
  /** From 1. */
  readonly line: number;
  /** The whole line, trimmed. */
  readonly text: string;
}

/** A label or a heading that the next line fills. */
const ENDS_OPEN = /^\s*#|[:|]$/;
/** A heading, an empty line, what fills it. */
const REACH_LINES = 2;
const REACH_CHARACTERS = 300;
/** An item that is ticked off. */
const DONE_ITEM = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(?:\[[xX]\]|[✅✓✔☑])/u;

/**
 * The lines of an agent's final message that say that the work is not done, one contradiction a line, in order. What is
 * negated, put right, supposed, or only quoted (fences, inline code, quotation marks, `>`) is none: where in doubt there
 * is none, since a true promise that is denied costs an iteration, and a false one is found out by the gates.
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
    const own = prose[index] ?? '';
    if (own === '') return [];
    const next = ENDS_OPEN.test(own)
      ? prose
          .slice(index + 1, index + 1 + REACH_LINES)
          .join(' ')
          .slice(0, REACH_CHARACTERS)
      : '';
    const sign = CONTRADICTION_PATTERNS.find(([, sign]) => states(own, sign, next));
    // Where tests pass further down, those that failed did so before.
    const kind = sign?.[0] ?? (index > lastPass && statesFailingTests(own, next) ? 'tests-fail' : undefined);
    return kind === undefined ? [] : [{ kind, line, text: text.trim() }];
  });
}

/** What may be said against a promise, beside that tests fail. */
export type ContradictionKind =
  | 'todo'
  | 'fixme'
  | 'not-yet-done'
  | 'still-to-do'
  | 'remaining-work'
  | 'blocked'
  | 'cannot-complete';

/** Before: it is others who need to. */
const OF_OTHERS =
  /\b(?:you|users?|callers?|clients?|consumers?|customers?|developers?|operators?|admins?|they|people|anyone|who|deployments?)(?:\s+(?:will|may|then|now))?\s*$/i;
const BEFORE = [NEGATED_BEFORE, FIXED_BEFORE, CONDITIONAL_BEFORE];
const AFTER = [FIXED_AFTER, NOTHING_AFTER, OUT_OF_SCOPE_AFTER];
const OF_MARK = {
  before: [...BEFORE, PAST_BEFORE, PROGRAM_BEFORE, /\bconsidered\b/i],
  // Of marks in general.
  after: [...AFTER, /^\s*(?:comments?|markers?|marks|tags?|annotations?|lines|placeholders?)\b/i],
};
/** A mark behind another one is its companion: "no TODO: or FIXME: is left". */
const FIRST = String.raw`(?<!\b(?:TODO|FIXME|XXX|HACK)s?:?[,/ ]+(?:(?:or|and|nor) )?)`;

const I = String.raw`(?:^|[^\w\s]\s*|\b(?:I|we|I'm|we're|but|and|so|therefore|unfortunately|however)\b(?:\s+(?:am|are|was|were|still|therefore|also|honestly|currently|really|simply|thus|yet|unfortunately|now))*\s*)`;
const CANNOT = "(?:cannot|can't|can not|could not|couldn't|unable to|not able to|not ready to)";
const YET = '(?:yet|currently|honestly|truthfully|fully)';
const WORK =
  '(?:this|it|that|task|work|progress|step|implementation|stage|story|ticket|feature|migration|deployment|release|tests|rest|completion)';
const NOW = '(?:\\s+(?:currently|still|now|completely|fully|being))*';

/** Where a line has several, the first one counts. */
export const CONTRADICTION_PATTERNS: readonly (readonly [ContradictionKind, StatementPattern])[] = [
  ['todo', { pattern: new RegExp(String.raw`${FIRST}\bTODO(?:\([^()]{0,80}\))?:`, 'g'), ...OF_MARK }],
  ['fixme', { pattern: new RegExp(String.raw`${FIRST}\bFIXME(?:\([^()]{0,80}\))?:`, 'g'), ...OF_MARK }],
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
      exceptBefore: [...BEFORE, OF_OTHERS, PROGRAM_BEFORE],
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
