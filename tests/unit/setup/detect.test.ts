import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectHosts, findSetupTarget, hostsNamed, whereToStart } from '../../../src/setup/detect.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

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
  ['another product with the same file', ['vscode'], ['copilot']],
  ['the title of that product', ['VS Code'], ['copilot']],
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
  ['cline', 'Cline does not wait for the answer of its hook TaskComplete, so no stop of it can be blocked. '],
  ['auggie', 'Auggie does not use the answer of its Stop hook, so no stop of it can be blocked. '],
  ['amp', "in the project's directory, to ~/.config/amp/settings.json"],
  [
    'Cline',
    'add the MCP server of ralph-loop, "npx ralph-loop-cli mcp" in the project\'s directory, to cline_mcp_settings.json',
  ],
  [
    'claude,continue',
    'Continue does not call the Stop hook that it declares, so no stop of it can be blocked. ',
  ],
  [
    'kiro',
    '"ralph-loop init --mcp" adds the MCP server of ralph-loop to .kiro/settings/mcp.json, in a project with .kiro',
  ],
  ['Claude Desktop', "in the project's directory, to claude_desktop_config.json"],
  ['clin', 'Unknown host "clin"; did you mean "cline"? Known hosts: '],
] as const)('hostsNamed rejects %j', ([value, message]) => {
  const found = hostsNamed([value]);
  expect(!found.ok && found.failure.message).toContain(message);
});

test.for([
  ['from a folder of the project', '/r', '/r/packages/ui', '/r', '/r'],
  ['in a package with settings of its own', '/r/packages/ui', '/r/packages/ui', '/r', '/r/packages/ui'],
  ['at the root of the repository', '/r', '/r', '/r', undefined],
  ['outside of a repository', '/r', '/r', undefined, undefined],
] as const)(
  'whereToStart names the directory of the settings %s',
  ([, directory, here, repository, named]) => {
    const text = whereToStart(directory, here, repository);
    expect(text).toEqual(
      named === undefined ? undefined : expect.stringContaining(`Start the host in ${named}:`),
    );
  },
);

test('findSetupTarget finds a nested repository, or the project around it', () => {
  const tree = temporaryTree({ '.git/': '', 'worktree.yaml': 'verify: [x]\n', 'sub/.git/': '' });
  const nested = join(tree, 'sub');
  expect(findSetupTarget(nested, { orAround: true })).toMatchObject({
    value: { root: tree, repository: tree },
  });
  expect(findSetupTarget(nested)).toEqual({
    ok: true,
    value: { root: nested, repository: nested },
  });
});
