import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { editServer } from '../../../src/setup/mcp-servers.ts';

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
