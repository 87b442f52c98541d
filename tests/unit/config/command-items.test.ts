import { describe, expect, test } from 'vitest';
import { readWorktree } from '../../helpers/read-worktree.ts';

/** An item of `verify:` as it stands behind the dash, and the command that is run. */
type Row = readonly [item: string, command: string];

const asTheyStand = [
  'pnpm test',
  'true',
  'null',
  '~',
  '5',
  '2026-01-31',
  'FOO=1 npm test',
  './run.sh --all',
  '(cd a && npm test)',
  '$SHELL -c true',
  '~/bin/check',
  '/bin/true',
  '<in.txt wc -l',
  'npm run a:b',
  'curl http://localhost:3000/',
  'echo {a,b} c[1]',
  '-x',
  'a, b',
  'é — ü',
  'exit 3; exit 4',
  'a | b > c 2>&1 &',
];

/** YAML reads these as something else, or not at all. */
const notText = [
  '[ -f a ] && b',
  '[ -f a ]',
  '[[ -f a ]] && b',
  '[ "$A" = "b: c" ]',
  '! grep -q TODO src/a.ts',
  '!grep -q TODO src/a.ts',
  'npm test -- -g "a: b"',
  'curl -H "Accept: text/html" localhost',
  'echo a:',
  '{ true; }',
  '@tool x',
  '`which true`',
  '*.sh',
  '&a b',
  '%a b',
  '> out.txt echo a',
  '| cat',
  '- a',
  '?a',
  ':a',
  ', a',
  '"npm" run lint',
  '"a" && "b"',
  "'a'b'c'",
  '"unclosed',
  "it's",
  '"run": x',
  '--- a',
];

/** An item that is quoted whole is unquoted. */
const quoted: Row[] = [
  ['"npm run lint"', 'npm run lint'],
  ["'npm run lint'", 'npm run lint'],
  ['"a: b"', 'a: b'],
  ["'[ -f a ]'", '[ -f a ]'],
  ["'it''s'", "it's"],
  ['"say \\"a\\""', 'say "a"'],
  ['"\\u00e9"', 'é'],
  ['"a # b"', 'a # b'],
  ['"a" # why', 'a'],
  ['" a "', 'a'],
];

/** What is a comment and what is not is the shell's to judge: it sees the quotes that YAML does not. */
const withComments = [
  'exit 5 # quick check',
  'exit 5 #',
  'exit 5# no comment',
  'exit 5 # a: b',
  'echo "a # b"',
  "echo 'a # b' c",
  'echo "a \\" # b"',
  "echo 'a \\' # b",
  "echo it's # c",
  'echo $# a# # c',
  'echo a \\# b',
  '[ -f a ] # c',
  '! a # c',
  '5 # c',
  'a &&\t# c',
];

describe('an item of verify: is a command', () => {
  test.each(asTheyStand)('as it stands: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n`)).toMatchObject({ commands: [item], problems: [] });
  });

  test.each(notText)('its own text, whatever YAML makes of it: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n  - true\n`)).toMatchObject({
      commands: [item, 'true'],
      problems: [],
    });
  });

  test.each(quoted)('unquoted where it is quoted whole: %s', async (item, command) => {
    expect(await readWorktree(`verify:\n  - ${item}\n`)).toMatchObject({ commands: [command], problems: [] });
  });

  test.each(withComments)('with the comment behind it: %s', async (item) => {
    expect(await readWorktree(`verify:\n  - ${item}\n  - true\n`)).toMatchObject({
      commands: [item, 'true'],
      problems: [],
    });
  });
});
