import { expect, test } from 'vitest';
import { passedStepsIn, stepTitlesIn } from '../../../../src/diagnostics/failures/step-titles.ts';
import { condensed } from '../../../helpers/condensed.ts';

const linesOf = (output: string) => output.split('\n').map((text, at) => ({ at, text }));
/** The texts of the steps that have passed. */
const passedIn = (output: string) => {
  const passed = passedStepsIn(linesOf(output), condensed(output).failures);
  return linesOf(output).flatMap(({ at, text }) => (passed.has(at) ? text : []));
};
const ERROR = "src/a.c:3:5: error: 'x' undeclared";
const WARNING = 'src/b.c:3:5: warning: unused variable';

test.each([
  ['those in which nothing is wrong', `==> style\n${WARNING}\n==> types\n${ERROR}`, ['==> style', WARNING]],
  ['none that has an error', `==> style\nsrc/b.c:3:5: error: 'y' undeclared\n==> types\n${ERROR}`, []],
  ['none below the last error', `==> types\n${ERROR}\n==> style\n${WARNING}`, []],
  ['none where no error is sure', `==> style\n${WARNING}\n==> types\nthe types are out of date`, []],
  [
    'scripts of a package without a name, but not the one that runs them',
    `> test\n> npm run style && npm run types\n\n> style\n> lint src\n${WARNING}\n\n> types\n> tsc\n${ERROR}`,
    ['> style', '> lint src', WARNING, ''],
  ],
])('of the steps above an error, %s have passed', (_, output, passed) => {
  expect(passedIn(output)).toEqual(passed);
});

test('what a runner of Tcl says of a test is no title of a step', () => {
  const output =
    '---- cart-1 start\n---- errorInfo: no such variable\n---- cart-2 start\n---- errorCode: NONE';

  expect(stepTitlesIn(linesOf(output)).size).toBe(0);
});
