import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../helpers/weakened.ts';

const PATH = 'src/test/kotlin/shop/CartTest.kt';
const JUPITER = 'import org.junit.jupiter.api.Assertions.*\nimport org.junit.jupiter.api.*\n';
const ASSERTK = 'import assertk.assertThat\n';
const MOCKK = 'import io.mockk.*\n';

/** A class with these members. */
function inClass(members: string, head = 'import kotlin.test.*\n'): string {
  return `package shop\n${head}\nclass CartTest {\n${members}\n}\n`;
}

/** A class with one test of this body. */
function body(text: string, head?: string): string {
  return inClass(`  @Test\n  fun \`adds up\`() {\n    ${text}\n  }`, head);
}

/** A class with one method of these marks and parameters. */
function marked(
  marks: string,
  parameters = '',
  text = 'assertEquals(3, cart.total())',
  head = JUPITER,
): string {
  return inClass(`  ${marks}\n  fun total(${parameters}) {\n    ${text}\n  }`, head);
}

/** A spec of Kotest. */
function spec(style: string, text: string): string {
  return `package shop\nimport io.kotest.core.spec.style.*\nimport io.kotest.matchers.*\n\nclass CartTest : ${style}({\n${text}\n})\n`;
}

const EQUALS = 'assertEquals(108, cart.total())';
const PLAIN = body(EQUALS);
const SPEC = spec('StringSpec', '  "adds up" {\n    cart.total() shouldBe 108\n  }');
const FUN = spec('FunSpec', '  test("adds up") {\n    cart.total() shouldBe 108\n  }');
const DESCRIBE = spec(
  'DescribeSpec',
  '  describe("a cart") {\n    it("adds up") {\n      cart.total() shouldBe 108\n    }\n  }',
);

type Row = [name: string, before: string, after: string, rule?: string];

async function compare(_: string, before: string, after: string, rule?: string): Promise<void> {
  const rules = await rulesOf({ [PATH]: before }, { [PATH]: after });
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
}

describe('a test that does not run any more', () => {
  test.each<Row>([
    ['ignored', PLAIN, PLAIN.replace('@Test', '@Ignore\n  @Test'), 'test-skipped'],
    ['disabled', PLAIN, PLAIN.replace('@Test', '@Test @Disabled("flaky")'), 'test-skipped'],
    ['disabled as a class', PLAIN, PLAIN.replace('class Cart', '@Disabled\nclass Cart'), 'test-skipped'],
    [
      'a reason changed',
      PLAIN.replace('@Test', '@Test @Disabled'),
      PLAIN.replace('@Test', '@Test @Disabled("see 12")'),
    ],
    ['the word in a comment', PLAIN, PLAIN.replace('@Test', '/* @Ignore /* x */ */ @Test')],
    ['the word in a name', PLAIN, PLAIN.replace('adds up', 'Disabled carts add up')],
    [
      'on a variable',
      PLAIN,
      PLAIN.replace('@Test', '@Test @EnabledIfEnvironmentVariable(named = "X", matches = "1")'),
      'test-skipped',
    ],
    ['on a system', PLAIN, PLAIN.replace('@Test', '@Test @EnabledOnOs(OS.LINUX)')],
    ['an assumption', PLAIN, body(`assumeTrue(System.getenv("CI") == null)\n${EQUALS}`), 'test-skipped'],
    ['no mark', PLAIN, PLAIN.replace('@Test', ''), 'test-not-collected'],
    ['private', PLAIN, PLAIN.replace('fun', 'private fun'), 'test-not-collected'],
    [
      'with a result',
      PLAIN,
      PLAIN.replace('up`()', 'up`(): Int').replace(EQUALS, `${EQUALS}\n return 1`),
      'test-deleted',
    ],
    ['abstract', PLAIN, PLAIN.replace('class', 'abstract class'), 'test-not-collected'],
    ['commented out', PLAIN, PLAIN.replace(/ {2}@Test[\s\S]*\n {2}\}/, '/*$&*/'), 'test-deleted'],
    ['emptied', PLAIN, body(''), 'test-emptied'],
    ['empty as an expression', PLAIN, inClass('@Test fun `adds up`() = Unit'), 'assertion-removed'],
    ['renamed', PLAIN, PLAIN.replace('adds up', 'has a total')],
    ['an expression', PLAIN, inClass(`@Test fun \`adds up\`() = ${EQUALS}`)],
    ['in a coroutine', PLAIN, inClass(`@Test fun \`adds up\`() = runTest {\n ${EQUALS}\n}`)],
    [
      'in a nested class',
      PLAIN,
      inClass(`@Nested inner class Empty {\n @Test fun \`adds up\`() { ${EQUALS} }\n}`),
    ],
    [
      'Kotest: disabled',
      SPEC,
      SPEC.replace('"adds up"', '"adds up".config(enabled = false)'),
      'test-skipped',
    ],
    [
      'Kotest: on a condition',
      SPEC,
      SPEC.replace('"adds up"', '"adds up".config(enabledIf = { isNightly })'),
      'test-skipped',
    ],
    ['Kotest: a bang', SPEC, SPEC.replace('"adds up"', '"!adds up"'), 'test-skipped'],
    ['Kotest: focused', SPEC, SPEC.replace('"adds up"', '"f:adds up"'), 'test-focused'],
    ['Kotest: xtest', FUN, FUN.replace('test(', 'xtest('), 'test-skipped'],
    ['Kotest: a configured test', FUN, FUN.replace('("adds up")', '("adds up").config(timeout = 3.seconds)')],
    [
      'Kotest: disabled with config',
      FUN,
      FUN.replace('("adds up")', '("adds up").config(enabled = false)'),
      'test-skipped',
    ],
    ['Kotest: xit', DESCRIBE, DESCRIBE.replace('it(', 'xit('), 'test-skipped'],
    ['Kotest: xdescribe', DESCRIBE, DESCRIBE.replace('describe(', 'xdescribe('), 'test-skipped'],
    ['Kotest: an ignored class', FUN, FUN.replace('class', '@Ignored\nclass'), 'test-skipped'],
    ['Kotest: without a body', FUN, spec('FunSpec', '  test("adds up")'), 'test-skipped'],
    [
      'Kotest: deleted',
      FUN.replace('  test(', '  test("b") { b() shouldBe 1 }\n  test('),
      FUN,
      'test-deleted',
    ],
    ['Kotest: emptied', FUN, spec('FunSpec', '  test("adds up") { }'), 'test-emptied'],
    ['Kotest: no longer disabled', FUN.replace('test(', 'xtest('), FUN],
    ['Kotest: another style', FUN, SPEC],
    [
      'Kotest: a behavior',
      FUN,
      spec(
        'BehaviorSpec',
        'Given("a cart") { When("filled") { Then("adds up") { cart.total() shouldBe 108 } } }',
      ),
    ],
    ['Kotest: words', FUN, spec('WordSpec', '"a cart" should { "adds up" { cart.total() shouldBe 108 } }')],
    ['Kotest: free', FUN, spec('FreeSpec', '"a cart" - { "adds up" { cart.total() shouldBe 108 } }')],
    [
      'Kotest: in init',
      FUN,
      'import io.kotest.core.spec.style.FunSpec\nclass CartTest : FunSpec() {\n init {\n test("adds up") { cart.total() shouldBe 108 }\n }\n}\n',
    ],
    ['JUnit to Kotest', PLAIN, FUN],
  ])('%s', compare);
});

describe('an assertion that does not count any more', () => {
  test.each<Row>([
    [
      'of a mock of the subject',
      body('val cart = Cart()\nassertEquals(3, cart.total())'),
      body('val cart = mockk<Cart>()\nevery { cart.total() } returns 3\nassertEquals(3, cart.total())'),
      'subject-mocked',
    ],
    [
      'with a mock of what the subject needs',
      body('val cart = Cart(Bank())\nassertEquals(3, cart.total())'),
      body('val cart = Cart(mockk<Bank>())\nassertEquals(3, cart.total())'),
    ],
    [
      'removed',
      body(`${EQUALS}\nassertTrue(cart.isOpen)`),
      body('assertTrue(cart.isOpen)'),
      'assertion-removed',
    ],
    ['true', PLAIN, body('cart.total()\nassertTrue(true)'), 'assertion-vacuous'],
    [
      'compared with itself',
      PLAIN,
      body('val total = cart.total()\nassertEquals(total, total)'),
      'assertion-vacuous',
    ],
    [
      'expected to be what is returned',
      PLAIN,
      body('val expected = cart.total()\nassertEquals(expected, cart.total())'),
      'assertion-vacuous',
    ],
    ['Kotest: compared with itself', FUN, FUN.replace('108', 'cart.total()'), 'assertion-vacuous'],
    [
      'Kotest: constants',
      FUN,
      FUN.replace('cart.total() shouldBe 108', 'cart.total()\n1 shouldBe 1'),
      'assertion-vacuous',
    ],
    ['swallowed', PLAIN, body(`try {\n${EQUALS}\n} catch (e: AssertionError) {\n}`), 'assertion-swallowed'],
    ['in a coroutine of nobody', PLAIN, body(`GlobalScope.launch { ${EQUALS} }`), 'assertion-swallowed'],
    [
      'in a coroutine of another scope',
      PLAIN,
      body(`CoroutineScope(Dispatchers.Default).launch { ${EQUALS} }`),
      'assertion-swallowed',
    ],
    ['in a coroutine of the test', PLAIN, body(`runBlocking { launch { ${EQUALS} } }`)],
    ['in a coroutine that is joined', PLAIN, body(`GlobalScope.launch { ${EQUALS} }.join()`)],
    ['swallowed by runCatching', PLAIN, body(`runCatching { ${EQUALS} }`), 'assertion-swallowed'],
    ['a result that is thrown', PLAIN, body(`runCatching { ${EQUALS} }.getOrThrow()`)],
    [
      'swallowed in Kotest',
      FUN,
      FUN.replace(
        'cart.total() shouldBe 108',
        'try { cart.total() shouldBe 108 } catch (t: Throwable) { println("should fail") }',
      ),
      'assertion-swallowed',
    ],
    ['cleaned up', PLAIN, body(`try {\n${EQUALS}\n} finally {\ncart.close()\n}`)],
    ['an early return', PLAIN, body(`return\n${EQUALS}`), 'assertion-unreachable'],
    [
      'a return to a label',
      inClass(`@Test fun a() = runTest {\n${EQUALS}\n}`),
      inClass(`@Test fun a() = runTest {\nreturn@runTest\n${EQUALS}\n}`),
      'assertion-unreachable',
    ],
    [
      'a return on the environment',
      PLAIN,
      body(`if (System.getenv("DB") == null) return\n${EQUALS}`),
      'assertion-unreachable',
    ],
    ['on a condition', PLAIN, body(`if (cart.total() > 0) {\n${EQUALS}\n}`), 'assertion-unreachable'],
    [
      'only if there is a value',
      body('assertEquals("a", cart.owner)'),
      body('cart.owner?.let { assertEquals("a", it) }'),
      'assertion-unreachable',
    ],
    ['in a function that nothing calls', PLAIN, body(`val check = { ${EQUALS} }`), 'assertion-unreachable'],
    [
      'in a local function that nothing calls',
      PLAIN,
      body(`fun check() { ${EQUALS} }`),
      'assertion-unreachable',
    ],
    ['in a local function that is called', PLAIN, body(`fun check() { ${EQUALS} }\ncheck()`)],
    ['in a scope', PLAIN, body(`with(cart) { ${EQUALS} }\ncart.also { it.close() }`)],
    [
      'softly',
      FUN,
      FUN.replace('cart.total() shouldBe 108', 'assertSoftly {\n cart.total() shouldBe 108\n}'),
    ],
    [
      'with a clue',
      FUN,
      FUN.replace('cart.total() shouldBe 108', 'withClue("total") { cart.total() shouldBe 108 }'),
    ],
    [
      'eventually',
      FUN,
      FUN.replace('cart.total() shouldBe 108', 'eventually(5.seconds) { cart.total() shouldBe 108 }'),
    ],
    [
      'a chain without its end',
      body('assertThat(cart.total()).isEqualTo(108)', ASSERTK),
      body('assertThat(cart.total())', ASSERTK),
      'assertion-vacuous',
    ],
    [
      'a new test that cannot fail',
      PLAIN,
      inClass(`@Test fun \`adds up\`() { ${EQUALS} }\n@Test fun x() { assertTrue(true) }`),
      'assertion-vacuous',
    ],
  ])('%s', compare);
});

const KOTEST = (text: string) => spec('FunSpec', `  test("adds up") {\n    ${text}\n  }`);

describe('an assertion that accepts more', () => {
  test.each<Row>([
    ['not null', PLAIN, body('assertNotNull(cart.total())'), 'assertion-weakened'],
    ['a truth', PLAIN, body('assertTrue(cart.total() > 0)'), 'assertion-weakened'],
    ['a truth in a lambda', PLAIN, body('assertTrue { cart.total() > 0 }'), 'assertion-weakened'],
    ['inverted', body('assertTrue(cart.isOpen)'), body('assertFalse(cart.isOpen)'), 'assertion-inverted'],
    ['another value', PLAIN, body('assertEquals(109, cart.total())'), 'expectation-changed'],
    [
      'another value in a variable',
      body('val want = 108\nassertEquals(want, cart.total())'),
      body('val want: Int = 9\nassertEquals(want, cart.total())'),
      'expectation-changed',
    ],
    [
      'a wider tolerance',
      body('assertEquals(1.5, rate(), 0.01)'),
      body('assertEquals(1.5, rate(), absoluteTolerance = 10.0)'),
      'assertion-weakened',
    ],
    [
      'any exception',
      body('assertFailsWith<FullException> { cart.add(1) }'),
      body('assertFailsWith<Exception> { cart.add(1) }'),
      'assertion-weakened',
    ],
    [
      'any failure',
      body('assertFailsWith<FullException> { cart.add(1) }'),
      body('assertFails { cart.add(1) }'),
      'assertion-weakened',
    ],
    ['Kotest: not null', FUN, KOTEST('cart.total().shouldNotBeNull()'), 'assertion-weakened'],
    ['Kotest: not equal', FUN, KOTEST('cart.total() shouldNotBe 0'), 'assertion-weakened'],
    ['Kotest: not null, infix', FUN, KOTEST('cart.total() shouldNotBe null'), 'assertion-weakened'],
    ['Kotest: another value', FUN, FUN.replace('108', '109'), 'expectation-changed'],
    ['Kotest: a bound', FUN, KOTEST('cart.total() shouldBeGreaterThan 0'), 'assertion-weakened'],
    [
      'Kotest: a part',
      KOTEST('items shouldContainExactly listOf(1, 2)'),
      KOTEST('items shouldContain 1'),
      'assertion-weakened',
    ],
    [
      'Kotest: any order',
      KOTEST('items shouldBe listOf(1, 2)'),
      KOTEST('items shouldContainExactlyInAnyOrder listOf(2, 1)'),
      'assertion-weakened',
    ],
    [
      'Kotest: any exception',
      KOTEST('shouldThrow<FullException> { cart.add(1) }'),
      KOTEST('shouldThrowAny { cart.add(1) }'),
      'assertion-weakened',
    ],
    [
      'Kotest: a tolerance',
      KOTEST('rate() shouldBe 1.5'),
      KOTEST('rate() shouldBe (1.5 plusOrMinus 10.0)'),
      'assertion-weakened',
    ],
    [
      'Kotest: a wider tolerance',
      KOTEST('rate() shouldBe (1.5 plusOrMinus 0.01)'),
      KOTEST('rate() shouldBe 1.5.plusOrMinus(10.0)'),
      'assertion-weakened',
    ],
    ['Kotest: a type', FUN, KOTEST('cart.total().shouldBeInstanceOf<Int>()'), 'assertion-weakened'],
    [
      'assertk: not null',
      body('assertThat(name()).isEqualTo("a")', ASSERTK),
      body('assertThat(name()).isNotNull()', ASSERTK),
      'assertion-weakened',
    ],
    [
      'Strikt: not null',
      body('expectThat(name()).isEqualTo("a")'),
      body('expectThat(name()).isNotNull()'),
      'assertion-weakened',
    ],
    [
      'Kluent: not null',
      body('name() `should be equal to` "a"'),
      body('name() `should not be equal to` "b"'),
      'assertion-weakened',
    ],
    [
      'MockK: any number',
      body('verify(exactly = 1) { bank.pay(3) }', MOCKK),
      body('verify(atLeast = 0) { bank.pay(3) }', MOCKK),
      'assertion-vacuous',
    ],
    [
      'MockK: more calls',
      body('verify(exactly = 1) { bank.pay(3) }', MOCKK),
      body('verify { bank.pay(3) }', MOCKK),
      'assertion-weakened',
    ],
    [
      'MockK: any argument',
      body('coVerify(exactly = 1) { bank.pay(3) }', MOCKK),
      body('coVerify(exactly = 1) { bank.pay(any()) }', MOCKK),
      'assertion-weakened',
    ],
    [
      'MockK: removed',
      body('verify { bank.pay(3) }\nconfirmVerified(bank)', MOCKK),
      body('verify { bank.pay(3) }', MOCKK),
      'assertion-removed',
    ],
    [
      'MockK: a call removed',
      body('verify {\nbank.pay(3)\nlog.add("a")\n}', MOCKK),
      body('verify {\nbank.pay(3)\n}', MOCKK),
      'assertion-removed',
    ],
    [
      'Mockito in Kotlin: any argument',
      body('verify(bank).pay(3)'),
      body('verify(bank).pay(any())'),
      'assertion-weakened',
    ],
  ])('%s', compare);
});

const CSV = (rows: string) =>
  marked(
    `@ParameterizedTest\n  @CsvSource(${rows})`,
    'a: Int, b: Int, want: Int',
    'assertEquals(want, add(a, b))',
  );
const DATA = (rows: string) =>
  spec('FunSpec', `context("sums") {\n withData(${rows}) { (a, b, want) ->\n add(a, b) shouldBe want\n }\n}`);

describe('the rows of a table', () => {
  test.each<Row>([
    ['a row less', CSV('"1,2,3", "2,3,5"'), CSV('"1,2,3"'), 'test-cases-removed'],
    [
      'a row of a list less',
      CSV('value = ["1,2,3", "2,3,5"]'),
      CSV('value = ["1,2,3"]'),
      'test-cases-removed',
    ],
    [
      'a row that expects something else',
      CSV('"1,2,3", "2,3,5"'),
      CSV('"1,2,4", "2,3,5"'),
      'expectation-changed',
    ],
    [
      'from a method',
      CSV('"1,2,3", "2,3,5"'),
      inClass(
        'companion object {\n @JvmStatic\n fun sums() = listOf(Arguments.of(1, 2, 3), Arguments.of(2, 3, 5))\n}\n@ParameterizedTest @MethodSource("sums")\nfun total(a: Int, b: Int, want: Int) { assertEquals(want, add(a, b)) }',
        JUPITER,
      ),
    ],
    [
      'a value of a loop less',
      body('listOf(1, 2, 3).forEach { assertTrue(isSmall(it)) }'),
      body('listOf(1).forEach { assertTrue(isSmall(it)) }'),
      'test-cases-removed',
    ],
    [
      'a value of another loop less',
      body('for (n in listOf(1, 2, 3)) {\n assertTrue(isSmall(n))\n}'),
      body('for (n in listOf(1)) {\n assertTrue(isSmall(n))\n}'),
      'test-cases-removed',
    ],
    ['Kotest: a row less', DATA('Sum(1, 2, 3), Sum(2, 3, 5)'), DATA('Sum(1, 2, 3)'), 'test-cases-removed'],
    [
      'Kotest: a row of a list less',
      DATA('listOf(Sum(1, 2, 3), Sum(2, 3, 5))'),
      DATA('listOf(Sum(1, 2, 3))'),
      'test-cases-removed',
    ],
    ['Kotest: a row more', DATA('Sum(1, 2, 3)'), DATA('Sum(1, 2, 3), Sum(2, 3, 5)')],
    [
      'Kotest: a row of a table less',
      KOTEST('forAll(row(1, 2), row(2, 3)) { a, want -> next(a) shouldBe want }'),
      KOTEST('forAll(row(1, 2)) { a, want -> next(a) shouldBe want }'),
      'test-cases-removed',
    ],
    [
      'Kotest: a bent row of a table',
      KOTEST('forAll(row(1, 2), row(2, 3)) { a, want -> next(a) shouldBe want }'),
      KOTEST('forAll(row(1, 9), row(2, 3)) { a, want -> next(a) shouldBe want }'),
      'expectation-changed',
    ],
    [
      'tests became a table',
      inClass(
        '@Test fun one() { assertEquals(3, add(1, 2)) }\n@Test fun two() { assertEquals(5, add(2, 3)) }',
      ),
      CSV('"1,2,3", "2,3,5"'),
    ],
    [
      'tests became data',
      spec('FunSpec', 'test("one") { add(1, 2) shouldBe 3 }\ntest("two") { add(2, 3) shouldBe 5 }'),
      DATA('Sum(1, 2, 3), Sum(2, 3, 5)'),
    ],
  ])('%s', compare);
});

describe('an honest change', () => {
  test.each<Row>([
    [
      'kotlin.test to Kotest',
      body(
        'assertEquals(108, cart.total())\nassertTrue(cart.isOpen)\nassertNull(cart.owner)\nassertFailsWith<FullException> { cart.add(1) }\nassertTrue(items.isEmpty())',
      ),
      KOTEST(
        'cart.total() shouldBe 108\ncart.isOpen.shouldBeTrue()\ncart.owner.shouldBeNull()\nshouldThrow<FullException> { cart.add(1) }\nitems.shouldBeEmpty()',
      ),
    ],
    [
      'JUnit to assertk',
      body('assertEquals(108, cart.total())\nassertTrue(items.isEmpty())\nassertNull(cart.owner)', JUPITER),
      body(
        'assertThat(cart.total()).isEqualTo(108)\nassertThat(items).isEmpty()\nassertThat(cart.owner).isNull()',
        ASSERTK,
      ),
    ],
    [
      'Mockito to MockK',
      body('verify(bank).pay(3)\nverify(bank, never()).close()'),
      body('verify(exactly = 1) { bank.pay(3) }\nverify(exactly = 0) { bank.close() }', MOCKK),
    ],
    ['a message', PLAIN, body('assertEquals(108, cart.total(), "total")')],
    ['a stricter assertion', body('assertTrue(cart.total() > 0)'), PLAIN],
    [
      'a precise exception',
      body('assertFails { cart.add(1) }'),
      body('val e = assertFailsWith<FullException> { cart.add(1) }\nassertEquals("full", e.message)'),
    ],
    [
      'a helper',
      inClass('@Test fun a() { assertEquals(3, cart.total)\nassertEquals("x", cart.name) }'),
      inClass(
        'private fun check(it: Cart, total: Int, name: String) {\nassertEquals(total, it.total)\nassertEquals(name, it.name)\n}\n@Test fun a() = check(cart, 3, "x")',
      ),
    ],
    [
      'a fixture',
      inClass('@Test fun a() {\nval cart = Cart(1)\nassertNotNull(cart)\nassertEquals(3, cart.total)\n}'),
      inClass(
        'private val cart = Cart(1)\n@BeforeTest fun open() { assertNotNull(cart) }\n@Test fun a() { assertEquals(3, cart.total) }',
      ),
    ],
    [
      'a chain over lines',
      body('assertThat(name()).isNotNull().isEqualTo("a")', ASSERTK),
      body('assertThat(name())\n    .isNotNull()\n    .isEqualTo("a")', ASSERTK),
    ],
    [
      'a subject over lines',
      KOTEST('cart.items().first().name shouldBe "a"'),
      KOTEST('cart\n  .items()\n  .first()\n  .name shouldBe "a"'),
    ],
    ['a call for infix', KOTEST('cart.total() shouldBe 108'), KOTEST('cart.total().shouldBe(108)')],
    ['a comparison with true', KOTEST('cart.isOpen shouldBe true'), KOTEST('cart.isOpen.shouldBeTrue()')],
    ['an asserted null', KOTEST('cart.owner shouldBe null'), KOTEST('cart.owner.shouldBeNull()')],
    ['a guard', PLAIN, body(`checkNotNull(cart)\nrequireNotNull(cart.owner)\n${EQUALS}`)],
    [
      'an inner context',
      FUN,
      spec('FunSpec', 'context("a cart") {\n test("adds up") { cart.total() shouldBe 108 }\n}'),
    ],
  ])('%s', compare);
});
