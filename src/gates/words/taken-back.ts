import type { MessageLine } from './message.ts';

const SAY =
  '(?:output|write|writing|print|printing|say|saying|claim|promise|declare|give|giving|emit|state|send)';
const SAID = String.raw`\b${SAY}(?:\s+(?:the|this|my|a|exact|completion|promise|following|line|text|tag|phrase|yet|now|here|that|it))*\s*[:,–-]?\s*$`;
/** The end of a sentence whose object follows, such as a promise, and which does not make it. */
export const NOT_SAID = new RegExp(
  String.raw`(?:\b(?:not|never|cannot|unable|refuse|without|instead of|rather than)|n't)\s+(?:(?:yet|be|able|going|ready|willing|allowed|to|honestly|truthfully|just|simply|therefore|currently|now|really)\s+){0,4}${SAID}|\b(?:before|until|once|when|if)\s+(?:I|we|you)\s+(?:\w+\s+)?${SAID}`,
  'i',
);
/** The end of a sentence whose object follows. */
const SAYING = new RegExp(SAID, 'i');
const CONDITION_BELOW = /^(?:only|once|when|until|unless|if|after|as soon as|later|yet)\b/;
const DENIAL_BELOW =
  /^(?:is|was|would be|would|will be)(?:\s+not\b|n't\b|\s+(?:be )?(?:a lie|false|untrue|wrong|premature))/;
/** A sentence is wrapped into so many lines at most. */
const SENTENCE_LINES = 4;

/** Whether the sentence around a line, such as a promise, says that it is not meant. */
export function isTakenBack(lines: readonly MessageLine[], index: number): boolean {
  const near = (from: number, to: number) =>
    lines
      .slice(Math.max(0, from), to)
      .map(({ text }) => text.trim())
      .filter((text) => text !== '');
  const above = near(index - SENTENCE_LINES, index)
    .join(' ')
    .slice(-300)
    .replace(/^.*[.!?](?=\s|$)/s, '');
  const [below = ''] = near(index + 1, index + 1 + SENTENCE_LINES);
  return (
    NOT_SAID.test(above) || DENIAL_BELOW.test(below) || (SAYING.test(above) && CONDITION_BELOW.test(below))
  );
}
