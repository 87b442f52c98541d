import { describe, expect, test } from 'vitest';
import { parsePrompt } from '../../../../src/chain/parse/parse-prompt.ts';
import { LIBRARY, parsed, stepOf, verifyGate } from '../../../helpers/typed-prompt.ts';

test('a prompt with a verify gate becomes a step with its text and its gate', () => {
  expect(parsed('fix the auth bug :: verify:"npm test" max:10')).toEqual({
    steps: [
      { text: 'fix the auth bug', verify: [verifyGate('npm test', { maxAttempts: 10 })], criteria: [] },
    ],
    gateAction: undefined,
  });
});

describe('the command of a verify gate can be', () => {
  test.for([
    ['in double quotes', ':: verify:"npm test"', 'npm test'],
    ['in single quotes', ":: verify:'npm test'", 'npm test'],
    ['text with the other quotes', `:: verify:"bash -c 'npm test'"`, "bash -c 'npm test'"],
    ['text with double quotes in single quotes', `:: verify:'echo "a" b'`, 'echo "a" b'],
    ['text with escaped quotes', String.raw`:: verify:"echo \"a\" b"`, 'echo "a" b'],
    ['text with escaped single quotes', String.raw`:: verify:'it\'s'`, "it's"],
    ['text with the other quotes escaped', String.raw`:: verify:"it\'s"`, "it's"],
    ['text with an escaped backslash', String.raw`:: verify:"a\\"`, 'a\\'],
    ['text with an escaped backslash before a quote', String.raw`:: verify:"a\\\"b"`, 'a\\"b'],
    [
      'text with unescaped backslashes',
      String.raw`:: verify:"grep 'a\.b\n' \x"`,
      String.raw`grep 'a\.b\n' \x`,
    ],
    ['text with an apostrophe', `:: verify:"it's"`, "it's"],
    ['text that contains a gate', `:: verify:"echo :: verify:'x' --> y"`, "echo :: verify:'x' --> y"],
    ['text that contains options', ':: verify:"make max:3 :fast"', 'make max:3 :fast'],
    ['text with backticks', ':: verify:"echo `date` `"', 'echo `date` `'],
    ['text in other scripts', ':: verify:"echo 你好 ✓ 🎉"', 'echo 你好 ✓ 🎉'],
    ['text with blanks, which are kept', ':: verify:"  a  b "', '  a  b '],
    ['text with tabs', ':: verify:"a\tb"', 'a\tb'],
    ['text of 131071 bytes', `:: verify:"${'x'.repeat(131_071)}"`, 'x'.repeat(131_071)],
  ] as const)('%s', ([, gate, command]) => {
    expect(stepOf(`fix ${gate}`).verify).toEqual([verifyGate(command)]);
  });
});

describe('the options of a verify gate set', () => {
  test.for([
    ['only defaults if there are none', '', {}],
    ['max', ' max:3', { maxAttempts: 3 }],
    ['the lowest max', ' max:1', { maxAttempts: 1 }],
    ['the highest max', ' max:100', { maxAttempts: 100 }],
    ['a max with leading zeros', ' max:007', { maxAttempts: 7 }],
    ['a max in quotes', ' max:"3"', { maxAttempts: 3 }],
    ['the timeout', ' timeout:60', { timeoutSeconds: 60 }],
    ['the highest timeout', ' timeout:86400', { timeoutSeconds: 86_400 }],
    ['loop', ' loop:true', { loop: true }],
    ['loop:false', ' loop:false', { loop: false }],
    ['checkpoint', ' checkpoint:true', { checkpoint: true }],
    ['checkpoint:false', ' checkpoint:false', {}],
    ['rollback', ' rollback:true', { rollback: true }],
    ['rollback:false', ' rollback:false', {}],
    ['workingDir', ' workingDir:"./sub"', { workingDir: './sub' }],
    ['workingDir with blanks', ` workingDir:'my app'`, { workingDir: 'my app' }],
    ['workingDir without quotes', ' workingDir:packages/app', { workingDir: 'packages/app' }],
    ['workingDir that leaves a directory again', ' workingDir:a/../b', { workingDir: 'a/../b' }],
    ['workingDir of the project itself', ' workingDir:.', { workingDir: '.' }],
    ['workingDir with names of dots', ' workingDir:..a/...', { workingDir: '..a/...' }],
    ['the values of :fast', ' :fast', { maxAttempts: 1, timeoutSeconds: 30 }],
    ['the values of :full', ' :full', { maxAttempts: 5, timeoutSeconds: 300 }],
    ['the values of :extended', ' :extended', { maxAttempts: 10, timeoutSeconds: 600 }],
    ['a value over that of the preset', ' :fast max:3', { maxAttempts: 3, timeoutSeconds: 30 }],
    [
      'a value over that of a preset after it',
      ' timeout:9 :extended',
      { maxAttempts: 10, timeoutSeconds: 9 },
    ],
    [
      'all of them together',
      ' rollback:true workingDir:"a" max:2\ttimeout:3  loop:true checkpoint:true',
      {
        maxAttempts: 2,
        timeoutSeconds: 3,
        loop: true,
        checkpoint: true,
        rollback: true,
        workingDir: 'a',
      },
    ],
  ] as const)('%s', ([, options, fields]) => {
    expect(stepOf(`fix :: verify:"a"${options}`).verify).toEqual([verifyGate('a', fields)]);
    expect(stepOf(`fix :: verify:"a"${options} and more`).verify).toEqual([verifyGate('a', fields)]);
  });
});

describe('text after a verify gate that is not an option is part of the task', () => {
  test.for([
    [':: verify:"a" max:3 and be quick', 'fix and be quick'],
    [':: verify:"a" note: be quick', 'fix note: be quick'],
    [':: verify:"a" CI=1 is set', 'fix CI=1 is set'],
    [':: verify:"a" http://localhost:3000 is broken', 'fix http://localhost:3000 is broken'],
    [':: verify:"a" std::vector is slow', 'fix std::vector is slow'],
    [':: verify:"a" src/cart.ts:33 is wrong', 'fix src/cart.ts:33 is wrong'],
    [':: verify:"a" 12:30 is late', 'fix 12:30 is late'],
    [String.raw`:: verify:"a" C:\x is full`, String.raw`fix C:\x is full`],
    [':: verify:"a" :) thanks', 'fix :) thanks'],
    [':: verify:"a" :tada: thanks', 'fix :tada: thanks'],
    [':: verify:"a" :8080 is taken', 'fix :8080 is taken'],
    [':: verify:"a" :: and so on', 'fix :: and so on'],
    [':: verify:"a" :: {:ok, x}', 'fix :: {:ok, x}'],
    [':: verify:"a" :: :ok | :error', 'fix :: :ok | :error'],
    [':: verify:"a" -- max:3', 'fix -- max:3'],
    [':: verify:"a"\nmax:3 is the limit', 'fix\nmax:3 is the limit'],
    [':: verify:"a", then rest', 'fix, then rest'],
    [':: verify:"a". Then rest.', 'fix. Then rest.'],
    [':: verify:"a" :fast. Then rest.', 'fix. Then rest.'],
    ['(:: verify:"a")', 'fix ()'],
    [':: verify:"a"。然后提交', 'fix。然后提交'],
  ] as const)('%s', ([prompt, text]) => {
    expect(stepOf(`fix ${prompt}`).text).toBe(text);
  });
});

describe('a verify gate is recognized with any blanks around it', () => {
  test.for([
    'fix :: verify:"a"',
    'fix ::verify:"a"',
    'fix  ::  verify:"a"  ',
    'fix\t::\tverify:"a"',
    'fix\u00A0::\u00A0verify:"a"',
    'fix :: verify: "a"',
    'fix :: verify : "a"',
    ':: verify:"a" fix',
    ':: verify:"a"\nfix',
    '\uFEFF:: verify:"a" fix',
    'fix\n:: verify:"a"',
    'fix\r\n:: verify:"a"\r\n',
    'fix\r:: verify:"a"',
  ])('%j', (prompt) => {
    expect(stepOf(prompt)).toEqual({ text: 'fix', verify: [verifyGate('a')], criteria: [] });
  });
});

describe('gates are removed from the text at any position', () => {
  test.for([
    ['fix it :: verify:"a" and :: verify:"b" max:1 rest', 'fix it and rest'],
    ['fix it :: verify:"a" :: verify:"b" max:1', 'fix it'],
    [
      'fix it\n\n:: verify:"a"\n:: verify:"b" max:1\n\n- be quick\n  - really',
      'fix it\n\n- be quick\n  - really',
    ],
    [':: verify:"a" :: verify:"b" max:1 fix it', 'fix it'],
    [
      '> said\n\n:: verify:"a"\n```\ncode\n```\n```\ncode\n``` :: verify:"b" max:1',
      '> said\n```\ncode\n```\n```\ncode\n```',
    ],
    [
      'fix `x :: "a b"` :: verify:"a" and ``y ` :: "c d"`` :: verify:"b" max:1',
      'fix `x :: "a b"` and ``y ` :: "c d"``',
    ],
    ['the ` key :: verify:"a" :: verify:"b" max:1', 'the ` key'],
    ['the `` key` :: verify:"a" :: verify:"b" max:1', 'the `` key`'],
  ] as const)('%j', ([prompt, text]) => {
    const verify = [verifyGate('a'), verifyGate('b', { maxAttempts: 1 })];
    expect(stepOf(prompt)).toEqual({ text, verify, criteria: [] });
  });
});

const REST = 'follows REST conventions';

describe('a criterion can be', () => {
  test.for([
    ['a text', ':: "follows REST conventions"', [['criterion-1', REST]]],
    ['a text in single quotes', ":: 'follows REST conventions'", [['criterion-1', REST]]],
    ['a text with escapes', String.raw`:: "is \"good\" \o/"`, [['criterion-1', String.raw`is "good" \o/`]]],
    ['a text without blanks, in a script without blanks', ':: "符合规范"', [['criterion-1', '符合规范']]],
    [
      'each of several texts',
      ':: "a b" :: "c d"',
      [
        ['criterion-1', 'a b'],
        ['criterion-2', 'c d'],
      ],
    ],
    [
      'a text with the next number that was not typed as a name',
      ':: "a b" :: criterion-1:"one" :: "c d" :: criterion-3:"three"',
      [
        ['criterion-2', 'a b'],
        ['criterion-1', 'one'],
        ['criterion-4', 'c d'],
        ['criterion-3', 'three'],
      ],
    ],
    ['a text with a name', ':: rest:"follows REST conventions"', [['rest', REST]]],
    ['one word with a name', ":: tone:'kind'", [['tone', 'kind']]],
    ['a text with a name in another script', ':: 安全_1-a:"x"', [['安全_1-a', 'x']]],
    ['a name with a dash, which is also its text', ':: code-quality', [['code-quality', 'code-quality']]],
    ['a name with more dashes', ':: owasp-top-10_2021', [['owasp-top-10_2021', 'owasp-top-10_2021']]],
    ['the text of a file', ':: quality', [['quality', 'No function is longer than a page.']]],
    ['the text of a file with any name', ':: Security_v1', [['Security_v1', 'No secret is logged.']]],
    ['the name of an empty file', ':: empty.one', [['empty.one', 'empty.one']]],
    [
      'a name with a dash before the next gate',
      ':: code-quality :: verify-all',
      [
        ['code-quality', 'code-quality'],
        ['verify-all', 'verify-all'],
      ],
    ],
  ] as const)('%s', ([, gates, criteria]) => {
    const expected = criteria.map(([name, text]) => ({ name, text }));
    expect(stepOf(`fix ${gates}`)).toEqual({ text: 'fix', verify: [], criteria: expected });
  });
});

describe('text after a criterion', () => {
  test.for([
    ['build it :: "follows REST conventions" and be quick', 'build it and be quick'],
    ['build it :: rest:"x y", and be quick', 'build it, and be quick'],
    ['build it :: quality and be quick', 'build it and be quick'],
    ['build it :: quality.', 'build it.'],
    ['build it :: code-quality.', 'build it.'],
    ['build it :: code-quality\nand be quick', 'build it\nand be quick'],
    ['build it :: code-quality, :: quality', 'build it,'],
    ['build it :: quality note: this', 'build it note: this'],
    ['build it :: "a b" mx:3', 'build it mx:3'],
  ] as const)('is part of the task: %j', ([prompt, text]) => {
    expect(stepOf(prompt).text).toBe(text);
  });
});

test('a step can have criteria and commands', () => {
  expect(stepOf('build it :: code-quality :: verify:"a" max:2 :: "a b" now :: verify:"b"')).toEqual({
    text: 'build it now',
    verify: [verifyGate('a', { maxAttempts: 2 }), verifyGate('b')],
    criteria: [
      { name: 'code-quality', text: 'code-quality' },
      { name: 'criterion-1', text: 'a b' },
    ],
  });
});

describe('a prompt has no criterion for', () => {
  test.for([
    ['one word in quotes', 'x :: "b"'],
    ['nothing in quotes', 'x :: ""'],
    ['blanks in quotes', 'x :: "  "'],
    ['a word without a file', 'x :: qualities'],
    ['the name of a JavaScript property', 'x :: constructor'],
    ['a name with a dash before other text', 'x :: code-quality and more'],
    ['a name with an upper-case letter', 'x :: Code-Quality'],
    ['a name with one letter before the dash', 'x :: n-first'],
    ['a name with one letter after the dash', 'x :: last-n'],
    ['a name and a number', 'x :: len-1'],
    ['a name with an underscore', 'x :: code_quality'],
    ['a name that ends in a dash', 'x :: code-quality-'],
    ['a path', 'x :: ../quality'],
    ['a name with a text that has no quotes', 'x :: rest:conventions'],
    ['a name with a blank before its text', 'x :: rest: "a b"'],
    ['a text without a blank before it', 'x ::"a b"'],
    ['a text without a blank before the colons', 'x:: "a b"'],
    ['a name without a blank before it', 'x ::quality'],
    ['a name without a blank before the colons', 'x:: quality'],
  ] as const)('%s', ([, prompt]) => {
    expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
  });
});

describe('a gate action', () => {
  test.for(['retry', 'skip', 'abort'] as const)('can be %s', (action) => {
    const answer = { steps: [], gateAction: action };
    expect(parsed(`:: gate_action:${action}`)).toEqual(answer);
    expect(parsed(`\n ::gate_action: ${action} \n`)).toEqual(answer);
    expect(parsed(`:: gate_action : ${action}`)).toEqual(answer);
  });

  test('can be typed beside a task', () => {
    expect(parsed('use the other library :: gate_action:retry. Be quick :: verify:"a"')).toEqual({
      steps: [{ text: 'use the other library. Be quick', verify: [verifyGate('a')], criteria: [] }],
      gateAction: 'retry',
    });
  });

  test('belongs to no step', () => {
    expect(parsed('>>a --> >>b :: gate_action:skip')).toEqual({
      steps: [
        { text: '>>a', verify: [], criteria: [] },
        { text: '>>b', verify: [], criteria: [] },
      ],
      gateAction: 'skip',
    });
  });
});
