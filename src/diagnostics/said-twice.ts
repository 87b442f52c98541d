import { classificationOf } from './classify.ts';
import type { Line } from './failure.ts';
import { isSameTest, type ShownName, shownNames } from './failure-names.ts';
import { withoutPrefix } from './prefix.ts';
import { saidBy } from './repeats.ts';
import { isCode, isFrame, isValue, separatorIn } from './structure.ts';

/** A shorter message may be part of a line by chance. */
const MIN_MESSAGE = 16;
/** Lines between a message and the exception that has it too. */
const REACH = 2;
/** What is before and behind a message in a longer line. */
const BEFORE = /(?:^|[:>\]"'`(=→-])\s*$/;
const BEHIND = /^(?:$|["'`)\]},;]| \[| \()/;
/** Lines between two lines of one print. */
const MAX_GAP = 3;

/** Without a message beside the exception that has it too: `boom` above `Error: boom`. */
export function withoutInnerMessages<L extends Line>(lines: readonly L[]): L[] {
  return lines.filter(({ at, text }, index) => {
    const message = messageIn(text);
    if (message.length < MIN_MESSAGE || !message.includes(' ') || isPart(text)) return true;
    return !lines
      .slice(Math.max(0, index - REACH), index + REACH + 1)
      .some(
        (line) => Math.abs(line.at - at) <= REACH && line.text.length > text.length && has(line, message),
      );
  });
}

/** A failed test, and what is shown below its name. */
interface Print {
  readonly name: ShownName;
  readonly below: readonly Line[];
}

/** Without what is said of a failed test both where it failed and at the end. */
export function withoutSecondPrints<L extends Line>(lines: readonly L[]): L[] {
  const prints = shownNames(lines)
    .filter(({ isBare, name }) => !isBare && name !== '')
    .map((name) => ({ name, below: printBelow(name.line, lines) }));
  const redundant = new Set<Line>();
  for (const [index, first] of prints.entries()) {
    const others = prints.filter((print) => print !== first && areOfSameTest(first, print));
    const [second] = others;
    if (others.length !== 1 || !second || prints.indexOf(second) < index) continue;
    const [less, more] = isSaidIn(first, second) ? [first, second] : [second, first];
    if (!isSaidIn(less, more)) continue;
    for (const line of less.below) redundant.add(line);
    if (isSameTest(less.name, more.name)) redundant.add(less.name.line);
  }
  return lines.filter((line) => !redundant.has(line));
}

function areOfSameTest({ name: one }: Print, { name: other }: Print): boolean {
  return isSameTest(one, other) || isSameTest(other, one);
}

function isSaidIn(print: Print, other: Print): boolean {
  const said = print.below.map(({ text }) => messageIn(text)).filter((text) => text !== '');
  return said.length > 0 && said.every((message) => other.below.some((line) => has(line, message)));
}

function printBelow({ at }: Line, lines: readonly Line[]): Line[] {
  const below: Line[] = [];
  let last = at;
  for (const line of lines) {
    if (line.at <= at) continue;
    if (line.at - last > MAX_GAP || endsPrint(line.text)) break;
    below.push(line);
    last = line.at;
  }
  return below;
}

function endsPrint(text: string): boolean {
  return ['failedTest', 'passed', 'summary'].includes(classificationOf(text)) || separatorIn(text) !== null;
}

/** What a line says, without a mark and a margin. */
function messageIn(text: string): string {
  return saidBy(withoutPrefix(text))
    .replace(/^[→-]\s+/, '')
    .trim();
}

function has({ text }: Line, message: string): boolean {
  const at = text.lastIndexOf(message);
  return at !== -1 && BEFORE.test(text.slice(0, at)) && BEHIND.test(text.slice(at + message.length));
}

/** Whether a line is a name, a value, or a part of code or a stack: these are read as they are. */
function isPart(text: string): boolean {
  return classificationOf(text) === 'failedTest' || isValue(text) || isCode(text) || isFrame(text);
}
