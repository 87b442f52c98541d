import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../helpers/weakened.ts';

const PATH = 'src/test/java/shop/CartTest.java';
const JUPITER = 'import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\n';
const JUNIT4 = 'import static org.junit.Assert.*;\nimport org.junit.Test;\n';
const ASSERTJ = 'import static org.assertj.core.api.Assertions.assertThat;\n';
const MOCKITO = 'import static org.mockito.Mockito.*;\n';
const TESTNG = 'import static org.testng.Assert.*;\nimport org.testng.annotations.*;\n';

/** A class with these members. */
function inClass(members: string, head = JUPITER): string {
  return `package shop;\n${head}\nclass CartTest {\n${members}\n}\n`;
}

/** A class with one test of this body. */
function body(text: string, head = JUPITER): string {
  return inClass(`  @Test\n  void total() {\n    ${text}\n  }`, head);
}

/** A class with one method of these marks and parameters. */
function marked(
  marks: string,
  signature = 'void total()',
  text = 'assertEquals(3, cart.total());',
  head = JUPITER,
): string {
  return inClass(`  ${marks}\n  ${signature} {\n    ${text}\n  }`, head);
}

const EQUALS = 'assertEquals(108, cart.total());';
const PLAIN = body(EQUALS);
const TWO = inClass(
  '  @Test void one() {\n    assertEquals(1, cart.one());\n  }\n  @Test void two() {\n    assertEquals(2, cart.two());\n  }',
);

type Row = [name: string, before: string, after: string, rule?: string];

async function compare(_: string, before: string, after: string, rule?: string): Promise<void> {
  const rules = await rulesOf({ [PATH]: before }, { [PATH]: after });
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
}

describe('a test that does not run any more', () => {
  test.each<Row>([
    ['disabled', marked('@Test'), marked('@Test @Disabled("flaky")'), 'test-skipped'],
    [
      'disabled with a qualified name',
      marked('@Test'),
      marked('@org.junit.jupiter.api.Disabled @Test'),
      'test-skipped',
    ],
    [
      'disabled as a class',
      PLAIN,
      PLAIN.replace('class CartTest', '@Disabled\nclass CartTest'),
      'test-skipped',
    ],
    ['a reason changed', marked('@Test @Disabled'), marked('@Test @Disabled("see 12")')],
    ['enabled', marked('@Test @Disabled'), marked('@Test')],
    ['the word in a comment', PLAIN, PLAIN.replace('@Test', '// @Disabled\n  /* @Ignore */ @Test')],
    [
      'the word in a text',
      body('assertEquals("a", x());'),
      body('assertEquals("a", x());\n log("@Disabled");'),
    ],
    [
      'ignored in JUnit 4',
      marked('@Test', 'public void total()', EQUALS, JUNIT4),
      marked('@Ignore @Test', 'public void total()', EQUALS, JUNIT4),
      'test-skipped',
    ],
    [
      'not enabled in TestNG',
      marked('@Test', 'public void total()', EQUALS, TESTNG),
      marked('@Test(enabled = false)', 'public void total()', EQUALS, TESTNG),
      'test-skipped',
    ],
    [
      'any outcome in TestNG',
      marked('@Test', 'public void total()', EQUALS, TESTNG),
      marked('@Test(successPercentage = 1)', 'public void total()', EQUALS, TESTNG),
      'test-expected-to-fail',
    ],
    [
      'on an environment variable',
      marked('@Test'),
      marked('@Test @EnabledIfEnvironmentVariable(named = "NIGHTLY", matches = "1")'),
      'test-skipped',
    ],
    ['on a method', marked('@Test'), marked('@Test @DisabledIf("isCi")'), 'test-skipped'],
    ['on a system', marked('@Test'), marked('@Test @EnabledOnOs(OS.LINUX)')],
    [
      'on no system',
      marked('@Test'),
      marked('@Test @DisabledOnOs({OS.LINUX, OS.MAC, OS.WINDOWS})'),
      'test-skipped',
    ],
    ['an assumption', PLAIN, body(`assumeTrue(System.getenv("CI") == null);\n${EQUALS}`), 'test-skipped'],
    ['an assumption that never holds', PLAIN, body(`assumeTrue(false, "flaky");\n${EQUALS}`), 'test-skipped'],
    ['an assumption about the system', PLAIN, body(`assumeTrue(OS.LINUX.isCurrentOs());\n${EQUALS}`)],
    [
      'an assumption of the class',
      PLAIN,
      inClass(`@BeforeEach void ready() { assumeFalse(isCi()); }\n@Test void total() { ${EQUALS} }`),
      'test-skipped',
    ],
    [
      'an assumption in a helper',
      PLAIN,
      inClass(`void ready() { assumeTrue(isFast()); }\n@Test void total() { ready(); ${EQUALS} }`),
      'test-skipped',
    ],
    ['an assumption that is removed', body(`assumeTrue(isFast());\n${EQUALS}`), PLAIN],
    ['aborted', PLAIN, body(`Assumptions.abort("later");\n${EQUALS}`), 'test-skipped'],
    [
      'a skip exception',
      PLAIN,
      body(`if (slow()) throw new SkipException("later");\n${EQUALS}`, TESTNG),
      'test-skipped',
    ],
    ['no mark', PLAIN, PLAIN.replace('@Test\n', '\n'), 'test-not-collected'],
    ['private', PLAIN, PLAIN.replace('void total', 'private void total'), 'test-not-collected'],
    ['static', PLAIN, PLAIN.replace('void total', 'static void total'), 'test-not-collected'],
    ['public', PLAIN, PLAIN.replace('void total', 'public void total')],
    [
      'with a result',
      PLAIN,
      PLAIN.replace('void total', 'int total').replace(EQUALS, `${EQUALS} return 1;`),
      'test-deleted',
    ],
    ['of an abstract class', PLAIN, PLAIN.replace('class Cart', 'abstract class Cart'), 'test-not-collected'],
    [
      'of the base of others',
      PLAIN,
      `${PLAIN.replace('class CartTest', 'abstract class AbstractCartTest')}class CartTest extends AbstractCartTest {}\n`,
    ],
    [
      'of an inner class without its mark',
      inClass(`@Nested class Empty { @Test void total() { ${EQUALS} } }`),
      inClass(`class Empty { @Test void total() { ${EQUALS} } }`),
      'test-not-collected',
    ],
    [
      'in an inner class with its mark',
      PLAIN,
      inClass(`@Nested class Empty { @Test void total() { ${EQUALS} } }`),
    ],
    ['deleted', TWO, TWO.replace(/ {2}@Test void two[\s\S]*?\n {2}\}/, ''), 'test-deleted'],
    ['commented out', TWO, TWO.replace(/ {2}@Test void two[\s\S]*?\n {2}\}/, '/*$&*/'), 'test-deleted'],
    ['emptied', PLAIN, body(''), 'test-emptied'],
    ['body commented out', PLAIN, body(`// ${EQUALS}`), 'test-emptied'],
    ['renamed', PLAIN, PLAIN.replace('void total', 'void addsUpTheTotal')],
    ['tagged', marked('@Test'), marked('@Test @Tag("slow") @Timeout(5) @DisplayName("total")')],
    [
      'a private class in JUnit 3',
      'public class CartTest extends TestCase {\n  public void testTotal() { assertEquals(1, x()); }\n}',
      'public class CartTest extends TestCase {\n  public void xtestTotal() { assertEquals(1, x()); }\n}',
      'test-not-collected',
    ],
  ])('%s', compare);
});

describe('an assertion that does not count any more', () => {
  test.each<Row>([
    [
      'of a mock of the subject',
      body('Cart cart = new Cart(); assertEquals(3, cart.total());', MOCKITO),
      body(
        'Cart cart = mock(Cart.class); when(cart.total()).thenReturn(3); assertEquals(3, cart.total());',
        MOCKITO,
      ),
      'subject-mocked',
    ],
    [
      'with a mock of what the subject needs',
      body('Cart cart = new Cart(new Bank()); assertEquals(3, cart.total());', MOCKITO),
      body('Cart cart = new Cart(mock(Bank.class)); assertEquals(3, cart.total());', MOCKITO),
    ],
    [
      'a value of its own',
      body('int total = cart.total(); assertEquals(108, total);'),
      body('int total = 108; assertEquals(108, total);'),
      'assertion-vacuous',
    ],
    ['a counter', PLAIN, body(`int n = 0; for (Item each : cart) { n++; } assertEquals(3, n); ${EQUALS}`)],
    [
      'an error of its own',
      body('assertThrows(FullException.class, () -> cart.add(1));'),
      body('assertThrows(FullException.class, () -> { throw new FullException(); });'),
      'assertion-vacuous',
    ],
    [
      'in a loop over nothing',
      PLAIN,
      body(`for (int i = 0; i < 0; i++) { ${EQUALS} }`),
      'assertion-unreachable',
    ],
    [
      'after a handler that returns',
      PLAIN,
      body(`try { cart.open(); } catch (Exception e) { return; }\n${EQUALS}`),
      'assertion-unreachable',
    ],
    [
      'after a handler that throws',
      PLAIN,
      body(`try { cart.open(); } catch (IOException e) { throw new UncheckedIOException(e); }\n${EQUALS}`),
    ],
    ['a truth removed', body(`${EQUALS} assertTrue(cart.isOpen());`), PLAIN, 'assertion-removed'],
    [
      'removed',
      body(`${EQUALS} assertTrue(cart.isOpen());`),
      body('assertTrue(cart.isOpen());'),
      'assertion-removed',
    ],
    ['true', PLAIN, body('cart.total(); assertTrue(true);'), 'assertion-vacuous'],
    ['compared with itself', PLAIN, body('assertEquals(cart.total(), cart.total());'), 'assertion-vacuous'],
    [
      'expected to be what is returned',
      PLAIN,
      body('int expected = cart.total(); assertEquals(expected, cart.total());'),
      'assertion-vacuous',
    ],
    ['constants', PLAIN, body('cart.total(); assertEquals(1, 1);'), 'assertion-vacuous'],
    ['a new object is there', PLAIN, body('cart.total(); assertNotNull(new Cart());'), 'assertion-vacuous'],
    [
      'a length below 0',
      body('assertEquals(3, cart.items().size());'),
      body('assertTrue(cart.items().size() >= 0);'),
      'assertion-vacuous',
    ],
    ['swallowed', PLAIN, body(`try { ${EQUALS} } catch (AssertionError ignored) { }`), 'assertion-swallowed'],
    [
      'swallowed and printed',
      PLAIN,
      body(`try { ${EQUALS} } catch (Throwable t) { System.out.println("fail: should throw " + t); }`),
      'assertion-swallowed',
    ],
    [
      'an exception of the code swallowed',
      PLAIN,
      body(`try { ${EQUALS} } catch (Exception e) { return; }`),
      'assertion-swallowed',
    ],
    [
      'swallowed by one of two clauses',
      PLAIN,
      body(`try { ${EQUALS} } catch (IOException e) { fail(e); } catch (Error e) { }`),
      'assertion-swallowed',
    ],
    ['returned from a finally', PLAIN, body(`try { ${EQUALS} } finally { return; }`), 'assertion-swallowed'],
    ['cleaned up in a finally', PLAIN, body(`try { ${EQUALS} } finally { cart.close(); }`)],
    [
      'with a nested try',
      PLAIN,
      body(
        `try { try { cart.open(); } catch (IOException e) { log(e); } ${EQUALS} } finally { cart.close(); }`,
      ),
    ],
    [
      'caught and thrown',
      PLAIN,
      body(`try { ${EQUALS} } catch (IOException e) { throw new UncheckedIOException(e); }`),
    ],
    ['a resource', PLAIN, body(`try (Cart cart = open()) { ${EQUALS} }`)],
    ['an early return', PLAIN, body(`if (true) return;\n${EQUALS}`), 'assertion-unreachable'],
    [
      'a return on the environment',
      PLAIN,
      body(`if (System.getenv("DB") == null) { return; }\n${EQUALS}`),
      'assertion-unreachable',
    ],
    ['on a condition', PLAIN, body(`if (cart.total() > 0) { ${EQUALS} }`), 'assertion-unreachable'],
    ['under a condition that never holds', PLAIN, body(`if (false) { ${EQUALS} }`), 'assertion-unreachable'],
    [
      'a guard that throws',
      PLAIN,
      body(`if (cart == null) throw new IllegalStateException("no cart");\n${EQUALS}`),
    ],
    ['on a value', PLAIN, body(`cart.find().ifPresent(each -> { ${EQUALS} });`), 'assertion-unreachable'],
    [
      'in a function that nothing calls',
      PLAIN,
      body(`Runnable check = () -> { ${EQUALS} };`),
      'assertion-unreachable',
    ],
    ['in a function that is called', PLAIN, body(`Runnable check = () -> { ${EQUALS} };\ncheck.run();`)],
    [
      'in a task that nobody waits for',
      PLAIN,
      body(`CompletableFuture.runAsync(() -> { ${EQUALS} });`),
      'assertion-swallowed',
    ],
    ['in a task of an executor', PLAIN, body(`pool.submit(() -> { ${EQUALS} });`), 'assertion-swallowed'],
    ['in a task that is joined', PLAIN, body(`CompletableFuture.runAsync(() -> { ${EQUALS} }).join();`)],
    [
      'in a task whose result is asked for',
      PLAIN,
      body(`Future<?> done = pool.submit(() -> { ${EQUALS} });\ndone.get();`),
    ],
    ['in a thread', PLAIN, body(`new Thread(() -> { ${EQUALS} }).start();`), 'assertion-swallowed'],
    [
      'in assertAll',
      PLAIN,
      body(`assertAll(() -> ${EQUALS.slice(0, -1)}, () -> assertTrue(cart.isOpen()));`),
    ],
    ['in assertTimeout', PLAIN, body(`assertTimeout(ofSeconds(1), () -> { ${EQUALS} });`)],
    [
      'soft without an end',
      PLAIN,
      body(
        'SoftAssertions softly = new SoftAssertions(); softly.assertThat(cart.total()).isEqualTo(108);',
        JUPITER + ASSERTJ,
      ),
      'assertion-unreachable',
    ],
    [
      'soft with an end',
      PLAIN,
      body(
        'SoftAssertions softly = new SoftAssertions(); softly.assertThat(cart.total()).isEqualTo(108); softly.assertAll();',
        JUPITER + ASSERTJ,
      ),
    ],
    [
      'softly',
      PLAIN,
      body('assertSoftly(softly -> { softly.assertThat(cart.total()).isEqualTo(108); });', JUPITER + ASSERTJ),
    ],
    [
      'a chain without its end',
      body('assertThat(cart.total()).isEqualTo(108);', ASSERTJ),
      body('assertThat(cart.total());', ASSERTJ),
      'assertion-vacuous',
    ],
    [
      'a description only',
      body('assertThat(cart.total()).isEqualTo(108);', ASSERTJ),
      body('assertThat(cart.total()).as("total");', ASSERTJ),
      'assertion-vacuous',
    ],
    [
      'a new test that cannot fail',
      PLAIN,
      inClass(`@Test void total() { ${EQUALS} }\n@Test void items() { assertTrue(true); }`),
      'assertion-vacuous',
    ],
    [
      'after an assertion that fails is expected',
      PLAIN,
      body(`assertThrows(AssertionError.class, () -> ${EQUALS.slice(0, -1)});`),
      'assertion-vacuous',
    ],
    [
      'the assertion of a hook',
      inClass(`@AfterEach void done() { verifyNoMoreInteractions(bank); }\n@Test void total() { ${EQUALS} }`),
      inClass(`@AfterEach void done() { }\n@Test void total() { ${EQUALS} }`),
      'assertion-removed',
    ],
    [
      'moved to a hook',
      inClass(`@Test void total() { ${EQUALS} verifyNoMoreInteractions(bank); }`),
      inClass(`@AfterEach void done() { verifyNoMoreInteractions(bank); }\n@Test void total() { ${EQUALS} }`),
    ],
  ])('%s', compare);
});

describe('an assertion that accepts more', () => {
  test.each<Row>([
    ['not null', PLAIN, body('assertNotNull(cart.total());'), 'assertion-weakened'],
    ['a truth', PLAIN, body('assertTrue(cart.total() > 0);'), 'assertion-weakened'],
    ['not equal', PLAIN, body('assertNotEquals(0, cart.total());'), 'assertion-weakened'],
    [
      'inverted',
      body('assertTrue(cart.isOpen());'),
      body('assertFalse(cart.isOpen());'),
      'assertion-inverted',
    ],
    ['does not throw', PLAIN, body('assertDoesNotThrow(() -> cart.total());'), 'assertion-weakened'],
    [
      'a part of a text',
      body('assertEquals("a b", name());'),
      body('assertTrue(name().contains("a"));'),
      'assertion-weakened',
    ],
    [
      'a tolerance',
      body('assertEquals(1.5, rate());'),
      body('assertEquals(1.5, rate(), 100);'),
      'assertion-weakened',
    ],
    [
      'a wider tolerance',
      body('assertEquals(1.5, rate(), 0.01);'),
      body('assertEquals(1.5, rate(), 10.0);'),
      'assertion-weakened',
    ],
    [
      'an endless tolerance',
      body('assertEquals(1.5, rate(), 0.01);'),
      body('assertEquals(1.5, rate(), Double.MAX_VALUE);'),
      'assertion-vacuous',
    ],
    [
      'a smaller tolerance',
      body('assertEquals(1.5, rate(), 0.1);'),
      body('assertEquals(1.5, rate(), 0.001);'),
    ],
    [
      'the size of a list',
      body('assertEquals(List.of("a", "b"), items());'),
      body('assertEquals(2, items().size());'),
      'assertion-weakened',
    ],
    [
      'a sorted list, expected in another order',
      body('assertEquals(List.of("b", "a"), items());'),
      body('assertEquals(List.of("a", "b"), items().stream().sorted().toList());'),
      'assertion-weakened',
    ],
    [
      'without a sign',
      body('assertEquals(-3, balance());'),
      body('assertEquals(3, Math.abs(balance()));'),
      'assertion-weakened',
    ],
    [
      'one of two truths',
      body('assertTrue(cart.isOpen());'),
      body('assertTrue(cart.isOpen() || cart.isNew());'),
      'assertion-weakened',
    ],
    [
      'one of several values',
      PLAIN,
      body('assertTrue(List.of(108, 0).contains(cart.total()));'),
      'assertion-weakened',
    ],
    [
      'equal without case',
      body('assertEquals("A", name());'),
      body('assertTrue("a".equalsIgnoreCase(name()));'),
      'assertion-weakened',
    ],
    [
      'computed from the code',
      body('assertEquals("total 3", text());'),
      body('assertEquals("total " + cart.total(), text());'),
      'expectation-changed',
    ],
    ['another value', PLAIN, body('assertEquals(109, cart.total());'), 'expectation-changed'],
    [
      'another value in a variable',
      body('int want = 108; assertEquals(want, cart.total());'),
      body('int want = 109; assertEquals(want, cart.total());'),
      'expectation-changed',
    ],
    [
      'another value in a constant',
      inClass('static final int WANT = 108;\n@Test void total() { assertEquals(WANT, cart.total()); }'),
      inClass('static final int WANT = 9;\n@Test void total() { assertEquals(WANT, cart.total()); }'),
      'expectation-changed',
    ],
    [
      'another value for a helper',
      inClass(
        'void check(int want) { assertEquals(want, cart.total()); }\n@Test void total() { check(108); }',
      ),
      inClass('void check(int want) { assertEquals(want, cart.total()); }\n@Test void total() { check(9); }'),
      'expectation-changed',
    ],
    [
      'a weaker helper',
      inClass(
        'void check(int want) { assertEquals(want, cart.total()); }\n@Test void total() { check(108); }',
      ),
      inClass('void check(int want) { assertNotNull(cart.total()); }\n@Test void total() { check(108); }'),
      'assertion-weakened',
    ],
    [
      'any exception',
      body('assertThrows(FullException.class, () -> cart.add(1));'),
      body('assertThrows(Exception.class, () -> cart.add(1));'),
      'assertion-weakened',
    ],
    [
      'any exception in JUnit 4',
      marked('@Test(expected = FullException.class)', 'public void add()', 'cart.add(1);', JUNIT4),
      marked('@Test(expected = Exception.class)', 'public void add()', 'cart.add(1);', JUNIT4),
      'assertion-weakened',
    ],
    [
      'no exception in JUnit 4',
      marked('@Test(expected = FullException.class)', 'public void add()', 'cart.add(1);', JUNIT4),
      marked('@Test', 'public void add()', 'cart.add(1);', JUNIT4),
      'assertion-removed',
    ],
    [
      'a failure that is missing',
      body('try { cart.add(1); fail(); } catch (FullException e) { }'),
      body('try { cart.add(1); } catch (FullException e) { }'),
      'assertion-removed',
    ],
    [
      'any exception caught',
      body('try { cart.add(1); fail("no"); } catch (FullException e) { }'),
      body('try { cart.add(1); fail("no"); } catch (Throwable e) { }'),
      'assertion-vacuous',
    ],
    [
      'AssertJ: not null',
      body('assertThat(name()).isEqualTo("a");', ASSERTJ),
      body('assertThat(name()).isNotNull();', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: a shorter chain',
      body('assertThat(items()).hasSize(2).containsExactly("a", "b");', ASSERTJ),
      body('assertThat(items()).hasSize(2);', ASSERTJ),
      'assertion-removed',
    ],
    [
      'AssertJ: a part',
      body('assertThat(items()).containsExactly("a", "b");', ASSERTJ),
      body('assertThat(items()).contains("a");', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: any order',
      body('assertThat(items()).containsExactly("a", "b");', ASSERTJ),
      body('assertThat(items()).containsExactlyInAnyOrder("b", "a");', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: not empty',
      body('assertThat(items()).isEmpty();', ASSERTJ),
      body('assertThat(items()).isNotNull();', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: ignored fields',
      body('assertThat(user()).usingRecursiveComparison().isEqualTo(other);', ASSERTJ),
      body('assertThat(user()).usingRecursiveComparison().ignoringFields("name").isEqualTo(other);', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: any class',
      body('assertThatThrownBy(() -> add()).isInstanceOf(FullException.class).hasMessage("full");', ASSERTJ),
      body('assertThatThrownBy(() -> add()).isInstanceOf(Exception.class);', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'AssertJ: a message that is dropped',
      body('assertThatThrownBy(() -> add()).isInstanceOf(FullException.class).hasMessage("full");', ASSERTJ),
      body('assertThatThrownBy(() -> add()).isInstanceOf(FullException.class);', ASSERTJ),
      'assertion-removed',
    ],
    [
      'AssertJ: a wider tolerance',
      body('assertThat(rate()).isCloseTo(1.5, within(0.01));', ASSERTJ),
      body('assertThat(rate()).isCloseTo(1.5, within(5.0));', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'Truth: a wider tolerance',
      body('assertThat(rate()).isWithin(0.01).of(1.5);', ASSERTJ),
      body('assertThat(rate()).isWithin(5.0).of(1.5);', ASSERTJ),
      'assertion-weakened',
    ],
    [
      'Hamcrest: not null',
      body('assertThat(name(), is("a"));'),
      body('assertThat(name(), is(notNullValue()));'),
      'assertion-weakened',
    ],
    [
      'Hamcrest: anything',
      body('assertThat(name(), equalTo("a"));'),
      body('assertThat(name(), anything());'),
      'assertion-vacuous',
    ],
    [
      'Hamcrest: one of several',
      body('assertThat(code(), is(200));'),
      body('assertThat(code(), anyOf(is(200), is(500)));'),
      'assertion-weakened',
    ],
    [
      'Mockito: at least 0 times',
      body('verify(bank).pay(3);', MOCKITO),
      body('verify(bank, atLeast(0)).pay(3);', MOCKITO),
      'assertion-vacuous',
    ],
    [
      'Mockito: any arguments',
      body('verify(bank).pay(3);', MOCKITO),
      body('verify(bank).pay(anyInt());', MOCKITO),
      'assertion-weakened',
    ],
    [
      'Mockito: never became any',
      body('verify(bank, never()).pay(anyInt());', MOCKITO),
      body('verify(bank, atMost(5)).pay(anyInt());', MOCKITO),
      'assertion-weakened',
    ],
    [
      'Mockito: more calls allowed',
      body('verify(bank, times(2)).pay(3);', MOCKITO),
      body('verify(bank, atLeastOnce()).pay(3);', MOCKITO),
      'assertion-weakened',
    ],
    [
      'Mockito: removed',
      body('verify(bank).pay(3); verifyNoMoreInteractions(bank);', MOCKITO),
      body('verify(bank).pay(3);', MOCKITO),
      'assertion-removed',
    ],
    [
      'Spring: no value',
      body('mvc.perform(get("/a")).andExpect(status().isOk()).andExpect(jsonPath("$.a").value(3));'),
      body('mvc.perform(get("/a")).andExpect(status().isOk()).andExpect(jsonPath("$.a").exists());'),
      'assertion-weakened',
    ],
    [
      'Spring: any success',
      body('mvc.perform(get("/a")).andExpect(status().isCreated());'),
      body('mvc.perform(get("/a")).andExpect(status().is2xxSuccessful());'),
      'assertion-weakened',
    ],
    [
      'Spring: removed',
      body('mvc.perform(get("/a")).andExpect(status().isOk()).andExpect(content().string("a"));'),
      body('mvc.perform(get("/a")).andExpect(status().isOk());'),
      'assertion-removed',
    ],
    [
      'Reactor: no end',
      body('StepVerifier.create(sum()).expectNext(3).verifyComplete();'),
      body('StepVerifier.create(sum()).expectNext(3);'),
      'assertion-vacuous',
    ],
    [
      'the assert statement',
      body('assert cart.total() == 3 : "total";'),
      body('assert cart.total() > 0;'),
      'assertion-weakened',
    ],
  ])('%s', compare);
});

const CSV = (rows: string, want = 'want') =>
  marked(
    `@ParameterizedTest @CsvSource({${rows}})`,
    'void adds(int a, int b, int want)',
    `assertEquals(${want}, add(a, b));`,
  );
const SOURCE = (rows: string) =>
  inClass(
    `  static Stream<Arguments> sums() {\n    return Stream.of(${rows});\n  }\n  @ParameterizedTest @MethodSource("sums")\n  void adds(int a, int b, int want) {\n    assertEquals(want, add(a, b));\n  }`,
  );

describe('the rows of a table', () => {
  test.each<Row>([
    ['a row less', CSV('"1,2,3", "2,3,5"'), CSV('"1,2,3"'), 'test-cases-removed'],
    ['a row in a comment', CSV('"1,2,3", "2,3,5"'), CSV('"1,2,3", // "2,3,5"\n'), 'test-cases-removed'],
    ['a row more', CSV('"1,2,3"'), CSV('"1,2,3", "2,3,5"')],
    ['another order', CSV('"1,2,3", "2,3,5"'), CSV('"2, 3, 5", "1, 2, 3"')],
    [
      'a row that expects something else',
      CSV('"1,2,3", "2,3,5"'),
      CSV('"1,2,4", "2,3,5"'),
      'expectation-changed',
    ],
    [
      'a text block',
      CSV('"1,2,3", "2,3,5"'),
      CSV('').replace('{}', 'textBlock = """\n    1, 2, 3\n    2, 3, 5\n    """'),
    ],
    [
      'a line of a text block in a comment',
      CSV('').replace('{}', 'textBlock = """\n 1, 2, 3\n 2, 3, 5\n """'),
      CSV('').replace('{}', 'textBlock = """\n 1, 2, 3\n # 2, 3, 5\n """'),
      'test-cases-removed',
    ],
    ['from a method', CSV('"1,2,3", "2,3,5"'), SOURCE('Arguments.of(1, 2, 3), arguments(2, 3, 5)')],
    [
      'a row of a method less',
      SOURCE('Arguments.of(1, 2, 3), arguments(2, 3, 5)'),
      SOURCE('Arguments.of(1, 2, 3)'),
      'test-cases-removed',
    ],
    [
      'a limit',
      SOURCE('Arguments.of(1, 2, 3), arguments(2, 3, 5)'),
      SOURCE('Arguments.of(1, 2, 3), arguments(2, 3, 5)).limit(1'),
      'test-cases-removed',
    ],
    [
      'fewer values',
      marked(
        '@ParameterizedTest @ValueSource(strings = {"a", "b"})',
        'void reads(String text)',
        'assertTrue(reads(text));',
      ),
      marked(
        '@ParameterizedTest @ValueSource(strings = {"a"})',
        'void reads(String text)',
        'assertTrue(reads(text));',
      ),
      'test-cases-removed',
    ],
    [
      'one value of a table',
      marked(
        '@ParameterizedTest @ValueSource(strings = {"a", "b"})',
        'void reads(String text)',
        'assertTrue(reads(text));',
      ),
      marked('@Test', 'void reads()', 'assertTrue(reads("a"));'),
      'test-cases-removed',
    ],
    [
      'fewer values of an enumeration',
      marked('@ParameterizedTest @EnumSource(Color.class)', 'void reads(Color c)', 'assertTrue(reads(c));'),
      marked(
        '@ParameterizedTest @EnumSource(value = Color.class, names = {"RED"})',
        'void reads(Color c)',
        'assertTrue(reads(c));',
      ),
      'test-cases-removed',
    ],
    [
      'a value of an enumeration left out',
      marked('@ParameterizedTest @EnumSource(Color.class)', 'void reads(Color c)', 'assertTrue(reads(c));'),
      marked(
        '@ParameterizedTest @EnumSource(value = Color.class, mode = EnumSource.Mode.EXCLUDE, names = {"RED"})',
        'void reads(Color c)',
        'assertTrue(reads(c));',
      ),
      'test-skipped',
    ],
    [
      'a row of a data provider less',
      inClass(
        '@DataProvider Object[][] sums() { return new Object[][] {{1, 2, 3}, {2, 3, 5}}; }\n@Test(dataProvider = "sums") public void adds(int a, int b, int want) { assertEquals(add(a, b), want); }',
        TESTNG,
      ),
      inClass(
        '@DataProvider Object[][] sums() { return new Object[][] {{1, 2, 3}}; }\n@Test(dataProvider = "sums") public void adds(int a, int b, int want) { assertEquals(add(a, b), want); }',
        TESTNG,
      ),
      'test-cases-removed',
    ],
    [
      'a row of a JUnit 4 class less',
      inClass(
        '@Parameters public static Collection<Object[]> data() { return Arrays.asList(new Object[][] {{1, 2}, {2, 3}}); }\nCartTest(int a, int want) {}\n@Test public void adds() { assertEquals(want, next(a)); }',
        JUNIT4,
      ),
      inClass(
        '@Parameters public static Collection<Object[]> data() { return Arrays.asList(new Object[][] {{1, 2}}); }\nCartTest(int a, int want) {}\n@Test public void adds() { assertEquals(want, next(a)); }',
        JUNIT4,
      ),
      'test-cases-removed',
    ],
    [
      'a value of a loop less',
      body('for (int n : List.of(1, 2, 3)) { assertTrue(isSmall(n)); }'),
      body('for (int n : List.of(1, 2)) { assertTrue(isSmall(n)); }'),
      'test-cases-removed',
    ],
    [
      'tests became a table',
      inClass(
        '@Test void one() { assertEquals(3, add(1, 2)); }\n@Test void two() { assertEquals(5, add(2, 3)); }',
      ),
      CSV('"1,2,3", "2,3,5"'),
    ],
    [
      'a table became tests',
      CSV('"1,2,3", "2,3,5"'),
      inClass(
        '@Test void one() { assertEquals(3, add(1, 2)); }\n@Test void two() { assertEquals(5, add(2, 3)); }',
      ),
    ],
    [
      'a loop became a table',
      body('for (int n : List.of(1, 2)) { assertTrue(isSmall(n)); }'),
      marked(
        '@ParameterizedTest @ValueSource(ints = {1, 2})',
        'void total(int n)',
        'assertTrue(isSmall(n));',
      ),
    ],
  ])('%s', compare);
});

describe('an honest change', () => {
  test.each<Row>([
    [
      'JUnit 4 to 5',
      inClass(
        '@Before public void open() { cart = new Cart(); }\n@Test public void total() { assertEquals("total", 108, cart.total()); assertTrue("open", cart.isOpen()); }\n@Ignore @Test public void late() { assertNull(cart.x()); }',
        JUNIT4,
      ),
      inClass(
        '@BeforeEach void open() { cart = new Cart(); }\n@Test void total() { assertEquals(108, cart.total(), "total"); assertTrue(cart.isOpen(), "open"); }\n@Disabled @Test void late() { assertNull(cart.x()); }',
      ),
    ],
    [
      'an expected exception to assertThrows',
      marked('@Test(expected = FullException.class)', 'public void add()', 'cart.add(1);', JUNIT4),
      body('assertThrows(FullException.class, () -> cart.add(1));').replace('total', 'add'),
    ],
    [
      'try and fail to assertThrows',
      body(
        'try { cart.add(1); fail(); } catch (FullException e) { assertEquals("full", e.getMessage()); }',
        JUNIT4,
      ),
      body(
        'FullException e = assertThrows(FullException.class, () -> cart.add(1)); assertEquals("full", e.getMessage());',
      ),
    ],
    [
      'a rule to assertThrows',
      body('thrown.expect(FullException.class); thrown.expectMessage("full"); cart.add(1);', JUNIT4),
      body(
        'FullException e = assertThrows(FullException.class, () -> cart.add(1)); assertEquals("full", e.getMessage());',
      ),
    ],
    [
      'JUnit to AssertJ',
      body(
        'assertEquals(108, cart.total()); assertTrue(cart.items().isEmpty()); assertNull(cart.owner()); assertFalse(cart.isOpen()); assertEquals(0.5, cart.rate(), 0.01);',
      ),
      body(
        'assertThat(cart.total()).isEqualTo(108); assertThat(cart.items()).isEmpty(); assertThat(cart.owner()).isNull(); assertThat(cart.isOpen()).isFalse(); assertThat(cart.rate()).isCloseTo(0.5, within(0.01));',
        ASSERTJ,
      ),
    ],
    [
      'AssertJ to JUnit',
      body(
        'assertThat(cart.items()).isEmpty(); assertThat(cart.items()).hasSize(3); assertThat(name()).startsWith("a"); assertThat(find()).isPresent();',
        ASSERTJ,
      ),
      body(
        'assertTrue(cart.items().isEmpty()); assertEquals(3, cart.items().size()); assertTrue(name().startsWith("a")); assertTrue(find().isPresent());',
      ),
    ],
    [
      'Hamcrest to AssertJ',
      body(
        'assertThat(name(), is("a")); assertThat(items(), hasSize(2)); assertThat(items(), contains("a", "b")); assertThat(x(), is(nullValue())); assertThat(y(), not(equalTo(3)));',
      ),
      body(
        'assertThat(name()).isEqualTo("a"); assertThat(items()).hasSize(2); assertThat(items()).containsExactly("a", "b"); assertThat(x()).isNull(); assertThat(y()).isNotEqualTo(3);',
        ASSERTJ,
      ),
    ],
    [
      'TestNG to JUnit',
      body('assertEquals(cart.total(), 108); assertEquals(cart.owner(), user);', TESTNG),
      body('assertEquals(108, cart.total()); assertEquals(user, cart.owner());'),
    ],
    [
      'a set in any order',
      body('assertEquals(Set.of("a", "b"), names());'),
      body('assertThat(names()).containsExactlyInAnyOrder("a", "b");', ASSERTJ),
    ],
    [
      'a comparison with true',
      body('assertEquals(true, cart.isOpen());'),
      body('assertTrue(cart.isOpen());'),
    ],
    [
      'the other order of arguments',
      body('assertEquals(cart.total(), 108);'),
      body('assertEquals(108, cart.total());'),
    ],
    [
      'members at once',
      body('assertEquals("a", user.name()); assertEquals(3, user.age());'),
      body('assertThat(user).extracting(User::name, User::age).containsExactly("a", 3);', ASSERTJ),
    ],
    [
      'parts at once',
      body('assertTrue(text().contains("a")); assertTrue(text().contains("b"));'),
      body('assertThat(text()).contains("a", "b");', ASSERTJ),
    ],
    [
      'a value that satisfies',
      body('assertEquals("a", user.name()); assertEquals(3, user.age());'),
      body(
        'assertThat(user).satisfies(it -> { assertThat(it.name()).isEqualTo("a"); assertThat(it.age()).isEqualTo(3); });',
        ASSERTJ,
      ),
    ],
    [
      'an optional value',
      body('assertEquals(Optional.of(3), find());'),
      body('assertThat(find()).hasValue(3);', ASSERTJ),
    ],
    [
      'polled',
      body('Thread.sleep(100); assertEquals(3, cart.total());'),
      body('await().until(cart::total, equalTo(3));'),
    ],
    [
      'a checked type',
      body('assertTrue(x instanceof Cart); assertEquals(3, ((Cart) x).total());'),
      body('Cart cart = assertInstanceOf(Cart.class, x); assertEquals(3, cart.total());'),
    ],
    ['a guard more', PLAIN, body(`assertNotNull(cart);\n${EQUALS}`)],
    ['a stricter assertion', body('assertTrue(cart.total() > 0);'), PLAIN],
    [
      'a precise exception',
      body('assertThrows(Exception.class, () -> add());'),
      body('assertThrows(FullException.class, () -> add());'),
    ],
    [
      'a stricter verification',
      body('verify(bank, atLeastOnce()).pay(any());', MOCKITO),
      body('verify(bank, times(1)).pay(3);', MOCKITO),
    ],
    [
      'a captured argument',
      body('verify(bank).pay(invoice);', MOCKITO),
      body('verify(bank).pay(captor.capture()); assertEquals(invoice, captor.getValue());', MOCKITO),
    ],
    [
      'a helper',
      inClass(
        '@Test void a() { assertEquals(3, cart.total()); assertEquals("x", cart.name()); }\n@Test void b() { assertEquals(4, other.total()); assertEquals("y", other.name()); }',
      ),
      inClass(
        'void check(Cart it, int total, String name) { assertEquals(total, it.total()); assertEquals(name, it.name()); }\n@Test void a() { check(cart, 3, "x"); }\n@Test void b() { check(other, 4, "y"); }',
      ),
    ],
    [
      'a helper of another file',
      body('assertEquals(3, cart.total()); assertEquals("x", cart.name());'),
      body('CartAssertions.assertCart(cart, 3, "x");'),
    ],
    [
      'a fixture',
      inClass(
        '@Test void a() { Cart cart = new Cart(1); assertNotNull(cart); assertEquals(3, cart.total()); }',
      ),
      inClass(
        'private Cart cart;\n@BeforeEach void open() { cart = new Cart(1); assertNotNull(cart); }\n@Test void a() { assertEquals(3, cart.total()); }',
      ),
    ],
    ['a variable', PLAIN, body('int actual = cart.total();\nassertEquals(108, actual);')],
    [
      'a constant',
      PLAIN,
      inClass(
        `private static final int WANT = 108;\n@Test void total() { assertEquals(WANT, cart.total()); }`,
      ),
    ],
    ['a message', PLAIN, body('assertEquals(108, cart.total(), () -> "total of " + cart);')],
    [
      'formatted',
      PLAIN,
      PLAIN.replace('(108, cart.total())', '(\n        108,\n        cart\n            .total())'),
    ],
    [
      'a split test',
      inClass('@Test void both() { assertEquals(1, a()); assertEquals(2, b()); }'),
      inClass('@Test void first() { assertEquals(1, a()); }\n@Test void second() { assertEquals(2, b()); }'),
    ],
    [
      'merged tests',
      inClass('@Test void first() { assertEquals(1, a()); }\n@Test void second() { assertEquals(2, b()); }'),
      inClass('@Test void both() { assertEquals(1, a()); assertEquals(2, b()); }'),
    ],
    ['a retried test', marked('@Test'), marked('@RepeatedTest(3)')],
    ['awaited', PLAIN, body(`await().untilAsserted(() -> { ${EQUALS} });`)],
    [
      'an interruption',
      PLAIN,
      body(
        `try { Thread.sleep(1); } catch (InterruptedException e) { Thread.currentThread().interrupt(); }\n${EQUALS}`,
      ),
    ],
    [
      'a recorded exception',
      body(
        'Exception caught = null; try { add(); } catch (Exception e) { caught = e; } assertNotNull(caught);',
      ),
      body('assertThrows(Exception.class, () -> add());'),
    ],
    [
      'a suite of its own',
      PLAIN,
      `${PLAIN}class OtherTest {\n @Test void x() { assertEquals(1, y()); }\n}\n`,
    ],
  ])('%s', compare);
});

describe('files', () => {
  test.each<[name: string, before: Record<string, string>, after: Record<string, string>, rule?: string]>([
    [
      'moved to the code',
      { [PATH]: PLAIN },
      { 'src/main/java/shop/CartTest.java': PLAIN },
      'test-not-collected',
    ],
    [
      'renamed so that Surefire does not run it',
      { [PATH]: PLAIN },
      { 'src/test/java/shop/CartChecks.java': PLAIN.replace('CartTest', 'CartChecks') },
      'test-not-collected',
    ],
    [
      'renamed in a project of Gradle',
      { [PATH]: PLAIN, 'build.gradle': '' },
      { 'src/test/java/shop/CartChecks.java': PLAIN.replace('CartTest', 'CartChecks'), 'build.gradle': '' },
    ],
    [
      'renamed with its class',
      { [PATH]: PLAIN },
      { 'src/test/java/shop/BasketTest.java': PLAIN.replace('CartTest', 'BasketTest') },
    ],
    ['deleted', { [PATH]: PLAIN }, {}, 'test-deleted'],
    [
      'deleted with the code',
      {
        [PATH]: PLAIN.replace('cart.total()', 'Cart.total()'),
        'src/main/java/shop/Cart.java': 'class Cart { static int total() { return 3; } }',
      },
      {},
    ],
    [
      'an expected value with the code',
      { [PATH]: PLAIN, 'src/main/java/shop/Cart.java': 'class Cart { int total() { return 108; } }' },
      {
        [PATH]: body('assertEquals(109, cart.total());'),
        'src/main/java/shop/Cart.java': 'class Cart { int total() { return 109; } }',
      },
    ],
  ])('%s', async (_, before, after, rule) => {
    expect(await rulesOf(before, after)).toEqual(rule === undefined ? [] : [rule]);
  });
});
