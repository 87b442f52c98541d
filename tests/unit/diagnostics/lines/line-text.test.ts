import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { stripAnsi } from '../../../../src/base/text.ts';
import { cropComparison } from '../../../../src/diagnostics/lines/line-text.ts';

const ESC = '\u001B';

describe('stripAnsi', () => {
  test.each([
    ['keeps plain text', 'a [31m b', 'a [31m b'],
    ['removes colours', `${ESC}[1;31mred${ESC}[0m and ${ESC}[38:2::1:2:3mmore${ESC}[m`, 'red and more'],
    ['removes a command of one character', '\u009B2Kline', 'line'],
    ['removes commands for the cursor', `${ESC}[?25lhidden${ESC}[2 q`, 'hidden'],
    ['removes a link that BEL ends', `${ESC}]8;;http://x\u0007text${ESC}]8;;\u0007`, 'text'],
    ['removes a link that ST ends', `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['removes a device string', `${ESC}P1$r0m${ESC}\\text`, 'text'],
    ['removes the choice of a character set', `${ESC}(Btext${ESC}7`, 'text'],
    [
      'removes the start of a link that nothing ends, and keeps its text',
      `${ESC}]8;;text\n<promise>X</promise>`,
      '8;;text\n<promise>X</promise>',
    ],
    ['removes the start of a command that nothing ends', `text${ESC}[31`, 'text31'],
  ])('%s', (_, text, expected) => {
    expect(stripAnsi(text)).toBe(expected);
  });

  /** A search that backtracks would take hours, and is ended; one that does not takes milliseconds. */
  const strippedInTime = (text: string): string =>
    runInNewContext('stripAnsi(text)', { stripAnsi, text }, { timeout: 10_000 });

  test.each([
    [`${ESC}]8;;`, '8;;'],
    [`${ESC}[`, ''],
    [`${ESC}[0;`, '0;'],
    [ESC, ESC],
    [`${ESC}P`, ''],
  ])('takes linear time for starts of escape sequences: %j', (start, rest) => {
    expect(strippedInTime(start.repeat(200_000)) === rest.repeat(200_000)).toBe(true);
    expect(strippedInTime(start + 'x'.repeat(1_000_000)).endsWith('x')).toBe(true);
  });
});

describe('a line with two values that a test compares', () => {
  const same = `{'sailings': [${"{'route': 'Mole-Skerry', 'stops': []}, ".repeat(12)}`;

  test('is cropped to where they differ', () => {
    const cropped = cropComparison(
      `E         ${same}{'arrives': '12:45'}]} != ${same}{'arrives': '12:50'}]}`,
    );

    expect(cropped).toMatch(
      /^E {9}\{'sailings': \[.* … .*'12:45'\}\]\} != \{'sailings': \[.* … .*'12:50'\}\]\}$/,
    );
    expect(cropped?.length).toBeLessThan(500);
  });

  test.each([
    ['of another line', `Error: ${same}`],
    ['of which one is short', `${same}]} != 5`],
    ['of different sorts', `${same}]} == [${same}]}]`],
  ])('is not cropped in this way: %s', (_, line) => {
    expect(cropComparison(line)).toBeUndefined();
  });
});
