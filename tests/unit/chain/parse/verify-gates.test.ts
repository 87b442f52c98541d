import { describe, expect, test } from 'vitest';
import { parsed, stepOf, verifyGate } from '../../../helpers/typed-prompt.ts';

test('the whole of a prompt with a gate', () => {
  expect(parsed('fix the auth bug :: verify:"npm test" max:10')).toEqual({
    steps: [
      { text: 'fix the auth bug', verify: [verifyGate('npm test', { maxAttempts: 10 })], criteria: [] },
    ],
    gateAction: undefined,
  });
});

describe('a command is', () => {
  test.for([
    ['in double quotes', ':: verify:"npm test"', 'npm test'],
    ['in single quotes', ":: verify:'npm test'", 'npm test'],
    ['one with the other quotes', `:: verify:"bash -c 'npm test'"`, "bash -c 'npm test'"],
    ['one with double quotes in single ones', `:: verify:'echo "a" b'`, 'echo "a" b'],
    ['one with escaped quotes', String.raw`:: verify:"echo \"a\" b"`, 'echo "a" b'],
    ['one with escaped single quotes', String.raw`:: verify:'it\'s'`, "it's"],
    ['one with the other quotes escaped', String.raw`:: verify:"it\'s"`, "it's"],
    ['one with an escaped backslash', String.raw`:: verify:"a\\"`, 'a\\'],
    ['one with an escaped backslash before a quote', String.raw`:: verify:"a\\\"b"`, 'a\\"b'],
    [
      'one with backslashes of its own',
      String.raw`:: verify:"grep 'a\.b\n' \x"`,
      String.raw`grep 'a\.b\n' \x`,
    ],
    ['one quote in the other', `:: verify:"it's"`, "it's"],
    ['one with a gate in it', `:: verify:"echo :: verify:'x' --> y"`, "echo :: verify:'x' --> y"],
    ['one with options in it', ':: verify:"make max:3 :fast"', 'make max:3 :fast'],
    ['one with backticks', ':: verify:"echo `date` `"', 'echo `date` `'],
    ['one in other scripts', ':: verify:"echo 你好 ✓ 🎉"', 'echo 你好 ✓ 🎉'],
    ['as it was typed, blanks too', ':: verify:"  a  b "', '  a  b '],
    ['one with tabs', ':: verify:"a\tb"', 'a\tb'],
    ['one of 131071 bytes', `:: verify:"${'x'.repeat(131_071)}"`, 'x'.repeat(131_071)],
  ] as const)('%s', ([, gate, command]) => {
    expect(stepOf(`fix ${gate}`).verify).toEqual([verifyGate(command)]);
  });
});

describe('an option sets', () => {
  test.for([
    ['nothing', '', {}],
    ['max', ' max:3', { maxAttempts: 3 }],
    ['the least max', ' max:1', { maxAttempts: 1 }],
    ['the greatest max', ' max:100', { maxAttempts: 100 }],
    ['a max with zeros', ' max:007', { maxAttempts: 7 }],
    ['a max in quotes', ' max:"3"', { maxAttempts: 3 }],
    ['the timeout', ' timeout:60', { timeoutSeconds: 60 }],
    ['the greatest timeout', ' timeout:86400', { timeoutSeconds: 86_400 }],
    ['loop', ' loop:true', { loop: true }],
    ['no loop', ' loop:false', { loop: false }],
    ['checkpoint', ' checkpoint:true', { checkpoint: true }],
    ['no checkpoint', ' checkpoint:false', {}],
    ['rollback', ' rollback:true', { rollback: true }],
    ['no rollback', ' rollback:false', {}],
    ['workingDir', ' workingDir:"./sub"', { workingDir: './sub' }],
    ['workingDir with blanks', ` workingDir:'my app'`, { workingDir: 'my app' }],
    ['workingDir without quotes', ' workingDir:packages/app', { workingDir: 'packages/app' }],
    ['workingDir that comes back', ' workingDir:a/../b', { workingDir: 'a/../b' }],
    ['workingDir of the project itself', ' workingDir:.', { workingDir: '.' }],
    ['workingDir of dots', ' workingDir:..a/...', { workingDir: '..a/...' }],
    ['all that :fast does', ' :fast', { maxAttempts: 1, timeoutSeconds: 30 }],
    ['all that :full does', ' :full', { maxAttempts: 5, timeoutSeconds: 300 }],
    ['all that :extended does', ' :extended', { maxAttempts: 10, timeoutSeconds: 600 }],
    ['more than its preset', ' :fast max:3', { maxAttempts: 3, timeoutSeconds: 30 }],
    ['more than its preset, before it', ' timeout:9 :extended', { maxAttempts: 10, timeoutSeconds: 9 }],
    [
      'with all others',
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

describe('what is no option is what the agent is to do', () => {
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

describe('a verify gate is one, however it is spaced', () => {
  test.for([
    'fix :: verify:"a"',
    'fix ::verify:"a"',
    'fix:: verify:"a"',
    'fix::verify:"a"',
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

describe('gates stand anywhere', () => {
  test.for([
    ['fix it :: verify:"a" and :: verify:"b" max:1 rest', 'fix it and rest'],
    ['fix it :: verify:"a" :: verify:"b" max:1', 'fix it'],
    [
      'fix it\n\n:: verify:"a"\n:: verify:"b" max:1\n\n- be quick\n  - really',
      'fix it\n\n- be quick\n  - really',
    ],
    [':: verify:"a" :: verify:"b" max:1 fix it', 'fix it'],
    [
      '> said\n\n```\ncode\n```\n:: verify:"a"\n```\ncode\n``` :: verify:"b" max:1',
      '> said\n\n```\ncode\n```\n```\ncode\n```',
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
