import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { gateSchemaOf, RALPH_SCHEMA } from '../../../src/config/schema.ts';
import { keysOf } from '../../../src/config/validate.ts';
import { readWorktree } from '../../helpers/read-worktree.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

const GATE_KEYS = keysOf(gateSchemaOf('worktree')).join(', ');
const LIST = 'expected a list of commands, each on its own line after "- "';
const SETTING = 'expected keys such as "max_iterations: 5"';
const QUOTES = 'expected the value in quotes';
const AN_ITEM = 'expected a list item such as "- npm test"';
const VARIABLES = 'expected a mapping of variable names to text, and of "pass" to a list of names';
const WHOLE_NAME = 'expected the full name of a variable, such as DATABASE_URL';
const COLON = 'found ": " inside a value, expected the whole value in quotes or below "|"';

type Row = readonly [text: string, problem: string];

const fields: Row[] = [
  ['timeout: 0', '3:14: found the number 0 for "timeout", expected a number of seconds above 0'],
  ['timeout: -3', '3:14: found the number -3 for "timeout", expected a number of seconds above 0'],
  ['timeout: "5"', '3:14: found text "5" for "timeout", expected a number of seconds above 0'],
  ['timeout: 2147484', '3:14: found the number 2147484 for "timeout", expected a number of seconds above 0'],
  ['timeout:', '3:13: found nothing for "timeout", expected a number of seconds above 0'],
  ['cwd: ..', '3:10: found ".." for "cwd", expected a directory inside the project'],
  ['cwd: /etc', '3:10: found "/etc" for "cwd", expected a directory inside the project'],
  ['cwd: x/../../y', '3:10: found "x/../../y" for "cwd", expected a directory inside the project'],
  ['cwd: ../projects', '3:10: found "../projects" for "cwd", expected a directory inside the project'],
  [
    'report: ../x.xml',
    '3:13: found "../x.xml" for "report", expected a file, or a pattern of files, inside the project',
  ],
  [
    'report: /etc/x.xml',
    '3:13: found "/etc/x.xml" for "report", expected a file, or a pattern of files, inside the project',
  ],
  [
    'report: "!x.xml"',
    '3:13: found "!x.xml" for "report", expected a file, or a pattern of files, inside the project',
  ],
  ['report: [a, b]', '3:13: found a list for "report", expected text'],
  ['cwd: 5', '3:10: found the number 5 for "cwd", expected text'],
  ['name: "  "', '3:11: found an empty text for "name", expected text'],
  ['name: true', '3:11: found the boolean true for "name", expected text'],
  ['name: [a]', '3:11: found a list for "name", expected text'],
  ['env: [A]', `3:10: found a list for "env", ${VARIABLES}`],
  ['env: A=1', `3:10: found text "A=1" for "env", ${VARIABLES}`],
  ['env: {pas: [A]}', `3:10: found a mapping for "env", ${VARIABLES}`],
  ['env: {pass: {A: 1}}', `3:10: found a mapping for "env", ${VARIABLES}`],
  ['env: {pass: [A, AWS_*]}', `3:21: found text "AWS_*" in "pass", ${WHOLE_NAME}`],
  ['env: {pass: ["A-B"]}', `3:18: found text "A-B" in "pass", ${WHOLE_NAME}`],
  ['env: {pass: [A=1]}', `3:18: found text "A=1" in "pass", ${WHOLE_NAME}`],
  ['env: {pass: [1A]}', `3:18: found text "1A" in "pass", ${WHOLE_NAME}`],
  ['env: {pass: [5]}', `3:18: found the number 5 in "pass", ${WHOLE_NAME}`],
  ['env: {pass: [[A]]}', `3:18: found a list in "pass", ${WHOLE_NAME}`],
  ['blocking: no', '3:15: found text "no" for "blocking", expected true or false'],
  ['order: first', '3:12: found text "first" for "order", expected a number'],
  ['enabled: 1', '3:14: found the number 1 for "enabled", expected true or false'],
  ['description: {}', '3:18: found a mapping for "description", expected text'],
  ['tiemout: 5', '3:5: found unknown key "tiemout"; did you mean "timeout"?'],
  ['Timeout: 5', '3:5: found unknown key "Timeout"; did you mean "timeout"?'],
  ['nmae: x', '3:5: found unknown key "nmae"; did you mean "name"?'],
  ['paths: [src, ""]', '3:18: found an empty text in "paths", expected text'],
  ['paths: [[a]]', '3:13: found a list in "paths", expected text'],
  ['tries: 5', `3:5: found unknown key "tries", expected one of ${GATE_KEYS}`],
  ['constructor: 5', `3:5: found unknown key "constructor", expected one of ${GATE_KEYS}`],
  ['__proto__: {name: x}', `3:5: found unknown key "__proto__", expected one of ${GATE_KEYS}`],
  ['anme: x', '3:5: found unknown key "anme"; did you mean "name"?'],
  ['cdw: x', '3:5: found unknown key "cdw"; did you mean "cwd"?'],
  ['description: !x y', `3:21: found the tag "!x", ${QUOTES}`],
  ['run: b', '3:5: found text that is not valid YAML: Map keys must be unique'],
];

const items: Row[] = [
  ['""', '2:5: found an empty command, expected a command to run'],
  ["' '", '2:5: found an empty command, expected a command to run'],
  ['name: x', '2:5: found the gate "x" without "run", expected a command to run'],
  ['run:', '2:9: found nothing for "run", expected text'],
  ['run: 5', '2:10: found the number 5 for "run", expected text'],
  ['run: ""', '2:10: found an empty text for "run", expected text'],
  ['run: "a\\0b"', '2:10: found text "a\\u0000b" for "run", expected text'],
  ['run: [ -f a ]', '2:10: found a list for "run", expected text'],
  ['run: ! grep -q TODO a', `2:12: found the tag "!", ${QUOTES}`],
  ['run: !x a', `2:13: found the tag "!x", ${QUOTES}`],
  ['run: !!str 5', `2:16: found the tag "tag:yaml.org,2002:str", ${QUOTES}`],
  ['run: *x', `2:10: found the undefined alias "*x", ${QUOTES}`],
  ['run: *.sh', `2:10: found the undefined alias "*.sh", ${QUOTES}`],
  ['{run: a, env: {A: *x}}', `2:23: found the undefined alias "*x", ${QUOTES}`],
  ['run: a: b', `2:10: ${COLON}`],
  ['run: npm test -- -g "a: b"', `2:10: ${COLON}`],
];

const sections: Row[] = [
  ['verify: npm test\n', `1:9: found text "npm test" for "verify", ${LIST}`],
  ['verify:   5\n', `1:11: found the number 5 for "verify", ${LIST}`],
  ['verify: {run: a}\n', `1:9: found a mapping for "verify", ${LIST}`],
  ['verify: [! grep -q TODO a, b]\n', `1:12: found the tag "!", ${QUOTES}`],
  ['verify: [a, *x]\n', `1:13: found the undefined alias "*x", ${QUOTES}`],
  ['copy: x\nverify: [a, ""]\n', '2:13: found an empty command, expected a command to run'],
  ['verify:\n  npm test\n', '2:3: found "npm test", expected a list item such as "- npm test"'],
  ['verify:\n\n  run: a\n  - b\n', '3:3: found "run: a", expected a list item such as "- npm test"'],
  ['verify:\n  - a\n  b\n', `3:3: found "b", ${AN_ITEM}`],
  ['verify:\n  - a\n  -b\n', `3:3: found "-b", ${AN_ITEM}`],
  ['verify:\n  - a\n b\n  - c\n', `3:2: found "b", ${AN_ITEM}`],
  ['verify:\n- a\nb\n- c\n', `3:1: found "b", ${AN_ITEM}`],
  ['verify:\n  - run: a\n  name: n\n', `3:3: found "name: n", ${AN_ITEM}`],
  ['verify:\n  - |\n    a\n  b\n', `4:3: found "b", ${AN_ITEM}`],
  ['other:\n  verify:\n    - x\n', '2:3: found "verify" inside "other", expected it without indentation'],
  ['other:\n\n    verify: # gates\n', '3:5: found "verify" inside "other", expected it without indentation'],
  [
    'ralph:\n  fail_fast: true\ncopy:\n\tverify:\n',
    '4:2: found "verify" inside "copy", expected it without indentation',
  ],
  ['verify:\n  - a\nverify:\n  - b\n', '3:1: found "verify" again (first in line 1), expected it once'],
  ['ralph:\nverify:\n  - a\nralph:\n', '4:1: found "ralph" again (first in line 1), expected it once'],
  ['verfy:\n  - a\n', '1:1: found unknown key "verfy"; did you mean "verify"?'],
  ['# x\nVerify:\n  - a\n', '2:1: found unknown key "Verify"; did you mean "verify"?'],
  ['verfiy: [a]\n', '1:1: found unknown key "verfiy"; did you mean "verify"?'],
  ['verifiy: [a]\n', '1:1: found unknown key "verifiy"; did you mean "verify"?'],
  ['ralhp: {}\n', '1:1: found unknown key "ralhp"; did you mean "ralph"?'],
  ['vreify: [a]\n', '1:1: found unknown key "vreify"; did you mean "verify"?'],
  ['"verfy":\n  - a\n', '1:1: found unknown key "verfy"; did you mean "verify"?'],
  [
    '- npm test\n',
    '1:1: found "- npm test" before any key, expected "verify:" without indentation, with a list of commands below it',
  ],
  ['# c\n{verify: [a]}\n', '2:1: found unknown key "{verify"; did you mean "verify"?'],
  [
    '  verify:\n    - a\n',
    '1:3: found "verify:" before any key, expected "verify:" without indentation, with a list of commands below it',
  ],
];

const settings: Row[] = [
  ['ralph: 5\n', `1:8: found the number 5 for "ralph", ${SETTING}`],
  ['ralph: [a]\n', `1:8: found a list for "ralph", ${SETTING}`],
  ['ralph:\n  - a\n', `2:3: found a list for "ralph", ${SETTING}`],
  [
    'ralph:\n  agents: check\n',
    '2:11: found text "check" for "agents", expected a list of texts, such as [a, b]',
  ],
  ['ralph:\n  agents: [""]\n', '2:12: found an empty text in "agents", expected text'],
  [
    'ralph:\n  max_iterations: 0\n',
    '2:19: found the number 0 for "max_iterations", expected a whole number from 1',
  ],
  [
    'ralph:\n  max_iterations: 2.5\n',
    '2:19: found the number 2.5 for "max_iterations", expected a whole number from 1',
  ],
  [
    'ralph:\n  state_timeout_minutes: x\n',
    '2:26: found text "x" for "state_timeout_minutes", expected a number of minutes above 0',
  ],
  [
    'ralph:\n  command_timeout: 1e9\n',
    '2:20: found the number 1000000000 for "command_timeout", expected a number of seconds above 0',
  ],
  ['ralph:\n  max_iterations: *x\n', `2:19: found the undefined alias "*x", ${QUOTES}`],
  ['ralph:\n  agents: [check, !x main]\n', `2:22: found the tag "!x", ${QUOTES}`],
  ['ralph:\n  env: [A]\n', '2:8: found a list for "env", expected a mapping, such as {pass: [DATABASE_URL]}'],
  [
    'ralph:\n  env:\n    pass: A\n',
    '3:11: found text "A" for "pass", expected a list of variable names, such as [DATABASE_URL]',
  ],
  ['ralph:\n  env:\n    pas: [A]\n', '3:5: found unknown key "pas"; did you mean "pass"?'],
  ['ralph:\n  xyz: 1\n', `2:3: found unknown key "xyz", expected one of ${keysOf(RALPH_SCHEMA).join(', ')}`],
  ['ralph:\n  env: {A: x}\n', '2:9: found unknown key "A", expected one of pass'],
  ['ralph:\n  env:\n    pass:\n      - A\n      - B_*\n', `5:9: found text "B_*" in "pass", ${WHOLE_NAME}`],
  ['ralph:\n  fail_fast: yes\n', '2:14: found text "yes" for "fail_fast", expected true or false'],
  ['ralph: {fail-fast: false}\n', '1:9: found unknown key "fail-fast"; did you mean "fail_fast"?'],
  [
    'ralph:\n  fail_fast: true\n  fail_fast: true\n',
    '3:3: found text that is not valid YAML: Map keys must be unique',
  ],
];

describe('a problem in a worktree.yaml names its position, the found and the expected value:', () => {
  test.each(fields)('option of a gate: %s', async (field, problem) => {
    expect((await readWorktree(`verify:\n  - run: a\n    ${field}\n`)).problems).toEqual([problem]);
  });

  test.each(items)('item: - %s', async (item, problem) => {
    expect((await readWorktree(`verify:\n  - ${item}\n  - true\n`)).problems).toEqual([problem]);
  });

  test.each(sections)('section: %j', async (text, problem) => {
    expect((await readWorktree(text)).problems).toEqual([problem]);
  });

  test.each(settings)('setting: %j', async (text, problem) => {
    expect((await readWorktree(text)).problems).toEqual([problem]);
  });

  test.each(['\r\n', '\r', '\n'])('lines that end with %j', async (lineEnd) => {
    const lines = ['\uFEFFverify:', '  - a', '  - run: b', '    timeout: x', ''];

    expect((await readWorktree(lines.join(lineEnd))).problems).toEqual([
      '4:14: found text "x" for "timeout", expected a number of seconds above 0',
    ]);
  });

  test('a long value, which is cut', async () => {
    const { problems } = await readWorktree(`verify:\n  - run: a\n    timeout: ${'x'.repeat(10_000)}\n`);

    expect(problems[0]?.length).toBeLessThan(160);
  });

  test.each([
    ['.nan', 'NaN'],
    ['.inf', 'Infinity'],
    ['-.inf', '-Infinity'],
    ['1e400', 'Infinity'],
  ])('the number %s', async (value, words) => {
    expect((await readWorktree(`verify:\n  - run: a\n    timeout: ${value}\n`)).problems).toEqual([
      `3:14: found the number ${words} for "timeout", expected a number of seconds above 0`,
    ]);
  });
});

describe('all problems of a worktree.yaml are reported at once:', () => {
  test('in the order of the file', async () => {
    const text = `verify:
  - rnu: a
    timeout: x
  - ""
  - name: n
    run: b
  - {name: n, run: c, ordre: 1}
ralph:
  max_iterations: 0
  agents: 5
copy:
  - x
verfy:
`;

    expect((await readWorktree(text)).problems.map((problem) => problem.split(' ', 1)[0])).toEqual([
      '2:5:',
      '2:5:',
      '3:14:',
      '4:5:',
      '7:12:',
      '7:23:',
      '9:19:',
      '10:11:',
      '13:1:',
    ]);
  });

  test('each line outside of any item', async () => {
    const { commands, problems } = await readWorktree('verify:\n  x\n  - a\n  y\n\n# c\n z\n  - b\n    c\n');

    expect(problems).toEqual([
      `2:3: found "x", ${AN_ITEM}`,
      `4:3: found "y", ${AN_ITEM}`,
      `7:2: found "z", ${AN_ITEM}`,
    ]);
    expect(commands).toEqual(['a', 'b c']);
  });

  test('each invalid variable name', async () => {
    const text = 'verify:\n  - run: a\n    env: {pass: [B*, C, D*]}\nralph: {env: {pass: [E*]}}\n';

    expect((await readWorktree(text)).problems).toEqual([
      `3:18: found text "B*" in "pass", ${WHOLE_NAME}`,
      `3:25: found text "D*" in "pass", ${WHOLE_NAME}`,
      `4:22: found text "E*" in "pass", ${WHOLE_NAME}`,
    ]);
  });

  test('each undefined alias and each tag', async () => {
    const text = 'verify:\n  - run: *a\n    env: {A: !x b}\nralph: {agents: [*c]}\n';

    expect((await readWorktree(text)).problems).toEqual([
      `2:10: found the undefined alias "*a", ${QUOTES}`,
      `3:17: found the tag "!x", ${QUOTES}`,
      `4:18: found the undefined alias "*c", ${QUOTES}`,
    ]);
  });

  test('and the valid gates are returned', async () => {
    const text = 'verify:\n  - a\n  - run: b\n    timeout: x\n  - run: 5\n  - c\n';

    expect((await readWorktree(text)).commands).toEqual(['a', 'b', 'c']);
  });

  test('a repeated name, with the line of the first one', async () => {
    const text = 'verify:\n  - name: n\n    run: a\n  - b\n  - name: n\n    run: c\n    enabled: false\n';

    expect((await readWorktree(text)).problems).toEqual([
      '5:11: found the name "n" again (first in line 2), expected a unique name',
    ]);
  });

  test('only the syntax error of a line that is not valid YAML', async () => {
    const { problems } = await readWorktree('verify:\n  - run: a\n    timeout: 0\n    x: y: z\n');

    expect(problems).toEqual([
      '3:14: found the number 0 for "timeout", expected a number of seconds above 0',
      `4:8: ${COLON}`,
    ]);
  });
});

describe('`notify` is', () => {
  test.each([
    ['bel', 'bell'],
    ['Bell', 'bell'],
    ['dekstop', 'desktop'],
  ])('a signal with a typo: %s', async (word, meant) => {
    expect((await readWorktree(`ralph:\n  notify: ${word}\n`)).problems).toEqual([
      `2:11: found "${word}" for "notify", expected bell, desktop or a command on PATH; did you mean "${meant}"?`,
    ]);
  });

  test.each(['bell', 'desktop', 'say', 'bel 1', './bel'])('a signal or a command: %s', async (text) => {
    expect((await readWorktree(`ralph:\n  notify: ${text}\n`)).problems).toEqual([]);
  });

  test('a command if a program has the name', async () => {
    const bin = temporaryTree({ bel: '' });
    vi.stubEnv('PATH', `${process.env.PATH}:${bin}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await readWorktree('ralph:\n  notify: bel\n')).problems).toEqual([]);
  });
});

describe('another key is not taken for a typo:', () => {
  test.each(['worktree_dir', 'copy', 'post_create', 'notify', 'rally', 'graph', 'alpha', 'version', 'name'])(
    '%s',
    async (key) => {
      expect((await readWorktree(`${key}: x\n`)).problems).toEqual([]);
    },
  );
});
