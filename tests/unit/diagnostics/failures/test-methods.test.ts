import { expect, test } from 'vitest';
import { loggedByOtherMethods } from '../../../../src/diagnostics/failures/test-methods.ts';
import { condensed } from '../../../helpers/condensed.ts';

const FAILED =
  '[ERROR] lastStop  Time elapsed: 0.025 s  <<< ERROR!\njava.lang.IndexOutOfBoundsException: Index 3\n\tat org.shop.RouteTest.lastStop(RouteTest.java:43)\n';
const logged = (frame: string) =>
  `SEVERE: no printer\njava.lang.IllegalStateException: printer offline\n\tat org.shop.Printer.print(Printer.java:9)\n\tat org.shop.${frame}\n\n`;

test.each([
  ['of another method', 'RouteTest.run(RouteTest.java:36)', true],
  ['of what another method has called later', 'RouteTest.lambda$run$0(RouteTest.java:36)', true],
  ['of a class in the class', 'RouteTest$Negative.run(RouteTest.java:65)', true],
  ['of the method that has failed', 'RouteTest.lastStop(RouteTest.java:42)', false],
  ['of a class in which none has failed with a stack', 'TariffTest.run(TariffTest.java:36)', false],
  ['of no test', 'Route.run(Route.java:36)', false],
])('a logged error is that of a test that has passed if its stack is %s', (_, frame, isOfOther) => {
  const { failures } = condensed(`${logged(frame)}${FAILED}`);
  const [first] = failures;

  expect(first?.block.headline.text).toBe('SEVERE: no printer');
  expect(first && loggedByOtherMethods(failures)(first)).toBe(isOfOther);
});

test.each([
  ['run', true],
  ['lastStop', false],
])(
  'beside the list of failed tests of the console, a logged error is that of a test that has passed: %s',
  (method, isOfOther) => {
    const list =
      'Failures (1):\n  JUnit Jupiter:RouteTest:lastStop()\n    => java.lang.IndexOutOfBoundsException: Index 3\n       org.shop.RouteTest.lastStop(RouteTest.java:43)\n       [...]\n';
    const { failures } = condensed(`${logged(`RouteTest.${method}(RouteTest.java:36)`)}${list}`);
    const [first, second] = failures;

    expect(first && loggedByOtherMethods(failures)(first)).toBe(isOfOther);
    expect(second && loggedByOtherMethods(failures)(second)).toBe(false);
  },
);

test('a test in the list of the console has failed, too, if no frame names it', () => {
  const list =
    'Failures (2):\n  JUnit Jupiter:RouteTest:lastStop()\n    => java.lang.IndexOutOfBoundsException: Index 3\n       org.shop.RouteTest.lastStop(RouteTest.java:43)\n  JUnit Jupiter:RouteTest:run()\n    => java.util.concurrent.TimeoutException: run() timed out\n';
  const { failures } = condensed(`${logged('RouteTest.run(RouteTest.java:36)')}${list}`);
  const [first] = failures;

  expect(first && loggedByOtherMethods(failures)(first)).toBe(false);
});
