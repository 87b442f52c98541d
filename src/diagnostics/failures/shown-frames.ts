/** Which frames of a stack are shown: those of the project, and few others. */

import { classificationOf, severityOf } from '../lines/classify.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { SEVERITY } from '../lines/rules.ts';
import { isDependencyFrame, isExternalFrame, isFrame, stackIndentOf } from '../lines/stack-frames.ts';
import {
  indentOf,
  introducesNext,
  isCaret,
  isPlaceOnly,
  isSyntaxError,
  namesPlace,
} from '../lines/structure.ts';
import type { FailureBlock, Line } from './failure.ts';
import type { Outline } from './outline.ts';
import { isCommand } from './steps.ts';

/** The lines of a stack without those of external frames: a frame may have a line for its name and one for its place. */
export function ownLines(lines: readonly Line[]): Line[] {
  const own: Line[] = [];
  let externalIndent: number | undefined;
  for (const line of lines) {
    const said = withoutPrefix(line.text);
    const indent = stackIndentOf(said);
    if (isExternalFrame(said)) {
      externalIndent = indent;
      dropNameOf(line, own);
    } else if (
      externalIndent === undefined ||
      indent <= externalIndent ||
      (isFrame(said) && namesPlace(said))
    ) {
      externalIndent = undefined;
      own.push(line);
    }
  }
  return own;
}

/** A frame with an offset in a program, not with a place. */
const OFFSET = /^\s*#\d+ .*\(\S+\+0x[\da-f]+\)/;

/**
 * Without the outermost frames of a stack that have an offset only, if others have a place: the project is compiled with
 * places, and what calls it, such as a fuzzer, is not.
 */
export function withoutOffsets(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  /** Whether a frame of the stack that is being read has a place. */
  let hasPlace = false;
  for (const line of lines) {
    const isPlace = namesPlace(line.text);
    if (hasPlace && !isPlace && OFFSET.test(line.text)) continue;
    hasPlace = isFrame(line.text) && (hasPlace || isPlace);
    kept.push(line);
  }
  return kept;
}

/**
 * Without the callers in a stack that were shown before, in another one: the innermost frame says where this one is from.
 * A frame with its source, or its name, on a line of its own stays.
 */
export function withoutCallersAgain(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  const said = lines.map(({ text }) => withoutPrefix(text));
  return lines.filter((_, index) => {
    const [above = '', frame = '', below = ''] = [said[index - 1], said[index], said[index + 1]];
    if (!isFrame(frame)) return true;
    const isKnown = seen.has(frame);
    seen.add(frame);
    const indent = stackIndentOf(frame);
    const isCaller = isFrame(above) && stackIndentOf(above) === indent;
    return !(isKnown && isCaller && stackIndentOf(below) <= indent);
  });
}

/** Where a thread of Rust has panicked, and the frames below: the name of a function, and its place. */
const PANIC = /\bpanicked at (\S+?):(\d+)(?::\d+)?:?$/;
const STACK = /^\s*stack backtrace:$/;
const FUNCTION = /^\s*\d+: (\S.*?)(?:::\{\{closure\}\})*$/;
const PLACE_OF_FUNCTION = /^\s+at (?:\.\/)?(\S+?):(\d+)(?::\d+)?$/;

/** A place before a message, and one behind the name of a member. */
const BEFORE_MESSAGE = /^\s*(?:\.\/)?([^\s:]+\.\w+:\d+): \S/;
const MEMBER_AT = /^\s*at: (?:.*[\s(/])?([^\s(/]+:\d+:\d+)\)?$/;
/** What introduces a stack, of Lua and in YAML. */
const STACK_BELOW = /^\s*(?:stack traceback:|stack: [|>]-?)$/;
const ERROR_NAME = /^\s*\w*Error: /;

/** The positions of a stack at one place that the lines above it have too, with what introduces it, and its message. */
function stackAtPlace(lines: readonly Line[]): number[] {
  const start = lines.findIndex(({ text }) => STACK_BELOW.test(text));
  const heading = lines[start];
  if (!heading) return [];
  const above = lines.slice(0, start).map(({ text }) => text);
  const place = above
    .flatMap((text) => (BEFORE_MESSAGE.exec(text) ?? MEMBER_AT.exec(text))?.[1] ?? [])
    .at(-1);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex(({ text }) => text !== '' && indentOf(text) <= indentOf(heading.text));
  const stack = end === -1 ? rest : rest.slice(0, end);
  const frames = stack.filter(({ text }) => isFrame(text) && !isExternalFrame(text));
  const isSaid = (line: Line) =>
    isFrame(line.text) || above.some((text) => text.includes(line.text.replace(ERROR_NAME, '').trim()));
  const isAtPlace =
    place !== undefined && frames.length > 0 && frames.every(({ text }) => text.includes(place));
  return isAtPlace && stack.every(isSaid) ? [heading, ...stack].map(({ at }) => at) : [];
}

/** A frame of JavaScript, with its place. */
const FRAME = /^\s*at .*:\d+:\d+\)?$/;

/** The positions of frames that are above, too: an error and its cause were thrown at one place. */
function framesAgain(lines: readonly Line[]): number[] {
  const seen = new Set<string>();
  return lines.flatMap(({ at, text }) => {
    if (!FRAME.test(text)) return [];
    const isKnown = seen.has(text.trim());
    seen.add(text.trim());
    return isKnown ? at : [];
  });
}

/** Where a test is in what was compiled to one line, of Node.js. */
const COMPILED_PLACE = /^\s*location: '(?:\S*\/)?(\S+):1:\d{3,}'$/;

/** The positions of such a place, if a frame has one in the same file. */
function compiledPlaces(lines: readonly Line[]): number[] {
  return lines.flatMap(({ at, text }) => {
    const file = COMPILED_PLACE.exec(text)?.[1];
    const isPlaced =
      file !== undefined && lines.some((line) => isFrame(line.text) && line.text.includes(`${file}:`));
    return isPlaced ? at : [];
  });
}

/**
 * The positions of the frames that say nothing new: those of a stack at one place that is named above it, and of a cause
 * that has them too; and those of a panic at its place, which the message has too, those of the closures of a function
 * that is in the stack, and those without a place.
 */
export function saidFramesIn({ headline, lines: block }: FailureBlock): number[] {
  const lines = block.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const [, file = '', number] = PANIC.exec(withoutPrefix(headline.text)) ?? [];
  if (number === undefined) return [...stackAtPlace(lines), ...framesAgain(lines), ...compiledPlaces(lines)];
  const said: number[] = [];
  const names = new Set<string>();
  let hasFrame = false;
  for (const [index, { at, text }] of lines.entries()) {
    const name = FUNCTION.exec(text)?.[1];
    if (name === undefined) continue;
    const below = lines[index + 1];
    const [, path = '', line] = (below?.at === at + 1 && PLACE_OF_FUNCTION.exec(below.text)) || [];
    const isOfPanic = line === number && file.endsWith(path);
    if (line === undefined || isOfPanic || names.has(name))
      said.push(at, ...(line === undefined ? [] : [at + 1]));
    else hasFrame = true;
    if (line !== undefined) names.add(name);
  }
  const headings = hasFrame ? [] : lines.filter(({ text }) => STACK.test(text)).map(({ at }) => at);
  return [...said, ...headings];
}

/** Removes the last line if it is the name of the frame whose place is on the next one. @returns that line */
export function dropNameOf(place: Line, lines: Line[]): Line | undefined {
  const above = lines.at(-1);
  const isName = above?.at === place.at - 1 && isFrame(above.text) && !/:\d/.test(above.text);
  return isName && indentOf(above.text) < indentOf(place.text) ? lines.pop() : undefined;
}

/** Lines of a message with quoted source, above the first frame. */
const REACH = 20;
/** A place behind the name of its file, or a file with its path. */
const PLACE =
  /[\w-]\.[a-z]\w{0,7}\b.*[ (]\d+:\d+\)?(?:\s|$)|(?:^|[\s'"`(])(?!\S*node_modules)[\w@.-]*\/[\w@./-]*\w\.[a-z]\w{0,7}(?=['"`):,;\s]|$)/i;

/**
 * Without the frame of the package that threw, which stays where no frame is the project's, if the message above it names a
 * place or a file.
 */
export function withoutThrowers(lines: readonly Line[]): Line[] {
  return lines.filter(
    ({ at, text }, index) =>
      !isDependencyFrame(text) || !isExternalFrame(text) || !isPlaced(lines.slice(0, index), at),
  );
}

/** Lines of source between a place and the sign that points into them. */
const MAX_SOURCE = 2;

/** Where a runtime or a package quotes itself above an error that nobody caught. */
export function throwingSourceIn({ whole = [], head, tail, closing, near }: Outline): ReadonlySet<number> {
  const known = new Map([whole, head, tail, closing, near].flat().map((line) => [line.at, line]));
  return new Set(throwingSource([...known.values()].sort((a, b) => a.at - b.at)));
}

function throwingSource(printed: readonly Line[]): number[] {
  const lines = printed.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const source: number[] = [];
  for (const [index, place] of lines.entries()) {
    if (!isPlaceOnly(place.text) || !isExternalFrame(place.text)) continue;
    if (introducesNext(place.text) || indentOf(place.text) > 0) continue;
    const below = lines.slice(index, index + MAX_SOURCE + 2);
    const caret = below.findIndex(({ at, text }) => isCaret(text) && at <= place.at + MAX_SOURCE + 1);
    const error = lines.slice(index + caret + 1).find(({ text }) => text !== '');
    const isOnlyPlace = caret !== -1 && isSyntaxError(error?.text ?? '');
    for (const { at } of below.slice(Number(isOnlyPlace), Math.max(1, caret + 1))) source.push(at);
  }
  return source;
}

/** Whether the message that ends above a frame names a place or a file. */
function isPlaced(above: readonly Line[], frame: number): boolean {
  for (const { at, text } of above.toReversed()) {
    const classification = classificationOf(text);
    if (frame - at > REACH || classification === 'failedTest' || classification === 'warning') return false;
    if (isExternalFrame(text)) continue;
    if (isCommand(text)) return false;
    if (namesPlace(text) || PLACE.test(text)) return true;
    if (severityOf(classification) >= SEVERITY.tagged) return false;
  }
  return false;
}
