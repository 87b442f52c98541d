import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentOutput } from '../../../../src/agent-run/promise/agent-output.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/agents');
const ERROR = '{"type":"error","error":{"type":"invalid_request_error","message":"Error: scripted failure"}}';
const DONE = 'All of it is done.\n\n<promise>IMPLEMENTATION_COMPLETE</promise>';

function read(...parts: readonly (string | Buffer)[]) {
  const output = new AgentOutput();
  for (const part of parts) output.write(Buffer.from(part));
  return output.end();
}

/**
 * What the clients printed when a scripted model served them, each of whose replies took 1111 tokens to read, 1000 of
 * them from a cache, and 7 to write; to Gemini CLI 3 more of thought.
 */
const PRINTED: Readonly<Record<string, ReturnType<typeof read>>> = {
  'claude-code-2.1.197-json': { message: DONE, costUsd: 0.0024389999999999998, tokens: 3 * 1118 },
  'claude-code-2.1.197-json-verbose': { message: DONE, costUsd: 0.0024389999999999998, tokens: 3 * 1118 },
  'claude-code-2.1.197-stream-json-subagent': {
    message: DONE,
    costUsd: 0.0032519999999999997,
    tokens: 4 * 1118,
  },
  // Two results, the second of which has the totals.
  'claude-code-2.1.197-stream-json-background': {
    message: `${DONE} (5)`,
    costUsd: 0.004064999999999999,
    tokens: 5 * 1118,
  },
  'claude-code-2.1.197-stream-json-partial': {
    message: DONE,
    costUsd: 0.0016259999999999998,
    tokens: 2 * 1118,
  },
  'claude-code-2.1.197-json-max-turns': { message: '', costUsd: 0.0008129999999999999, tokens: 1118 },
  'claude-code-2.1.197-json-error': {
    message: 'API Error: 400 Error: scripted failure',
    costUsd: 0,
    tokens: 0,
  },
  'claude-code-2.1.197-text': { message: `${DONE}\n`, costUsd: null, tokens: null },
  'codex-0.169.0-json': { message: DONE, costUsd: null, tokens: 3 * 1118 },
  // It counts its main thread only.
  'codex-0.169.0-json-subagent': { message: DONE, costUsd: null, tokens: 3 * 1118 },
  'codex-0.169.0-json-error': { message: ERROR, costUsd: null, tokens: null },
  'codex-0.169.0-text': { message: `${DONE}\n`, costUsd: null, tokens: null },
  'gemini-0.61.0-json': { message: DONE, costUsd: null, tokens: 3 * 1121 },
  'gemini-0.61.0-stream-json': { message: DONE, costUsd: null, tokens: 3 * 1121 },
  'gemini-0.61.0-stream-json-error': { message: `[API Error: ${ERROR}]`, costUsd: null, tokens: 0 },
  'gemini-0.61.0-text': {
    message: `I look first.\nTwo tests fail; repairing.\n${DONE}\n`,
    costUsd: null,
    tokens: null,
  },
  'qwen-0.24.4-json': { message: DONE, costUsd: null, tokens: 3 * 1118 },
  'qwen-0.24.4-stream-json-subagent': { message: DONE, costUsd: null, tokens: 4 * 1118 },
  'qwen-0.24.4-stream-json-partial': { message: DONE, costUsd: null, tokens: 2 * 1118 },
  'qwen-0.24.4-json-error': { message: '[API Error: 400 Error: scripted failure]', costUsd: null, tokens: 0 },
  'qwen-0.24.4-text': { message: `${DONE}\n`, costUsd: null, tokens: null },
  'qwen-0.15.10-json': { message: DONE, costUsd: null, tokens: 3 * 1118 },
  'qwen-0.15.10-stream-json-subagent': { message: DONE, costUsd: null, tokens: 4 * 1118 },
  'copilot-1.0.102-json-subagent': { message: DONE, costUsd: null, tokens: null },
  'copilot-1.0.102-json-error': { message: '400 Error: scripted failure', costUsd: null, tokens: null },
  // They report a cost of zero for a model whose price they do not know.
  'opencode-1.18.33-json': { message: DONE, costUsd: 0, tokens: 3 * 1118 },
  // It reports its main session only.
  'opencode-1.18.33-json-subagent': { message: DONE, costUsd: 0.001584, tokens: 2 * 1118 },
  'opencode-1.18.33-json-error': { message: 'Error: scripted failure', costUsd: null, tokens: null },
  'opencode-1.18.33-text': {
    message: `I look first.\nTwo tests fail; repairing.\n${DONE}\n`,
    costUsd: null,
    tokens: null,
  },
  'kilo-7.7.7-json': { message: DONE, costUsd: 0, tokens: 3 * 1118 },
  'pi-0.87.1-json': { message: DONE, costUsd: expect.closeTo(3 * 0.000792, 9), tokens: 3 * 1118 },
  'pi-0.87.1-json-error': {
    message: '400: {"type":"invalid_request_error","message":"Error: scripted failure"}',
    costUsd: 0,
    tokens: 0,
  },
  'pi-0.87.1-text': { message: `${DONE}\n`, costUsd: null, tokens: null },
  'kimi-2.1.0-stream-json': { message: DONE, costUsd: null, tokens: null },
  'kimi-2.1.0-stream-json-subagent': { message: DONE, costUsd: null, tokens: null },
  'kimi-2.1.0-text': {
    message:
      '• I look first.\n\n• Two tests fail; repairing.\n\n• All of it is done.\n\n  <promise>IMPLEMENTATION_COMPLETE</promise>\n\n',
    costUsd: null,
    tokens: null,
  },
};

describe('AgentOutput reads the output of', () => {
  test.for(Object.entries(PRINTED))('%s', ([name, expected]) => {
    const bytes = readFileSync(join(FIXTURES, `${name}.out`));
    expect(read(bytes)).toEqual(expected);
    expect(read(Buffer.from(`Warning: no colours.\n[STARTUP] {\n\n${bytes}\n`))).toEqual(
      name.endsWith('-text') ? expect.anything() : expected,
    );
    expect(read(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
    expect(read(Buffer.from(String(bytes).replaceAll('\n', '\r\n'))).tokens).toBe(expected.tokens);
  });

  test('every recorded client', () => {
    const names = readdirSync(FIXTURES).map((name) => name.replace(/\.out$/, ''));
    expect(names.sort()).toEqual(Object.keys(PRINTED).sort());
  });
});

const result = (fields: object) => JSON.stringify({ type: 'result', usage: {}, ...fields });

describe('AgentOutput keeps as plain text an output', () => {
  test.for([
    ['that is empty', ''],
    ['that contains an event', `I print this:\n${result({ result: 'x' })}\nand so on.`],
    ['that contains a document', '{\n  "response": "x",\n  "stats": {}\n}\nis what it prints.'],
    ['that ends with other JSON', 'The config is:\n{"a": 1}'],
    ['that ends with a list', 'The numbers are:\n[1, 2]'],
    ['that is an empty list', '[]'],
    ['that is an incomplete event', '{"type":"result"}'],
    ['that is an unknown event', '{"type":"thought","text":"x"}'],
    ['that ends with broken JSON', '{"response": "x"'],
    ['that is other pretty-printed JSON', '{\n  "a": 1\n}\n'],
    ['that is broken pretty-printed JSON', '{\n  "response": "x", "stats": {},\n}\n'],
    ['that is pretty-printed in another way', '{"response": "x",\n  "stats": {}\n}\n'],
    ['that ends with JSON of no agent', `${result({ result: 'x' })}\n{"a": 1}\n`],
    ['that is indented', `  ${result({ result: 'x' })}`],
    ['with control characters', '\u001B[31mred\u001B[0m\u0000\n'],
  ] as const)('%s', ([, text]) => {
    expect(read(text)).toEqual({ message: text, costUsd: null, tokens: null });
  });

  test('that is not valid UTF-8', () => {
    expect(read(Buffer.from([0x61, 0xff, 0xc3]), Buffer.from([0xa4, 0xe2, 0x82])).message).toBe(
      'a\uFFFDä\uFFFD',
    );
  });
});

describe('AgentOutput', () => {
  test.for([
    [
      'uses the last of several results',
      [result({ result: 'a' }), result({ result: 'b' })],
      { message: 'b' },
    ],
    [
      'ignores irrelevant events after the result',
      [result({ result: 'a' }), '{"type":"system"}'],
      { message: 'a' },
    ],
    [
      'ignores irrelevant events in a list',
      [`[${result({ result: 'a' })},{"type":"system"}]`],
      { message: 'a' },
    ],
    [
      'reports a missing cost as null',
      [result({ result: 'a' })],
      { message: 'a', costUsd: null, tokens: null },
    ],
    ['ignores a cost that is not a number', [result({ total_cost_usd: '1' })], { costUsd: null }],
    ['ignores a negative cost', [result({ total_cost_usd: -1 })], { costUsd: null }],
    [
      'ignores an event that is cut off',
      [
        '{"type":"assistant","parent_tool_use_id":null,"message":{"content":[{"type":"text","text":"a"}]}}',
        '{"type":"assistant","parent',
      ],
      { message: 'a' },
    ],
    [
      'ignores the messages of a subagent',
      [
        '{"type":"assistant","parent_tool_use_id":null,"message":{"content":[{"type":"text","text":"a"}]}}',
        '{"type":"assistant","parent_tool_use_id":"x","message":{"content":[{"type":"text","text":"b"}]}}',
      ],
      { message: 'a' },
    ],
    [
      'joins a message that arrives in parts',
      ['a', 'b', 'c'].map((content) =>
        JSON.stringify({ type: 'message', role: 'assistant', content, delta: true }),
      ),
      { message: 'abc' },
    ],
    [
      'ignores events with unexpected values',
      [
        '{"type":"assistant"}',
        '{"type":"assistant","message":{"content":"x"}}',
        '{"type":"assistant","message":{"content":[null,1,{"text":2}]}}',
        '{"type":"item.completed","item":null}',
        '{"type":"message","role":"assistant"}',
        '{"type":"turn.completed","usage":[]}',
        '{"type":"assistant.message","data":null}',
        '{"type":"session.error"}',
        '{"type":"text","part":{}}',
        '{"type":"step_finish","part":{"cost":"1"}}',
        '{"type":"error","timestamp":1,"error":null}',
        '{"type":"message_end","message":{"role":"assistant"}}',
        '{"role":"assistant","content":null}',
        '{"response":null,"stats":{"models":{"a":1}}}',
      ],
      { message: '', tokens: null },
    ],
  ] as const)('%s', ([, lines, expected]) => {
    expect(read(lines.join('\n'))).toMatchObject(expected);
  });
});

const MEGABYTE = 2 ** 20;
const KEPT = 256 * 1024;

describe('AgentOutput, with a large output,', () => {
  test('keeps the last 256 KiB of a text, from the start of a line', () => {
    const lines = Array.from({ length: MEGABYTE / 8 }, (_, n) => `${String(n).padStart(7, '0')}\n`);
    const { message } = read(lines.join(''));
    expect(message.length).toBeGreaterThan(KEPT - 16);
    expect(message.length).toBeLessThanOrEqual(KEPT);
    expect(lines.join('').endsWith(message)).toBe(true);
    expect(message).toMatch(/^\d{7}\n/);
  });

  test('keeps the end of one long line', () => {
    expect(read('x'.repeat(MEGABYTE), 'end').message).toBe(`${'x'.repeat(KEPT - 3)}end`);
  });

  test('keeps the end of a long message in JSON', () => {
    const { message, tokens } = read(
      result({
        result: `${'words\n'.repeat(MEGABYTE)}${DONE}`,
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    );
    expect(message).toMatch(/^words\n/);
    expect(message.endsWith(DONE)).toBe(true);
    expect(message.length).toBeLessThanOrEqual(KEPT);
    expect(tokens).toBe(3);
  });

  test('keeps the end of a long message that arrives in parts', () => {
    const part = JSON.stringify({
      type: 'message',
      role: 'assistant',
      content: 'a few words\n',
      delta: true,
    });
    const { message } = read(`${part}\n`.repeat(100_000));
    expect(message).toMatch(/^a few words\n/);
    expect(message.length).toBeLessThanOrEqual(KEPT);
    expect(message.length).toBeGreaterThan(KEPT - 16);
  });

  test('parses a document of 15 MB', () => {
    const filler = 'x'.repeat(1000);
    const pretty = JSON.stringify(
      { filler: Array(15_000).fill(filler), response: DONE, stats: { models: {} } },
      null,
      2,
    );
    expect(read(pretty).message).toBe(DONE);
    expect(
      read(JSON.stringify([{ filler: 'x'.repeat(15 * MEGABYTE) }, JSON.parse(result({ result: DONE }))]))
        .message,
    ).toBe(DONE);
  });

  test('skips an event of 17 MB, and reads what follows', () => {
    const event = result({ result: 'x'.repeat(17 * MEGABYTE) });
    expect(read(event, '\n', result({ result: DONE }), '\n').message).toBe(DONE);
    expect(read(result({ result: DONE }), '\n', event, '\n').message).toBe(DONE);
  });

  test('keeps a document of 17 MB as plain text', () => {
    const pretty = JSON.stringify(
      { filler: Array(17_500).fill('x'.repeat(1000)), response: DONE, stats: {} },
      null,
      2,
    );
    expect(read(pretty).message).toBe(pretty.slice(pretty.indexOf('\n', pretty.length - KEPT - 1) + 1));
  });
});

test('AgentOutput returns the same result however the output is split', () => {
  const line = fc.constantFrom(
    result({ result: 'ä€😀', total_cost_usd: 1 }),
    '{',
    '  "response": "x", "stats": {}',
    '}',
    '[',
    '{"type":"assistant"}',
    '{"type":',
    'words €',
    '',
    '\r',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(20)), (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      let at = 0;
      const parts = cuts.map((length) => {
        at += length;
        return bytes.subarray(at - length, at);
      });
      expect(read(...parts, bytes.subarray(at))).toEqual(read(bytes));
    }),
    { numRuns: 500 },
  );
});
