import { expect, test } from 'vitest';
import { NO_FAILURE } from '../../../../src/diagnostics/failures/task-results.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { Condenser } from '../../../../src/diagnostics/output/condenser.ts';
import type { OutputStream } from '../../../../src/process/output.ts';
import { condensed } from '../../../helpers/condensed.ts';

test('a line that is near two failures is kept once', () => {
  const { near } = condensed(
    'the server listens\nsrc/a.ts:1:1 - error TS1: no\nsrc/b.ts:1:1 - error TS2: no\n',
  ).outline;

  expect(near.map(({ text }) => text)).toEqual(['the server listens']);
});

test('assertions that differ in their values alone say different things', () => {
  const failed = (name: string, value: string) =>
    `FAIL  src/${name}.test.ts > adds up\nAssertionError: no match\n- Expected\n+ Received\n\n- ${value}\n+ none\n`;
  const { failures } = condensed(failed('cart', 'three') + failed('cart', 'seven'));
  const assertions = failures.filter(({ block }) => block.headline.text.startsWith('Assertion'));

  expect(assertions).toHaveLength(2);
  expect(new Set(assertions.map(({ message }) => message)).size).toBe(2);
});

test('the first of the numbered tasks may print on the other stream', () => {
  const condenser = new Condenser();
  condenser.write('stderr', Buffer.from('[0] src/a.ts:1:1 - error TS1: no\n'));
  condenser.write('stdout', Buffer.from('[1] src/b.ts:1:1 - error TS2: no\n'));

  expect(condenser.findings().failures.map(({ block }) => block.headline.prefix)).toEqual(['[0] ', '[1] ']);
});

test.each(['[cart] ', ''])(
  'what is indented below a file that has passed, its tests have logged: %j',
  (tag) => {
    const passed = `PASS test/cart.test.js\n  ● Console\n\n    console.error\n      ${tag}Error: no lamp\n\n`;
    const severities = (end: string) =>
      condensed(passed + end)
        .failures.filter(({ block }) => block.lines.some(({ text }) => text.includes('no lamp')))
        .map(({ severity }) => severity);

    expect(severities('Jest: Coverage for lines (62%) does not meet "global" threshold (80%)\n')).toEqual([
      NO_FAILURE,
    ]);
    expect(severities('')).toEqual([SEVERITY.thrown]);
  },
);

test.each([
  ['a dot', '.', SEVERITY.mentioned],
  ['the dots of several tests', '..F.', SEVERITY.mentioned],
  ['a dot before a record', '.2026-11-29T04:47:33.574Z INFO created', SEVERITY.mentioned],
  ['the letter of a failed test', 'F', SEVERITY.thrown],
  ['the mark of source that was left out', '...', SEVERITY.thrown],
  ['a path', '.env', SEVERITY.thrown],
  ['a platform', '.NET 8 was found', SEVERITY.thrown],
])('what %s says of an error above it', (_, line, severity) => {
  const { failures } = condensed(`Error: no lamp\n    at add (/p/cart.js:3:5)\n${line}\n`);

  expect(failures[0]?.severity).toBe(severity);
});

test('in TAP, the errors below the title of the next test are not about the failed test above', () => {
  const output = (title: string) =>
    `not ok 1 pays\n  ---\n    expected: 3\n  ...\n${title}Error: no lamp\n    at add (/p/cart.js:3:5)\nok 2 adds\n`;
  const severity = (title: string) =>
    condensed(output(title)).failures.find(({ block }) => block.headline.text === 'Error: no lamp')?.severity;

  expect(severity('# adds\n')).toBe(SEVERITY.mentioned);
  expect(severity('')).toBe(SEVERITY.thrown);
});

test('what a program tries is no error where it is indented below a record of its log', () => {
  const tried = '● [DEBUG] Resolving "./data.json"\n\n  Failed to find file "data.json"\n';

  expect(condensed(`${tried}✘ [ERROR] Could not resolve "./data.json"\n`).failures).toHaveLength(1);
});

test('a finding has the file above it, though warnings are in between and all have one indentation', () => {
  const { failures } = condensed(
    '\n  src/scans.js:6:7\n  ⚠  1:1  Missing comment.\n  ✖  6:7  Unexpected constant.  no-constant\n  ✖  7:2  No x.  no-undef\n\n  src/routes.js:8:5\n  ⚠  1:1  Missing comment.\n  ✖  8:5  Expected a break.  no-fallthrough\n',
  );
  const files = failures
    .filter(({ block }) => block.headline.text.includes('✖'))
    .map(({ block }) => block.lines.find(({ text }) => text.includes('.js'))?.text.trim());

  expect(files).toEqual(['src/scans.js:6:7', 'src/scans.js:6:7', 'src/routes.js:8:5']);
});

test('what is printed of a test between two lines with its name is about it', () => {
  const { failures } = condensed(
    '==== cart-1 adds a lamp FAILED\n==== Contents of test case:\n cart::add lamp\n---- Test generated error; Return code was: 1\n---- Return code should have been one of: 0 2\n---- errorInfo: no such variable\n    while executing\n"cart::add lamp"\n---- errorCode: NONE\n==== cart-1 FAILED\n',
  );

  expect(failures[0]?.block.lines.map(({ text }) => text)).toContain('---- errorCode: NONE');
});

test('what was printed right above a crash is shown with it, but no frame', () => {
  const above = (line: string) =>
    condensed(`10:30:00 DEBUG  check 1\n${line}\nFatal Python error: Segmentation fault\n`)
      .failures[0]?.block.lines.map(({ text }) => text)
      .includes(line);

  expect(above('10:30:01 DEBUG  check 2')).toBe(true);
  expect(above('10: 0x195e476  [node]')).toBe(false);
});

test('what is indented below a test that has passed may say that something failed', () => {
  expect(condensed('✓ adds\n    the mail failed: no server\n').failures).toHaveLength(1);
});

const CHECK = '> shop@1.0.0 check\n> npm run lint && npm run build\n\n> shop@1.0.0 lint\n> oxlint\n\n';
const BUILD = '\n> shop@1.0.0 build\n> tsc\n\n';
const errorIn = (file: string) => `src/${file}.ts:1:1 - error TS1: no\n`;

/** The failures of what the streams bring, with the number of errors at a place. */
function failuresOf(...pieces: readonly (readonly [OutputStream, string])[]) {
  const condenser = new Condenser();
  for (const [stream, text] of pieces) condenser.write(stream, Buffer.from(text));
  const { failures, tallies, outline } = condenser.findings();
  return {
    found: failures.map(({ block }) => block.headline.text),
    count: tallies.get(SEVERITY.located)?.count,
    first: outline.head[0]?.text,
  };
}

test('what a script has printed that has passed is no failure, and is not counted', () => {
  expect(failuresOf(['stdout', CHECK + errorIn('a') + BUILD + errorIn('b')])).toEqual({
    found: [errorIn('b').trim()],
    count: 1,
    first: '> shop@1.0.0 build',
  });
});

test('what had failed before the scripts is kept, and so is what they have printed', () => {
  const { found } = failuresOf(['stdout', errorIn('a') + CHECK + errorIn('b') + BUILD + errorIn('c')]);

  expect(found).toEqual([errorIn('a').trim(), errorIn('b').trim(), errorIn('c').trim()]);
});

test('what the other stream brings may be printed by the next script', () => {
  const { found } = failuresOf(['stdout', CHECK], ['stderr', errorIn('a')], ['stdout', BUILD]);

  expect(found).toEqual([errorIn('a').trim()]);
});

test('with a baseline, nothing is forgotten: an output may print titles of scripts that nobody has run', () => {
  const baseline = { root: '/p', exitCode: 1, reported: {}, failures: [] };
  const condenser = new Condenser({ baseline });
  condenser.write('stdout', Buffer.from(CHECK + errorIn('a') + BUILD + errorIn('b')));

  expect(condenser.findings().failures).toHaveLength(2);
});

test('in a long output too, a script that begins shows what has passed', () => {
  const logs = Array.from({ length: 12_000 }, (_, i) => `> item ${i} is fine\n`).join('');
  const { found, count } = failuresOf(['stdout', CHECK + errorIn('a') + logs + BUILD + logs + errorIn('b')]);

  expect({ found, count }).toEqual({ found: [errorIn('b').trim()], count: 1 });
});
