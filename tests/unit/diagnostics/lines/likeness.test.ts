import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ClassifiedLine, LineClassifier } from '../../../../src/diagnostics/lines/classify.ts';
import { templateOf, wordingOf } from '../../../../src/diagnostics/lines/likeness.ts';
import { cleanLine } from '../../../../src/diagnostics/lines/line-text.ts';
import * as pointers from '../../../../src/diagnostics/lines/pointers.ts';
import { hasPrefix } from '../../../../src/diagnostics/lines/prefix.ts';
import { RawLine } from '../../../../src/diagnostics/lines/raw-line.ts';
import { RULES } from '../../../../src/diagnostics/lines/rules.ts';
import * as stackFrames from '../../../../src/diagnostics/lines/stack-frames.ts';
import * as structure from '../../../../src/diagnostics/lines/structure.ts';

const CASES = fileURLToPath(new URL('../../../fixtures/feedback/', import.meta.url));
const RECORDED = readdirSync(CASES).flatMap((name) =>
  readFileSync(`${CASES}/${name}/events.jsonl`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((event) => JSON.parse(event).text.split(/[\r\n]+/) as string[]),
);
const LINES = [...RULES.map(({ example }) => example), ...RECORDED].map(cleanLine);

/** Other words, numbers and identifiers at the same places. */
const VARIANTS: Readonly<Record<string, (line: string, i: number) => string>> = {
  'as they are': (line) => line,
  // A year, a status, or a number with zeros before it has as many digits in each line.
  'with other numbers': (line, i) =>
    line.replace(
      /(?<!\d)[1-9]\d*/g,
      (number) => `${number.length > 2 ? number.slice(0, -2) : ''}${(Number(number) % 89) + i + 10}`,
    ),
  'with other hashes': (line, i) =>
    line.replace(/\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}\b/g, (hash) => `${i}${hash.slice(1)}`),
  'with UUIDs for names of files': (line, i) =>
    line.replace(/\b[a-z]+(?=\.[a-z]{2,3}\b)/g, `3f2b9c1e-7d1a-4b5e-9f00-${String(i).padStart(12, '0')}`),
  'with other words of the same letters': (line) =>
    line.replace(/\b[a-z]{5,}\b/g, (word) => (isNamed(word) ? word : `zq${word.slice(2)}`)),
};

/** Whether a word is part of what a rule looks for, in its example or another line that it matches. */
function isNamed(word: string): boolean {
  return SOURCES.some((source) => source.includes(word)) || WORDS.some((named) => word.includes(named));
}
const TABLES = { ...stackFrames.STACK_TABLES, ...pointers.POINTER_TABLES, ...structure.STRUCTURE_TABLES };
const SOURCES = [
  ...[...RULES, ...Object.values(TABLES)].map(({ pattern }) => pattern),
  ...structure.STRUCTURE,
].map(({ source }) => source.toLowerCase());
const WORDS = SOURCES.flatMap((source) => source.match(/[a-z]{4,}/g) ?? []);

type Question = (text: string) => boolean;
// What a line is about is asked of each line itself.
const {
  separatorIn,
  STRUCTURE,
  STRUCTURE_TABLES,
  STACK_TABLES,
  POINTER_TABLES,
  NUMBERED_PLACE,
  isExternalPlace,
  indentOf,
  stackIndentOf,
  isProgress,
  isTestLetters,
  startsStep,
  ...questions
} = { ...stackFrames, ...pointers, ...structure };
const QUESTIONS: readonly (readonly [string, Question])[] = [
  ...Object.entries(questions),
  ['hasPrefix', hasPrefix],
  ['separatorIn', (text) => separatorIn(text) !== null],
  ['a title in separatorIn', (text) => (separatorIn(text)?.title ?? '') !== ''],
];

/** What is known of a line by its form, and what it says itself. */
function answers({ classification, indent, text }: ClassifiedLine): object {
  const asked = Object.fromEntries(QUESTIONS.map(([name, question]) => [name, question(text)]));
  return { classification, indent, ...asked };
}

describe.each(Object.entries(VARIANTS))('the lines of recorded outputs %s', (_, vary) => {
  test('say the same as the first line of their form', () => {
    const classifier = new LineClassifier();
    const varied = [...new Set(LINES.flatMap((line) => [line, vary(line, 1), vary(line, 7)]))];
    const different = varied.filter((line) => {
      const known = answers(classifier.classify(RawLine.of(line)));
      return JSON.stringify(known) !== JSON.stringify(answers(new ClassifiedLine(line, 0, 0)));
    });

    expect(different).toEqual([]);
  });
});

test('a form that is read again is kept when others come that are read once', () => {
  const classifier = new LineClassifier();
  // Forms with one hash have the same places.
  const read = (formCheck: number) => classifier.classify({ form: 1, formCheck, text: '' } as RawLine);
  for (let other = 1; other <= 8; other++) read(other);
  const again = read(9);
  expect(read(9)).toBe(again);
  for (let other = 10; other <= 20; other++) read(other);

  expect(read(9)).toBe(again);
});

function formOf(text: string): string {
  const { form, formCheck } = RawLine.of(text);
  return `${form} ${formCheck}`;
}

const UUIDS = ['3f2b9c1e-7d1a-4b5e-9f00-112233445566', 'a0b1c2d3-dead-4b5e-8abc-aabbccddeeff'] as const;

describe('two lines have one form', () => {
  test.each([
    ['numbers', 'src/a.ts:3:5: error: x', 'src/a.ts:31:57: error: x'],
    ['UUIDs', `open ${UUIDS[0]} failed`, `open ${UUIDS[1].replace('a0', '10')} failed`],
    ['hashes', '"id":"0badc0de12" failed', '"id":"ffadc1de99" failed'],
    ['times', '2025-01-02T03:04:05.123Z ERROR boom', '2026-11-22T13:14:15.999Z ERROR boom'],
    ['names', 'src/cart/basket.ts:3:5: error: no sugar', 'src/shop/window.ts:3:5: error: no sauce'],
  ])('if they differ in %s', (_, one, other) => {
    expect(formOf(one)).toBe(formOf(other));
  });
});

describe('two lines have different forms', () => {
  test.each([
    ['a word that a rule names', 'the build failed', 'the build passed'],
    ['a word that contains one', 'MyError: x', 'MyThing: x'],
    ['a number that a rule names', '{"severity":2,"m":"x"}', '{"severity":1,"m":"x"}'],
    ['a number that a rule names, behind an equals sign', 'severity=2 m=x', 'severity=1 m=x'],
    ['a digit in quotation marks', '{"PRIORITY":"3","M":"x"}', '{"PRIORITY":"6","M":"x"}'],
    ['a number that a rule names, in a word', 'npm error code E404', 'npm error code E405'],
    ['a count of nothing', '0 errors', '3 errors'],
    ['their indentation', '  at run', 'at run'],
    ['what a word begins with that may be a number', 'in line 3qz of it', 'in line qz3 of it'],
    ['what a word before a place ends with', 'lib.mp3:7: x', 'lib.m3p:7: x'],
    ['upper-case letters', '[UNRESOLVED_IMPORT] x', '[unresolved_import] x'],
  ])('if they differ in %s', (_, one, other) => {
    expect(formOf(one)).not.toBe(formOf(other));
  });
});

describe('two texts have one template', () => {
  test.each([
    ['numbers', 'a.ts:3:5: no x1', 'a.ts:44:1: no x27'],
    ['UUIDs', `open ${UUIDS[0]}`, `open ${UUIDS[1]}`],
    ['hashes', 'at 0badc0de12', 'at ffadc1de99'],
    ['addresses', 'free of 0x7ffd12', 'free of 0xab'],
    ['random identifiers', 'job 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'job 01BX5ZZK9K4CTAV9WEV3EMMVRZ'],
  ])('if they differ in %s', (_, one, other) => {
    expect(templateOf(one)).toBe(templateOf(other));
  });

  test.each([
    ['words', 'FAIL adds', 'FAIL subtracts'],
    ['a code', 'error TS2339: x', 'error EX2339: x'],
    ['words around a number', 'test2add', 'test2sub'],
  ])('unless they differ in %s', (_, one, other) => {
    expect(templateOf(one)).not.toBe(templateOf(other));
  });
});

test.each([
  ["no 'a b' in src/a.ts", "no 'c' in lib/b.ts", true],
  ['line 3 is too long', 'line 44 is too long', true],
  ['cannot read the row', 'cannot open the row', false],
  ["don't", "can't", false],
])('whether %j and %j have one wording: %j', (one, other, isOne) => {
  expect(wordingOf(one) === wordingOf(other)).toBe(isOne);
});
