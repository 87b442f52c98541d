import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn } from '../../src/checkpoint/git.ts';
import { temporaryTree } from '../helpers/temporary-tree.ts';

/** A git that never ends and writes its command into a file. */
function slowGit() {
  const root = temporaryTree({ 'bin/git': '#!/bin/sh\necho "$*" >> "$CALLS"\nexec sleep 600\n' });
  chmodSync(join(root, 'bin/git'), 0o755);
  const calls = join(root, 'calls');
  return {
    git: gitIn(root, { PATH: `${join(root, 'bin')}:${process.env.PATH}`, CALLS: calls }, []),
    calls: () => readFileSync(calls, 'utf8').trimEnd().split('\n'),
  };
}

test('a git command that did not end in time is run again only with twice the time', async () => {
  const { git, calls } = slowGit();
  const within = (timeoutMs: number, ...args: readonly string[]) =>
    expect(git(args, { timeoutMs })).rejects.toThrow(`git ${args[0]} did not end within`);
  await Promise.all([within(1500, 'ls-files', '--cached'), within(1500, 'rev-parse', 'HEAD')]);
  expect(calls().toSorted()).toEqual(['ls-files --cached', 'rev-parse HEAD']);
  await within(2900, 'ls-files', '--others');
  expect(calls()).toHaveLength(2);
  await within(3000, 'ls-files', '--others');
  expect(calls().slice(2)).toEqual(['ls-files --others']);
});
