import { messageLines, plainProse } from './message.ts';
import { CONDITIONAL_BEFORE, FEW, states } from './statements.ts';
import { NOT_SAID } from './taken-back.ts';

/** A marker in a line is replaced by its index between these, because it may have any characters. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
/** Markers that are stated, or denied, together. */
const LIST = new RegExp(
  String.raw`${OPEN}\d+${CLOSE}(?:[\s,/&+]*(?:\b(?:and|or|nor)\b\s*)?${OPEN}\d+${CLOSE})*`,
  'g',
);

const NOT_MET =
  '(?:missing|pending|outstanding|unmet|incomplete|withheld|blocked|skipped|premature|untrue|false|wrong|open)';

/** A label such as "Missing completion markers:". */
const DENYING_LABEL = new RegExp(
  String.raw`(?:\b(?:${NOT_MET}|remaining|to ?do)\b|(?:\b(?:not|never|cannot|unable)|n't)\s+(?:\w+\s+){0,3}?(?:reach|earn|done|met|run|complete|finish|achiev|pass|claim|satisf|output|writ|stat|giv|print|say|yet)\w*)[^:.!?;]{0,80}:[\s*_-]*$`,
  'i',
);
const DENIED_BEFORE = [
  NOT_SAID,
  CONDITIONAL_BEFORE,
  new RegExp(
    String.raw`(?:\b(?:not|never|cannot|unable|refuse|instead of|rather than|without|neither|nor|before|${NOT_MET})|n't)(?:${FEW}|\s*$)`,
    'i',
  ),
  /\b(?:no|zero|any)\s+(?:(?:the|completion|marker|final)\s+)*$/i,
  // Something that is asked for, or is to come.
  /\b(?:ask(?:s|ed)?|wants?|wanted|expects?|expected|requires?|required|requested|told|needs?|needed|waits?|waiting|going|will|shall)\b|'ll\b/i,
];
const DENIED_AFTER = [
  new RegExp(
    String.raw`^\W*(?:marker\s+)?(?:(?:is|are|was|were)\s+(?:(?:still|currently|now|also|all|both|yet)\s+)*)?(?:not\b(?! (?:a|one)\b)|never\b|cannot\b|${NOT_MET}\b|fail\w*|to ?do\b|no\W*$|[❌✗✘])`,
    'i',
  ),
  /^\W*(?:marker\s+)?(?:\w+(?:n't|\s+not)\b|(?:will|would|should|must|may|might|means?|stands|requires?|states)\b)/i,
  /^\W*(?:only|once|when|if|unless|until|as soon as|later)\b/i,
];

/**
 * The markers that the agent states in a message. One in code, in a quotation, in a question, in a sentence that denies
 * it, or in a list of what is missing is not stated. Where it is both stated and denied, the last one counts.
 */
export function statedMarkers(message: string, markers: readonly string[]): string[] {
  const lines = proseOf(message, markers);
  const stated = new Map<string, boolean>();
  for (const [index, line] of lines.entries())
    for (const { 0: list, index: at } of line.matchAll(LIST)) {
      const end = at + list.length;
      const above = at < CONTEXT ? contextAbove(lines, index, line.slice(0, at)) : '';
      const before = (above + line.slice(Math.max(0, at - CONTEXT), at)).slice(-CONTEXT);
      const below = end === line.length ? (lines[index + 1] ?? '') : '';
      const after = `${line.slice(end, end + CONTEXT)} ${below.slice(0, CONTEXT)}`;
      const isStated = !isDenied(before, list, after);
      for (const [, marker] of list.matchAll(MARKER)) stated.set(markers[Number(marker)] ?? '', isStated);
    }
  return markers.filter((marker) => stated.get(marker));
}

/** How far around a marker the sentence is looked for. A line may be megabytes long. */
const CONTEXT = 300;
/** A list may be as long. */
const CONTEXT_LINES = 50;
const MARKER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g');

function isDenied(before: string, list: string, after: string): boolean {
  const pattern = new RegExp(list, 'g');
  return (
    DENYING_LABEL.test(before) ||
    !states(before + list + after, { pattern, exceptBefore: DENIED_BEFORE, exceptAfter: DENIED_AFTER })
  );
}

/** The agent's own words, line by line, with its markers replaced; empty where a line has none. */
function proseOf(message: string, markers: readonly string[]): string[] {
  const longestFirst = [...markers].sort((a, b) => b.length - a.length);
  const marker = new RegExp(`(?<![\\w-])(?:${longestFirst.map(escaped).join('|')})(?![\\w-])`, 'g');
  return messageLines(withoutComments(message)).map(({ text, place }) =>
    place === 'prose'
      ? plainProse(text.replace(marker, (found) => OPEN + markers.indexOf(found) + CLOSE)).trimEnd()
      : '',
  );
}

/** Markdown does not show comments of HTML. */
function withoutComments(message: string): string {
  const [shown = '', ...rest] = message.split('<!--');
  const parts = rest.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''));
  return shown + parts.join('');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A line with nothing but markers, as in a list. */
const ITEM = new RegExp(`^[\\s>*+.,\\d)-]*(?:${OPEN}\\d+${CLOSE}[\\s,.]*)*$`);
const OPEN_END = /[^.!?;|]$/;

/** The sentence or the label in the lines above, which markers at the beginning of a line continue. */
function contextAbove(lines: readonly string[], index: number, before: string): string {
  if (!ITEM.test(before)) return '';
  for (let above = index - 1; above >= Math.max(0, index - CONTEXT_LINES); above--) {
    const line = lines[above] ?? '';
    if (line !== '' && !ITEM.test(line)) {
      const isNext = above === index - 1 && OPEN_END.test(line);
      return isNext || line.endsWith(':') ? `${line} ` : '';
    }
  }
  return '';
}
