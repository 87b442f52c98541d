import { describe, expect, test } from 'vitest';
import { expandJson, isDenseJson, splitJson } from '../../../src/diagnostics/read-lines.ts';

const long = 'x'.repeat(800);

test.each([
  ['a list too long to be read', `[{"a":"${long}"}]`, true],
  ['an object too long to be read', `{"a":"${long}"}`, true],
  ['a text with line breaks', '{"a":"one\\ntwo"}', true],
  ['an event with such a text', '["fail",{"err":"one\\ntwo"}]', true],
  ['a short event', '["pass",{"title":"adds"}]', false],
  ['words in brackets', '["one", "two\\nthree"]', false],
  ['a short record', '{"level":"info","msg":"ready"}', false],
  ['a path that is escaped', '{"a":"C:\\\\new"}', false],
  ['a long line of words', `error: ${long}`, false],
  ['code', `{ return "one\\ntwo" }`, false],
  ['nothing', '', false],
])('isDenseJson recognizes JSON that a line cannot show: %s', (_, line, expected) => {
  expect(isDenseJson(line)).toBe(expected);
});

describe('expandJson', () => {
  test.each([
    [
      'gives each object of a list a line, indented by its depth',
      '[{"file":"a.js","messages":[{"line":1},{"line":2}],"errors":2},{"file":"b.js","messages":[]}]',
      [
        ' {"file":"a.js","messages":[',
        '   {"line":1},',
        '   {"line":2}],"errors":2},',
        ' {"file":"b.js","messages":[]}]',
      ],
    ],
    [
      'gives a text as its author wrote it, without members that say nothing',
      '{"time":"10:30","Output":"a_test.go:12: \\"got\\" 1\\n\\twant 2\\n"}',
      ['a_test.go:12: "got" 1', '\twant 2'],
    ],
    [
      'gives a text below the members that are about a failure',
      '{"title":"adds","status":"failed","messages":["Error: 1\\n  at a.js:1:2"],"meta":{}}',
      [
        '{"title":"adds","status":"failed","messages":[…',
        '    Error: 1',
        '      at a.js:1:2',
        '  "meta":{}}',
      ],
    ],
    [
      'gives an event its name',
      '["fail",{"title":"adds","err":"Error: 1\\n  at a.js:1:2"}]',
      ['["fail",{"title":"adds","err":…', '    Error: 1', '      at a.js:1:2'],
    ],
    ['omits quoted source', '{"level":"error","source":"a\\nb"}', ['{"level":"error","source":…']],
    ['decodes all escapes', '{"a":"\\u001b[31mé\\n\\\\n"}', ['\u001b[31mé', '\\n']],
    ['keeps an invalid escape', '{"a":"\\x\\n"}', ['\\x\\n']],
    ['expands the part of a text that is cut off', '{"a":1},{"b":"one\\ntw', ['one', 'tw']],
    ['accepts brackets that close too much', '{"a":1}]}]}', ['{"a":1}]}]}']],
  ])('%s', (_, json, lines) => {
    expect(expandJson(json)).toEqual(lines);
  });

  test('reads hundreds of thousands of brackets and escapes', () => {
    const many = 200_000;
    expect(expandJson(`{"a":${'['.repeat(many)}${']'.repeat(many)}}`)).toHaveLength(1);
    expect(expandJson(`{"a":"${'\\"'.repeat(many)}`)).toHaveLength(1);
    expect(expandJson(`{"a":"${'\\"'.repeat(many)}\\`)).toHaveLength(1);
    expect(isDenseJson(`{"a":"${'\\'.repeat(many)}n"}`)).toBe(true);
  });
});

test.each([
  ['between two objects', '[{"a":1},{"a":2},{"a"', ['[{"a":1},{"a":2}', '{"a"']],
  ['at no other place', '[{"a":1', undefined],
  ['only if it is JSON', 'a},{b', undefined],
])('splitJson splits unfinished JSON %s', (_, text, parts) => {
  expect(splitJson(text)).toEqual(parts);
});
