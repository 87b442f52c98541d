import { describe, expect, test } from 'vitest';
import { renderSteps } from '../../src/chain/parse/parse-prompt.ts';
import { LIBRARY } from '../helpers/typed-prompt.ts';

const MEGABYTE = 2 ** 20;
const filled = (part: string) => part.repeat(Math.ceil(MEGABYTE / part.length));

/** How many steps and gates, or problems, a prompt has. */
function counted(prompt: string) {
  const found = renderSteps(prompt, LIBRARY);
  if (!found.ok) return { problems: found.failure.length };
  const gates = found.value.steps.flatMap(({ verify, criteria }) => [...verify, ...criteria]);
  return { steps: found.value.steps.length, gates: gates.length };
}

// A parser that scans the whole prompt for each gate would take minutes and exceed the time limit.
describe('a prompt of a megabyte is parsed in linear time if it consists', () => {
  test.for([
    ['of words', filled('fix it '), { steps: 1, gates: 0 }],
    ['of gates', `x${filled(' :: verify:"x" max:3')}`, { steps: 1, gates: 52_429 }],
    ['of criteria', `x${filled(' :: "a b"')}`, { steps: 1, gates: 116_509 }],
    ['of options', `x :: verify:"x"${filled(' aa:1')}`, { problems: 209_716 }],
    ['of steps', `${filled('>>a --> ')}>>a`, { steps: 131_073, gates: 0 }],
    ['of arrows below a call', `>>a ${'x '.repeat(1e5)}\n${filled(' -->')}`, { steps: 1, gates: 0 }],
    ['of gates after a call', `>>a x${filled(' :: verify:"x"')}`, { steps: 1, gates: 74_899 }],
    ['of quotes that are not closed', filled(':: verify:"a\n'), { problems: 80_660 }],
    [
      'of backticks that are not closed',
      Array.from({ length: 1400 }, (_, n) => '`'.repeat(n)).join(':: '),
      { steps: 1, gates: 0 },
    ],
    ['of inline code', filled('`:: verify:"x"` '), { steps: 1, gates: 0 }],
    ['of blanks', `::${filled(' ')}verify:"x"`, { problems: 1 }],
    ['of colons', filled(' :: '), { steps: 1, gates: 0 }],
    ['of types', filled(' :: Int'), { steps: 1, gates: 0 }],
    ['of one word', `x :: verify:"x" ${filled('a')}:1`, { problems: 1 }],
    ['of lines', filled('\r'), { steps: 0, gates: 0 }],
    ['of tags', filled('<a>'), { steps: 1, gates: 0 }],
    ['of tags that are not finished', filled('<a '), { steps: 1, gates: 0 }],
    ['of elements and gates', `x${filled('<a></a> :: verify:"x" ')}`, { problems: 47_662 }],
    ['of backticks in lines', filled('a `\n'), { steps: 1, gates: 0 }],
    ['of quotation marks and gates', `"${filled(' :: verify:"x"')} "`, { problems: 74_899 }],
    ['of quotations of quotations', `${' '.repeat(1e5)}${filled('>>a\n')}`, { steps: 1, gates: 0 }],
    ['of fences', filled('```\n:: verify:"x"\n'), { problems: 29_127 }],
  ] as const)('%s', ([, prompt, numbers]) => {
    expect(counted(prompt)).toEqual(numbers);
  });
});
