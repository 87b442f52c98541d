import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { Condenser, type Findings } from '../../../../src/diagnostics/output/condenser.ts';

/** Condenses texts, each printed after so many seconds; the command ends after a last number of seconds. */
function condensedOver(
  texts: readonly (readonly [afterSeconds: number, text: string])[],
  end: number,
): Findings {
  let now = 0;
  const condenser = new Condenser(undefined, () => now);
  for (const [seconds, text] of texts) {
    now += seconds * 1000;
    condenser.write('stdout', Buffer.from(text));
  }
  now += end * 1000;
  return condenser.findings();
}

const silencesOf = (...args: Parameters<typeof condensedOver>) =>
  condensedOver(...args).timing.silences.map(({ after, ms }) => [after.text, ms / 1000]);

describe('the silences of a command are', () => {
  test.each([
    ['the time since its last line', [[0, 'RUN a\nRUN b\n']], 118, [['RUN b', 118]]],
    ['the time since a line without an end', [[0, 'RUN a\nPassword: ']], 118, [['Password:', 118]]],
    [
      'the time since a line that is drawn over after it',
      [
        [0, 'lint\n'],
        [0, '\u001b[1A\u001b[2Ktest 1\n'],
        [118, '\u001b[1A\u001b[2Ktest 2\n'],
      ],
      0,
      [['test 1', 118]],
    ],
    ['the time since a line before blank ones', [[0, 'RUN a\n\n\n']], 118, [['RUN a', 118]]],
    [
      'the longest, the longest first',
      [
        [0, 'a\n'],
        [20, 'b\n'],
        [90, 'c\n'],
        [30, 'd\n'],
        [25, 'e\n'],
      ],
      0,
      [
        ['b', 90],
        ['c', 30],
        ['d', 25],
      ],
    ],
    [
      'none that is much shorter than the longest',
      [
        [0, 'a\n'],
        [10, 'b\n'],
      ],
      100,
      [['b', 100]],
    ],
    ['none where it always prints', Array.from({ length: 100 }, () => [1, 'x\n'] as const), 1, []],
    ['none where it prints nothing', [], 100, []],
  ] as const)('%s', (_, texts, end, expected) => {
    expect(silencesOf(texts, end)).toEqual(expected);
  });
});

describe('the excerpt of a command that was ended shows where the time went', () => {
  const start = Array.from({ length: 400 }, (_, i) => `✓ test ${i}\n`).join('');
  const textOf = (findings: Findings, hung: boolean) => excerptText(excerptOf(findings, 5000, { hung }));

  test('in a short output', () => {
    expect(
      textOf(
        condensedOver(
          [
            [0, 'RUN a\n'],
            [118, 'bye\n'],
          ],
          1,
        ),
        true,
      ),
    ).toBe('RUN a\n… 1 min 58 s without output …\nbye');
  });

  test('in a long output, even if the last lines are others', () => {
    const findings = condensedOver(
      [
        [0, `${start}RUN tests/db.test.ts\n`],
        [118, start],
      ],
      1,
    );

    expect(textOf(findings, true)).toContain('RUN tests/db.test.ts\n… 1 min 58 s without output …\n');
  });

  test('and that of another command does not', () => {
    expect(textOf(condensedOver([[0, 'RUN a\n']], 118), false)).toBe('RUN a');
  });
});
