import { prefixOf, taskOf } from '../lines/prefix.ts';
import { withoutOrdinal, withoutTimeAtEnd } from './identity.ts';

/** A time in quotation marks, or behind a word of comparison, is a value: `expected 5 ms to be 7 ms`. */
const NO_VALUE =
  '(?<![\\w.:-]|["\'`“«<]|(?:\\b(?:expected|be|equals?|received|actual|got|was|than|want(?:ed)?)|[!=<>]=?)[:\\s]\\s{0,9})';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const DATE = `(?:\\d{4}[-/]\\d\\d[-/]\\d\\d|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:${MONTH} {1,2}\\d{1,2}|\\d{1,2} ${MONTH})(?:,? \\d{4})?)`;
const CLOCK = '\\d{1,2}:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|\\s?[+-]\\d\\d:?\\d\\d)?';
const UNIT =
  '(?:[nuµμ]?s|ms|m|h|secs?|mins?|hrs?|(?:nano|micro|milli)?seconds?|millis|minutes?|hours?)(?![\\w/])';

/** What differs between two runs of the same code, and what is shown instead. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '…'],
  // An address, and the hash of an object in Java.
  [/\b0x[\da-f]+\b|(?<=[\w$;])@[\da-f]{5,16}\b/gi, '…'],
  [new RegExp(`${NO_VALUE}${DATE}(?:[T ,]{1,2}${CLOCK})?(?!\\w)`, 'g'), '…'],
  [new RegExp(`${NO_VALUE}${CLOCK}`, 'g'), '…'],
  // Milliseconds since 1970.
  [new RegExp(`${NO_VALUE}1[5-9]\\d{11}\\b`, 'g'), '…'],
  [new RegExp(`${NO_VALUE}\\d+(?:[.,]\\d+)*\\s?${UNIT}`, 'g'), '…'],
  // How much of a time has passed.
  [/(?<![\w.])\d+(?:\.\d+)?(?: of |\/)…/g, '…'],
  [/\b(p?pid|process|seed)\b(?:[ :=#]{1,3}|\()-?\d+/gi, '$1 …'],
  [/\(node:\d+\)/g, '(node …)'],
  [/(worker|thread|fork|runner)(?: id)?[ :=#(-]{1,3}\d+|\b(pool)-\d+/gi, '$1$2 …'],
  // The ports that systems choose.
  [/(\bport\b\W{1,3}|(?:\blocalhost|\d\.\d{1,3}|\]|\*):)(?:3[2-9]|[45]\d|6[0-5])\d{3}\b/gi, '$1…'],
  [/\(?\b(?:retry|retries|attempt|try)[ #x:]{1,3}\d+(?:\s?(?:\/|of)\s?\d+)?\)?/gi, ''],
  // How far the run is.
  [/\[\s*\d+(?:\.\d+)?\s?%\]|\[\d+\/\d+\]|\(\d+\/\d+\)/g, ''],
];

const TEMPORARY = /(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)\/([^\s'"`:;,)\]}>]+)/g;
/** Lines move when others are edited. */
const PLACE =
  /(?<=\.[A-Za-z]\w{0,7}|file|[)\]"'])(?::\d+){1,2}(?![\w.])|(?<=\.[A-Za-z]\w{0,7})\(\d+(?:,\d+)?\)|:\[\d+,\d+\]|(?<=\bline )\d+|^\s*\d+:\d+(?=\s)/g;

/**
 * A line of output without what differs between two runs of the same code: times, addresses, generated names, ports that
 * the system chose, IDs of processes and workers, the progress and the order of the run, and places in files.
 */
export function withoutVarying(line: string): string {
  const prefix = prefixOf(line);
  let text = withoutOrdinal(line.slice(prefix.length)).replace(TEMPORARY, temporaryName);
  for (const [pattern, instead] of VARYING) text = text.replace(pattern, instead);
  text = withoutTimeAtEnd(text.replace(PLACE, ''));
  return `${taskOf(prefix).replace(/\d+/g, '…')} ${text}`.replace(/\s+/g, ' ').trim();
}

/**
 * The first name below a temporary directory is generated (`tmp.Iq3fGhJk2L` by `mktemp`); without an extension, the last one
 * may be.
 */
function temporaryName(_path: string, below: string): string {
  const name = below.slice(below.lastIndexOf('/') + 1);
  if (name === below) return `/tmp/…${/\.[a-z]\w{0,7}$/i.exec(name)?.[0] ?? ''}`;
  return `/tmp/…/${name.includes('.') ? name : ''}`;
}
