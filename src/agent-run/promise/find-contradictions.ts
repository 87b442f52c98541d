import { type ContradictionKind, SIGNS } from './contradiction-signs.ts';
import { saysTestsFail, showsFailingTests } from './failing-tests.ts';
import { messageLines } from './message-lines.ts';
import { showsTestsThatPass } from './passing-tests.ts';
import { plainProse } from './plain-prose.ts';
import { tells } from './sign.ts';

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
  const lastPass = lines.findLastIndex(({ text }) => showsTestsThatPass(text) && !showsFailingTests(text));
  return lines.flatMap(({ number: line, text }, index): Contradiction[] => {
    const own = prose[index] ?? '';
    if (own === '') return [];
    const next = ENDS_OPEN.test(own)
      ? prose
          .slice(index + 1, index + 1 + REACH_LINES)
          .join(' ')
          .slice(0, REACH_CHARACTERS)
      : '';
    const sign = SIGNS.find(([, sign]) => tells(own, sign, next));
    // Where tests pass further down, those that failed did so before.
    const kind = sign?.[0] ?? (index > lastPass && saysTestsFail(own, next) ? 'tests-fail' : undefined);
    return kind === undefined ? [] : [{ kind, line, text: text.trim() }];
  });
}
