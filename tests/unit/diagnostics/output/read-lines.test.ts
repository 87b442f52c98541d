import { describe, expect, test } from 'vitest';
import { RawLine } from '../../../../src/diagnostics/lines/raw-line.ts';
import {
  expandJson,
  isDenseJson,
  LineReader,
  splitJson,
} from '../../../../src/diagnostics/output/read-lines.ts';

const long = 'x'.repeat(800);

describe('a line is read as a terminal shows it', () => {
  test.each([
    ['in colours', '\u001b[1;31mError:\u001b[0m boom', 'Error: boom'],
    ['with a hidden cursor', '\u001b[?25lError: boom', 'Error: boom'],
    ['with a cleared rest', 'Error: boom\u001b[0K', 'Error: boom'],
    ['with a link', '\u001b]8;;file:///a\u0007Error: boom\u001b]8;;\u0007', 'Error: boom'],
    ['with a sequence that is cut off', 'Error: boom\u001b[3', 'Error: boom'],
    ['with blanks and a return at its end', 'Error: boom \t\r', 'Error: boom'],
    ['with a bell', 'Error: boom\u0007', 'Error: boom'],
    ['of bytes that are no text', Buffer.from([0x45, 0xff, 0x52]), 'E\ufffdR'],
    ['in JSON', '{"msg":"boom"}', '{"msg":"boom"}'],
  ])('%s', (_, raw, text) => {
    const lines: RawLine[] = [];
    const reader = new LineReader(
      (_stream, line) => lines.push(line),
      () => false,
    );
    reader.write(
      'stdout',
      Buffer.concat([Buffer.from('first\n'), Buffer.from(raw), Buffer.from('\nlast\n')]),
    );

    expect(lines.map((line) => line.text)).toEqual(['first', text, 'last']);
    // Its form is that of the bytes.
    const [, { bytes, start, end } = RawLine.of('')] = lines;
    expect(bytes.toString('utf8', start, end)).toBe(text);
  });
});

const linesOf = (text: string, size: number) => {
  const lines: string[] = [];
  const reader = new LineReader(
    (_stream, line) => lines.push(line.text),
    () => false,
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.write('stdout', bytes.subarray(at, at + size));
  reader.end();
  return lines;
};

test.each([
  ['a list of objects', `[${Array.from({ length: 6000 }, (_, i) => `{"line":${i}}`).join(',')}]\n`],
  ['an object with one long text', `{"a":"${long.repeat(90)}"}\n`],
  ['words', `${'word '.repeat(30_000)}error: boom ${'ö✗ '.repeat(30_000)}\n`],
  ['states drawn over each other', 'step 1\rstep 2\r'.repeat(9000)],
  ['short lines of many bytes', 'ö✗ 🐴\r\n'.repeat(20)],
])('the pieces in which an endless line arrives change nothing: %s', (_, text) => {
  const whole = linesOf(text, text.length * 4);

  for (const size of [7, 1000, 16_384, 65_536]) expect(linesOf(text, size)).toEqual(whole);
});

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

const STACK = 'TypeError: no port\\n    at f (/p/src/a.ts:3:5)';
const LEVEL = '{"level":50,"err":{"type":"TypeError","stack":"';

test.each([
  ['indented', `    ${LEVEL}${STACK}"},"msg":"no port"}`, '    '],
  ['behind a tag', `[WebServer] ${LEVEL}${STACK}"},"msg":"no port"}`, '[WebServer] '],
])('a record that has texts with line breaks is expanded behind what is before it: %s', (_, record, lead) => {
  const lines = linesOf(`${record}${' '.repeat(300)}\n`, 100);

  expect(lines).toEqual([
    `${lead}{"level":50,"err":{"type":"TypeError","stack":…`,
    `${lead}    TypeError: no port`,
    `${lead}        at f (/p/src/a.ts:3:5)`,
    `${lead}  "msg":"no port"}`,
  ]);
});

test.each([
  ['a request that was answered', '{"level":30,"time":1,"res":{"statusCode":200},"body":"one\\ntwo"}'],
  [
    'an error that was expected',
    '{"level":30,"time":1,"err":{"message":"no port","stack":"Error: no port\\n at f"}}',
  ],
  ['what a program warns of', '{"level":40,"time":1,"details":"one\\ntwo"}'],
])('a record whose level says that nothing has failed is not expanded: %s', (_, record) => {
  expect(linesOf(`${record}\n`, 100)).toEqual([record]);
  expect(linesOf(`# ${record}\n`, 100)).toEqual([`# ${record}`]);
});

test('a value that a test compares is not expanded', () => {
  const value = `Received: {"a":"one\\ntwo"}`;

  expect(linesOf(`${value}\n`, 100)).toEqual([value]);
});

test('the values behind a result of Ansible are below it, where they have several lines', () => {
  const result = 'fatal: [web01]: FAILED! =>';

  expect(linesOf(`${result} {"msg": "no port\\n\\nThe error is in line 3"}\n`, 64)).toEqual([
    result,
    '    no port',
    '',
    '    The error is in line 3',
  ]);
  expect(linesOf(`${result} {"msg": "no port"}\n`, 64)).toEqual([`${result} {"msg": "no port"}`]);
});

test('a message for TeamCity is followed by its texts of several lines, without escapes', () => {
  const message =
    "##teamcity[testFailed name='ignores |'it|'' message='no |0x00E9' details='TypeError: no |[port|]|n    at f (src/a.ts:3:5)|r|n' flowId='7']";

  expect(linesOf(`${message}\n`, 100)).toEqual([
    "##teamcity[testFailed name='ignores |'it|'' message='no |0x00E9' flowId='7']",
    '  TypeError: no [port]',
    '      at f (src/a.ts:3:5)',
  ]);
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
    [
      'omits the messages that a stack begins with',
      '{"time":1,"level":50,"err":{"message":"no \\"a\\"","stack":"Error: no \\"a\\"\\n  at a.js:1:2","code":"E"},"msg":"no \\"a\\""}',
      ['{"time":1,"level":50,"err":{"stack":…', '    Error: no "a"', '      at a.js:1:2', '  "code":"E"}}'],
    ],
    [
      'keeps other messages, and those of other objects',
      '[{"status":"failed","message":"load","stack":"Error: boom\\n  at a.js:1:2"},{"id":2,"message":"boom"}]',
      [
        ' {"status":"failed","message":"load","stack":…',
        '    Error: boom',
        '      at a.js:1:2',
        ' {"id":2,"message":"boom"}]',
      ],
    ],
    ['omits quoted source', '{"level":"error","source":"a\\nb"}', ['{"level":"error","source":…']],
    ['decodes all escapes', '{"a":"\\u001b[31mé\\n\\\\n"}', ['\u001b[31mé', '\\n']],
    ['keeps an invalid escape', '{"a":"\\x\\n"}', ['\\x\\n']],
    ['expands the part of a text that is cut off', '{"a":1,"b":"one\\ntw', ['one', 'tw']],
    [
      'gives each object of a part of a list a line',
      '{"a":1},{"a":2}]},{"b":3}',
      ['{"a":1},', '{"a":2}]},', '{"b":3}'],
    ],
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
  ['in no string', '[{"a":"},{\\"', undefined],
  ['only if it is JSON', 'a},{b', undefined],
])('splitJson splits unfinished JSON %s', (_, text, parts) => {
  expect(splitJson(text)).toEqual(parts);
});
