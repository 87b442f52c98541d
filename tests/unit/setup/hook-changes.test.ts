import { describe, expect, test } from 'vitest';
import { compareHooks } from '../../../src/setup/hook-changes.ts';
import { launcherText } from '../../../src/setup/launcher.ts';

const SETTINGS = '.claude/settings.json';
const LAUNCHER = '.trellis/ralph-hook.cjs';
const STOP = 'node "$CLAUDE_PROJECT_DIR/.trellis/ralph-hook.cjs" hook';
const entry = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const settings = (events: object, more: object = {}) => JSON.stringify({ hooks: events, ...more });
const OWN = { Stop: [entry(STOP, { timeout: 600 })], UserPromptSubmit: [entry(STOP, { timeout: 10 })] };
const BEFORE = { [SETTINGS]: settings(OWN), '.claude/settings.local.json': null, [LAUNCHER]: launcherText() };

const compare = (after: object, before: object = {}) =>
  compareHooks({ ...BEFORE, ...before }, { ...BEFORE, ...before, ...after }).map(
    ({ rule, severity, path, message }) => `${rule} ${severity} ${path}: ${message}`,
  );

describe('a finding is that a hook', () => {
  test.each<[string, object, RegExp]>([
    [
      'is gone',
      { [SETTINGS]: settings({ UserPromptSubmit: OWN.UserPromptSubmit }) },
      /the Stop hook of ralph-loop for Claude Code is gone/,
    ],
    [
      'of prompts is gone',
      { [SETTINGS]: settings({ Stop: OWN.Stop }) },
      /the prompt hook of ralph-loop for Claude Code is gone/,
    ],
    [
      'has another command',
      { [SETTINGS]: settings({ ...OWN, Stop: [entry(`true; ${STOP}`, { timeout: 600 })] }) },
      /was changed/,
    ],
    [
      'has a shorter timeout',
      { [SETTINGS]: settings({ ...OWN, Stop: [entry(STOP, { timeout: 1 })] }) },
      /was changed/,
    ],
    [
      'has a matcher',
      { [SETTINGS]: settings({ ...OWN, Stop: [{ matcher: 'x', ...OWN.Stop[0] }] }) },
      /was changed/,
    ],
    ['is in a broken file', { [SETTINGS]: '{' }, /is gone/],
    [
      'is disabled',
      { [SETTINGS]: settings(OWN, { disableAllHooks: true }) },
      /all hooks of Claude Code are disabled/,
    ],
    [
      'is disabled in another file',
      { '.claude/settings.local.json': '{"disableAllHooks": true}' },
      /are disabled/,
    ],
    ['has no launcher', { [LAUNCHER]: null }, /the launcher of the hooks is gone/],
    ['has another launcher', { [LAUNCHER]: 'process.exit(0)' }, /the launcher of the hooks was changed/],
  ])('%s', (_, after, message) => {
    const found = compare(after);
    expect(found).toContainEqual(expect.stringMatching(message));
    for (const finding of found) expect(finding).toMatch(/^hook-removed high/);
  });

  test('gets variables that decide', () => {
    const env = { RALPH_LOOP: '1', PATH: '/x', EDITOR: 'vi' };
    expect(compare({ [SETTINGS]: settings(OWN, { env }) })).toEqual([
      `gate-changed high ${SETTINGS}: the settings of the host set RALPH_LOOP, PATH for gates and hooks`,
    ]);
  });
});

describe('nothing is found', () => {
  test.each<[string, object, object?]>([
    ['if nothing changed', {}],
    ['if the file is formatted', { [SETTINGS]: JSON.stringify(JSON.parse(BEFORE[SETTINGS] ?? ''), null, 4) }],
    [
      'if the hooks are in another file of the host',
      { [SETTINGS]: '{}', '.claude/settings.local.json': settings(OWN) },
    ],
    [
      'if other hooks are added or removed',
      { [SETTINGS]: settings({ ...OWN, PreToolUse: [entry('x')] }, { model: 'y' }) },
    ],
    [
      'if there was no hook',
      { [SETTINGS]: '{"disableAllHooks": true}' },
      { [SETTINGS]: '{}', [LAUNCHER]: null },
    ],
    ['if the launcher is that of this version', {}, { [LAUNCHER]: '// an older one' }],
  ])('%s', (what, after, before = {}) => {
    const launcher = what.includes('launcher is') ? { [LAUNCHER]: launcherText() } : {};
    expect(compare({ ...after, ...launcher }, before)).toEqual([]);
  });
});
