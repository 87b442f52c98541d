import { describe } from 'vitest';
import { checkRows, type Row } from '../../helpers/integrity-rows.ts';

function indented(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}

/** PHPUnit: a method with a body, in a class with another one. */
function unit(
  body: string,
  {
    marks = '',
    head = 'public function testTotal(): void',
    suite = 'class CartTest extends TestCase',
    rest = '',
  } = {},
): string {
  return `<?php\n\nuse PHPUnit\\Framework\\TestCase;\n\n${suite}\n{\n${marks ? `${indented(marks, 4)}\n` : ''}    ${head}\n    {\n${indented(body, 8)}\n    }\n\n    public function testEmpty(): void\n    {\n        $this->assertSame(0, (new Cart())->size());\n    }\n${indented(rest, 4)}}\n`;
}

/** Pest: a test with a body, and another one. */
function pest(body: string, chain = '', name = 'it'): string {
  return `<?php\n\n${name}('adds up', function () {\n${indented(body, 4)}\n})${chain};\n\nit('is empty', function () {\n    expect((new Cart())->size())->toBe(0);\n});\n`;
}

const SAME = '$this->assertSame(3, $cart->total());';
const TO_BE = 'expect($cart->total())->toBe(3);';
const inUnit = (what: string, before: string, after: string, rule?: string): Row => [
  what,
  unit(before),
  unit(after),
  rule,
];
const inPest = (what: string, before: string, after: string, rule?: string): Row => [
  what,
  pest(before),
  pest(after),
  rule,
];
const check = (rows: readonly Row[]) => checkRows('tests/CartTest.php', rows);
const PROVIDER = (rows: string, mark = '#[DataProvider("rows")]') =>
  unit('$this->assertSame($want, slug($raw));', {
    marks: mark,
    head: 'public function testSlug(string $raw, string $want): void',
    rest: `\npublic static function rows(): array\n{\n    return [${rows}];\n}\n`,
  });

describe('a test of PHPUnit that became weaker is found', () => {
  check([
    [
      'a bent row',
      PROVIDER("['A', 'a'], ['B', 'b']"),
      PROVIDER("['A', 'a'], ['B', 'B']"),
      'expectation-changed',
    ],
    [
      'a bent row with a name',
      PROVIDER("'upper' => ['A', 'a']"),
      PROVIDER("'upper' => ['A', 'A']"),
      'expectation-changed',
    ],
    [
      'deleted',
      unit(SAME),
      unit(SAME).replace(/ {4}public function testTotal[\s\S]*?\n {4}}\n/, ''),
      'test-deleted',
    ],
    [
      'commented out',
      unit(SAME),
      unit(SAME).replace(/( {4}public function testTotal[\s\S]*?\n {4}})\n/, '/*\n$1\n*/\n'),
      'test-deleted',
    ],
    ['renamed', unit(SAME), unit(SAME, { head: 'public function checkTotal(): void' }), 'test-not-collected'],
    ['private', unit(SAME), unit(SAME, { head: 'private function testTotal(): void' }), 'test-not-collected'],
    [
      'without its attribute',
      unit(SAME, { marks: '#[Test]', head: 'public function adds(): void' }),
      unit(SAME, { head: 'public function adds(): void' }),
      'test-not-collected',
    ],
    [
      'without its annotation',
      unit(SAME, { marks: '/** @test */', head: 'public function adds(): void' }),
      unit(SAME, { marks: '/** adds up */', head: 'public function adds(): void' }),
      'test-not-collected',
    ],
    [
      'abstract',
      unit(SAME),
      unit(SAME, { suite: 'abstract class CartTest extends TestCase' }),
      'test-not-collected',
    ],
    ['without its base class', unit(SAME), unit(SAME, { suite: 'class CartTest' }), 'test-not-collected'],
    [
      'in a file that is not collected',
      { 'tests/CartTest.php': unit(SAME) },
      { 'tests/CartChecks.php': unit(SAME) },
      'test-not-collected',
    ],
    inUnit('skipped', SAME, `$this->markTestSkipped('flaky');\n${SAME}`, 'test-skipped'),
    inUnit('incomplete', SAME, `self::markTestIncomplete();\n${SAME}`, 'test-skipped'),
    inUnit(
      'skipped on a condition',
      SAME,
      `if (getenv('CI')) {\n    $this->markTestSkipped('slow');\n}\n${SAME}`,
      'test-skipped',
    ),
    [
      'skipped in its setup',
      unit(SAME),
      unit(SAME, { rest: '\nprotected function setUp(): void\n{\n    $this->markTestSkipped();\n}\n' }),
      'test-skipped',
    ],
    [
      'requires a version that does not exist',
      unit(SAME),
      unit(SAME, { marks: "#[RequiresPhp('>= 99')]" }),
      'test-skipped',
    ],
    inUnit('emptied', SAME, '// later', 'test-emptied'),
    [
      'a row is gone',
      PROVIDER("['A', 'a'], ['B', 'b'], ['C', 'c']"),
      PROVIDER("['A', 'a']"),
      'test-cases-removed',
    ],
    [
      'a row of an annotated provider is gone',
      PROVIDER("['A', 'a'], ['B', 'b']", '/** @dataProvider rows */'),
      PROVIDER("['A', 'a']", '/** @dataProvider rows */'),
      'test-cases-removed',
    ],
    [
      'a row of an attribute is gone',
      unit('$this->assertSame($b, f($a));', { marks: '#[TestWith([1, 2])]\n#[TestWith([3, 4])]' }),
      unit('$this->assertSame($b, f($a));', { marks: '#[TestWith([1, 2])]' }),
      'test-cases-removed',
    ],
    inUnit(
      'a row of a loop is gone',
      'foreach ([[1, 2], [3, 4]] as [$a, $b]) {\n    $this->assertSame($b, f($a));\n}',
      'foreach ([[1, 2]] as [$a, $b]) {\n    $this->assertSame($b, f($a));\n}',
      'test-cases-removed',
    ),
    inUnit('a constant', SAME, '$this->assertTrue(true);', 'assertion-vacuous'),
    inUnit('equal constants', SAME, '$this->assertSame(3, 3);', 'assertion-vacuous'),
    inUnit('the same value twice', SAME, '$this->assertSame($cart, $cart);', 'assertion-vacuous'),
    inUnit(
      'an alternative that is true',
      'self::assertTrue($cart->total() === 3);',
      'self::assertTrue($cart->total() === 3 || true);',
      'assertion-vacuous',
    ),
    inUnit(
      'no assertions',
      SAME,
      '$this->expectNotToPerformAssertions();\n$cart->total();',
      'assertion-removed',
    ),
    [
      'no assertions by an annotation',
      unit(SAME),
      unit('$cart->total();', { marks: '/** @doesNotPerformAssertions */' }),
      'assertion-removed',
    ],
    inUnit('a truth', SAME, '$this->assertTrue((bool) $cart->total());', 'assertion-weakened'),
    inUnit('not null', SAME, '$this->assertNotNull($cart->total());', 'assertion-weakened'),
    inUnit('not false', SAME, '$this->assertNotFalse($cart->total());', 'assertion-weakened'),
    inUnit('not empty', SAME, '$this->assertNotEmpty($cart->total());', 'assertion-weakened'),
    inUnit('a type', SAME, '$this->assertIsInt($cart->total());', 'assertion-weakened'),
    inUnit(
      'a class',
      '$this->assertEquals($order, $cart->order());',
      '$this->assertInstanceOf(Order::class, $cart->order());',
      'assertion-weakened',
    ),
    inUnit('a bound', SAME, '$this->assertGreaterThan(0, $cart->total());', 'assertion-weakened'),
    inUnit(
      'a part',
      "$this->assertSame('a b', $text);",
      "$this->assertStringContainsString('a', $text);",
      'assertion-weakened',
    ),
    inUnit(
      'a size',
      '$this->assertSame([1, 2], $items);',
      '$this->assertCount(2, $items);',
      'assertion-weakened',
    ),
    inUnit(
      'a wide tolerance',
      '$this->assertEqualsWithDelta(2.5, $mean, 0.001);',
      '$this->assertEqualsWithDelta(2.5, $mean, 10);',
      'assertion-weakened',
    ),
    inUnit('not another value', SAME, '$this->assertNotSame(4, $cart->total());', 'assertion-weakened'),
    inUnit(
      'inverted',
      '$this->assertTrue($cart->isOpen());',
      '$this->assertFalse($cart->isOpen());',
      'assertion-inverted',
    ),
    inUnit(
      'any exception',
      '$this->expectException(InvalidArgumentException::class);\npay(-1);',
      '$this->expectException(\\Throwable::class);\npay(-1);',
      'assertion-weakened',
    ),
    inUnit(
      'an exception without a message',
      "$this->expectException(InvalidArgumentException::class);\n$this->expectExceptionMessage('negative');\npay(-1);",
      '$this->expectException(InvalidArgumentException::class);\npay(-1);',
      'assertion-removed',
    ),
    inUnit(
      'any arguments',
      "$mail->expects($this->once())->method('send')->with('a');\norder($mail);",
      "$mail->expects($this->once())->method('send');\norder($mail);",
      'assertion-weakened',
    ),
    inUnit(
      'any number of calls',
      "$mail->expects($this->once())->method('send');\norder($mail);",
      "$mail->expects($this->any())->method('send');\norder($mail);",
      'assertion-removed',
    ),
    inUnit('caught', SAME, `try {\n    ${SAME}\n} catch (\\Throwable $e) {\n}`, 'assertion-swallowed'),
    inUnit(
      'caught by its class',
      SAME,
      `try {\n    ${SAME}\n} catch (AssertionFailedError $e) {\n    error_log($e);\n}`,
      'assertion-swallowed',
    ),
    inUnit(
      'a return at the end',
      SAME,
      `try {\n    ${SAME}\n} finally {\n    return;\n}`,
      'assertion-swallowed',
    ),
    inUnit('a return in front', SAME, `return;\n${SAME}`, 'assertion-unreachable'),
    inUnit('on a condition', SAME, `if ($cart) {\n    ${SAME}\n}`, 'assertion-unreachable'),
    inUnit('on a condition without braces', SAME, `if (getenv('FULL')) ${SAME}`, 'assertion-unreachable'),
    inUnit(
      'a return on a condition',
      SAME,
      `if (getenv('CI')) {\n    return;\n}\n${SAME}`,
      'assertion-unreachable',
    ),
    inUnit('removed', `${SAME}\n$this->assertSame(1, $cart->tax());`, SAME, 'assertion-removed'),
    inUnit('bent', SAME, '$this->assertSame(4, $cart->total());', 'expectation-changed'),
    inUnit(
      'bent in a name',
      '$want = 3;\n$this->assertSame($want, $cart->total());',
      '$want = 4;\n$this->assertSame($want, $cart->total());',
      'expectation-changed',
    ),
    inUnit(
      'a status',
      '$response->assertStatus(200);',
      '$response->assertSuccessful();',
      'assertion-weakened',
    ),
    [
      'a helper without assertions',
      unit('$this->check($cart);', { rest: `\nprivate function check($cart): void\n{\n    ${SAME}\n}\n` }),
      unit('$this->check($cart);', { rest: '\nprivate function check($cart): void\n{\n}\n' }),
      'assertion-removed',
    ],
  ]);
});

describe('a test of Pest that became weaker is found', () => {
  check([
    [
      'a bent row',
      pest('expect(f($a))->toBe($b);', '->with([[1, 2], [3, 4]])').replace('()', '($a, $b)'),
      pest('expect(f($a))->toBe($b);', '->with([[1, 2], [3, 5]])').replace('()', '($a, $b)'),
      'expectation-changed',
    ],
    [
      'deleted',
      pest(TO_BE),
      "<?php\n\nit('is empty', function () {\n    expect((new Cart())->size())->toBe(0);\n});\n",
      'test-deleted',
    ],
    ['skipped', pest(TO_BE), pest(TO_BE, '->skip()'), 'test-skipped'],
    ['skipped with a reason', pest(TO_BE), pest(TO_BE, "->skip('flaky')"), 'test-skipped'],
    [
      'skipped on a condition',
      pest(TO_BE),
      pest(TO_BE, "->skip(fn () => getenv('CI'), 'flaky')"),
      'test-skipped',
    ],
    ['skipped in continuous integration', pest(TO_BE), pest(TO_BE, '->skipOnCI()'), 'test-skipped'],
    ['to do', pest(TO_BE), pest(TO_BE, '->todo()'), 'test-skipped'],
    [
      'only to do',
      pest(TO_BE),
      pest(TO_BE).replace(/it\('adds up'[\s\S]*?\}\);/, "todo('adds up');"),
      'test-skipped',
    ],
    ['focused', pest(TO_BE), pest(TO_BE, '->only()'), 'test-focused'],
    [
      'fewer rows',
      pest('expect(f($a))->toBe($b);', '->with([[1, 2], [3, 4]])'),
      pest('expect(f($a))->toBe($b);', '->with([[1, 2]])'),
      'test-cases-removed',
    ],
    [
      'fewer rows of a named set',
      `${pest('expect(f($a))->toBe($b);', "->with('rows')")}dataset('rows', [[1, 2], [3, 4]]);\n`,
      `${pest('expect(f($a))->toBe($b);', "->with('rows')")}dataset('rows', [[1, 2]]);\n`,
      'test-cases-removed',
    ],
    [
      'an exception is not expected',
      pest('pay(-1);', "->throws(InvalidArgumentException::class, 'negative')"),
      pest('pay(-1);', '->throws(Exception::class)'),
      'assertion-weakened',
    ],
    inPest('a constant', TO_BE, 'expect(true)->toBeTrue();', 'assertion-vacuous'),
    inPest('a truth', TO_BE, 'expect($cart->total())->toBeTruthy();', 'assertion-weakened'),
    inPest('not null', TO_BE, 'expect($cart->total())->not->toBeNull();', 'assertion-weakened'),
    inPest('a type', TO_BE, 'expect($cart->total())->toBeInt();', 'assertion-weakened'),
    inPest(
      'a part of a chain is gone',
      'expect($a)->toBe(1)->and($b)->toBe(2);',
      'expect($a)->toBe(1);',
      'assertion-removed',
    ),
    inPest('inverted', TO_BE, 'expect($cart->total())->not->toBe(3);', 'assertion-weakened'),
    inPest(
      'any exception',
      "expect(fn () => pay(-1))->toThrow(InvalidArgumentException::class, 'negative');",
      'expect(fn () => pay(-1))->toThrow(Exception::class);',
      'assertion-weakened',
    ),
    inPest('bent', TO_BE, 'expect($cart->total())->toBe(4);', 'expectation-changed'),
  ]);
});

describe('an honest change of the tests of PHP has no finding', () => {
  check([
    ['renamed', unit(SAME), unit(SAME, { head: 'public function testSumsPrices(): void' })],
    [
      'an annotation becomes an attribute',
      unit(SAME, { marks: '/** @test */', head: 'public function adds(): void' }),
      unit(SAME, { marks: '#[Test]', head: 'public function adds(): void' }),
    ],
    [
      'a prefix becomes an attribute',
      unit(SAME),
      unit(SAME, { marks: '#[Test]', head: 'public function total(): void' }),
    ],
    [
      'a provider becomes an attribute',
      PROVIDER("['A', 'a'], ['B', 'b']", '/** @dataProvider rows */'),
      PROVIDER("['A', 'a'], ['B', 'b']"),
    ],
    ['a row is added', PROVIDER("['A', 'a']"), PROVIDER("['A', 'a'], ['B', 'b']")],
    [
      'rows get names',
      PROVIDER("['A', 'a'], ['B', 'b']"),
      PROVIDER("'upper' => ['A', 'a'], 'other' => ['B', 'b']"),
    ],
    inUnit('a static call', SAME, 'self::assertSame(3, $cart->total());'),
    inUnit('a stricter assertion', '$this->assertEquals(3, $cart->total());', SAME),
    inUnit('a value for a truth', '$this->assertNotNull($cart->total());', SAME),
    inUnit('a comparison of its own', '$this->assertTrue($cart->total() === 3);', SAME),
    inUnit('a size of its own', '$this->assertSame(2, count($items));', '$this->assertCount(2, $items);'),
    inUnit('formatted', SAME, '$this->assertSame(\n    3,\n    $cart->total(),\n);'),
    inUnit('a message', SAME, "$this->assertSame(3, $cart->total(), 'the total');"),
    inUnit(
      'a name for a value',
      '$this->assertSame(3, sum(1, 2));',
      '$result = sum(1, 2);\n$this->assertSame(3, $result);',
    ),
    inUnit(
      'skipped on Windows',
      SAME,
      `if (PHP_OS_FAMILY === 'Windows') {\n    $this->markTestSkipped('signals');\n}\n${SAME}`,
    ),
    inUnit(
      'skipped without an extension',
      SAME,
      `if (!extension_loaded('redis')) {\n    $this->markTestSkipped('redis');\n}\n${SAME}`,
    ),
    inUnit(
      'skipped on older versions',
      SAME,
      `if (PHP_VERSION_ID < 80100) {\n    $this->markTestSkipped('enums');\n}\n${SAME}`,
    ),
    ['requires an extension', unit(SAME), unit(SAME, { marks: "#[RequiresPhpExtension('redis')]" })],
    ['a group', unit(SAME), unit(SAME, { marks: "#[Group('slow')]" })],
    inUnit(
      'the reason of a skip',
      `$this->markTestSkipped('a');\n${SAME}`,
      `$this->markTestSkipped('b');\n${SAME}`,
    ),
    inUnit('runs again', `$this->markTestSkipped('a');\n${SAME}`, SAME),
    inUnit(
      'the words in comments and strings',
      SAME,
      `// $this->markTestSkipped();\n# it's skipped\n$text = '->skip()';\n${SAME}`,
    ),
    inUnit('cleaned up in any case', SAME, `try {\n    ${SAME}\n} finally {\n    $cart->close();\n}`),
    [
      'a helper',
      unit(`${SAME}\n$this->assertSame(1, $cart->tax());`),
      unit('$this->check($cart);', {
        rest: `\nprivate function check($cart): void\n{\n    ${SAME}\n    $this->assertSame(1, $cart->tax());\n}\n`,
      }),
    ],
    [
      'PHPUnit becomes Pest',
      unit(SAME),
      `<?php\n\ntest('total', function () {\n    ${TO_BE}\n});\n\ntest('empty', function () {\n    expect((new Cart())->size())->toBe(0);\n});\n`,
    ],
    [
      'the tests of Pest in a suite',
      pest(TO_BE),
      `<?php\n\ndescribe('cart', function () {${pest(TO_BE).slice(5)}});\n`,
    ],
    ['a test of Pest runs again', pest(TO_BE, '->skip()'), pest(TO_BE)],
    ['a new test to do', pest(TO_BE), `${pest(TO_BE)}todo('refunds');\n`],
    ['skipped on Windows by Pest', pest(TO_BE), pest(TO_BE, '->skipOnWindows()')],
    [
      'an arrow function',
      pest('return expect(sum(1, 2))->toBe(3);'),
      `<?php\n\nit('adds up', fn () => expect(sum(1, 2))->toBe(3));\n\nit('is empty', function () {\n    expect((new Cart())->size())->toBe(0);\n});\n`,
    ],
    [
      'a feature that is gone with its tests',
      {
        'src/Cart.php':
          '<?php class Cart { public function refund() { return 1; } public function total() { return 3; } }',
        'tests/CartTest.php': unit(SAME, {
          rest: '\npublic function testRefund(): void\n{\n    $this->assertSame(1, $cart->refund());\n}\n',
        }),
      },
      {
        'src/Cart.php': '<?php class Cart { public function total() { return 3; } }',
        'tests/CartTest.php': unit(SAME),
      },
    ],
    ['text before the code', unit(SAME), unit(SAME).replace('<?php', "<?php // it's\n?>\n<?php")],
  ]);
});
