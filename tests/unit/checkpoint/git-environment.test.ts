import { expect, test } from 'vitest';
import { gitEnvironment } from '../../../src/checkpoint/git-environment.ts';

test('gitEnvironment removes the variables of another git process and keeps those that apply to all repositories', () => {
  const env = gitEnvironment({
    PATH: '/bin',
    HOME: '/home/x',
    GIT_DIR: '/other/.git',
    GIT_INDEX_FILE: '.git/index.lock',
    GIT_TRACE: '1',
    GIT_AUTHOR_DATE: '1',
    GIT_CONFIG_PARAMETERS: "'a.b=c'",
    GIT_CONFIG_GLOBAL: '/etc/mine',
    LC_ALL: 'de_DE.UTF-8',
  });
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/home/x',
    GIT_CONFIG_GLOBAL: '/etc/mine',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  });
});
