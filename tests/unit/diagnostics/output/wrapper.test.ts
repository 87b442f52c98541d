import { describe, expect, test } from 'vitest';
import { unwrapped } from '../../../../src/diagnostics/output/wrapper.ts';

const PRINTED = [
  'src/cart.ts',
  '  3:5  error  no-undef',
  '',
  'src/taxes.ts',
  '  7:1  error  no-undef',
  '',
  'src/orders.ts',
  '  9:1  error  no-undef',
  '',
  '3 problems',
  'exit 1',
];
const behind = (wrapper: (i: number) => string, lines: readonly string[] = PRINTED) =>
  lines.map((line, i) => (wrapper(i) + line).trimEnd());

describe('what is before nearly all lines is left out', () => {
  test.each([
    ['a sign', () => '» '],
    ['the side of a box', () => '  ║  '],
    ['a name', () => 'web % '],
    ['four blanks', () => '    '],
    ['a tab', () => '\t'],
    ['numbers, whose width may change', (i: number) => `${String(i + 5).padStart(3)}: `],
    ['the level of a logger', () => '12:00:01 INFO runner: '],
  ])('%s', (_, wrapper) => {
    expect(unwrapped(behind(wrapper))).toEqual(PRINTED);
  });

  test('with a few lines of the script itself', () => {
    const [first, last] = ['> shop@1.0.0 test', 'check failed'];
    const printed = Array.from({ length: 3 }, () => PRINTED).flat();

    expect(unwrapped([first, ...behind(() => '» ', printed), last])).toEqual([first, ...printed, last]);
  });

  test('with the lines of what runs the script above a short output', () => {
    const command = ['> shop@1.0.0 test', '> bash check.sh', ''];

    expect(unwrapped([...command, ...behind(() => '» ')])).toEqual([...command, ...PRINTED]);
  });
});

const PAGES = [
  'account',
  'basket',
  'cart',
  'desk',
  'entry',
  'fees',
  'gate',
  'help',
  'index',
  'jobs',
  'keys',
  'list',
];
const MERGED = PAGES.map((page) => `merged content/${page}.md`);

describe('lines are left as they are', () => {
  test.each<[string, readonly string[]]>([
    ['without a common start', PRINTED],
    ['in a few lines', behind(() => '» ').slice(0, 6)],
    ['if none is blank or indented', MERGED],
    ['if they differ in their numbers only', Array.from({ length: 20 }, (_, i) => `pulled the layer ${i}`)],
    ['if one goes on right behind what the others begin with', [...MERGED, 'merged: 12 files']],
    ['if they say that something failed', behind(() => 'npm error ')],
    ['if they are results', behind(() => ' ✖ ')],
    [
      'if they are places',
      Array.from({ length: 20 }, (_, i) => ` ${i + 10}:5  ${i % 2 ? '  error' : 'warning'}  rule-${i}`),
    ],
    ['if they are indented by two blanks, as some tools do', behind(() => '  ')],
    [
      'if a logger has another level, too',
      [...behind(() => '[INFO] ', Array.from({ length: 5 }, () => PRINTED).flat()), '[ERROR] no port'],
    ],
  ])('%s', (_, lines) => {
    expect(unwrapped(lines)).toBeUndefined();
  });
});
