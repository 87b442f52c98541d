import { messageLines, plainProse } from '../../gates/words/message.ts';
import {
  CONDITIONAL_BEFORE,
  NEGATED_BEFORE,
  type StatementPattern,
  states,
} from '../../gates/words/statements.ts';
import { showsFailingTestLine, showsPassingTestLine } from './statements.ts';

/**
 * Whether a message shows passing tests, in words or as the output of a test runner. It does not if tests fail in the
 * same paragraph or further down.
 */
export function showsPassingTests(message: string): boolean {
  const lines = messageLines(message).filter(({ place }) => place !== 'quotation');
  const lastFailing = lines.findLastIndex(({ text }) => showsFailingTestLine(text));
  const since = lines.slice(lastFailing + 1);
  const paragraphEnd = lastFailing === -1 ? 0 : since.findIndex(({ text }) => text.trim() === '');
  return paragraphEnd !== -1 && since.slice(paragraphEnd).some(({ text }) => showsPassingTestLine(text));
}

const CHANGES: StatementPattern = {
  pattern:
    /\b(?:committed|created|added|wrote|written|changed|modified|edited|updated|implemented|rewrote|refactored|moved|renamed|deleted|removed|fixed|repaired)\b|^\[\S+(?: \(root-commit\))? [0-9a-f]{7,40}\]/gi,
  exceptBefore: [NEGATED_BEFORE, CONDITIONAL_BEFORE, /\b(?:to be|will be|already)\s*$/i],
  exceptAfter: [/^\s*nothing\b/i],
};

/** Whether a message states that something was committed or changed. It is the only evidence without git. */
export function showsChanges(message: string): boolean {
  return messageLines(message).some(
    ({ text, place }) => place !== 'quotation' && states(plainProse(text), CHANGES),
  );
}

/** The approval is requested, or expected from somebody else. */
const REQUESTED_BEFORE =
  /\b(?:will|to|please|pending|await\w*|need\w*|cannot|can't|unable|ready|once|before|until|you|previously|earlier)\b/i;
const APPROVAL: StatementPattern = {
  pattern: /\b(?:approved?|lgtm|review passed|(?:looks|look) good to me)\b/gi,
  exceptBefore: [NEGATED_BEFORE, CONDITIONAL_BEFORE, REQUESTED_BEFORE],
  exceptAfter: [
    /^\s*(?:once|if|when|after|provided|pending|unless|until|subject to|on condition|conditional\w*|except|but|by|users?|requests?|orders?|only)\b/i,
    /^\W*(?:no\W*$|false\b|pending\b|not\b|❌)/i,
  ],
};
const REJECTION: StatementPattern = {
  pattern:
    /\b(?:not approved?|not (?:yet )?approv(?:ed|ing)|(?:cannot|can't|can not|won't|don't|do not|unable to|not able to) approve|changes (?:are )?requested|request(?:ing)? changes|changes (?:are )?required|review failed|rejected|disapproved?|not lgtm)\b/gi,
  exceptBefore: [
    /\b(?:no|zero|without|previously|earlier|all|the|if|when|unless|would)(?:\s+[\w-]+){0,2}\s*$/i,
  ],
  exceptAfter: [
    /^\W*(?:none|no\b|nothing|0\b)/i,
    /\b(?:was|were|been|are|is|now)(?:\s+(?:now|all|since))*\s+(?:made|done|addressed|resolved|fixed|implemented|in)\b/i,
  ],
};

/** Whether a message approves the reviewed work. It does not if it rejects any part of it. */
export function showsApproval(message: string): boolean {
  const prose = messageLines(message)
    .filter(({ place }) => place === 'prose')
    // The verdict may be in backticks.
    .map(({ text }) => plainProse(text.replaceAll('`', '')));
  return prose.some((line) => states(line, APPROVAL)) && !prose.some((line) => states(line, REJECTION));
}
