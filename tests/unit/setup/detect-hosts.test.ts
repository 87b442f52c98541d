import { expect, test } from 'vitest';
import { detectHosts } from '../../../src/setup/detect-hosts.ts';

test.for([
  ['the files of the project', ['.codex', 'GEMINI.md'], ['claude'], ['codex', 'gemini']],
  ['without any, the programs of the machine', [], ['cursor-agent', 'droid'], ['cursor', 'droid']],
  ['without either, Claude Code', [], [], ['claude-code']],
] as const)('hosts are told by %s', ([, files, programs, hosts]) => {
  const isOneOf = (known: readonly string[]) => (name: string) => known.includes(name);
  const detected = detectHosts(isOneOf(files), isOneOf(programs));
  expect(detected.hosts.map(({ name }) => name)).toEqual(hosts);
});
