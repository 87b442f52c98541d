import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userLogDirectory } from '../../../src/state/paths.ts';

const atHome = join(homedir(), '.local/state/ralph-loop');

test.each([
  ['in XDG_STATE_HOME', '/state', '/state/ralph-loop'],
  ['at home without XDG_STATE_HOME', undefined, atHome],
  ['at home if XDG_STATE_HOME is empty', '', atHome],
  ['at home if XDG_STATE_HOME is relative', 'state', atHome],
])("the user's log is %s", async (_, stateHome, directory) => {
  expect(await userLogDirectory(stateHome === undefined ? {} : { XDG_STATE_HOME: stateHome })).toBe(
    directory,
  );
});

test('a user without a home directory has no log directory, unless XDG_STATE_HOME names one', async () => {
  expect(await userLogDirectory({ HOME: 'relative' })).toBeUndefined();
  expect(await userLogDirectory({ HOME: 'relative', XDG_STATE_HOME: '/state' })).toBe('/state/ralph-loop');
});
