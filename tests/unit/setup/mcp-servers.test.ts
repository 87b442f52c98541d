import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { opencode } from '../../../src/hosts/opencode.ts';
import { HOOKLESS_AGENTS } from '../../../src/setup/hookless-agents.ts';
import { editServer, planMcp, planMcpRemoval } from '../../../src/setup/mcp-servers.ts';

describe('editServer, in a JSON file,', () => {
  const SERVER = { command: 'node', args: ['a.js', 'mcp'] };
  const edit = (text: string, server: typeof SERVER | undefined) => editServer('.mcp.json', text, server);

  test('keeps the keys that a person added to the server, until the server is removed', () => {
    const servers = (own: object) => JSON.stringify({ mcpServers: { 'ralph-loop': own, other: {} } });
    const text = servers({ command: 'old', env: { A: '1' }, args: [] });
    const after = servers({ command: 'node', env: { A: '1' }, args: ['a.js', 'mcp'] });
    expect(edit(text, SERVER)).toEqual(success({ text: after }));
    expect(edit(after, SERVER)).toEqual(success({ text: after }));
    expect(edit(after, undefined)).toEqual(success({ text: '{"mcpServers":{"other":{}}}' }));
  });

  test.for([
    { text: '[]', problem: '.mcp.json:1:1: found [], expected the file to be an object' },
    {
      text: '{"mcpServers": null}',
      problem: '.mcp.json:1:16: found null, expected "mcpServers" to be an object',
    },
    {
      text: '{\n"mcpServers": "ralph-loop"}',
      problem: '.mcp.json:2:15: found "ralph-loop", expected "mcpServers" to be an object',
    },
    { text: '{', problem: '.mcp.json:1:2: found text that is not valid JSON: close brace expected' },
  ])('fails for $text', ({ text, problem }) => {
    expect(edit(text, SERVER)).toEqual({ ok: false, failure: [problem] });
    expect(edit(text, undefined)).toEqual({ ok: false, failure: [problem] });
  });
});

describe('editServer, in a TOML file,', () => {
  const SERVER = { command: 'node', args: ['a "b"', 'mcp'] };
  const TABLE = '[mcp_servers.ralph-loop]\ncommand = "node"\nargs = [ "a \\"b\\"", "mcp" ]\n';
  const edit = (text: string, server: typeof SERVER | undefined) => editServer('config.toml', text, server);

  test.for([
    { what: 'a new file', text: '', named: TABLE },
    { what: 'other settings', text: 'a = 1\n', named: `a = 1\n\n${TABLE}` },
    {
      what: 'another server of a similar name',
      text: '[mcp_servers.ralph-loop-2]\ncommand = "x"\n',
      named: `[mcp_servers.ralph-loop-2]\ncommand = "x"\n\n${TABLE}`,
    },
    {
      what: 'a table of servers',
      text: '[mcp_servers]\nother = { command = "x" }\n',
      named: `[mcp_servers]\nother = { command = "x" }\n\n${TABLE}`,
    },
    {
      what: 'a comment that looks like its table',
      text: '# [mcp_servers.ralph-loop]\na = 1\n',
      named: `# [mcp_servers.ralph-loop]\na = 1\n\n${TABLE}`,
    },
  ])('adds the server to $what, and removes it again', ({ text, named }) => {
    expect(edit(text, SERVER)).toEqual(success({ text: named }));
    expect(edit(named, SERVER)).toEqual(success({ text: named }));
    expect(edit(named, undefined)).toEqual(success({ text: text || undefined }));
  });

  test('keeps the keys that a person added to the server, until the server is removed', () => {
    const text = `# mine
[mcp_servers.ralph-loop] # ours
command = "old"
args = [
  "x",
]
startup_timeout_sec = 60
[mcp_servers.ralph-loop.env]
A = "1"

# of b
[b]
c = 1
`;
    const rest = '# mine\n# of b\n[b]\nc = 1\n';
    expect(edit(text, SERVER)).toEqual(
      success({
        text: `${rest}\n${TABLE}startup_timeout_sec = 60\n\n[mcp_servers.ralph-loop.env]\nA = "1"\n`,
      }),
    );
    expect(edit(text, undefined)).toEqual(success({ text: rest }));
  });

  test.for([
    { what: 'servers on one line', text: 'mcp_servers = { other = { command = "x" } }\n' },
    { what: 'a server name in quotes', text: '[mcp_servers."ralph-loop"]\ncommand = "x"\n' },
    { what: 'a header in a string', text: 'a = """\n[mcp_servers.ralph-loop]\nb\n"""\n' },
    { what: 'a list in a list', text: '[mcp_servers.ralph-loop]\nx = [\n[1],\n]\n' },
  ])('fails for $what and shows the entry to add by hand', ({ text }) => {
    expect(edit(text, SERVER)).toEqual({
      ok: false,
      failure: [
        expect.stringMatching(
          /^config\.toml .* add \[mcp_servers\.ralph-loop\] by hand: command = "node", args = /,
        ),
      ],
    });
  });

  test('fails for a table that it cannot remove', () => {
    expect(edit('[mcp_servers."ralph-loop"]\n', undefined)).toEqual({
      ok: false,
      failure: [expect.stringMatching(/: remove \[mcp_servers\.ralph-loop\] by hand$/)],
    });
  });

  test('fails for a broken file', () => {
    expect(edit('[a', SERVER)).toEqual({
      ok: false,
      failure: [expect.stringMatching(/^config\.toml is broken: /)],
    });
  });
});

describe('planMcp, for an agent without a hook that can block,', () => {
  const planFor = (...files: readonly string[]) =>
    planMcp(
      [],
      '/a project',
      (path) => files.includes(path),
      () => success(undefined),
    );

  test.each(
    HOOKLESS_AGENTS.flatMap(({ projectFiles, ...agent }) => projectFiles.map((file) => ({ file, ...agent }))),
  )(
    'names the server to $title in a project with $file, and says that nothing blocks',
    ({ file, title, mcpFile, settings }) => {
      const { changes, remarks, problems } = planFor(file);
      expect(problems).toEqual([]);
      expect(changes.map(({ path }) => path)).toEqual(mcpFile === undefined ? [] : [mcpFile]);
      expect(remarks).toEqual([expect.stringMatching(`^${title} .* and blocks nothing\\.`)]);
      if (settings) expect(remarks[0]).toContain(`Add it to ${settings.place}:\n\n{\n  "${settings.key}": {`);
    },
  );

  test('writes a file from which the server can be removed again', () => {
    const [change] = planFor('.kiro').changes;
    expect(JSON.parse(change?.after ?? '')).toMatchObject({
      mcpServers: { 'ralph-loop': { command: 'sh' } },
    });
    const removal = planMcpRemoval(['.kiro/settings/mcp.json'], () => success(change?.after));
    expect(removal.changes).toMatchObject([{ after: undefined }]);
  });

  test("prints a server of a user's settings that starts in the project, whatever its name", () => {
    const [remark = ''] = planFor('.windsurfrules').remarks;
    const settings = JSON.parse(remark.slice(remark.indexOf('{')));
    expect(settings).toEqual({
      mcpServers: {
        'ralph-loop': {
          command: 'sh',
          args: ['-c', 'cd "$0" && exec node .trellis/ralph-hook.cjs mcp', '/a project'],
        },
      },
    });
  });

  test('plans nothing for agents that the project shows no sign of', () => {
    expect(planFor('.vscode')).toEqual({ changes: [], remarks: [], problems: [] });
  });

  test('is planned beside the hosts that are set up', () => {
    const plan = planMcp(
      [opencode],
      '/r',
      (path) => path === '.kiro',
      () => success(undefined),
    );
    expect(plan.remarks).toEqual([expect.stringMatching(/^OpenCode /), expect.stringMatching(/^Kiro /)]);
  });
});
