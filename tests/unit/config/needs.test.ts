import { describe, expect, test } from 'vitest';
import { parseGateConfig } from '../../../src/config/gate-config.ts';
import { wrongNeeds } from '../../../src/config/needs.ts';
import { formatProblem } from '../../../src/config/validate.ts';
import { shellGate } from '../../helpers/gate-results.ts';
import { ROOT, readWorktree } from '../../helpers/read-worktree.ts';

/** The problems of gates `name: options`, which begin in the second line, one in each. */
async function problemsOf(...gates: readonly string[]) {
  const items = gates.map((gate) => gate.replace(/^([\w ]+): ?/, 'name: $1, run: $1, '));
  return (await readWorktree(`verify:\n${items.map((item) => `  - { ${item} }\n`).join('')}`)).problems;
}

const CYCLE = 'expected that one of these gates needs none of the others';

describe('needs can name', () => {
  test.each([
    ['a gate that is later in the list', ['a: needs: [b]', 'b:']],
    ['a gate of a lower order', ['a: order: 1', 'b: needs: [a]']],
    ['a gate that is disabled', ['a: enabled: false', 'b: needs: [a]']],
    ['one gate twice', ['a:', 'b: "needs": [a, a]']],
    ['a gate that another one needs too', ['a:', 'b: needs: [a]', 'c: needs: [a]', 'd: needs: [b, c]']],
    ['a blocking gate, for a gate that does not block', ['a:', 'b: { blocking: false, needs: [a] }']],
  ])('%s', async (_, gates) => {
    expect(await problemsOf(...gates.map((gate) => gate.replace(/[{}]/g, '')))).toEqual([]);
  });

  test('a gate without a name by its command', async () => {
    const { problems, gates } = await readWorktree(
      'verify:\n  - npm run build\n  - npm run build\n  - { run: c, needs: [npm run build, npm run build (2)] }\n',
    );
    expect(problems).toEqual([]);
    expect(gates.map(({ needs }) => needs)).toEqual([
      undefined,
      undefined,
      ['npm run build', 'npm run build (2)'],
    ]);
  });
});

describe('the config is wrong, and says where, if needs names', () => {
  test.each([
    [
      'an unknown gate',
      ['build:', 'test: needs: [biuld]', 'e2e: needs: [build, nothing]'],
      [
        '3:38: found unknown gate "biuld" in "needs", expected one of build, e2e; did you mean "build"?',
        '4:43: found unknown gate "nothing" in "needs", expected one of build, test',
      ],
    ],
    [
      'an unknown gate where there is no other',
      ['test: needs: [a]'],
      ['2:38: found unknown gate "a" in "needs", and there is no other gate'],
    ],
    [
      'the gate itself',
      ['a: needs: [a]', 'b:'],
      [`2:32: found the gate's own name "a" in "needs", expected other gates`],
    ],
    [
      'gates that need each other',
      ['a: needs: [c]', 'b: needs: [a]', 'c: needs: [b]', 'd: needs: [a]'],
      [`3:32: found a cycle in "needs": a → c → b → a, ${CYCLE}`],
    ],
    [
      'gates of two cycles',
      ['a: needs: [b]', 'b: needs: [a, c]', 'c: needs: [d]', 'd: needs: [c]'],
      [
        `3:32: found a cycle in "needs": a → b → a, ${CYCLE}`,
        `5:32: found a cycle in "needs": c → d → c, ${CYCLE}`,
      ],
    ],
    [
      'a disabled gate in a cycle',
      ['a: enabled: false, needs: [b]', 'b: needs: [a]'],
      [`3:32: found a cycle in "needs": a → b → a, ${CYCLE}`],
    ],
    [
      'a gate that starts later',
      ['a: order: 1, needs: [b]', 'b:'],
      [
        '2:42: found "b" in "needs", which starts later (order 100, and this gate 1), expected a gate of the same or a lower order',
      ],
    ],
    [
      'a gate whose failure would not count',
      ['a: blocking: false', 'b: needs: [a]'],
      [
        '3:32: found "a" in "needs", whose failure does not block, expected a blocking gate or "blocking: false" for this gate too',
      ],
    ],
    [
      'an unknown gate beside other mistakes',
      ['a: timeout: -1, needs: [other]', 'b: needs: 5', 'c: needs: [a, ""]'],
      [
        '2:33: found the number -1 for "timeout", expected a number of seconds above 0',
        '2:45: found unknown gate "other" in "needs", expected one of b, c',
        '3:31: found the number 5 for "needs", expected a list of texts, such as [a, b]',
        '4:35: found an empty text in "needs", expected text',
      ],
    ],
  ])('%s', async (_, gates, problems) => {
    expect(await problemsOf(...gates)).toEqual(problems);
  });

  test('a gate that has no command, which is the only problem', async () => {
    const { problems } = await readWorktree('verify:\n  - name: a\n  - { name: b, run: b, needs: [a] }\n');
    expect(problems).toEqual(['2:5: found the gate "a" without "run", expected a command to run']);
  });

  test('a marker of Trellis, of which a project with commands has none', async () => {
    expect(await problemsOf('a: needs: [LINT_FINISH]', 'b:')).toEqual([
      '2:32: found unknown gate "LINT_FINISH" in "needs", expected one of b',
    ]);
  });
});

test('the needs of a chain of gates that is longer than a stack are checked', () => {
  const at = { line: 1, column: 1 };
  const gates = Array.from({ length: 20_000 }, (_, n) => ({
    gate: shellGate(`g${n}`),
    needs: [{ name: `g${(n + 1) % 20_000}`, at }],
    problems: [],
  }));
  expect(wrongNeeds(gates).map(({ message }) => message.slice(0, 40))).toEqual([
    'found a cycle in "needs": g0 → g1 → g2 →',
  ]);
});

test('the needs of a gate.config.json are checked, with positions', async () => {
  const text =
    '{ "gates": [\n{ "name": "a", "command": "x", "needs": ["b", "other"] },\n{ "name": "b", "command": "x", "enabled": false, "needs": ["a"] } ] }';
  const { problems } = await parseGateConfig(text, { directory: ROOT, workingDirectory: ROOT });
  expect(problems.map((problem) => formatProblem('f', problem))).toEqual([
    'f:2:47: found unknown gate "other" in "needs", expected one of b',
    `f:3:60: found a cycle in "needs": a → b → a, ${CYCLE}`,
  ]);
});
