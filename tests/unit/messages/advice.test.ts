import { describe, expect, test } from 'vitest';
import { Condenser } from '../../../src/diagnostics/output/condenser.ts';
import type { GateOutcome } from '../../../src/gates/types.ts';
import { adviceOn } from '../../../src/messages/advice.ts';
import { condensed } from '../../helpers/condensed.ts';
import { OUTCOMES, resultOf } from '../../helpers/gate-results.ts';

const failed = (exitCode: number): GateOutcome => ({ reason: 'failed', exitCode });
const adviceFor = (
  outcome: GateOutcome,
  text: string,
  { command = 'make', again = false }: { readonly command?: string; readonly again?: boolean } = {},
) => adviceOn(resultOf(command, outcome), condensed(text), { again });

test.each([
  ['sh: 1: eslint: not found', '`eslint` is not installed here'],
  ['bash: line 1: foo: command not found', '`foo` is not installed here'],
  ['deploy.sh: line 12: foo: command not found', '`foo` is not installed here'],
  ['/bin/sh: ./node_modules/.bin/tsc: not found', '`./node_modules/.bin/tsc` is not installed here'],
  ['zsh: command not found: foo', '`foo` is not installed here'],
  ['', 'A program that it calls is not installed here'],
])('the advice names a missing program: %j', (text, words) => {
  expect(adviceFor(OUTCOMES['not-found'], text)).toContain(words);
});

test.each([
  [OUTCOMES['not-executable'], 'chmod +x'],
  [OUTCOMES['timed-out'], 'Look for what it waits for'],
  [OUTCOMES.killed, 'for lack of memory'],
  [failed(137), 'for lack of memory'],
  [OUTCOMES.empty, 'a filter, a pattern or a path that selects none'],
])('the advice depends on how the gate ended: %j', (outcome, words) => {
  expect(adviceFor(outcome, 'Error: boom')).toContain(words);
});

test.each([
  [0, true],
  [3, false],
  [undefined, false],
])(
  'the advice about a command that failed names what selects no test if it found %s: %s',
  (tests, isNamed) => {
    expect(
      adviceOn(resultOf('a', failed(1), tests === undefined ? {} : { tests }), undefined)?.includes(
        'selects none',
      ) ?? false,
    ).toBe(isNamed);
  },
);

test.each([
  ['OSError: [Errno 28] No space left on device', 'The disk is full'],
  ['Error: ENOSPC: no space left on device, write', 'The disk is full'],
  ['Error: listen EADDRINUSE: address already in use :::3000', 'Port 3000 is in use'],
  ['Error: listen EADDRINUSE: address already in use 127.0.0.1:8080', 'Port 8080 is in use'],
  ['OSError: [Errno 98] Address already in use', 'A port that it needs is in use'],
  ['Error: Port 5173 is already in use', 'Port 5173 is in use'],
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'ran out of memory'],
  ['java.lang.OutOfMemoryError: Java heap space', 'ran out of memory'],
  ['MemoryError', 'ran out of memory'],
  ['bash: fork: Cannot allocate memory', 'ran out of memory'],
  ['tar: a.txt: Disk quota exceeded', 'The disk is full'],
  ["Error: Cannot find module 'left-pad'", 'If "left-pad" is a dependency'],
  ["Error: Cannot find module '@scope/pad/lib/x.js'", 'If "@scope/pad" is a dependency'],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /p/a.js", 'If "left-pad" is'],
  ["ModuleNotFoundError: No module named 'requests'", 'If "requests" is a dependency'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'could not reach a server'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'could not reach a server'],
  ['ssh: Temporary failure in name resolution', 'could not reach a server'],
  ['curl: (6) Could not resolve host: example.com', 'could not reach a server'],
])('the advice names a cause outside the code: %s', (text, words) => {
  expect(adviceFor(failed(1), `building\n${text}\n`)).toContain(words);
});

test.each([
  ['an error of the code', 'TypeError: boom'],
  ['a missing file of the project', "Error: Cannot find module './pad'"],
  ['an absolute path', "Error: Cannot find module '/p/src/pad.js'"],
  ['a module of Node', "Error: Cannot find module 'node:pad'"],
  ['the name of a failed test', '✗ reports ENOSPC\n✗ reports EADDRINUSE :3000'],
  [
    'what a passing test logged',
    'Error: connect ECONNREFUSED 127.0.0.1:5432\n✓ reports that there is no server',
  ],
  ['the name of a passing test', '✓ reports ENOSPC\nTypeError: boom'],
  ['a line that is not about a failure', 'listening, unless EADDRINUSE\nTypeError: boom'],
  ['an empty output', ''],
])('there is no advice on %s', (_, text) => {
  expect(adviceFor(failed(1), text)).toBeUndefined();
});

test.each([{ reason: 'killed', signal: 'SIGTERM' }, { reason: 'interrupted' }] as const)(
  'there is no advice on a gate that ended by %j',
  (outcome) => {
    expect(adviceFor(outcome, 'TypeError: boom')).toBeUndefined();
  },
);

test('the advice on a gate without output depends on how it ended', () => {
  expect(adviceOn(resultOf('a', 'not-found'), undefined)).toContain('A program that it calls');
  expect(adviceOn(resultOf('a', failed(1)), undefined)).toBeUndefined();
});

describe('the advice on a gate that ended in the same way at the last run', () => {
  test.each([
    [
      'a missing program',
      OUTCOMES['not-found'],
      'sh: 1: eslint: not found',
      '`eslint` is not installed here',
    ],
    ['a file that cannot be executed', OUTCOMES['not-executable'], '', 'chmod +x'],
    ['a port in use', failed(1), 'Error: listen EADDRINUSE: address already in use :::3000', 'Port 3000'],
    ['a command that ran no test', OUTCOMES.empty, '', 'a filter, a pattern'],
  ] as const)('repeats the advice, and says that nothing has changed: %s', (_, outcome, text, words) => {
    const advice = adviceFor(outcome, text, { again: true }) ?? '';

    expect(advice).toContain(words);
    expect(advice).toMatch(
      /It is as it was at the last run: if you cannot change this, report it to the user\.$/,
    );
    expect(adviceFor(outcome, text)).not.toContain('as it was');
  });

  test.each([
    ['a kill for lack of memory', OUTCOMES.killed, 'It was killed again'],
    ['a timeout', OUTCOMES['timed-out'], 'Run the step that does not end alone'],
  ] as const)('is another one: %s', (_, outcome, words) => {
    expect(adviceFor(outcome, 'loading', { again: true })).toContain(words);
    expect(adviceFor(outcome, 'loading')).not.toContain(words);
  });

  test('is none where the code is the cause', () => {
    expect(adviceFor(failed(1), 'TypeError: boom', { again: true })).toBeUndefined();
  });
});

describe('the advice on a timeout depends on what the command did, by its output', () => {
  const BUSY = 'It printed until it was ended';
  const WAITING = 'Look for what it waits for';
  test.each([
    ['nothing for most of the time', [0, 2, 118], WAITING],
    ['something all the time', [0, ...Array.from({ length: 39 }, () => 3)], BUSY],
    ['its first line at the end', [118, 1, 1], WAITING],
    ['too short to know', [0, 1, 1], WAITING],
  ])('printed %s', (_, afterSeconds, words) => {
    let now = 0;
    let condenser: Condenser | undefined;
    for (const seconds of afterSeconds) {
      now += seconds * 1000;
      condenser ??= new Condenser(undefined, () => now);
      condenser.write('stdout', Buffer.from('x\n'));
    }
    const result = resultOf('a', 'timed-out', { durationMs: now });

    expect(adviceOn(result, condenser?.findings())).toContain(words);
  });

  test('and where it waits is named by the time without output', () => {
    let now = 0;
    const condenser = new Condenser(undefined, () => now);
    condenser.write('stdout', Buffer.from('RUN a\n'));
    now = 118_000;

    expect(
      adviceOn(resultOf('a', 'timed-out', { durationMs: now }), condenser.findings(), { again: true }),
    ).toContain('(see the line above the time without output)');
  });
});
