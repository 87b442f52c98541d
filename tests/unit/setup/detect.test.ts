import { expect, test } from 'vitest';
import { detectHosts } from '../../../src/setup/detect.ts';

test.for([
  ['the files of the project first', ['.codex', 'GEMINI.md'], ['claude'], ['codex', 'gemini']],
  ['the installed programs, without such files', [], ['cursor-agent', 'droid'], ['cursor', 'droid']],
  ['Claude Code as the default', [], [], ['claude-code']],
] as const)('detectHosts takes %s', ([, files, programs, hosts]) => {
  const isOneOf = (known: readonly string[]) => (name: string) => known.includes(name);
  const detected = detectHosts(isOneOf(files), isOneOf(programs));
  expect(detected.hosts.map(({ name }) => name)).toEqual(hosts);
});
