import { expect, test } from 'vitest';
import { editJsonServer } from '../../../src/setup/edit-json-server.ts';

const SERVER = { command: 'node', args: ['a.js', 'mcp'] };

const edit = (text: string, server: typeof SERVER | undefined) => editJsonServer('.mcp.json', text, server);

test('what somebody has added to our server stays, and goes with it', () => {
  const servers = (ours: object) => JSON.stringify({ mcpServers: { 'ralph-loop': ours, other: {} } });
  const text = servers({ command: 'old', env: { A: '1' }, args: [] });
  const named = servers({ command: 'node', env: { A: '1' }, args: ['a.js', 'mcp'] });
  expect(edit(text, SERVER)).toEqual({ text: named });
  expect(edit(named, SERVER)).toEqual({ text: named });
  expect(edit(named, undefined)).toEqual({ text: '{"mcpServers":{"other":{}}}' });
});

test.for([
  { text: '[]', says: '.mcp.json:1:1: found [], expected the file to be an object' },
  {
    text: '{"mcpServers": null}',
    says: '.mcp.json:1:16: found null, expected "mcpServers" to be an object',
  },
  {
    text: '{\n"mcpServers": "ralph-loop"}',
    says: '.mcp.json:2:15: found "ralph-loop", expected "mcpServers" to be an object',
  },
  { text: '{', says: '.mcp.json:1:2: found text that is not valid JSON: close brace expected' },
])('$text is not touched', ({ text, says }) => {
  expect(edit(text, SERVER)).toEqual({ problems: [says] });
  expect(edit(text, undefined)).toEqual({ problems: [says] });
});
