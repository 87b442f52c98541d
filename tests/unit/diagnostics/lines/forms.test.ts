import { describe, expect, test } from 'vitest';
import { LAYOUT_TABLES } from '../../../../src/diagnostics/fold/layout.ts';
import { SEPARATOR_TABLES } from '../../../../src/diagnostics/fold/separators.ts';
import { type FormTable, formTable } from '../../../../src/diagnostics/lines/forms.ts';
import { POINTER_TABLES } from '../../../../src/diagnostics/lines/pointers.ts';
import { PREFIX_TABLES } from '../../../../src/diagnostics/lines/prefix.ts';
import { STACK_TABLES } from '../../../../src/diagnostics/lines/stack-frames.ts';
import { STRUCTURE_TABLES } from '../../../../src/diagnostics/lines/structure.ts';

const TABLES: Readonly<Record<string, FormTable>> = {
  ...STACK_TABLES,
  ...POINTER_TABLES,
  ...STRUCTURE_TABLES,
  ...PREFIX_TABLES,
  ...SEPARATOR_TABLES,
  ...LAYOUT_TABLES,
};

const ORDINARY = [
  '',
  'hello world',
  'compiling src/cart.ts',
  'Attempt 3 of 5',
  '✓ adds the tax (3 ms)',
  'src/cart.ts:3:5: error: total is not defined',
  'Error: expected 3 to be 4',
  'AssertionError [ERR_ASSERTION]: 3 !== 4',
  'Tests: 1 failed, 2 passed, 3 total',
  'fromage: 12',
  'the file "cart.py" is empty',
  '"name": "shop",',
  'Done in 1.2 s.',
  '{"level":"info","msg":"started"}',
  '   7:   cart.add(lamp);',
  '2: Task failed with an exception.',
];

describe.each(Object.entries(TABLES))('of the table %s,', (_, { start, forms, pattern }) => {
  test.each(Object.entries(forms))('the form "%s" is the only one of its example', (name, { example }) => {
    const matching = Object.entries(forms).filter(([id, form]) =>
      formTable(start, { [id]: form }).pattern.test(example),
    );

    expect(matching.map(([id]) => id)).toEqual([name]);
  });

  test.each(Object.entries(forms))('the form "%s" has its flags from the table', (_name, form) => {
    expect(form.pattern.flags).toBe('');
  });

  test.each(ORDINARY)('no form is that of an ordinary line: %j', (line) => {
    expect(pattern.test(line)).toBe(false);
  });
});
