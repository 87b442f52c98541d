import { describe, expect, test } from 'vitest';
import { parsePrompt, renderSteps } from '../../../../src/chain/parse/parse-prompt.ts';
import { LIBRARY, parsed, verifyGate } from '../../../helpers/typed-prompt.ts';

test('each step has its own gates', () => {
  expect(
    parsed('>>fix the cart :: verify:"a" --> >>plan.v2 --> polish :: "a b" :: verify:"b" :fast :: quality'),
  ).toEqual({
    steps: [
      { text: 'Repair the cart.\n\nAdd a test for the cart.', verify: [verifyGate('a')], criteria: [] },
      { text: 'Write a plan.', verify: [], criteria: [] },
      {
        text: 'polish',
        verify: [verifyGate('b', { maxAttempts: 1, timeoutSeconds: 30 })],
        criteria: [
          { name: 'criterion-1', text: 'a b' },
          { name: 'quality', text: 'No function is longer than a page.' },
        ],
      },
    ],
    gateAction: undefined,
  });
});

test('a criterion of the same name may stand in two steps', () => {
  const { steps } = parsed('a :: x:"1" :: "a b" --> b :: x:"2" :: "c d"');
  expect(steps.map(({ criteria }) => criteria.map(({ name }) => name))).toEqual([
    ['x', 'criterion-1'],
    ['x', 'criterion-1'],
  ]);
});

describe('an arrow stands between steps', () => {
  test.for([
    ['before the call of a template', 'write it --> >>b :: verify:"a"', ['write it', '>>b']],
    ['before one in the next line', 'write it -->\n  >>b :: verify:"a"', ['write it', '>>b']],
    ['before one, at the beginning of a line', 'write it\n--> >>b :: verify:"a"', ['write it', '>>b']],
    ['behind a gate', 'write it :: verify:"a" --> polish', ['write it', 'polish']],
    ['behind a criterion', 'write it :: "a b" --> polish', ['write it', 'polish']],
    ['behind a bare name', 'write it :: code-quality --> polish', ['write it', 'polish']],
    ['behind a gate in the line before', 'write it :: verify:"a"\n--> polish', ['write it', 'polish']],
    ['behind a call', '>>a --> polish :: verify:"a"', ['>>a', 'polish']],
    ['behind a call with arguments', '>>a the b --> polish :: verify:"a"', ['>>a the b', 'polish']],
    ['behind a call that comes after a gate', ':: verify:"a" >>a x --> polish', ['>>a x', 'polish']],
    ['behind each call', '>>a --> >>b x --> polish :: verify:"a"', ['>>a', '>>b x', 'polish']],
    ['beside a line end', '>>a\t-->\r\npolish :: verify:"a"', ['>>a', 'polish']],
  ] as const)('%s', ([, prompt, texts]) => {
    expect(parsed(prompt).steps.map(({ text }) => text)).toEqual(texts);
  });
});

describe('an arrow is text', () => {
  test.for([
    ['between words', 'open settings --> click save crashes :: verify:"a"', undefined],
    ['behind words that follow a gate', ':: verify:"a" open --> close crashes', 'open --> close crashes'],
    [
      "of a compiler's",
      'fix :: verify:"a"\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5',
      'fix\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5',
    ],
    [
      "of a compiler's, below a call",
      '>>a this\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5 :: verify:"a"',
      undefined,
    ],
    ['the second in the line below a call', '>>a\nx --> y --> z :: verify:"a"', undefined],
    ['that closes a comment', 'drop <!-- the header --> :: verify:"a"', undefined],
    ['of a diagram', 'draw\nA --> B\nB --> C :: verify:"a"', undefined],
    ['without a blank before it', '>>a x--> >>b :: verify:"a"', undefined],
    ['without a blank behind it', '>>a -->>b :: verify:"a"', undefined],
    ['with more dashes', '>>a ---> >>b :: verify:"a"', undefined],
    ['in backticks', '>>a ` --> ` >>b :: verify:"a"', undefined],
    ['in a fence', '>>a\n```\n--> >>b\n```\n:: verify:"a"', undefined],
    ['in a quoted line', '>>a\n> x --> >>b\n:: verify:"a"', undefined],
    ['in a text', '>>a :: verify:"a --> >>b"', '>>a'],
  ] as const)('%s', ([, prompt, text]) => {
    const { steps } = parsed(prompt);
    expect(steps.map((step) => step.text)).toEqual([text ?? prompt.replace(/\s*:: verify:"a"$/, '')]);
    expect(steps[0]?.verify).toHaveLength(1);
  });
});

describe('a template', () => {
  test.for([
    ['with its arguments', '>>fix the cart', 'Repair the cart.\n\nAdd a test for the cart.'],
    ['with none', '>>fix', 'Repair .\n\nAdd a test for .'],
    [
      'with arguments in several lines',
      '>>fix the\n cart',
      'Repair the\n cart.\n\nAdd a test for the\n cart.',
    ],
    ['with arguments that look like its own', '>>fix $& $1 $ARGUMENTS', undefined],
    ['that takes none, alone', '>>plan.v2', 'Write a plan.'],
    ['that takes none, with some', '>>plan.v2 for the cart\nnow', 'Write a plan.\n\nfor the cart\nnow'],
    ['whose arguments are counted', '>>one a b', 'First $1, $0 and $ARGUMENTS[0].\n\na b'],
    ['with a longer name in it', '>>both x', '$ARGUMENTS_X stays; x goes.'],
    ['that looks like gates and steps', '>>gated x', 'Tidy up :: verify:"rm -rf /" --> >>fix x'],
    ['that is empty, with arguments', '>>empty x', 'x'],
    ['that nobody wrote', '>>nothing x', '>>nothing x'],
    ["of a name of JavaScript's", '>>toString x', '>>toString x'],
    ['that is not at the beginning', 'please >>fix x', 'please >>fix x'],
    ['with more behind its name', '>>fix: x', '>>fix: x'],
    ['of a path', '>>../fix x', '>>../fix x'],
  ] as const)('%s', ([, prompt, text]) => {
    const rendered = text ?? 'Repair $& $1 $ARGUMENTS.\n\nAdd a test for $& $1 $ARGUMENTS.';
    const steps = (verify: number) => [
      { text: rendered, verify: Array(verify).fill(verifyGate('a')), criteria: [] },
    ];
    expect(renderSteps(`  ${prompt}\n`, LIBRARY)).toEqual({ steps: steps(0), gateAction: undefined });
    expect(parsed(`${prompt} :: verify:"a"`).steps).toEqual(steps(1));
    expect(parsed(`:: verify:"a" ${prompt}`).steps).toEqual(steps(1));
  });
});

describe('a prompt without gates', () => {
  test.for(['>>fix the cart', '>>fix the cart --> >>plan.v2', '>>fix the cart --> ', 'fix it', ''])(
    'is left alone: %j',
    (prompt) => {
      expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
    },
  );

  test('has steps for who asks for them', () => {
    expect(renderSteps('>>fix it --> >>plan.v2', LIBRARY)).toMatchObject({
      steps: [{ text: 'Repair it.\n\nAdd a test for it.' }, { text: 'Write a plan.' }],
    });
    expect(renderSteps(' \n', LIBRARY)).toEqual({ steps: [], gateAction: undefined });
    expect(renderSteps('>>fix it --> ', LIBRARY)).toMatchObject({ problems: [{ line: 1, column: 10 }] });
    expect(renderSteps('>>empty', LIBRARY)).toMatchObject({ problems: [{ line: 1, column: 1 }] });
  });

  test('has gates for who asks for steps, where it has them after all', () => {
    expect(renderSteps('fix :: verify:"a"', LIBRARY)).toEqual(parsed('fix :: verify:"a"'));
  });
});
