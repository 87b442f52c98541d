import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../helpers/weakened.ts';

const PATH = 'tests/Shop.Tests/CartTests.cs';
const XUNIT = 'using Xunit;\n';
const NUNIT = 'using NUnit.Framework;\n';
const MSTEST = 'using Microsoft.VisualStudio.TestTools.UnitTesting;\n';

/** A class with these members. */
function inClass(members: string, head = XUNIT): string {
  const mark = head === MSTEST ? '[TestClass]\n' : '';
  return `${head}\nnamespace Shop.Tests;\n\n${mark}public class CartTests\n{\n${members}\n}\n`;
}

/** A class with one test of this body. */
function body(text: string, head = XUNIT): string {
  const mark = head === XUNIT ? 'Fact' : head === NUNIT ? 'Test' : 'TestMethod';
  return inClass(`    [${mark}]\n    public void Total()\n    {\n        ${text}\n    }`, head);
}

/** A class with one asynchronous test of this body. */
function task(text: string, head = XUNIT): string {
  return body(text, head).replace('void', 'async Task');
}

/** A class with one method of these attributes and parameters. */
function marked(
  marks: string,
  parameters = '',
  text = 'Assert.Equal(3, cart.Total());',
  head = XUNIT,
): string {
  return inClass(`    ${marks}\n    public void Total(${parameters})\n    {\n        ${text}\n    }`, head);
}

const EQUALS = 'Assert.Equal(108, cart.Total());';
const PLAIN = body(EQUALS);
const NUNIT_EQUALS = 'Assert.That(cart.Total(), Is.EqualTo(108));';
const NUNIT_PLAIN = body(NUNIT_EQUALS, NUNIT);
const MSTEST_PLAIN = body('Assert.AreEqual(108, cart.Total());', MSTEST);

type Row = [name: string, before: string, after: string, rule?: string];

async function compare(_: string, before: string, after: string, rule?: string): Promise<void> {
  const rules = await rulesOf({ [PATH]: before }, { [PATH]: after });
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
}

describe('a test that does not run any more', () => {
  test.each<Row>([
    ['skipped', PLAIN, PLAIN.replace('[Fact]', '[Fact(Skip = "flaky")]'), 'test-skipped'],
    [
      'a theory skipped',
      marked('[Theory, InlineData(1)]', 'int n'),
      marked('[Theory(Skip = "flaky"), InlineData(1)]', 'int n'),
      'test-skipped',
    ],
    [
      'a reason changed',
      PLAIN.replace('[Fact]', '[Fact(Skip = "a")]'),
      PLAIN.replace('[Fact]', '[Fact(Skip = "b")]'),
    ],
    ['no longer skipped', PLAIN.replace('[Fact]', '[Fact(Skip = "a")]'), PLAIN],
    ['the word in a text', PLAIN, PLAIN.replace('[Fact]', '[Fact(DisplayName = "Skip = x")] // [Ignore]')],
    ['a trait', PLAIN, PLAIN.replace('[Fact]', '[Fact, Trait("Category", "Slow")]')],
    ['ignored', NUNIT_PLAIN, NUNIT_PLAIN.replace('[Test]', '[Test, Ignore("flaky")]'), 'test-skipped'],
    [
      'ignored with a qualified name',
      NUNIT_PLAIN,
      NUNIT_PLAIN.replace('[Test]', '[NUnit.Framework.IgnoreAttribute("x")] [Test]'),
      'test-skipped',
    ],
    ['explicit', NUNIT_PLAIN, NUNIT_PLAIN.replace('[Test]', '[Test]\n[Explicit]'), 'test-skipped'],
    [
      'ignored as a class',
      NUNIT_PLAIN,
      NUNIT_PLAIN.replace('public class', '[Ignore("x")] public class'),
      'test-skipped',
    ],
    [
      'ignored in MSTest',
      MSTEST_PLAIN,
      MSTEST_PLAIN.replace('[TestMethod]', '[TestMethod]\n    [Ignore]'),
      'test-skipped',
    ],
    ['on a platform', NUNIT_PLAIN, NUNIT_PLAIN.replace('[Test]', '[Test, Platform("Linux")]')],
    ['Assert.Ignore', NUNIT_PLAIN, body(`Assert.Ignore("later");\n${NUNIT_EQUALS}`, NUNIT), 'test-skipped'],
    ['Assert.Inconclusive', MSTEST_PLAIN, body('Assert.Inconclusive();', MSTEST), 'test-skipped'],
    ['Assert.Pass', NUNIT_PLAIN, body(`Assert.Pass();\n${NUNIT_EQUALS}`, NUNIT), 'assertion-unreachable'],
    [
      'Assert.Skip on the environment',
      PLAIN,
      body(`if (Environment.GetEnvironmentVariable("CI") != null) Assert.Skip("CI");\n${EQUALS}`),
      'test-skipped',
    ],
    [
      'Skip.If',
      PLAIN,
      body(`Skip.If(IsSlow());\n${EQUALS}`).replace('[Fact]', '[SkippableFact]'),
      'test-skipped',
    ],
    [
      'Skip.IfNot on a platform',
      PLAIN,
      body(`Skip.IfNot(RuntimeInformation.IsOSPlatform(OSPlatform.Linux));\n${EQUALS}`).replace(
        '[Fact]',
        '[SkippableFact]',
      ),
    ],
    ['SkipUnless', PLAIN, PLAIN.replace('[Fact]', '[Fact(SkipUnless = nameof(IsNightly))]'), 'test-skipped'],
    ['an attribute of its own', PLAIN, PLAIN.replace('[Fact]', '[NightlyFact]'), 'test-skipped'],
    [
      'an assumption',
      NUNIT_PLAIN,
      body(`Assume.That(IsFast(), Is.True);\n${NUNIT_EQUALS}`, NUNIT),
      'test-skipped',
    ],
    [
      'an assumption of the class',
      NUNIT_PLAIN,
      NUNIT_PLAIN.replace(
        '    [Test]',
        '    [SetUp] public void Open() { Assume.That(IsFast()); }\n    [Test]',
      ),
      'test-skipped',
    ],
    ['no attribute', PLAIN, PLAIN.replace('[Fact]', ''), 'test-not-collected'],
    [
      'no attribute of the class',
      MSTEST_PLAIN,
      MSTEST_PLAIN.replace('[TestClass]', ''),
      'test-not-collected',
    ],
    ['private', NUNIT_PLAIN, NUNIT_PLAIN.replace('public void', 'private void'), 'test-not-collected'],
    ['internal', PLAIN, PLAIN.replace('public class', 'internal class'), 'test-not-collected'],
    ['abstract', PLAIN, PLAIN.replace('public class', 'public abstract class'), 'test-not-collected'],
    [
      'the base of others',
      PLAIN,
      `${PLAIN.replace('public class CartTests', 'public abstract class CartTestsBase')}public class CartTests : CartTestsBase { }\n`,
    ],
    [
      'not compiled',
      PLAIN,
      PLAIN.replace('    [Fact]', '#if false\n    [Fact]').replace(/\}\n\}\n$/, '}\n#endif\n}\n'),
      'test-deleted',
    ],
    [
      'compiled for a symbol',
      PLAIN,
      PLAIN.replace('    [Fact]', '#if NIGHTLY\n    [Fact]').replace(/\}\n\}\n$/, '}\n#endif\n}\n'),
      'test-skipped',
    ],
    [
      'compiled for a framework',
      PLAIN,
      PLAIN.replace('    [Fact]', '#if NET8_0_OR_GREATER\n    [Fact]').replace(/\}\n\}\n$/, '}\n#endif\n}\n'),
    ],
    ['commented out', PLAIN, PLAIN.replace(/ {4}\[Fact\][\s\S]*\n {4}\}/, '/*$&*/'), 'test-deleted'],
    ['emptied', PLAIN, body(''), 'test-emptied'],
    ['renamed', PLAIN, PLAIN.replace('Total()', 'AddsUpTheTotal()')],
    [
      'moved to an inner class',
      PLAIN,
      inClass(`public class Empty {\n [Fact] public void Total() { ${EQUALS} }\n}`),
    ],
    ['an expression', PLAIN, inClass(`[Fact] public void Total() => ${EQUALS}`)],
  ])('%s', compare);
});

describe('an assertion that does not count any more', () => {
  test.each<Row>([
    [
      'of a mock of the subject',
      body('var cart = new Cart(); Assert.Equal(3, cart.Total());'),
      body(
        'var mock = new Mock<Cart>(); mock.Setup(c => c.Total()).Returns(3); var cart = mock.Object; Assert.Equal(3, cart.Total());',
      ),
      'subject-mocked',
    ],
    [
      'with a mock of what the subject needs',
      body('var cart = new Cart(new Bank()); Assert.Equal(3, cart.Total());'),
      body('var cart = new Cart(Mock.Of<Bank>()); Assert.Equal(3, cart.Total());'),
    ],
    [
      'removed',
      body(`${EQUALS} Assert.True(cart.IsOpen);`),
      body('Assert.True(cart.IsOpen);'),
      'assertion-removed',
    ],
    ['true', PLAIN, body('cart.Total(); Assert.True(true);'), 'assertion-vacuous'],
    [
      'compared with itself',
      PLAIN,
      body('var total = cart.Total(); Assert.Equal(total, total);'),
      'assertion-vacuous',
    ],
    [
      'compared with itself by NUnit',
      NUNIT_PLAIN,
      body('Assert.That(cart.Total(), Is.EqualTo(cart.Total()));', NUNIT),
      'assertion-vacuous',
    ],
    [
      'expected to be what is returned',
      PLAIN,
      body('var expected = cart.Total(); Assert.Equal(expected, cart.Total());'),
      'assertion-vacuous',
    ],
    ['constants', MSTEST_PLAIN, body('cart.Total(); Assert.AreEqual(1, 1);', MSTEST), 'assertion-vacuous'],
    [
      'a length below 0',
      body('Assert.Equal(3, cart.Items.Count);'),
      body('Assert.True(cart.Items.Count >= 0);'),
      'assertion-vacuous',
    ],
    ['swallowed', PLAIN, body(`try { ${EQUALS} } catch (Exception) { }`), 'assertion-swallowed'],
    [
      'swallowed without a type',
      PLAIN,
      body(`try { ${EQUALS} } catch { Console.WriteLine("Assert failed"); }`),
      'assertion-swallowed',
    ],
    ['cleaned up', PLAIN, body(`try { ${EQUALS} } finally { cart.Close(); }`)],
    ['in a task', PLAIN, body(`Task.Run(() => ${EQUALS.slice(0, -1)});`), 'assertion-swallowed'],
    [
      'in a task that is dropped',
      PLAIN,
      body(`_ = Task.Factory.StartNew(() => { ${EQUALS} });`),
      'assertion-swallowed',
    ],
    ['in a task that is awaited', PLAIN, task(`await Task.Run(() => ${EQUALS.slice(0, -1)});`)],
    [
      'in tasks that are all awaited',
      PLAIN,
      task(`await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Run(() => { ${EQUALS} })));`),
    ],
    [
      'a task of an assertion is dropped',
      task('await Assert.ThrowsAsync<FullException>(() => cart.AddAsync(1));'),
      body('_ = Assert.ThrowsAsync<FullException>(() => cart.AddAsync(1));'),
      'assertion-unreachable',
    ],
    ['disposed', PLAIN, body(`using (var cart = Open()) { ${EQUALS} }`)],
    [
      'caught and thrown',
      PLAIN,
      body(`try { ${EQUALS} } catch (IOException e) { throw new XunitException("x", e); }`),
    ],
    ['an early return', PLAIN, body(`return;\n${EQUALS}`), 'assertion-unreachable'],
    [
      'a return on the environment',
      PLAIN,
      body(`if (Environment.GetEnvironmentVariable("DB") is null) return;\n${EQUALS}`),
      'assertion-unreachable',
    ],
    ['on a condition', PLAIN, body(`if (cart.Total() > 0) { ${EQUALS} }`), 'assertion-unreachable'],
    ['on a symbol', PLAIN, body(`\n#if NIGHTLY\n${EQUALS}\n#endif\n`), 'assertion-unreachable'],
    ['not compiled', PLAIN, body(`\n#if false\n${EQUALS}\n#endif\n`), 'test-emptied'],
    [
      'not awaited',
      task('await Assert.ThrowsAsync<FullException>(() => cart.Add(1));'),
      task('Assert.ThrowsAsync<FullException>(() => cart.Add(1));'),
      'assertion-unreachable',
    ],
    [
      'not awaited by FluentAssertions',
      task('await act.Should().ThrowAsync<FullException>();'),
      task('act.Should().ThrowAsync<FullException>();'),
      'assertion-unreachable',
    ],
    [
      'not awaited by NUnit, which waits',
      task('Assert.ThrowsAsync<FullException>(() => cart.Add(1));', NUNIT),
      task('Assert.ThrowsAsync<FullException>(async () => await cart.Add(1));', NUNIT),
    ],
    [
      'a test that nobody waits for',
      task(`await cart.Open(); ${EQUALS}`),
      task(`await cart.Open(); ${EQUALS}`).replace('async Task', 'async void'),
      'assertion-unreachable',
    ],
    ['in a function that nothing calls', PLAIN, body(`void Check() { ${EQUALS} }`), 'assertion-unreachable'],
    [
      'in an action that nothing calls',
      PLAIN,
      body(`Action check = () => ${EQUALS}`),
      'assertion-unreachable',
    ],
    ['in Multiple', NUNIT_PLAIN, body(`Assert.Multiple(() => { ${NUNIT_EQUALS} });`, NUNIT)],
    ['out of Multiple', body(`Assert.Multiple(() => { ${NUNIT_EQUALS} });`, NUNIT), NUNIT_PLAIN],
    [
      'in a scope that is not disposed',
      body('using var scope = new AssertionScope(); cart.Total().Should().Be(108);'),
      body('var scope = new AssertionScope(); cart.Total().Should().Be(108);'),
      'assertion-unreachable',
    ],
    [
      'in a scope',
      body('cart.Total().Should().Be(108);'),
      body('using (new AssertionScope()) { cart.Total().Should().Be(108); }'),
    ],
    [
      'a chain without its end',
      body('cart.Total().Should().Be(108);'),
      body('cart.Total().Should();'),
      'assertion-vacuous',
    ],
    [
      'only if there is a value',
      body('cart.Owner.Should().Be("a");'),
      body('cart.Owner?.Should().Be("a");'),
      'assertion-unreachable',
    ],
    [
      'a new test that cannot fail',
      PLAIN,
      inClass(`[Fact] public void Total() { ${EQUALS} }\n[Fact] public void Items() { Assert.True(true); }`),
      'assertion-vacuous',
    ],
  ])('%s', compare);
});

describe('an assertion that accepts more', () => {
  test.each<Row>([
    ['not null', PLAIN, body('Assert.NotNull(cart.Total());'), 'assertion-weakened'],
    ['a truth', PLAIN, body('Assert.True(cart.Total() > 0);'), 'assertion-weakened'],
    ['not equal', PLAIN, body('Assert.NotEqual(0, cart.Total());'), 'assertion-weakened'],
    ['inverted', body('Assert.True(cart.IsOpen);'), body('Assert.False(cart.IsOpen);'), 'assertion-inverted'],
    ['a range', PLAIN, body('Assert.InRange(cart.Total(), 1, 1000);'), 'assertion-weakened'],
    [
      'a part',
      body('Assert.Equal("a b", Name());'),
      body('Assert.Contains("a", Name());'),
      'assertion-weakened',
    ],
    [
      'a precision',
      body('Assert.Equal(1.567, Rate(), 3);'),
      body('Assert.Equal(1.567, Rate(), 0);'),
      'assertion-weakened',
    ],
    [
      'a wider tolerance',
      body('Assert.AreEqual(1.5, Rate(), 0.01);', MSTEST),
      body('Assert.AreEqual(1.5, Rate(), 10.0);', MSTEST),
      'assertion-weakened',
    ],
    [
      'any case',
      body('Assert.Equal("a", Name());'),
      body('Assert.Equal("a", Name(), ignoreCase: true);'),
      'assertion-weakened',
    ],
    ['another value', PLAIN, body('Assert.Equal(109, cart.Total());'), 'expectation-changed'],
    [
      'another value in a constant',
      inClass(`const int Want = 108;\n[Fact] public void Total() { Assert.Equal(Want, cart.Total()); }`),
      inClass(`const int Want = 9;\n[Fact] public void Total() { Assert.Equal(Want, cart.Total()); }`),
      'expectation-changed',
    ],
    [
      'any exception',
      body('Assert.Throws<FullException>(() => cart.Add(1));'),
      body('Assert.ThrowsAny<Exception>(() => cart.Add(1));'),
      'assertion-weakened',
    ],
    [
      'any exception in MSTest',
      marked('[TestMethod, ExpectedException(typeof(FullException))]', '', 'cart.Add(1);', MSTEST),
      marked('[TestMethod, ExpectedException(typeof(Exception))]', '', 'cart.Add(1);', MSTEST),
      'assertion-weakened',
    ],
    [
      'no exception',
      marked('[TestMethod, ExpectedException(typeof(FullException))]', '', 'cart.Add(1);', MSTEST),
      marked('[TestMethod]', '', 'cart.Add(1);', MSTEST),
      'assertion-removed',
    ],
    [
      'a failure that is missing',
      body('try { cart.Add(1); Assert.Fail(); } catch (FullException) { }', MSTEST),
      body('try { cart.Add(1); } catch (FullException) { }', MSTEST),
      'assertion-removed',
    ],
    [
      'NUnit: not null',
      NUNIT_PLAIN,
      body('Assert.That(cart.Total(), Is.Not.Null);', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: a bound',
      NUNIT_PLAIN,
      body('Assert.That(cart.Total(), Is.GreaterThan(0));', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: a tolerance',
      NUNIT_PLAIN,
      body('Assert.That(cart.Total(), Is.EqualTo(108).Within(50));', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: one of two',
      NUNIT_PLAIN,
      body('Assert.That(cart.Total(), Is.EqualTo(108).Or.EqualTo(0));', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: any case',
      body('Assert.That(Name(), Is.EqualTo("a"));', NUNIT),
      body('Assert.That(Name(), Is.EqualTo("a").IgnoreCase);', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: any exception',
      body('Assert.That(() => cart.Add(1), Throws.TypeOf<FullException>());', NUNIT),
      body('Assert.That(() => cart.Add(1), Throws.Exception);', NUNIT),
      'assertion-weakened',
    ],
    [
      'NUnit: any order',
      body('Assert.That(items, Is.EqualTo(new[] { 1, 2 }));', NUNIT),
      body('Assert.That(items, Is.EquivalentTo(new[] { 2, 1 }));', NUNIT),
      'assertion-weakened',
    ],
    [
      'FluentAssertions: not null',
      body('Name().Should().Be("a");'),
      body('Name().Should().NotBeNull();'),
      'assertion-weakened',
    ],
    [
      'FluentAssertions: a shorter chain',
      body('items.Should().HaveCount(2).And.Equal(1, 2);'),
      body('items.Should().HaveCount(2);'),
      'assertion-removed',
    ],
    [
      'FluentAssertions: left out',
      body('user.Should().BeEquivalentTo(other);'),
      body('user.Should().BeEquivalentTo(other, o => o.Excluding(x => x.Name));'),
      'assertion-weakened',
    ],
    [
      'FluentAssertions: any exception',
      body('act.Should().Throw<FullException>().WithMessage("full");'),
      body('act.Should().Throw<Exception>();'),
      'assertion-weakened',
    ],
    [
      'FluentAssertions: any message',
      body('act.Should().Throw<FullException>().WithMessage("full");'),
      body('act.Should().Throw<FullException>().WithMessage("*");'),
      'assertion-vacuous',
    ],
    [
      'FluentAssertions: a wider tolerance',
      body('Rate().Should().BeApproximately(1.5, 0.01);'),
      body('Rate().Should().BeApproximately(1.5, 10);'),
      'assertion-weakened',
    ],
    [
      'Shouldly: not null',
      body('Name().ShouldBe("a");'),
      body('Name().ShouldNotBeNull();'),
      'assertion-weakened',
    ],
    [
      'Shouldly: any exception',
      body('Should.Throw<FullException>(() => cart.Add(1));'),
      body('Should.Throw<Exception>(() => cart.Add(1));'),
      'assertion-weakened',
    ],
    [
      'Moq: more calls',
      body('bank.Verify(b => b.Pay(3), Times.Once());'),
      body('bank.Verify(b => b.Pay(3), Times.AtLeastOnce());'),
      'assertion-weakened',
    ],
    [
      'Moq: any argument',
      body('bank.Verify(b => b.Pay(3), Times.Once);'),
      body('bank.Verify(b => b.Pay(It.IsAny<int>()), Times.Once);'),
      'assertion-weakened',
    ],
    [
      'Moq: any number of calls',
      body('bank.Verify(b => b.Pay(3), Times.Once);'),
      body('bank.Verify(b => b.Pay(3), Times.AtLeast(0));'),
      'assertion-vacuous',
    ],
    [
      'Moq: removed',
      body('bank.Verify(b => b.Pay(3)); bank.VerifyNoOtherCalls();'),
      body('bank.Verify(b => b.Pay(3));'),
      'assertion-removed',
    ],
    [
      'NSubstitute: any argument',
      body('bank.Received(1).Pay(3);'),
      body('bank.Received(1).Pay(Arg.Any<int>());'),
      'assertion-weakened',
    ],
    [
      'FakeItEasy: any number',
      body('A.CallTo(() => bank.Pay(3)).MustHaveHappenedOnceExactly();'),
      body('A.CallTo(() => bank.Pay(3)).MustHaveHappened();'),
      'assertion-weakened',
    ],
    [
      'TUnit: not null',
      task('await Assert.That(Name()).IsEqualTo("a");'),
      task('await Assert.That(Name()).IsNotNull();'),
      'assertion-weakened',
    ],
  ])('%s', compare);
});

const INLINE = (rows: string) =>
  marked(`[Theory]\n    ${rows}`, 'int a, int b, int want', 'Assert.Equal(want, Add(a, b));');
const MEMBER = (rows: string) =>
  inClass(
    `    public static IEnumerable<object[]> Sums => new List<object[]> { ${rows} };\n    [Theory, MemberData(nameof(Sums))]\n    public void Total(int a, int b, int want) => Assert.Equal(want, Add(a, b));`,
  );

describe('the rows of a table', () => {
  test.each<Row>([
    [
      'a row less',
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
      INLINE('[InlineData(1, 2, 3)]'),
      'test-cases-removed',
    ],
    [
      'a row in a comment',
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
      INLINE('[InlineData(1, 2, 3)]\n// [InlineData(2, 3, 5)]'),
      'test-cases-removed',
    ],
    ['a row more', INLINE('[InlineData(1, 2, 3)]'), INLINE('[InlineData(1, 2, 3), InlineData(2, 3, 5)]')],
    [
      'another order',
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
      INLINE('[InlineData(2, 3, 5)]\n[InlineData(1, 2, 3)]'),
    ],
    [
      'a row that expects something else',
      INLINE('[InlineData(1, 2, 3)]'),
      INLINE('[InlineData(1, 2, 4)]'),
      'expectation-changed',
    ],
    [
      'from a member',
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
      MEMBER('new object[] { 1, 2, 3 }, new object[] { 2, 3, 5 }'),
    ],
    [
      'a row of a member less',
      MEMBER('new object[] { 1, 2, 3 }, new object[] { 2, 3, 5 }'),
      MEMBER('new object[] { 1, 2, 3 }'),
      'test-cases-removed',
    ],
    [
      'a row of an iterator less',
      inClass(
        'public static IEnumerable<object[]> Sums() { yield return new object[] { 1, 2 }; yield return new object[] { 2, 3 }; }\n[Theory] [MemberData(nameof(Sums))] public void Next(int a, int want) { Assert.Equal(want, N(a)); }',
      ),
      inClass(
        'public static IEnumerable<object[]> Sums() { yield return new object[] { 1, 2 }; }\n[Theory] [MemberData(nameof(Sums))] public void Next(int a, int want) { Assert.Equal(want, N(a)); }',
      ),
      'test-cases-removed',
    ],
    [
      'theory data less',
      inClass(
        'public static TheoryData<int, int> Sums => new() { { 1, 2 }, { 2, 3 } };\n[Theory] [MemberData("Sums")] public void Next(int a, int want) { Assert.Equal(want, N(a)); }',
      ),
      inClass(
        'public static TheoryData<int, int> Sums => new() { { 1, 2 } };\n[Theory] [MemberData("Sums")] public void Next(int a, int want) { Assert.Equal(want, N(a)); }',
      ),
      'test-cases-removed',
    ],
    [
      'a row of NUnit ignored',
      marked('[TestCase(1)]\n[TestCase(2)]', 'int n', 'Assert.That(IsSmall(n), Is.True);', NUNIT),
      marked(
        '[TestCase(1)]\n[TestCase(2, Ignore = "x")]',
        'int n',
        'Assert.That(IsSmall(n), Is.True);',
        NUNIT,
      ),
      'test-cases-removed',
    ],
    [
      'a result of NUnit',
      inClass('[TestCase(1, ExpectedResult = 2)] public int Next(int n) => N(n);', NUNIT),
      inClass('[TestCase(1, ExpectedResult = 3)] public int Next(int n) => N(n);', NUNIT),
      'expectation-changed',
    ],
    [
      'a row of MSTest less',
      marked('[TestMethod, DataRow(1), DataRow(2)]', 'int n', 'Assert.IsTrue(IsSmall(n));', MSTEST),
      marked('[TestMethod, DataRow(1)]', 'int n', 'Assert.IsTrue(IsSmall(n));', MSTEST),
      'test-cases-removed',
    ],
    [
      'one value of a table',
      marked('[Theory] [InlineData(1)] [InlineData(2)]', 'int n', 'Assert.True(IsSmall(n));'),
      marked('[Fact]', '', 'Assert.True(IsSmall(1));'),
      'test-cases-removed',
    ],
    [
      'fewer values of a parameter',
      marked('[Test]', '[Values(1, 2, 3)] int n', 'Assert.That(IsSmall(n));', NUNIT),
      marked('[Test]', '[Values(1)] int n', 'Assert.That(IsSmall(n));', NUNIT),
      'test-cases-removed',
    ],
    [
      'a value of a loop less',
      body('foreach (var n in new[] { 1, 2, 3 }) { Assert.True(IsSmall(n)); }'),
      body('foreach (var n in new[] { 1 }) { Assert.True(IsSmall(n)); }'),
      'test-cases-removed',
    ],
    [
      'tests became a table',
      inClass(
        '[Fact] public void One() { Assert.Equal(3, Add(1, 2)); }\n[Fact] public void Two() { Assert.Equal(5, Add(2, 3)); }',
      ),
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
    ],
    [
      'a table became tests',
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
      inClass(
        '[Fact] public void One() { Assert.Equal(3, Add(1, 2)); }\n[Fact] public void Two() { Assert.Equal(5, Add(2, 3)); }',
      ),
    ],
  ])('%s', compare);
});

describe('an honest change', () => {
  test.each<Row>([
    [
      'NUnit to xUnit',
      body(
        'Assert.That(cart.Total(), Is.EqualTo(108)); Assert.That(cart.IsOpen, Is.True); Assert.That(cart.Owner, Is.Null); Assert.That(items, Is.Empty); Assert.That(items, Has.Count.EqualTo(2)); Assert.That(Name(), Does.StartWith("a")); Assert.That(() => cart.Add(1), Throws.TypeOf<FullException>());',
        NUNIT,
      ),
      body(
        'Assert.Equal(108, cart.Total()); Assert.True(cart.IsOpen); Assert.Null(cart.Owner); Assert.Empty(items); Assert.Equal(2, items.Count); Assert.StartsWith("a", Name()); Assert.Throws<FullException>(() => cart.Add(1));',
      ),
    ],
    [
      'MSTest to xUnit',
      body(
        'Assert.AreEqual(108, cart.Total(), "total"); Assert.IsTrue(cart.IsOpen); Assert.IsNull(cart.Owner); Assert.IsInstanceOfType(cart, typeof(Cart)); CollectionAssert.AreEqual(new[] { 1 }, items); StringAssert.Contains(Name(), "a");',
        MSTEST,
      ),
      body(
        'Assert.Equal(108, cart.Total()); Assert.True(cart.IsOpen); Assert.Null(cart.Owner); Assert.IsType<Cart>(cart); Assert.Equal(new[] { 1 }, items); Assert.Contains("a", Name());',
      ),
    ],
    [
      'an expected exception to xUnit',
      marked('[TestMethod, ExpectedException(typeof(FullException))]', '', 'cart.Add(1);', MSTEST),
      marked('[Fact]', '', 'Assert.Throws<FullException>(() => cart.Add(1));'),
    ],
    [
      'ignored in NUnit and skipped in xUnit',
      NUNIT_PLAIN.replace('[Test]', '[Test, Ignore("x")]'),
      PLAIN.replace('[Fact]', '[Fact(Skip = "x")]'),
    ],
    [
      'xUnit to FluentAssertions',
      body(
        'Assert.Equal(108, cart.Total()); Assert.True(cart.IsOpen); Assert.False(cart.IsFull); Assert.Null(cart.Owner); Assert.Empty(items); Assert.Contains("a", items); Assert.Throws<FullException>(() => cart.Add(1)); Assert.Equal(3, items.Count);',
      ),
      body(
        'cart.Total().Should().Be(108); cart.IsOpen.Should().BeTrue(); cart.IsFull.Should().BeFalse(); cart.Owner.Should().BeNull(); items.Should().BeEmpty(); items.Should().Contain("a"); cart.Invoking(c => c.Add(1)).Should().Throw<FullException>(); items.Should().HaveCount(3);',
      ),
    ],
    [
      'FluentAssertions to Shouldly',
      body(
        'cart.Total().Should().Be(108); cart.IsOpen.Should().BeTrue(); cart.Owner.Should().BeNull(); Name().Should().StartWith("a"); items.Should().BeEmpty(); Action act = () => cart.Add(1); act.Should().Throw<FullException>();',
      ),
      body(
        'cart.Total().ShouldBe(108); cart.IsOpen.ShouldBeTrue(); cart.Owner.ShouldBeNull(); Name().ShouldStartWith("a"); items.ShouldBeEmpty(); Should.Throw<FullException>(() => cart.Add(1));',
      ),
    ],
    [
      'FluentAssertions to xUnit',
      body(
        'items.Should().NotBeEmpty(); Name().Should().NotBeNullOrEmpty(); items.Should().ContainSingle(); x.Should().BeOfType<Cart>(); a.Should().BeEquivalentTo(b);',
      ),
      body(
        'Assert.NotEmpty(items); Assert.False(string.IsNullOrEmpty(Name())); Assert.Single(items); Assert.IsType<Cart>(x); Assert.Equivalent(b, a);',
      ),
    ],
    [
      'a stricter exception',
      body('Assert.ThrowsAny<Exception>(() => cart.Add(1));'),
      body('var e = Assert.Throws<FullException>(() => cart.Add(1)); Assert.Equal("full", e.Message);'),
    ],
    [
      'a stricter verification',
      body('bank.Verify(b => b.Pay(It.IsAny<int>()));'),
      body('bank.Verify(b => b.Pay(3), Times.Once);'),
    ],
    ['Moq to NSubstitute', body('bank.Verify(b => b.Pay(3), Times.Once);'), body('bank.Received(1).Pay(3);')],
    [
      'a helper',
      inClass(
        '[Fact] public void A() { Assert.Equal(3, cart.Total); Assert.Equal("x", cart.Name); }\n[Fact] public void B() { Assert.Equal(4, other.Total); Assert.Equal("y", other.Name); }',
      ),
      inClass(
        'static void Check(Cart it, int total, string name) { Assert.Equal(total, it.Total); Assert.Equal(name, it.Name); }\n[Fact] public void A() => Check(cart, 3, "x");\n[Fact] public void B() => Check(other, 4, "y");',
      ),
    ],
    [
      'a fixture',
      inClass(
        '[Fact] public void A() { var cart = new Cart(1); Assert.NotNull(cart); Assert.Equal(3, cart.Total); }',
      ),
      inClass(
        'private readonly Cart cart;\npublic CartTests() { cart = new Cart(1); Assert.NotNull(cart); }\n[Fact] public void A() { Assert.Equal(3, cart.Total); }',
      ),
    ],
    [
      'a tuple',
      body('Assert.Equal(3, cart.Total); Assert.Equal("a", cart.Name);'),
      body('Assert.Equal((3, "a"), (cart.Total, cart.Name));'),
    ],
    [
      'a list instead of its items',
      body('Assert.Equal(2, items.Count); Assert.Equal("a", items[0]); Assert.Equal("b", items[1]);'),
      body('Assert.Equal(new[] { "a", "b" }, items);'),
    ],
    [
      'an inspected collection',
      body('Assert.Equal(2, items.Count); Assert.Equal("a", items[0]); Assert.Equal("b", items[1]);'),
      body('Assert.Collection(items, x => Assert.Equal("a", x), x => Assert.Equal("b", x));'),
    ],
    [
      'a pragma',
      body('Assert.Equal(108, cart.Total());'),
      `#nullable enable\n${body('Assert.Equal(108, cart.Total());').replace('    [Fact]', '#pragma warning disable CS0618\n#region totals\n    [Fact]')}`.replace(
        'warning disable',
        'warning restore',
      ),
    ],
    [
      'an assertion after a pragma is removed',
      PLAIN.replace('    [Fact]', '#pragma warning restore\n    [Fact]'),
      body('').replace('    [Fact]', '#pragma warning restore\n    [Fact]'),
      'test-emptied',
    ],
    ['a block namespace', PLAIN, `${PLAIN.replace('namespace Shop.Tests;', 'namespace Shop.Tests {')}}\n`],
    [
      'formatted',
      PLAIN,
      PLAIN.replace(
        '(108, cart.Total())',
        '(\n            108,\n            cart\n                .Total())',
      ),
    ],
    ['asynchronous', PLAIN, task('Assert.Equal(108, await cart.Total());')],
    ['a comparison with true', body('Assert.Equal(true, cart.IsOpen);'), body('Assert.True(cart.IsOpen);')],
    ['stricter than true', body('Assert.True(cart.Total() == 108);'), PLAIN],
    [
      'a fact became a theory',
      body('Assert.Equal(3, Add(1, 2));'),
      INLINE('[InlineData(1, 2, 3)]\n[InlineData(2, 3, 5)]'),
    ],
    [
      'what is waited for',
      task('Assert.True(await IsOpen());'),
      task('var isOpen = await IsOpen();\nAssert.True(isOpen);'),
    ],
  ])('%s', compare);
});

describe('files', () => {
  test.each<[name: string, before: Record<string, string>, after: Record<string, string>, rule?: string]>([
    ['moved to the code', { [PATH]: PLAIN }, { 'src/Shop/Cart.cs': PLAIN }, 'test-not-collected'],
    [
      'renamed',
      { [PATH]: PLAIN },
      { 'tests/Shop.Tests/BasketTests.cs': PLAIN.replace('CartTests', 'BasketTests') },
    ],
    ['deleted', { [PATH]: PLAIN }, {}, 'test-deleted'],
    [
      'deleted with the code',
      {
        [PATH]: PLAIN.replace('cart.Total()', 'Cart.Total()'),
        'src/Shop/Cart.cs': 'class Cart { public static int Total() => 3; }',
      },
      {},
    ],
  ])('%s', async (_, before, after, rule) => {
    expect(await rulesOf(before, after)).toEqual(rule === undefined ? [] : [rule]);
  });
});
