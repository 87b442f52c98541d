import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { type FailureLine, PRIORITY } from '../../../../src/diagnostics/failures/failure.ts';
import {
  ownLines,
  saidFramesIn,
  withoutCallersAgain,
  withoutThrowers,
} from '../../../../src/diagnostics/failures/shown-frames.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { condensed } from '../../../helpers/condensed.ts';

const FRAME = '    at parse (/proj/node_modules/parser/lib/index.js:369:19)';
const kept = (...texts: readonly string[]) =>
  withoutThrowers(texts.map((text, at) => ({ at, text }))).map(({ text }) => text);

test.each([
  ['in its first line', 'SyntaxError: /proj/src/cart.js: Unexpected token. (5:28)', '> 5 | a.b.c'],
  ['by the path of a file', 'Error: Could not resolve "./a.css" from "src/Button.jsx"'],
  ['above quoted source', '   ╭─[ src/cart.js:1:23 ]', ' 1 │ import { a }', '   │  ╰─── Missing export'],
  ['without its line', "Error: Can't resolve './missing.css' in '/proj/src/styles'"],
  ['below quoted source', '4 │   &:hover { }', '  │    ^^^^', '  src/V7.vue 4:20  root stylesheet'],
])('of a message that names a file %s, the frame of the package that threw is left out', (_, ...message) => {
  expect(kept(...message, FRAME)).toEqual(message);
});

test.each([
  ['a message without a place', 'Error: Undefined variable.'],
  ['a message with a file of a package', 'Error: no export in node_modules/parser/index.js'],
  ['a message below that of another error', 'src/a.ts:3:5: error: no x', 'Error: Undefined variable.'],
  ['a message of another log level', 'src/a.ts:3:5', '[ERROR] Error: Undefined variable.'],
  ['a warning at a place', 'src/a.ts:3:5: warning: no x'],
  ['the name of a test', 'src/a.ts:3:5', '✗ adds'],
  ['the command of a script', '> node bin/test.js', ''],
  ['a place far above', 'src/a.ts:3:5', ...Array.from({ length: 20 }, () => 'and so on')],
])('below %s, the frame of the package that threw is shown', (_, ...lines) => {
  expect(kept(...lines, FRAME)).toEqual([...lines, FRAME]);
});

test('the code of an external frame goes with it, also if it looks like a frame, and its own frames stay', () => {
  const external = '  File "/usr/lib/python3.11/threading.py", line 1038, in _bootstrap_inner';
  const own = ['  File "/p/mailer/tasks.py", line 18, in run', '    job = self.q.get()'];
  const nested = '    at run (/p/src/pool.js:4:5)';
  const lines = [external, '    self.run()', ...own, external, '    waiter.acquire()', external, nested];

  expect(ownLines(lines.map((text, at) => ({ at, text }))).map(({ text }) => text)).toEqual([...own, nested]);
});

describe('the callers in a stack', () => {
  const without = (...texts: readonly string[]) =>
    withoutCallersAgain(texts.map((text, at) => ({ at, text }))).map(({ text }) => text);
  const first = [
    '==7== Invalid write',
    '==7==    by 0x951E: route (geo.c:5)',
    '==7==    by 0x9354: main (app.c:3)',
  ];

  test('are left out if they were shown above', () => {
    const second = ['==7== Invalid read', '==7==    by 0x952A: route (geo.c:6)'];

    expect(without(...first, ...second, first[2] ?? '')).toEqual([...first, ...second]);
  });

  test.each([
    ['they are the innermost frame', ['==7== Invalid read', first[2] ?? '']],
    ['they differ', ['==7== Invalid read', first[1] ?? '', '==7==    by 0x9399: main (app.c:4)']],
    [
      'their source is below them',
      ['  File "a.py", line 3, in a', '    b()', '  File "a.py", line 3, in a', '    b()'],
    ],
    [
      'their place is below them',
      ['main.Total(0xc1)', '\t/p/a.go:3 +0x1', 'main.Total(0xc1)', '\t/p/a.go:3 +0x1'],
    ],
  ])('are shown if %s', (_, second) => {
    expect(without(...first, ...second)).toEqual([...first, ...second]);
  });
});

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const THROWN = 'Error: listen EADDRINUSE: address already in use :::18080\n    at src/server.js:5:19';

test.each([
  ['the runtime', "node:events:502\n      throw er; // Unhandled 'error' event\n      ^\n\n"],
  [
    'a package',
    'file:///proj/node_modules/typed/ts.mjs:11\nconst KIND = create(ts.kind);\n             ^\n\n',
  ],
])('what %s quotes of itself above an error is left out', (_, source) => {
  expect(excerpt(`${source}${THROWN}`)).toBe(THROWN);
});

test('what a runtime quotes of itself is left out behind the prefix of a task, too', () => {
  const tagged = (text: string) => text.replace(/^/gm, '[@depot/meter]: ');

  expect(excerpt(tagged(`node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n${THROWN}`))).toBe(THROWN);
});

test('what the project has thrown is shown with its source', () => {
  const source = '/proj/src/server.js:5\n  throw new Error(port);\n';

  // The frames name the column.
  expect(excerpt(`${source}  ^\n\n${THROWN}`)).toBe(`${source}\n${THROWN}`);
});

describe('of the frames of a panic', () => {
  const panic = "thread 'takes' (17) panicked at crates/seats/src/lib.rs:41:9:\nno seat 9\nstack backtrace:";
  const named = '   4: seats::take\n             at ./src/lib.rs:60:5';
  const without = (frames: string) => {
    const texts = `${panic}\n${frames}`.split('\n');
    const lines = texts.map((text, at): FailureLine => ({ at, text, priority: PRIORITY.code }));
    const headline = { at: 0, text: texts[0] ?? '' };
    const said = new Set(saidFramesIn({ severity: SEVERITY.thrown, template: undefined, headline, lines }));
    return lines
      .filter(({ at }) => !said.has(at))
      .map(({ text }) => text)
      .join('\n');
  };

  test.each([
    ['at its place', '   2: seats::free\n             at ./src/lib.rs:41:9'],
    [
      'of a closure of a function that is in the stack',
      '   5: seats::take::{{closure}}\n             at ./tests/a.rs:3:4',
    ],
    ['without a place', '   9: __rust_try'],
  ])('one %s is left out', (_, frame) => {
    expect(without(`${named}\n${frame}`)).toBe(`${panic}\n${named}`);
    expect(without(frame)).toBe(
      frame.includes('closure') ? `${panic}\n${frame}` : panic.replace('\nstack backtrace:', ''),
    );
  });

  test('one of another file or function is shown', () => {
    const frames = `${named}\n   5: seats::give::{{closure}}\n             at ./src/other.rs:41:9`;
    expect(without(frames)).toBe(`${panic}\n${frames}`);
  });
});

test('the place of a syntax error is shown, which is in no frame', () => {
  const place = 'file:///p/node_modules/browser/index.js:9';
  const quoted = `${place}\nimport { a } from 'runner';\n         ^`;
  const of = (error: string) =>
    excerptText(
      excerptOf(condensed(`${quoted}\n${error}\n    at load (src/a.js:3:5)\n`), 5300, { hung: false }),
    );

  expect(of("SyntaxError: 'runner' has no export 'a'")).toBe(
    `${place}\nSyntaxError: 'runner' has no export 'a'\n    at load (src/a.js:3:5)`,
  );
  expect(of('TypeError: no a')).toBe('TypeError: no a\n    at load (src/a.js:3:5)');
});

test('of frames of packages, that of the cause is shown, if an error has one', () => {
  const frame = (name: string) => `    at ${name} (/p/node_modules/${name}/index.js:3:5)`;
  const { failures } = condensed(
    `[ERROR] Error: cannot build the site\n${frame('site')}\n${frame('cli')} {\n  [cause]: ValidationError: wrong options\n  ${frame('validator')}\n  ${frame('bundler')}\n}\n`,
  );
  const texts = failures.flatMap(({ block }) => block.lines.map(({ text }) => text));

  expect(texts).toContain(`  ${frame('validator')}`);
  expect(texts).not.toContain(frame('site'));
});

describe('a stack at the place that is named above it', () => {
  const lua = (frame: string) =>
    `Failure -> spec/rates_spec.lua @ 5\nrates rounds\nspec/rates_spec.lua:5: Expected objects to be equal.\nPassed in:\n(number) 10.526\nExpected:\n(number) 10.53\n\nstack traceback:\n${frame}\n`;

  test.each([
    ['of Lua', lua('\tspec/rates_spec.lua:5: in function <spec/rates_spec.lua:5>'), 'stack traceback'],
    [
      'in YAML',
      "TAP version 13\nnot ok 1 pads the cents\n  ---\n    operator: equal\n    expected: '12.05'\n    actual:   '12.5'\n    at: Test.<anonymous> (file:///p/test/a.js:17:5)\n    stack: |-\n      Error: pads the cents\n          at Test.<anonymous> (file:///p/test/a.js:17:5)\n  ...\n",
      'stack: |-',
    ],
  ])('is left out: %s', (_, output, heading) => {
    expect(excerpt(output)).not.toContain(heading);
  });

  test('is shown if it says more', () => {
    const output =
      'TAP version 13\nnot ok 1 pads the cents\n  ---\n    operator: fail\n    at: Test.<anonymous> (file:///p/test/a.js:17:5)\n    stack: |-\n      Error: the price has one digit\n          at Test.<anonymous> (file:///p/test/a.js:17:5)\n  ...\n';

    expect(excerpt(output)).toContain('the price has one digit');
  });

  test('is shown if it goes on elsewhere', () => {
    const frames =
      "\tsrc/rates.lua:6: in function 'convert'\n\tspec/rates_spec.lua:5: in function <spec/rates_spec.lua:5>";

    expect(excerpt(lua(frames))).toContain(`stack traceback:\n${frames}`);
  });
});

test('the frame that an error and its cause have is shown once', () => {
  const frame = '    at Test.<anonymous> (file:///p/test/cart.test.js:22:6)';
  const output = `not ok 1 - adds\nError: Property failed after 2 tests\n${frame}\n  [cause]: Error: it returned false\n  ${frame}\n  ${frame.replace('22', '23')}\n`;
  const shown = excerptText(excerptOf(condensed(output), 5300, { hung: false }));

  expect(shown.split('cart.test.js:22:6')).toHaveLength(2);
  expect(shown).toContain('cart.test.js:23:6');
});

test('the place of a test in what was compiled to one line is left out if a frame has one in its source', () => {
  const failed = (frame: string) =>
    `not ok 6 - is capped\n  ---\n  location: '/p/test/postage.test.ts:1:351'\n  error: '5999 !== 3499'\n  stack: |-\n    TestContext.<anonymous> (${frame})\n  ...\n`;
  const shown = (frame: string) => excerptText(excerptOf(condensed(failed(frame)), 5300, { hung: false }));

  expect(shown('/p/test/postage.test.ts:9:12')).not.toContain('location');
  expect(shown('/p/src/postage.ts:9:12')).toContain('postage.test.ts:1:351');
});
