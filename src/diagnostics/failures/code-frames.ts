import { withoutPrefix } from '../lines/prefix.ts';
import { isExternalPlace } from '../lines/stack-frames.ts';
import { hasWords, indentOf, isPlacePointer, opensBracket } from '../lines/structure.ts';
import type { Line } from './failure.ts';

/** A line of source with its number, but no line of a diff. */
const NUMBERED = /^\s*(?:(?:[|│]|\[error\]) )?\s*\d+(?:\s?[|│┃]|:)(?! [+-] )/;
/** That which is wrong. */
const MARKED = /^\s*(?:\[error\] )?(?:=?>|❯)\s*\d+(?:\s?[|│┃]|:)/;
/** Points into the line above. */
const POINTER = /^\s*(?:\[error\] )?\s*(?:>\s+)?(?:[|│┃:·╵┊]\s+[\^~─┬╰`-]|[\^~])/;
const COLUMN = /[\w)\]"]:\d+:\d+|\(\d+, ?\d+\)|\[\d+:\d+\]/;
/** Lines between a column and the source that is quoted below it. */
const REACH = 4;
/** A shorter line may be another one. */
const MIN_QUOTED = 16;
/** A shorter one does not say what is wrong in it. */
const MIN_SOURCE = 8;
/** What is before the source in a frame. */
const MARK = /^\s*(?:(?:[|│]|\[error\]) )?\s*(?:=?>|❯)?\s*\d+\s*[|│┃:]/;

/**
 * Without the source around what is wrong: it says where that is, which the place says too. What is marked stays, with the
 * lines between two marks; so do its neighbours where it goes on, or is a bracket and little more.
 */
export function withoutContext(lines: readonly Line[]): Line[] {
  const context = contextIn(lines);
  return lines.filter(({ at }) => !context.has(at));
}

/** The statement that failed, in RSpec, and how far below it Ruby quotes it again. */
const STATEMENT = /^\s*Failure\/Error: (\S.*)$/;
const STATEMENT_REACH = 8;
/** Where Python names the place of the line below. */
const FILE_LINE = /^\s*(?:\|\s+)?File ".*", line \d+/;

/** Without the line that is wrong where its column, or its frame, is named above it, and it was quoted before. */
export function withoutQuotedAgain(lines: readonly Line[]): Line[] {
  const quoted = new Set<string>();
  const kept: Line[] = [];
  let pointer: Line | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === pointer) continue;
    const source = line.text.trim();
    const isRepeated = quoted.has(source);
    const next = lines[index + 1];
    const below = next?.at === line.at + 1 && POINTER.test(next.text) ? next : undefined;
    const above = lines[index - 1];
    const isOfFrame = above?.at === line.at - 1 && FILE_LINE.test(above.text);
    const framed = isOfFrame ? `${above.text}\n${source}` : source;
    const isFramedAgain = isOfFrame && quoted.has(framed);
    if (below || isOfFrame) quoted.add(framed);
    if (below) quoted.add(source);
    const isKnown = source.length >= MIN_QUOTED && kept.slice(-REACH).some(namesColumn);
    // Ruby marks in a statement what RSpec has quoted above.
    const isStatement = kept.slice(-STATEMENT_REACH).some(({ text }) => STATEMENT.exec(text)?.[1] === source);
    if (isFramedAgain || isStatement || (isRepeated && isKnown && !hasWords(below?.text ?? '')))
      pointer = below;
    else kept.push(line);
  }
  return kept;
}

/** The matcher of a failed assertion: `expect(received).toBe(expected) // Object.is equality`. */
const MATCHER = /^\s*expect\(\w*\)\.(?:\w+\.)*\w+\(.*\)(?: \/\/ .*)?$/;

/**
 * Without the marked line of a frame, or the matcher of an assertion, that was shown with a failure before: the tests of a
 * table fail in one line, and each has its values.
 */
export function withoutShownSource(lines: readonly Line[]): Line[] {
  const shown = new Set<string>();
  let pointer: Line | undefined;
  return lines.filter((line, index) => {
    if (line === pointer) return false;
    const { at, text } = line;
    if (!MATCHER.test(text) && !MARKED.test(text)) return true;
    const next = lines[index + 1];
    const below = next?.at === at + 1 && POINTER.test(next.text) ? next : undefined;
    const source = `${text.trim()}\n${below?.text.trim() ?? ''}`;
    const isShown = shown.has(source);
    shown.add(source);
    pointer = isShown ? below : undefined;
    return !isShown;
  });
}

/** The positions of the lines of frames of code that are not marked. Without a mark, other numbers may be places. */
export function contextIn(lines: readonly Line[]): ReadonlySet<number> {
  const context = new Set<number>();
  let frame: Line[] = [];
  let above: Line | undefined;
  const endFrame = () => {
    for (const { at } of contextOf(frame, above)) context.add(at);
    if (frame.length > 0) above = undefined;
    frame = [];
  };
  for (const { at, text } of lines) {
    const line = { at, text: withoutPrefix(text) };
    // The sign below a line may have been left out.
    const isNext = at <= (frame.at(-1)?.at ?? at) + 2;
    const isPart = isSign(line) || NUMBERED.test(line.text);
    if (!isPart || !isNext) endFrame();
    if (isPart) frame.push(line);
    else if (line.text !== '') above = line;
  }
  endFrame();
  return context;
}

/** The source in what TAP says of a failed test, and the mark below the line that is meant. */
const SOURCE = /^\s*source: [|>]/;
const POINTS_UP = /^\s*-+\^$/;

/** The positions of the source in TAP, except for the line above the mark. */
export function unmarkedSourceIn(lines: readonly Line[]): readonly number[] {
  return lines.flatMap((heading, start) => {
    if (!SOURCE.test(heading.text)) return [];
    const below = lines.slice(start + 1);
    const end = below.findIndex(({ text }) => text !== '' && indentOf(text) <= indentOf(heading.text));
    const source = below.slice(0, end === -1 ? undefined : end);
    const mark = source.findIndex(({ text }) => POINTS_UP.test(text));
    const meant = source.slice(0, Math.max(mark, 0)).findLast(({ text }) => text !== '');
    return meant ? source.filter((line, at) => at !== mark && line !== meant).map(({ at }) => at) : [];
  });
}

/** What pytest prints of an exception: where it was raised or passed on, and what it says. */
const RAISED = /^>\s|^\S+:\d+: in \S/;
const EXCEPTION = /^E\s/;
const INDENTED = /^\s+\S/;
/** Further lines of the statement that failed, or those below its place; and lines above one that raises. */
const MAX_STATEMENT = 2;
const RAISES = /^>\s+raise\b/;

/**
 * The positions of the source that pytest prints of a function, except for the statement where it failed; if that raises an
 * exception, the condition is above it.
 */
export function sourceOfFunctionsIn(lines: readonly Line[]): readonly number[] {
  const own = lines.map(({ at, text }) => ({ at, text: withoutPrefix(text) }));
  const end = own.findLastIndex(({ text }) => EXCEPTION.test(text));
  const kept = new Set<number>();
  for (const [index, { at, text }] of own.entries()) {
    const isNear = (line: Line) => Math.abs(line.at - at) <= MAX_STATEMENT;
    const runFrom = (step: number) => {
      for (
        let i = index + step;
        own[i] && INDENTED.test(own[i]?.text ?? '') && isNear(own[i] as Line);
        i += step
      )
        kept.add(own[i]?.at ?? 0);
    };
    if (RAISED.test(text)) runFrom(1);
    if (RAISES.test(text)) runFrom(-1);
  }
  return own
    .slice(0, Math.max(end, 0))
    .flatMap(({ at, text }) => (INDENTED.test(text) && !kept.has(at) ? [at] : []));
}

/** @param above the line above the frame: it may have nothing but the place of one of its lines */
function contextOf(frame: readonly Line[], above: Line | undefined): Line[] {
  const isMarked = (index: number) => {
    const [line, next] = [frame[index], frame[index + 1]];
    return line !== undefined && (isSign(line) || (next !== undefined && POINTER.test(next.text)));
  };
  if (!frame.some(isSign)) return contextBelow(frame, above);
  const marked = frame.flatMap((_, index) => (isMarked(index) ? [index] : []));
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return [];
  const source =
    frame[last - Number(POINTER.test(frame[last]?.text ?? ''))]?.text.replace(MARK, '').trim() ?? '';
  const isLittle = source.length < MIN_SOURCE;
  const from = first - Number(isLittle);
  const below = Number((isLittle || opensBracket(source)) && saysSomething(frame[last + 1]));
  const to = last + below;
  return frame.filter((_, index) => index < from || index > to);
}

/** A file and a line, and nothing else. */
const PLACE_OF_FRAME = /^\s*\S*\w\.\w+:(\d+)$/;
const NUMBER = /^\D*(\d+)/;

/** The lines of a frame without marks, below the place of one of them. */
function contextBelow(frame: readonly Line[], above: Line | undefined): Line[] {
  const [first] = frame;
  const isNear = first && above && first.at - above.at <= 2;
  const number = isNear ? PLACE_OF_FRAME.exec(above.text)?.[1] : undefined;
  const isMeant = ({ text }: Line) => NUMBER.exec(text)?.[1] === number;
  return number !== undefined && frame.some(isMeant) ? frame.filter((line) => !isMeant(line)) : [];
}

/** Carets and nothing else, with or without the margin of a frame. */
const UNDERLINE = /^(\s*(?:[|│┃]\s*)?)([\^~]+)$/;
/** Lines between a sign and the place of its frame: more source may be below. */
const OF_FRAME = 8;
/** Shorter source may be one word in a longer line. */
const MIN_UNDERLINED = 12;

/** A call in a stack of Python, above its source. */
const PYTHON_FRAME = /^\s*File ".*", line \d+/;

/**
 * Without the signs below a line of source that point to all of it, to the column that its place names, or to a call whose
 * function is the next frame.
 */
export function withoutUnderlines(lines: readonly Line[]): Line[] {
  const isFrameOfPython = (line: Line | undefined) => line !== undefined && PYTHON_FRAME.test(line.text);
  return lines.filter(({ at, text }, index) => {
    const signs = UNDERLINE.exec(text)?.[2];
    const above = lines[index - 1];
    if (signs === undefined) return true;
    // Alone, it points to nothing.
    if (above?.at !== at - 1) return false;
    if (isFrameOfPython(lines[index - 2]) && isFrameOfPython(lines[index + 1])) return false;
    const near = lines.slice(Math.max(0, index - REACH), index + REACH);
    if (near.some((line) => Math.abs(line.at - at) <= OF_FRAME && namesColumn(line))) return false;
    const source = above.text.replace(MARK, '').trim();
    return source.length < MIN_UNDERLINED || signs.length < source.length;
  });
}

/** Not a bracket alone. */
function saysSomething(line: Line | undefined): boolean {
  return line !== undefined && /\w/.test(line.text.replace(MARK, ''));
}

/** What a compiler says of the types of a library that could have been used, and of its macros. */
const OF_LIBRARY =
  /^help: the following other types implement trait |^\s*= note: (?:`[^`]+` implements `[^`]+`$|in this macro invocation$|this error originates in the macro )/;

/** Without what the notes of an error say of a library: the error is in the code above. */
export function withoutNotesOfLibraries(lines: readonly Line[]): Line[] {
  return lines.filter(
    ({ text }) => !OF_LIBRARY.test(text) && !(isPlacePointer(text) && isExternalPlace(text)),
  );
}

function isSign({ text }: Line): boolean {
  return MARKED.test(text) || POINTER.test(text);
}

function namesColumn(line: Line | undefined): boolean {
  return line !== undefined && COLUMN.test(line.text);
}
