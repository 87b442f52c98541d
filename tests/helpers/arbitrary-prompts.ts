import fc from 'fast-check';
import type { CriterionGate, PromptStep, VerifyGate } from '../../src/state/chain.ts';
import { verifyGate } from './typed-prompt.ts';

/** A value and its syntax. */
interface Typed<T> {
  readonly value: T;
  readonly syntax: string;
}

const blanks = fc.constantFrom(' ', '  ', '\t', '\u00A0');
export const arbitraryBlanks = fc.oneof(blanks, fc.constantFrom('\n', '\r\n', ' \n\n '));
const words = fc
  .array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(' '));
const line = fc
  .string({
    unit: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 1 }),
      fc.constantFrom('"', "'", '\\', ' ', '`', '::'),
    ),
  })
  .map((text) => text.replaceAll(/[\0\r\n]/g, ''));
const shown = line.filter((text) => text.trim() !== '');
const quote = fc.constantFrom('"', "'");

const quoted = (text: string, mark: string) =>
  mark + text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`) + mark;

/** An option that may be typed. */
function option<T extends keyof VerifyGate>(name: string, field: T, values: fc.Arbitrary<VerifyGate[T]>) {
  const typed = fc.tuple(values, fc.constantFrom('', '"', "'")).map(([value, mark]) => ({
    fields: { [field]: value } as Partial<VerifyGate>,
    syntax: `${name}:${mark === '' ? value : quoted(String(value), mark)}`,
  }));
  return fc.option(typed, { nil: undefined });
}

const preset = fc.option(
  fc.constantFrom(
    { fields: { maxAttempts: 1, timeoutSeconds: 30 }, syntax: ':fast' },
    { fields: { maxAttempts: 5, timeoutSeconds: 300 }, syntax: ':full' },
    { fields: { maxAttempts: 10, timeoutSeconds: 600 }, syntax: ':extended' },
  ),
  { nil: undefined },
);
const options = fc.tuple(
  preset,
  option('max', 'maxAttempts', fc.integer({ min: 1, max: 100 })),
  option('timeout', 'timeoutSeconds', fc.integer({ min: 1, max: 86_400 })),
  option('loop', 'loop', fc.boolean()),
  option('checkpoint', 'checkpoint', fc.boolean()),
  option('rollback', 'rollback', fc.boolean()),
  option('workingDir', 'workingDir', fc.stringMatching(/^(\.\/)?[a-z]{1,5}(\/[a-z.]{3,9}[a-z])?$/)),
);

const verify: fc.Arbitrary<Typed<VerifyGate>> = fc
  .record({
    command: shown,
    quote,
    blank: blanks,
    typed: options.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    ),
  })
  .map(({ command, quote, blank, typed: [inOrder, shuffled] }) => ({
    value: verifyGate(command, Object.assign({}, ...inOrder.map((one) => one?.fields))),
    syntax: [
      `::${blank}verify:${quoted(command, quote)}`,
      ...shuffled.flatMap((one) => (one ? [one.syntax] : [])),
    ].join(blank),
  }));

const slug = fc.stringMatching(/^[a-z]{2,5}(-[a-z]{2,5}){1,3}$/);
/** The name is undefined if none is typed. */
const criterion: fc.Arbitrary<Typed<{ name?: string; text: string }>> = fc.oneof(
  slug.map((name) => ({ value: { name, text: name }, syntax: `:: ${name}` })),
  fc
    .tuple(fc.stringMatching(/^x[a-z0-9_-]{0,8}$/), shown, quote)
    .map(([name, text, mark]) => ({ value: { name, text }, syntax: `:: ${name}:${quoted(text, mark)}` })),
  fc.tuple(words, line, words, quote).map(([first, middle, last, mark]) => {
    const text = `${first} ${middle} ${last}`;
    return { value: { text }, syntax: `:: ${quoted(text, mark)}` };
  }),
);

/** A step that ends with a gate, so that an arrow after it separates steps. */
export const arbitraryStep: fc.Arbitrary<Typed<PromptStep>> = fc
  .record({
    text: words,
    verify: fc.array(verify, { maxLength: 3 }),
    criteria: fc.uniqueArray(criterion, { maxLength: 3, selector: ({ value }) => value.name ?? value }),
    blank: arbitraryBlanks,
  })
  .filter(({ verify, criteria }) => verify.length + criteria.length > 0)
  .chain(({ text, verify, criteria, blank }) => {
    const gates = [...verify, ...criteria];
    return fc.shuffledSubarray(gates, { minLength: gates.length }).map((shuffled) => {
      const inOrder = <T>(all: readonly Typed<T>[]) =>
        all
          .toSorted((a, b) => shuffled.indexOf(a as never) - shuffled.indexOf(b as never))
          .map(({ value }) => value);
      return {
        value: { text, verify: inOrder(verify), criteria: numbered(inOrder(criteria)) },
        syntax: [text, ...shuffled.map(({ syntax }) => syntax)].join(blank),
      };
    });
  });

/** Typed names begin with an x or have no number, so none equals a generated one. */
function numbered(criteria: readonly { name?: string; text: string }[]): CriterionGate[] {
  let count = 0;
  return criteria.map(({ name, text }) => {
    if (name === undefined) count++;
    return { name: name ?? `criterion-${count}`, text };
  });
}

/** Gates and their parts in any order: about one prompt in seven has gates, every second one has problems. */
const GATES = [
  ' :: verify:"x"',
  " :: verify:'a b' max:3",
  ' :: "a b"',
  ' :: n:"x"',
  ' :: quality',
  ' :: no-todo ',
];
const PIECES = [
  ' :: ',
  '::',
  ' :: verify:',
  ' ::gate_action:skip',
  ' :: "a ',
  ' :fast',
  ' timeout:5',
  ' loop:',
  ' mx:3',
];
const SIGNS = [
  '"',
  "'",
  '\\',
  '`',
  '```',
  '“',
  '=',
  '.',
  ')',
  '\0',
  '\uD83C',
  '🎉',
  '错',
  '\u202E',
  '\u001B',
];
const PROSE = [
  ' ',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '> ',
  '>>fix ',
  ' --> ',
  ' -->',
  '~~~\n',
  '\n```\n',
  'a',
  ' b ',
  ':',
  '../',
];

/** Text that consists mostly of valid and broken syntax. */
export const arbitraryPrompt = fc
  .array(
    fc.oneof(
      fc.constantFrom(...GATES),
      fc.constantFrom(...PIECES),
      fc.constantFrom(...SIGNS),
      { weight: 3, arbitrary: fc.constantFrom(...PROSE) },
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.join(''));
