import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { userLogDirectory } from '../../../src/state/paths.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const atHome = join(homedir(), '.local/state/ralph-loop');

test.each([
  ['where it says', '/state', '/state/ralph-loop'],
  ['at home where nothing is said', undefined, atHome],
  ['at home where what is said is empty', '', atHome],
  ['at home where what is said is relative, and so to be ignored', 'state', atHome],
])("the user's log lies %s", (_, stateHome, directory) => {
  expect(userLogDirectory(stateHome === undefined ? {} : { XDG_STATE_HOME: stateHome })).toBe(directory);
});

test('without a home there is none', () => {
  vi.stubEnv('HOME', 'relative');

  expect(userLogDirectory({})).toBeUndefined();
  expect(userLogDirectory({ XDG_STATE_HOME: '/state' })).toBe('/state/ralph-loop');
});
