import { expect, test } from 'vitest';
import { lastMessageIn } from '../../../src/hosts/last-message-in.ts';

const lines = (...entries: readonly (object | string)[]) =>
  entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');
const text = (said: string) => ({ type: 'text', text: said });

test.each([
  [
    'Claude Code',
    lines(
      { type: 'assistant', message: { role: 'assistant', content: [text('first')] } },
      { type: 'user', message: { role: 'user', content: 'assistant' } },
      { type: 'assistant', message: { role: 'assistant', content: [text('last'), text('words')] } },
    ),
    'last\nwords',
  ],
  ['Droid', lines({ type: 'message', message: { role: 'assistant', content: [text('last')] } }), 'last'],
  ['Copilot', lines({ type: 'assistant.message', data: { messageId: 'm', content: 'last' } }), 'last'],
  [
    'Codex',
    lines({
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'last' }] },
    }),
    'last',
  ],
  ['Gemini', lines({ type: 'gemini', content: 'last' }), 'last'],
  ['Qwen', lines({ type: 'assistant', message: { role: 'model', parts: [{ text: 'last' }] } }), 'last'],
  ['a bare message', lines({ role: 'assistant', content: 'last' }), 'last'],
])("of %s's transcript", (_, tail, message) => {
  expect(lastMessageIn(tail)).toBe(message);
});

const last = { type: 'assistant', message: { role: 'assistant', content: [text('last')] } };
test.each([
  [
    'a call of a tool comes after it',
    lines(last, {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', input: {} }] },
    }),
    'last',
  ],
  [
    'a thought comes after it',
    lines(last, { role: 'model', parts: [{ text: 'hm', thought: true }] }),
    'last',
  ],
  [
    'the person, and a tool, had the last word',
    lines(last, { type: 'user', message: { role: 'user', content: [text('no')] } }),
    'last',
  ],
  ['the last line is cut', lines(last, '{"type":"assistant","message":{"role":"assist'), 'last'],
  ['the first line is cut', lines('nt":[{"type":"text","text":"x"}]},"type":"assistant"}', last), 'last'],
  ['there is a blank line at the end', `${lines(last)}\n\n`, 'last'],
  ['there is no message', lines({ type: 'user', message: { role: 'user', content: 'assistant' } }), ''],
  ['messages are blank', lines({ role: 'assistant', content: ' ' }, { role: 'assistant', content: [] }), ''],
  ['lines are no objects', lines('"assistant"', '["assistant"]', 'null', 'assistant'), ''],
  ['there is nothing', '', ''],
])('where %s', (_, tail, message) => {
  expect(lastMessageIn(tail)).toBe(message);
});
