import { expect, test } from 'vitest';
import { detectHosts, hostsNamed } from '../../../src/setup/detect.ts';

test.for([
  ['the files of the project first', ['.codex', 'GEMINI.md'], ['claude'], ['codex', 'gemini']],
  ['the installed programs, without such files', [], ['cursor-agent', 'droid'], ['cursor', 'droid']],
  ['Claude Code as the default', [], [], ['claude-code']],
] as const)('detectHosts takes %s', ([, files, programs, hosts]) => {
  const isOneOf = (known: readonly string[]) => (name: string) => known.includes(name);
  const detected = detectHosts(isOneOf(files), isOneOf(programs));
  expect(detected.hosts.map(({ name }) => name)).toEqual(hosts);
});

test.for([
  ['the name of the program', ['claude'], ['claude-code']],
  ['the title', ['gemini-cli', 'Qwen Code', 'factory-droid'], ['gemini', 'qwen', 'droid']],
  ['another case', ['Claude-Code', 'CODEX'], ['codex', 'claude-code']],
  ['commas, blanks, or both', ['codex,cursor', ' qwen, ', 'droid'], ['cursor', 'codex', 'qwen', 'droid']],
  ['one host by two names', ['claude', 'claude-code'], ['claude-code']],
] as const)('hostsNamed finds hosts by %s', ([, values, names]) => {
  const found = hostsNamed(values);
  expect(found.ok && found.value.map(({ name }) => name)).toEqual(names);
});

test.for([
  ['claud', 'Unknown host "claud"; did you mean "claude"? Known hosts: '],
  ['claude,cursr', 'Unknown host "cursr"; did you mean "cursor"? Known hosts: '],
  ['emacs', 'Unknown host "emacs". Known hosts: cursor, codex, '],
  [' , ', 'Empty value for --host. Known hosts: '],
] as const)('hostsNamed rejects %j', ([value, message]) => {
  const found = hostsNamed([value]);
  expect(!found.ok && found.failure.message).toContain(message);
});
