import { expect, test } from 'vitest';
import { userDirectory } from '../../../src/state/paths.ts';

const HOME = '/home/me';
const atHome = `${HOME}/.local/state/ralph-loop`;

test.each([
  ['in XDG_STATE_HOME', { HOME, XDG_STATE_HOME: '/state' }, '/state/ralph-loop'],
  ['in XDG_STATE_HOME without a home', { XDG_STATE_HOME: '/state' }, '/state/ralph-loop'],
  ['at home without XDG_STATE_HOME', { HOME }, atHome],
  ['at home if XDG_STATE_HOME is empty', { HOME, XDG_STATE_HOME: '' }, atHome],
  ['at home if XDG_STATE_HOME is relative', { HOME, XDG_STATE_HOME: 'state' }, atHome],
  ['nowhere if the home is relative', { HOME: 'me' }, undefined],
  ['nowhere without both', {}, undefined],
])("the user's directory is %s", (_, env, directory) => {
  expect(userDirectory(env)).toBe(directory);
});
