import { expect, test } from 'vitest';
import { editTomlServer } from '../../../src/setup/edit-toml-server.ts';

const SERVER = { command: 'node', args: ['a "b"', 'mcp'] };
const TABLE = '[mcp_servers.ralph-loop]\ncommand = "node"\nargs = [ "a \\"b\\"", "mcp" ]\n';

const edit = (text: string, server: typeof SERVER | undefined) => editTomlServer('config.toml', text, server);

test.for([
  { what: 'no file', text: '', named: TABLE },
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
    what: 'a comment that looks like our table',
    text: '# [mcp_servers.ralph-loop]\na = 1\n',
    named: `# [mcp_servers.ralph-loop]\na = 1\n\n${TABLE}`,
  },
])('$what: our server is named there, and taken out again', ({ text, named }) => {
  expect(edit(text, SERVER)).toEqual({ text: named });
  expect(edit(named, SERVER)).toEqual({ text: named });
  expect(edit(named, undefined)).toEqual({ text: text || undefined });
});

test('what somebody has added to our server stays, and goes with it', () => {
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
  expect(edit(text, SERVER)).toEqual({
    text: `${rest}\n${TABLE}startup_timeout_sec = 60\n\n[mcp_servers.ralph-loop.env]\nA = "1"\n`,
  });
  expect(edit(text, undefined)).toEqual({ text: rest });
});

test.for([
  { what: 'on one line', text: 'mcp_servers = { other = { command = "x" } }\n' },
  { what: 'with quotes', text: '[mcp_servers."ralph-loop"]\ncommand = "x"\n' },
  { what: 'in a string', text: 'a = """\n[mcp_servers.ralph-loop]\nb\n"""\n' },
  { what: 'with a list in a list', text: '[mcp_servers.ralph-loop]\nx = [\n[1],\n]\n' },
])('where servers are written $what a person has to change them', ({ text }) => {
  expect(edit(text, SERVER)).toEqual({
    problems: [
      expect.stringMatching(
        /^config\.toml .* add \[mcp_servers\.ralph-loop\] by hand: command = "node", args = /,
      ),
    ],
  });
});

test('what cannot be taken out is said', () => {
  expect(edit('[mcp_servers."ralph-loop"]\n', undefined)).toEqual({
    problems: [expect.stringMatching(/: take \[mcp_servers\.ralph-loop\] out by hand$/)],
  });
});

test('a broken file is not touched', () => {
  expect(edit('[a', SERVER)).toEqual({
    problems: [expect.stringMatching(/^config\.toml is broken: /)],
  });
});
