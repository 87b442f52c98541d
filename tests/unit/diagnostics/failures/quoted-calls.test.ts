import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const BETWEEN = '_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _';
const TEST = [
  '    def test_pays(session):',
  '>       pay(session, 12)',
  '',
  'tests/test_pay.py:9: ',
  BETWEEN,
];
const OF_PACKAGE = [
  'self = <Session at 0x7f9e2f863410>, error = KeyError("id")',
  '',
  '    def execute(self, statement):',
  '        """Raises',
  '',
  '        Errors',
  '        ------',
  '        TimeoutError',
  '            if the pool is empty',
  '        """',
  ...Array.from({ length: 120 }, (_, at) => `        self._step(${at})`),
  '        try:',
  '            pass',
  '        except exc.PendingRollbackError:',
  '            raise exc.TimeoutError(',
  '                "QueuePool limit reached, connection timed out"',
  '            )',
];
const THROWN = [
  '>       cursor.execute(statement)',
  'E       sqlite3.IntegrityError: UNIQUE failed: orders.id',
  '',
];
const SITE = '/usr/lib/python3/dist-packages/sqlalchemy/engine/default.py:736: IntegrityError';

/** An output of pytest with the section of a test, long enough to be cut. */
const outputOf = (...section: readonly string[]) =>
  ['= FAILURES =', '__________ test_pays __________', '', ...section, '= 1 failed in 0.12s ='].join('\n');
const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));

test('a function of a package is not quoted below a title between other signs', () => {
  const output = outputOf(...TEST, ...OF_PACKAGE, ...THROWN, SITE).replace(
    /^_+ (\w+) _+$/m,
    '――――――――――――――― $1 ―――――――――――――――',
  );
  const text = excerpt(output);

  expect(text).toContain('UNIQUE failed: orders.id');
  expect(text).not.toContain('TimeoutError');
});

test('the place of an error in the frame that Meson draws around the output of a test is no frame of pytest', () => {
  const { failures } = condensed(
    '――――――――――――――― ✀  ―――――――――――――――\n[ RUN      ] Stations.Small\n../tests/station_test.cpp:23: Failure\nExpected equality of these values:\n  trend\n    Which is: Falling\n  Trend::Slack\n[  FAILED  ] Stations.Small (0 ms)\n',
  );

  expect(failures[0]?.block.headline.text).toBe('../tests/station_test.cpp:23: Failure');
});

test('of a function of a package that a stack quotes, only the error that it threw is shown, and the arguments', () => {
  const text = excerpt(outputOf(...TEST, ...OF_PACKAGE, ...THROWN, SITE));

  expect(text).toContain('E       sqlite3.IntegrityError: UNIQUE failed: orders.id');
  expect(text).not.toMatch(/TimeoutError|PendingRollback|QueuePool|cursor\.execute/);
});

test('the call in the project that led to an error in a package is shown with its source', () => {
  const text = excerpt(outputOf(...TEST, ...OF_PACKAGE, ...THROWN, SITE));

  expect(text).toContain('>       pay(session, 12)\ntests/test_pay.py:9:');
});

test('the last call in the project is shown where short frames of packages follow it', () => {
  const short = Array.from({ length: 30 }, (_, at) => [
    `/usr/lib/python3/dist-packages/sqlalchemy/orm/session.py:${at}: in flush`,
    '    raise exc.FlushError(',
  ]).flat();
  const text = excerpt(
    outputOf(
      'tests/test_pay.py:9: in test_pays',
      '    pay(session, 12)',
      ...short,
      'E   OSError: no such disk',
    ),
  );

  expect(text).toContain('tests/test_pay.py:9: in test_pays\n    pay(session, 12)');
  expect(text).toContain('E   OSError: no such disk');
  expect(text).not.toContain('FlushError');
});

test('the call of the test is shown, too, where frames of the project follow it', () => {
  const frames = ['shop/cart.py:50: in checkout', '    return pay(self.session, self.cents)', BETWEEN];
  const text = excerpt(outputOf(...TEST, ...frames, ...OF_PACKAGE, ...THROWN, SITE));

  expect(text).toContain('>       pay(session, 12)\ntests/test_pay.py:9:\nshop/cart.py:50: in checkout');
});

test('the call of the test is that of the last exception of a chain, which the test has raised or passed on', () => {
  const cause = [
    'text = ""',
    '',
    '    def weigh(text):',
    '        try:',
    '>           return Decimal(text)',
    'E           decimal.InvalidOperation: ConversionSyntax',
    '',
    'shop/scales.py:29: InvalidOperation',
    '',
    'The above exception was the direct cause of the following exception:',
    '',
  ];
  const frames = ['shop/cart.py:50: in checkout', '    return self.scales.weigh(self.text)', BETWEEN];
  const text = excerpt(outputOf(...cause, ...TEST, ...frames, ...OF_PACKAGE, ...THROWN, SITE));

  expect(text).toContain('>       pay(session, 12)\ntests/test_pay.py:9:\nshop/cart.py:50: in checkout');
  expect(text).toContain('decimal.InvalidOperation: ConversionSyntax');
});

describe('the arguments of the function that threw', () => {
  const rate = ["self = Tariff(code='EV-24')", 'at = <datetime object at 0x7f9e2f863410>', 'note = None', ''];
  const threw = (at: number) => [
    ...TEST,
    ...rate,
    '    def rate(self, band):',
    ...Array.from({ length: 120 }, (_, step) => `        total += ${step}`),
    '>       return self.rates[band]',
    `E       KeyError: 'day ${at}'`,
    '',
    `shop/tariffs.py:${at}: KeyError`,
  ];
  const sections = (count: number) =>
    Array.from({ length: count }, (_, at) => [`_____ test_pays_${at} _____`, '', ...threw(at)]).flat();

  test('are shown if they have a value', () => {
    const text = excerpt(outputOf(...threw(19)));

    expect(text).toContain("self = Tariff(code='EV-24')\n");
    expect(text).not.toMatch(/object at 0x|note = None/);
  });

  test('are left out beside many errors', () => {
    expect(excerpt(outputOf(...sections(5)))).not.toContain('self = Tariff');
  });
});

test('what a function of the project threw is shown with its source and its place, however deep it is', () => {
  const text = excerpt(
    outputOf(
      ...TEST,
      '    def pay(session, cents):',
      ...Array.from({ length: 120 }, (_, at) => `        session.step(${at})`),
      '                    if cents < 20:',
      '>                       assert session.total == 20',
      'E                       assert 12 == 20',
      '',
      'shop/pay.py:31: AssertionError',
    ),
  );

  expect(text).toContain(
    '>                       assert session.total == 20\nE                       assert 12 == 20',
  );
  expect(text).toContain('shop/pay.py:31: AssertionError');
});

test('a statement that only looks like the result of a test does not make the errors above it expected', () => {
  const chained = ['The above exception was the direct cause of the following exception:', ''];
  const text = excerpt(
    outputOf(...TEST, ...OF_PACKAGE, ...THROWN, SITE, '', ...chained, ...TEST, ...OF_PACKAGE),
  );

  expect(text).toContain('E       sqlite3.IntegrityError: UNIQUE failed: orders.id');
});

test('a call of a function without source is not one of the project', () => {
  const compiled = [
    'testing.pyx:52: in pandas.assert_equal',
    '    ???',
    BETWEEN,
    '',
    '>   ???',
    'E   AssertionError: 3',
    '',
  ];
  const text = excerpt(outputOf(...TEST, ...compiled, 'testing.pyx:167: AssertionError', ...OF_PACKAGE));

  expect(text).toContain('>       pay(session, 12)\ntests/test_pay.py:9:');
});

const FAILED = Array.from({ length: 6 }, (_, at) => ({
  section: [
    `__________ test_total_${at} __________`,
    '',
    `    def test_total_${at}():`,
    `>       assert total(${at}) == ${at + 1}, "the total of the ${'very '.repeat(12)}long order ${at}"`,
    `E       AssertionError: the total of the ${'very '.repeat(12)}long order ${at}`,
    `E       assert ${at} == ${at + 1}`,
    `E        +  where ${at} = total(${at})`,
    '',
    `tests/test_total.py:${at + 1}: AssertionError`,
  ],
  summary: [
    `FAILED tests/test_total.py::test_total_${at} - AssertionError: the total of the ${'very '.repeat(12)}long order ${at}`,
    `assert ${at} == ${at + 1}`,
    ` +  where ${at} = total(${at})`,
  ],
}));

test('what a summary says again below the names of failed tests takes no space of the failures', () => {
  const text = excerpt(
    [
      '======== FAILURES ========',
      ...FAILED.flatMap(({ section }) => section),
      '======== short test summary info ========',
      ...FAILED.flatMap(({ summary }) => summary),
    ].join('\n'),
  );
  const places = FAILED.filter((_, at) => text.includes(`tests/test_total.py:${at + 1}: AssertionError`));

  expect(places).toHaveLength(FAILED.length);
  expect(text).not.toMatch(/^assert 3 == 4$/m);
});

describe('of many errors, the arguments are left out', () => {
  const section = (name: string, error: string, ...args: string[]) => [
    `__________ test_${name} __________`,
    '',
    `    def test_${name}(session):`,
    `>       migrate(session, ${name.length})`,
    '',
    `tests/test_${name}.py:9: `,
    BETWEEN,
    '',
    ...args,
    '',
    '    def apply(path, limit):',
    '>       run(path.read_text())',
    `E       ${error}: ${name}`,
    '',
    `app/${name}.py:17: Error`,
  ];
  const names = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
  const others = names.flatMap((name) => section(name, 'SyntaxError', `limit = ${name.length}`));
  const shown = (error: string, argument: string) =>
    excerpt(outputOf(...section('first', error, argument, 'limit = 7'), ...others));

  test.each([
    [
      'but for a file that the error does not name',
      'SyntaxError',
      "path = PosixPath('/p/db/0002_bookings.sql')",
    ],
    ['but for the value in which something was not found', 'KeyError', "answer = {'trackingCode': 'CH-S-1'}"],
  ])('%s', (_, error, argument) => {
    expect(shown(error, argument)).toContain(argument);
    expect(shown(error, argument)).not.toContain('limit = 7');
  });

  test.each([
    ['also a file that the error names', 'FileNotFoundError: /p/cart.csv', "path = PosixPath('/p/cart.csv')"],
    ['also a value of which nothing was looked for', 'SyntaxError', "answer = {'trackingCode': 'CH-S-1'}"],
  ])('%s', (_, error, argument) => {
    expect(shown(error, argument)).not.toContain(argument);
  });
});
