import { expect, test } from 'vitest';
import { parseHookOptions } from '../../../src/hook/options.ts';

const defaults = {
  deadlineSeconds: undefined,
  format: 'host',
  host: undefined,
  config: undefined,
  only: undefined,
  verbose: false,
  notes: [],
};
const notSeconds = (text: string) => [`--deadline ${text} is not a number of seconds, ignored`];
const notFormat = (text: string) => [`--format ${text} is unknown, expected trellis; ignored`];

test.each([
  [[], {}],
  [['--deadline', '30'], { deadlineSeconds: 30 }],
  [['--deadline=30'], { deadlineSeconds: 30 }],
  [['--deadline', '0.5'], { deadlineSeconds: 0.5 }],
  [['--deadline', '5', '--deadline', '6'], { deadlineSeconds: 6 }],
  [['--format', 'trellis'], { format: 'trellis' }],
  [['--format=trellis'], { format: 'trellis' }],
  [['--verbose'], { verbose: true }],
  [['--config', 'a b.json'], { config: 'a b.json' }],
  [['--config'], {}],
  [['--host', 'gemini'], { host: 'gemini' }],
  [
    ['--host', 'x'],
    {
      notes: [
        '--host x is unknown, expected one of cursor, codex, gemini, kimi, openhands, goose, claude-code, copilot, qwen, droid, devin, kilo, opencode, pi; ignored',
      ],
    },
  ],
  [['--only', 'lint'], { notes: ['unknown argument --only, ignored', 'unknown argument lint, ignored'] }],
  [
    ['--verbose', '--deadline', '5', '--format', 'trellis'],
    { verbose: true, deadlineSeconds: 5, format: 'trellis' },
  ],
  // Errors are reported, and the other options apply: the agent is still guarded.
  [['--deadline', '0'], { notes: notSeconds('0') }],
  [['--deadline', '-5'], { notes: notSeconds('-5') }],
  [['--deadline', 'soon'], { notes: notSeconds('soon') }],
  [['--deadline', '30s'], { notes: notSeconds('30s') }],
  [['--deadline', 'NaN'], { notes: notSeconds('NaN') }],
  [['--deadline', ''], { notes: notSeconds('') }],
  [['--deadline='], { notes: notSeconds('') }],
  [['--deadline'], { notes: notSeconds('') }],
  // A flag is never another one's value.
  [['--deadline', '--verbose'], { notes: notSeconds(''), verbose: true }],
  [['--deadline', '--format', 'trellis'], { notes: notSeconds(''), format: 'trellis' }],
  [['--format', '--deadline', '5'], { notes: notFormat(''), deadlineSeconds: 5 }],
  [['--format', '--deadline=5'], { notes: notFormat(''), deadlineSeconds: 5 }],
  [['--deadline', '--x'], { notes: ['unknown argument --x, ignored', ...notSeconds('')] }],
  [['--deadline=--verbose'], { notes: notSeconds('--verbose') }],
  [['--format', 'json'], { notes: notFormat('json') }],
  [['--format=a=b'], { notes: notFormat('a=b') }],
  [['--format'], { notes: notFormat('') }],
  [['--dead-line', '5'], { notes: ['unknown argument --dead-line, ignored', 'unknown argument 5, ignored'] }],
  [['x', '--verbose'], { verbose: true, notes: ['unknown argument x, ignored'] }],
  [['--constructor'], { notes: ['unknown argument --constructor, ignored'] }],
])('parseHookOptions reads %j', (args, options) => {
  expect(parseHookOptions(args)).toEqual({ ...defaults, ...options });
});
