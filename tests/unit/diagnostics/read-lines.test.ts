import { describe, expect, test } from 'vitest';
import { expandJson, isDenseJson, splitJson } from '../../../src/diagnostics/read-lines.ts';

const long = 'x'.repeat(800);

test.each([
  ['a list too long to be read', `[{"a":"${long}"}]`, true],
  ['an object too long to be read', `{"a":"${long}"}`, true],
  ['a text with line breaks', '{"a":"one\\ntwo"}', true],
  ['a short record', '{"level":"info","msg":"ready"}', false],
  ['a path that is escaped', '{"a":"C:\\\\new"}', false],
  ['a long line of words', `error: ${long}`, false],
  ['code', `{ return "one\\ntwo" }`, false],
  ['nothing', '', false],
])('whether JSON tells more than a line can: %s', (_, line, expected) => {
  expect(isDenseJson(line)).toBe(expected);
});

describe('JSON is laid out', () => {
  test.each([
    [
      'each object of a list on its own line, by its depth',
      '[{"file":"a.js","messages":[{"line":1},{"line":2}],"errors":2},{"file":"b.js","messages":[]}]',
      [
        ' {"file":"a.js","messages":[',
        '   {"line":1},',
        '   {"line":2}],"errors":2},',
        ' {"file":"b.js","messages":[]}]',
      ],
    ],
    [
      'a text as its author wrote it, without what says nothing beside it',
      '{"time":"10:30","Output":"a_test.go:12: \\"got\\" 1\\n\\twant 2\\n"}',
      ['a_test.go:12: "got" 1', '\twant 2'],
    ],
    [
      'a text below what tells of a failure',
      '{"title":"adds","status":"failed","messages":["Error: 1\\n  at a.js:1:2"],"meta":{}}',
      [
        '{"title":"adds","status":"failed","messages":[…',
        '    Error: 1',
        '      at a.js:1:2',
        '  "meta":{}}',
      ],
    ],
    ['without a quoted source', '{"level":"error","source":"a\\nb"}', ['{"level":"error","source":…']],
    ['what is escaped, whatever it is', '{"a":"\\u001b[31mé\\n\\\\n"}', ['\u001b[31mé', '\\n']],
    ['what is no valid escape, as it is', '{"a":"\\x\\n"}', ['\\x\\n']],
    ['what is cut off, as far as it goes', '{"a":1},{"b":"one\\ntw', ['one', 'tw']],
    ['what closes more than was opened', '{"a":1}]}]}', ['{"a":1}]}]}']],
  ])('%s', (_, json, lines) => {
    expect(expandJson(json)).toEqual(lines);
  });

  test('in time that grows with its length', () => {
    const many = 200_000;
    expect(expandJson(`{"a":${'['.repeat(many)}${']'.repeat(many)}}`)).toHaveLength(1);
    expect(expandJson(`{"a":"${'\\"'.repeat(many)}`)).toHaveLength(1);
    expect(expandJson(`{"a":"${'\\"'.repeat(many)}\\`)).toHaveLength(1);
    expect(isDenseJson(`{"a":"${'\\'.repeat(many)}n"}`)).toBe(true);
  });
});

test.each([
  ['between two objects', '[{"a":1},{"a":2},{"a"', ['[{"a":1},{"a":2}', '{"a"']],
  ['nowhere else', '[{"a":1', undefined],
  ['nor in what is no JSON', 'a},{b', undefined],
])('JSON without an end is cut %s', (_, text, parts) => {
  expect(splitJson(text)).toEqual(parts);
});
