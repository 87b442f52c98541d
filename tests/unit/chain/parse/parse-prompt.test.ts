import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { success } from '../../../../src/base/result.ts';
import { parsePrompt, renderSteps } from '../../../../src/chain/parse/parse-prompt.ts';
import { markProblem } from '../../../../src/chain/parse/problems.ts';
import { mayHaveGates } from '../../../../src/state/chain-location.ts';
import { arbitraryBlanks, arbitraryPrompt, arbitraryStep } from '../../../helpers/arbitrary-prompts.ts';
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

test('two steps may have criteria with the same name', () => {
  const { steps } = parsed('a :: x:"1" :: "a b" --> b :: x:"2" :: "c d"');
  expect(steps.map(({ criteria }) => criteria.map(({ name }) => name))).toEqual([
    ['x', 'criterion-1'],
    ['x', 'criterion-1'],
  ]);
});

describe('an arrow separates steps', () => {
  test.for([
    ['before the call of a template', 'write it --> >>b :: verify:"a"', ['write it', '>>b']],
    ['before one in the next line', 'write it -->\n  >>b :: verify:"a"', ['write it', '>>b']],
    ['before one, at the beginning of a line', 'write it\n--> >>b :: verify:"a"', ['write it', '>>b']],
    ['after a gate', 'write it :: verify:"a" --> polish', ['write it', 'polish']],
    ['after a criterion', 'write it :: "a b" --> polish', ['write it', 'polish']],
    ['after the name of a criterion', 'write it :: code-quality --> polish', ['write it', 'polish']],
    ['after a gate in the line before', 'write it :: verify:"a"\n--> polish', ['write it', 'polish']],
    ['after the call of a template', '>>a --> polish :: verify:"a"', ['>>a', 'polish']],
    ['after a call with arguments', '>>a the b --> polish :: verify:"a"', ['>>a the b', 'polish']],
    ['after a call that follows a gate', ':: verify:"a" >>a x --> polish', ['>>a x', 'polish']],
    ['after each of several calls', '>>a --> >>b x --> polish :: verify:"a"', ['>>a', '>>b x', 'polish']],
    ['before a line end', '>>a\t-->\r\npolish :: verify:"a"', ['>>a', 'polish']],
  ] as const)('%s', ([, prompt, texts]) => {
    expect(parsed(prompt).steps.map(({ text }) => text)).toEqual(texts);
  });
});

describe('an arrow is text', () => {
  test.for([
    ['between words', 'open settings --> click save crashes :: verify:"a"', undefined],
    ['after words that follow a gate', ':: verify:"a" open --> close crashes', 'open --> close crashes'],
    [
      'in the output of a compiler',
      'fix :: verify:"a"\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5',
      'fix\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5',
    ],
    [
      'in the output of a compiler, below a call',
      '>>a this\nerror[E0308]: mismatched types\n  --> src/main.rs:4:5 :: verify:"a"',
      undefined,
    ],
    ['as the second one in the line below a call', '>>a\nx --> y --> z :: verify:"a"', undefined],
    ['at the end of a comment', 'drop <!-- the header --> :: verify:"a"', undefined],
    ['in a diagram', 'draw\nA --> B\nB --> C :: verify:"a"', undefined],
    ['without a blank before it', '>>a x--> >>b :: verify:"a"', undefined],
    ['without a blank after it', '>>a -->>b :: verify:"a"', undefined],
    ['with more dashes', '>>a ---> >>b :: verify:"a"', undefined],
    ['in backticks', '>>a ` --> ` >>b :: verify:"a"', undefined],
    ['in a fence', '>>a\n```\n--> >>b\n```\n:: verify:"a"', undefined],
    ['in a quoted line', '>>a\n> x --> >>b\n:: verify:"a"', undefined],
    ['in a command', '>>a :: verify:"a --> >>b"', '>>a'],
  ] as const)('%s', ([, prompt, text]) => {
    const { steps } = parsed(prompt);
    expect(steps.map((step) => step.text)).toEqual([text ?? prompt.replace(/\s*:: verify:"a"$/, '')]);
    expect(steps[0]?.verify).toHaveLength(1);
  });
});

describe('the call of a template is rendered', () => {
  test.for([
    ['with its arguments', '>>fix the cart', 'Repair the cart.\n\nAdd a test for the cart.'],
    ['without arguments', '>>fix', 'Repair .\n\nAdd a test for .'],
    [
      'with arguments in several lines',
      '>>fix the\n cart',
      'Repair the\n cart.\n\nAdd a test for the\n cart.',
    ],
    ['with arguments that look like placeholders', '>>fix $& $1 $ARGUMENTS', undefined],
    ['without a placeholder, and without arguments', '>>plan.v2', 'Write a plan.'],
    [
      'without a placeholder, with arguments',
      '>>plan.v2 for the cart\nnow',
      'Write a plan.\n\nfor the cart\nnow',
    ],
    ['with numbered placeholders, which stay', '>>one a b', 'First $1, $0 and $ARGUMENTS[0].\n\na b'],
    ['with a longer placeholder, which stays', '>>both x', '$ARGUMENTS_X stays; x goes.'],
    ['with gates and arrows, which stay text', '>>gated x', 'Tidy up :: verify:"rm -rf /" --> >>fix x'],
    ['as its arguments if it is empty', '>>empty x', 'x'],
    ['as typed if there is no such template', '>>nothing x', '>>nothing x'],
    ['as typed if its name is a JavaScript property', '>>toString x', '>>toString x'],
    ['as typed if it is not at the beginning', 'please >>fix x', 'please >>fix x'],
    ['as typed if a colon follows the name', '>>fix: x', '>>fix: x'],
    ['as typed if it is a path', '>>../fix x', '>>../fix x'],
  ] as const)('%s', ([, prompt, text]) => {
    const rendered = text ?? 'Repair $& $1 $ARGUMENTS.\n\nAdd a test for $& $1 $ARGUMENTS.';
    const steps = (verify: number) => [
      { text: rendered, verify: Array(verify).fill(verifyGate('a')), criteria: [] },
    ];
    expect(renderSteps(`  ${prompt}\n`, LIBRARY)).toEqual(
      success({ steps: steps(0), gateAction: undefined }),
    );
    expect(parsed(`${prompt} :: verify:"a"`).steps).toEqual(steps(1));
    expect(parsed(`:: verify:"a" ${prompt}`).steps).toEqual(steps(1));
  });
});

describe('a prompt without gates', () => {
  test.for(['>>fix the cart', '>>fix the cart --> >>plan.v2', '>>fix the cart --> ', 'fix it', ''])(
    'is not parsed: %j',
    (prompt) => {
      expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
    },
  );

  test('is rendered by renderSteps', () => {
    expect(renderSteps('>>fix it --> >>plan.v2', LIBRARY)).toMatchObject({
      value: { steps: [{ text: 'Repair it.\n\nAdd a test for it.' }, { text: 'Write a plan.' }] },
    });
    expect(renderSteps(' \n', LIBRARY)).toEqual(success({ steps: [], gateAction: undefined }));
    expect(renderSteps('>>fix it --> ', LIBRARY)).toMatchObject({ failure: [{ line: 1, column: 10 }] });
    expect(renderSteps('>>empty', LIBRARY)).toMatchObject({ failure: [{ line: 1, column: 1 }] });
  });
});

test('renderSteps reads the gates of a prompt too', () => {
  expect(renderSteps('fix :: verify:"a"', LIBRARY)).toEqual(success(parsed('fix :: verify:"a"')));
});

const LINE_END = /\r\n?|\n/;

describe('in generated prompts', () => {
  test('all typed gates are read', () => {
    const prompts = fc.tuple(fc.array(arbitraryStep, { minLength: 1, maxLength: 3 }), arbitraryBlanks);
    fc.assert(
      fc.property(prompts, ([steps, blank]) => {
        const prompt = steps.map(({ syntax }) => syntax).join(`${blank}-->${blank}`);
        expect(parsed(prompt)).toEqual({ steps: steps.map(({ value }) => value), gateAction: undefined });
      }),
    );
  });

  test('every problem has a place in the prompt, in order, and can be printed', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const found = renderSteps(prompt, LIBRARY);
        if (found.ok) return;
        const lines = prompt.split(LINE_END);
        const places = found.failure.map(({ line, column }) => ({ line, column }));
        expect(places.map(({ line, column }) => lines[line - 1]?.[column - 1])).not.toContain(undefined);
        expect(places).toEqual(places.toSorted((a, b) => a.line - b.line || a.column - b.column));
        for (const problem of found.failure) {
          expect(problem.message).toMatch(/^found [^\p{Cc}]{1,250}, expected [^\p{Cc}]{1,150}$/u);
          expect(markProblem(prompt, problem)).toMatch(/^[^\p{Cc}]{0,150}\n {0,80}\^$/u);
        }
      }),
      { numRuns: 500, examples: [['x :: verify:"x"\x7f'], ['x :: verify:"x"\x9b']] },
    );
  });

  test('mayHaveGates misses no gate', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const found = renderSteps(prompt, LIBRARY);
        const hasGates =
          found.ok &&
          (found.value.gateAction !== undefined ||
            found.value.steps.some(({ verify, criteria }) => verify.length + criteria.length > 0));
        if (hasGates) expect(parsePrompt(prompt, LIBRARY)).toEqual(found);
        if (!mayHaveGates(prompt)) expect(hasGates).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('there are no gates without separate colons and without the two words', () => {
    const prompts = arbitraryPrompt.map((prompt) =>
      prompt.replaceAll(/(^|\s)::(?=\s)|verify|gate_action/g, 'x'),
    );
    fc.assert(
      fc.property(prompts, (prompt) => {
        expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('there are no gates in a fence', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const fence = '`'.repeat(prompt.length + 3);
        expect(parsePrompt(`${fence}\n${prompt}\n${fence}`, LIBRARY)).toBeUndefined();
      }),
    );
  });

  test('there are no gates in quoted lines', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const lines = prompt.replaceAll(/[`~]{3,}/g, '').split(LINE_END);
        expect(parsePrompt(lines.map((line) => `> ${line}`).join('\n'), LIBRARY)).toBeUndefined();
      }),
    );
  });
});
