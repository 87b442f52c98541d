/**
 * What pytest prints of a failed test besides its section: its decorators, its name on the way and at the end, where
 * values are from that need no explanation, and the whole of two values of which it has said how they differ; of unittest
 * the latter, too.
 */

import type { FailureBlock, Line } from '../failures/failure.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { indentOf } from '../lines/structure.ts';

/** `______ TestCart.test_adds[3-4] ______`, `______ ERROR at setup of test_adds ______`, `______ ERROR collecting cart.py ______`. */
const TITLE = /^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) |\[doctest\] )?(\S.*?) _{3,}$/;
/** The name of a failed test with its file, on the way, or in the list at the end, with a reason. */
const RESULT_FIRST = /^(?:\[ *\d+%\] )?(?:FAILED|ERROR) (\S+?)::(.+?)(?: - .*)?$/;
const RESULT_LAST = /^(\S+?)::(.+) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$/;
/** A file in that list that could not be read. */
const RESULT_OF_FILE = /^ERROR ([^\s:]+)(?: - .*)?$/;
const FUNCTION = /^>?\s+(?:async )?def \w/;
const MARKED = /^[>E]/;

/** Without the names of files whose sections are shown; of several tests, too, if another line has their file. */
export function withoutListedSections(lines: readonly Line[]): Line[] {
  const said = new Map(lines.map((line) => [line, withoutPrefix(line.text)]));
  const titles = new Set([...said.values()].flatMap((text) => TITLE.exec(text)?.[1] ?? []));
  const namedIn = (line: Line) => {
    const text = said.get(line) ?? '';
    return RESULT_FIRST.exec(text) ?? RESULT_LAST.exec(text);
  };
  const isShown = (line: Line) => {
    if (titles.has(RESULT_OF_FILE.exec(said.get(line) ?? '')?.[1] ?? '')) return true;
    // The name with its file is how one test is run again.
    const [, file, name] = (titles.size > 1 && namedIn(line)) || [];
    if (file === undefined || name === undefined || !titles.has(name.replaceAll('::', '.'))) return false;
    return lines.some((other) => other.text.includes(file) && !namedIn(other));
  };
  return lines.filter((line) => !isShown(line));
}

/** Above that list. */
const SUMMARY = /^=+ short test summary info =+$/;

/** Without the heading of that list above a single name. */
export function withoutLoneSummaries(lines: readonly Line[]): Line[] {
  const isName = (line: Line | undefined) =>
    line !== undefined && RESULT_FIRST.test(withoutPrefix(line.text));
  return lines.filter(
    ({ text }, index) =>
      !SUMMARY.test(withoutPrefix(text)) || !isName(lines[index + 1]) || isName(lines[index + 2]),
  );
}

/** What pytest says above the stack of any file that could not be imported. */
const NOT_IMPORTED =
  /^(?:ImportError while importing test module '.*'\.|Hint: make sure your test modules\/packages have valid Python names\.|Traceback:)$/;

/** Without what is said of any file of tests that could not be imported: its title has the name, and the error is below. */
export function withoutImportNotes(lines: readonly Line[]): Line[] {
  let isBelowTitle = false;
  return lines.filter(({ text }) => {
    const said = withoutPrefix(text);
    const isNote = NOT_IMPORTED.test(said);
    isBelowTitle = TITLE.test(said) || (isBelowTitle && isNote);
    return !(isBelowTitle && isNote);
  });
}

/** Without the decorators of a failed test: the parameters of the one that failed are part of its name. */
export function withoutDecorators(lines: readonly Line[]): Line[] {
  let isAbove = false;
  const functions = new Set(lines.filter(({ text }) => FUNCTION.test(text)).map(({ at }) => at));
  return lines.filter(({ at, text }, index) => {
    if (TITLE.test(text)) {
      const next = lines.slice(index + 1).find((line) => TITLE.test(line.text) || functions.has(line.at));
      isAbove = next !== undefined && functions.has(next.at);
      return true;
    }
    if (functions.has(at)) isAbove = false;
    return !isAbove || text === '' || indentOf(text) === 0 || MARKED.test(text);
  });
}

const BARE_ERROR = /^E$/;

/** Without the blank lines of an error's message between lines that were left out, and at its end. */
export function withoutBareErrors(lines: readonly Line[]): Line[] {
  const isMessage = (line: Line | undefined) => line !== undefined && /^E\s+\S/.test(line.text);
  return lines.filter((line, index) => !BARE_ERROR.test(line.text) || isMessage(lines[index + 1]));
}

/** Where a value in an assertion is from. */
const VALUE = /^E\s+\+\s+(?:where|and)\s+(.+?) = (.+)$/;
/** A function, or an object without its value. */
const IS_NAMELESS = /^<(?:bound method|built-in (?:method|function)|function|[\w.]+ object at 0x)/;

/** A shorter value is soon read again. */
const MIN_SHOWN = 40;
/** Gets a value without further ones: `order.total`, `<bound method …>()`. */
const GETS = /(?:\.\w+|\(\))$/;

/**
 * Without where a function is from, or a long value that the line above has shown, and without the value of an expression
 * that is that value: `date(2024, 4, 1)`.
 */
export function withoutEvidentValues(lines: readonly Line[]): Line[] {
  let above = '';
  return lines.filter(({ text }) => {
    const said = withoutPrefix(text);
    const [, value = '', expression = ''] = VALUE.exec(said) ?? [];
    const isSame = value === expression || value.endsWith(`.${expression}`);
    const isShown = value.length >= MIN_SHOWN && above.includes(value) && GETS.test(expression);
    above = said;
    return value === '' || !(isSame || isShown || IS_NAMELESS.test(value));
  });
}

/** All that differs, item by item; of a list, pytest says only where the first difference is. */
const ITEMS =
  /^E\s+(?:Differing items:|(?:Left|Right) contains (?:one|\d+) more items?:|Extra items in the )/;
const FIRST_ITEM = /^E\s+At index \d+ diff: /;
const WHOLE = /^E\s+Full diff:$/;
const OF_MESSAGE = /^E(?:\s|$)/;

/** The positions of the two values of an assertion whose items that differ are above. */
export function fullDiffIn({ lines }: FailureBlock): number[] {
  let [areSaid, isPart, isWhole] = [false, false, false];
  return lines.flatMap(({ at, text: whole }) => {
    const text = withoutPrefix(whole);
    if (!OF_MESSAGE.test(text)) areSaid = isPart = isWhole = false;
    else if (FIRST_ITEM.test(text)) isPart = true;
    else if (ITEMS.test(text)) areSaid = true;
    else if (WHOLE.test(text)) isWhole = areSaid && !isPart;
    return isWhole ? at : [];
  });
}

/** What unittest says of the first items that differ: two lines below it, and then the diff of all. */
const FIRST_ELEMENT = /^First differing element \S+:$/;
const SIGNED = /^[-+?] /;
const ELEMENTS = 2;

/** The positions of the first items that differ, if the diff is below them. */
export function firstElementsIn({ lines: block }: FailureBlock): number[] {
  const lines = block
    .map(({ at, text }) => ({ at, text: withoutPrefix(text) }))
    .filter(({ text }) => text !== '');
  const start = lines.findIndex(({ text }) => FIRST_ELEMENT.test(text));
  const end = start + 1 + ELEMENTS;
  return start !== -1 && SIGNED.test(lines[end]?.text ?? '')
    ? lines.slice(start, end).map(({ at }) => at)
    : [];
}

/** A test that could not be set up, with its parameters, in pytest's last list. */
const NOT_SET_UP = /^ERROR (\S+::\w+)\[.*\](?: - .*)?$/;
const MIN_ALIKE = 3;

/** With one of the tests that differ in their parameters only and could not be set up, and their number: it is the fixture. */
export function withoutParameters(lines: readonly Line[]): Line[] {
  const counts = new Map<string, number>();
  const nameOf = ({ text }: Line) => NOT_SET_UP.exec(text)?.[1];
  for (const line of lines) {
    const name = nameOf(line);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const shown = new Set<string>();
  return lines.flatMap((line) => {
    const name = nameOf(line);
    const count = counts.get(name ?? '') ?? 0;
    if (name === undefined || count < MIN_ALIKE) return line;
    if (shown.has(name)) return [];
    shown.add(name);
    return { ...line, text: `${line.text} (×${count})` };
  });
}
