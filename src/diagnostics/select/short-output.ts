/** What a short output is shown without: nothing is selected from it, and only noise is left out. */

import { crashedTestIn } from '../failures/crashed-test.ts';
import type { Line } from '../failures/failure.ts';
import { areItems } from '../failures/lists.ts';
import { isNoise, isOnTheWay } from '../failures/noise.ts';
import { isAtEarlierEnd } from '../failures/outline.ts';
import { MANY_ALIKE, mayBeStep, stepOf } from '../failures/steps.ts';
import { classificationOf } from '../lines/classify.ts';
import { shapeOf } from '../lines/likeness.ts';
import { SEVERITY } from '../lines/rules.ts';
import { indentOf, introducesNext, isFramed, isTestLetters } from '../lines/structure.ts';
import type { Material } from './material.ts';
import { runUpIn, unfinishedStepIn } from './run-up.ts';

/** A shorter frame is a title. */
const MIN_FRAMED = 4;
/** Progress next to a failure may say what was being done; a single word, and a letter for each test, do not. */
const NEAR_LINES = 3;
const WORD = /^\W*\w+\W*$/;

/**
 * Without what lies between the first and the last of a list that says nothing about the failure. Where others mention what
 * is wrong, without what passed and progress; where they say it, of plain lines that look alike, the last; and where it is
 * sure, without warnings that do not explain it, and steps long before it.
 */
export function withoutNoise(lines: readonly Line[], material: Material): readonly Line[] {
  const { outline, failures, highest, lists, unrelated, banner, throwing } = material;
  const isSure = highest >= SEVERITY.thrown;
  const severe = failures.filter(({ severity }) => severity >= Math.min(highest, SEVERITY.tagged));
  const aboutFailures = new Set(
    [...severe.flatMap(({ block }) => block.lines), ...crashedTestIn(outline, severe)].map(({ at }) => at),
  );
  const items = outline.lists.filter(({ severity }) => severity === 0);
  const alike = alikeIn(lines);
  const steps = lines.map(({ text }) => (isSure ? stepOf(text, true) : undefined));
  const isOneOfMany = (index: number) =>
    steps[index] !== undefined &&
    steps.includes(steps[index], index + 1) &&
    steps.filter((step) => step === steps[index]).length >= MANY_ALIKE;
  const runUp = runUpIn(lines, material);
  const unfinished = unfinishedStepIn(material);
  const dropped = new Set(failures.flatMap(({ block }) => block.dropped ?? []));
  const notices = highest >= SEVERITY.tagged ? noticesIn(lines) : new Set<Line>();
  const places = [...aboutFailures];
  if (severe.some(({ block }) => isAtEarlierEnd(outline, block))) places.push((lines.at(-1)?.at ?? 0) + 1);
  const passed = ofPassedIn(lines);
  const isFar = ({ at }: Line) => !places.some((other) => Math.abs(other - at) <= NEAR_LINES);
  return lines.filter((line, index) => {
    const { at, text } = line;
    if (throwing.has(at) || runUp.has(at)) return false;
    if (areItems(lists, at, at) || aboutFailures.has(at) || at === unfinished?.at) return true;
    if (dropped.has(at) || passed.has(line)) return false;
    if (areItems(items, at - 1, at + 1)) return false;
    if (highest < SEVERITY.mentioned) return true;
    if (isNoise(text) || notices.has(line)) return false;
    if (alike.has(line)) return false;
    if (banner.has(at)) return false;
    if (isOneOfMany(index) && (isFar(line) || steps[index + 1] === steps[index])) return false;
    const isStep = isOnTheWay(text) && (isFar(line) || WORD.test(text) || isTestLetters(text));
    return !isSure || !(unrelated.has(text) || isStep);
  });
}

/** The plain lines that look alike, but for the last; results may be between them. */
function alikeIn(lines: readonly Line[]): ReadonlySet<Line> {
  const said = lines.filter(({ text }) => !isNoise(text));
  const shapes = said.map(({ text }) => shapeOf(text));
  const areAlike = (index: number, ...others: readonly number[]) =>
    others.every((other) => shapes[other] === shapes[index]);
  const isAmongAlike = ({ text }: Line, index: number) =>
    classificationOf(text) === 'plain' &&
    mayBeStep(text) &&
    (areAlike(index, index - 1, index + 1) || areAlike(index, index + 1, index + 2, index + 3));
  return new Set(said.filter(isAmongAlike));
}

/** What is indented below their results, and below what introduces chatter. */
function ofPassedIn(lines: readonly Line[]): ReadonlySet<Line> {
  const passed = new Set<Line>();
  let indent = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const { text } = line;
    if (isAbovePassed(text)) indent = indentOf(text);
    else if (text !== '' && indentOf(text) <= indent) indent = Number.POSITIVE_INFINITY;
    else if (indentOf(text) > indent && classificationOf(text) === 'plain') passed.add(line);
  }
  return passed;
}

function isAbovePassed(text: string): boolean {
  const classification = classificationOf(text);
  return classification === 'passed' || (classification === 'chatter' && introducesNext(text));
}

/** The lines of each text in a frame that says nothing about a failure, such as a license. */
function noticesIn(lines: readonly Line[]): ReadonlySet<Line> {
  const notices = new Set<Line>();
  for (let start = 0, end = 0; start < lines.length; start = end + 1) {
    end = start;
    while (isFramed(lines[end]?.text ?? '')) end++;
    const framed = lines.slice(start, end);
    const isPlain = framed.every(({ text }) => classificationOf(text) === 'plain');
    if (framed.length >= MIN_FRAMED && isPlain) for (const line of framed) notices.add(line);
  }
  return notices;
}
