import { describe } from 'vitest';
import { checkRows, type Row } from '../../helpers/integrity-rows.ts';

function indented(text: string, by = 2): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}

/** RSpec: an example with a body, in a suite with another one. */
function spec(body: string, it = 'it "adds up"', suite = 'RSpec.describe Cart'): string {
  return `${suite} do\n  ${it} do\n${indented(body, 4)}\n  end\n\n  it "is empty" do\n    expect(Cart.new.size).to eq(0)\n  end\nend\n`;
}

/** minitest: a method with a body, in a class with another one. */
function mini(body: string, name = 'def test_total', head = 'class CartTest < Minitest::Test'): string {
  return `${head}\n  ${name}\n${indented(body, 4)}\n  end\n\n  def test_empty\n    assert_equal 0, Cart.new.size\n  end\nend\n`;
}

const EQUAL = 'expect(cart.total).to eq(3)';
const ASSERT = 'assert_equal 3, cart.total';
const inSpec = (what: string, before: string, after: string, rule?: string): Row => [
  what,
  spec(before),
  spec(after),
  rule,
];
const inMini = (what: string, before: string, after: string, rule?: string): Row => [
  what,
  mini(before),
  mini(after),
  rule,
];
const rspec = (rows: readonly Row[]) => checkRows('spec/cart_spec.rb', rows);
const minitest = (rows: readonly Row[]) => checkRows('test/cart_test.rb', rows);

describe('a test of RSpec that does not run any more is found', () => {
  rspec([
    [
      'a bent row',
      `{"a" => 1, "b" => 2}.each do |raw, want|\n  it "reads #{raw}" do\n    expect(read(raw)).to eq(want)\n  end\nend\n`,
      `{"a" => 1, "b" => 3}.each do |raw, want|\n  it "reads #{raw}" do\n    expect(read(raw)).to eq(want)\n  end\nend\n`,
      'expectation-changed',
    ],
    [
      'deleted',
      spec(EQUAL),
      'RSpec.describe Cart do\n  it "is empty" do\n    expect(Cart.new.size).to eq(0)\n  end\nend\n',
      'test-deleted',
    ],
    ['in a comment of several lines', spec(EQUAL), `=begin\n${spec(EQUAL)}=end\n`, 'test-deleted'],
    ['xit', spec(EQUAL), spec(EQUAL, 'xit "adds up"'), 'test-skipped'],
    ['skip in place of it', spec(EQUAL), spec(EQUAL, 'skip "adds up"'), 'test-skipped'],
    ['pending in place of it', spec(EQUAL), spec(EQUAL, 'pending "adds up"'), 'test-expected-to-fail'],
    ['skipped by metadata', spec(EQUAL), spec(EQUAL, 'it "adds up", skip: true'), 'test-skipped'],
    ['skipped with a reason', spec(EQUAL), spec(EQUAL, 'it "adds up", skip: "flaky"'), 'test-skipped'],
    ['skipped by a symbol', spec(EQUAL), spec(EQUAL, 'it "adds up", :skip'), 'test-skipped'],
    [
      'pending by metadata',
      spec(EQUAL),
      spec(EQUAL, 'it "adds up", pending: "known"'),
      'test-expected-to-fail',
    ],
    ['on a condition', spec(EQUAL), spec(EQUAL, 'it "adds up", if: ENV["FULL"]'), 'test-skipped'],
    ['skipped in its body', spec(EQUAL), spec(`skip "flaky"\n${EQUAL}`), 'test-skipped'],
    ['skipped without a reason', spec(EQUAL), spec(`skip\n${EQUAL}`), 'test-skipped'],
    ['skipped with a modifier', spec(EQUAL), spec(`skip "flaky" if ENV["CI"]\n${EQUAL}`), 'test-skipped'],
    ['pending in its body', spec(EQUAL), spec(`pending "known"\n${EQUAL}`), 'test-expected-to-fail'],
    [
      'skipped in a hook',
      spec(EQUAL),
      spec(EQUAL, 'before { skip "flaky" }\n\n  it "adds up"'),
      'test-skipped',
    ],
    ['a suite is skipped', spec(EQUAL), spec(EQUAL, undefined, 'xdescribe Cart'), 'test-skipped'],
    [
      'a suite is skipped by metadata',
      spec(EQUAL),
      spec(EQUAL, undefined, 'RSpec.describe Cart, skip: true'),
      'test-skipped',
    ],
    [
      'without a body',
      spec(EQUAL),
      spec(EQUAL).replace(/it "adds up" do[\s\S]*?\n {2}end/, 'it "adds up"'),
      'test-skipped',
    ],
    ['focused', spec(EQUAL), spec(EQUAL, 'fit "adds up"'), 'test-focused'],
    ['focused by metadata', spec(EQUAL), spec(EQUAL, 'it "adds up", focus: true'), 'test-focused'],
    ['focused by a symbol', spec(EQUAL), spec(EQUAL, 'it "adds up", :focus'), 'test-focused'],
    ['a focused suite', spec(EQUAL), spec(EQUAL, undefined, 'fdescribe Cart'), 'test-focused'],
    ['emptied', spec(EQUAL), spec('# later'), 'test-emptied'],
    ['in a condition that never holds', spec(EQUAL), `if false\n${spec(EQUAL)}end\n`, 'test-skipped'],
    ['after the end of the code', spec(EQUAL), `__END__\n${spec(EQUAL)}`, 'test-deleted'],
    [
      'a shared behavior is gone',
      spec(EQUAL).replace('it "adds up"', 'it_behaves_like "a list"\n\n  it "adds up"'),
      spec(EQUAL),
      'test-deleted',
    ],
    [
      'in a file that is not collected',
      { 'spec/cart_spec.rb': spec(EQUAL) },
      { 'spec/cart_examples.rb': spec(EQUAL) },
      'test-not-collected',
    ],
    [
      'fewer rows',
      `[1, 2, 3].each do |n|\n  it "doubles #{n}" do\n    expect(double(n)).to eq(n + n)\n  end\nend\n`,
      `[1].each do |n|\n  it "doubles #{n}" do\n    expect(double(n)).to eq(n + n)\n  end\nend\n`,
      'test-cases-removed',
    ],
    [
      'fewer words',
      `%w[a b c].each do |n|\n  it "reads #{n}" do\n    expect(read(n)).to eq(n)\n  end\nend\n`,
      `%w[a].each do |n|\n  it "reads #{n}" do\n    expect(read(n)).to eq(n)\n  end\nend\n`,
      'test-cases-removed',
    ],
  ]);
});

describe('an expectation of RSpec that became weaker is found', () => {
  rspec([
    inSpec('a constant', EQUAL, 'expect(true).to be true', 'assertion-vacuous'),
    inSpec('a truth of a constant', EQUAL, 'expect(true).to be_truthy', 'assertion-vacuous'),
    inSpec('the same value twice', EQUAL, 'expect(cart.total).to eq(cart.total)', 'assertion-vacuous'),
    inSpec('a truth', EQUAL, 'expect(cart.total).to be_truthy', 'assertion-weakened'),
    inSpec('not nil', EQUAL, 'expect(cart.total).not_to be_nil', 'assertion-weakened'),
    inSpec('a bound', EQUAL, 'expect(cart.total).to be > 0', 'assertion-weakened'),
    inSpec('a class', EQUAL, 'expect(cart.total).to be_a(Integer)', 'assertion-weakened'),
    inSpec(
      'a part',
      'expect(cart.items).to eq([1, 2])',
      'expect(cart.items).to include(1)',
      'assertion-weakened',
    ),
    inSpec(
      'a size',
      'expect(cart.items).to eq([1, 2])',
      'expect(cart.items.size).to eq(2)',
      'assertion-weakened',
    ),
    inSpec(
      'anything',
      'expect(cart.data).to eq(id: 7)',
      'expect(cart.data).to match(id: anything)',
      'assertion-weakened',
    ),
    inSpec('inverted', EQUAL, 'expect(cart.total).not_to eq(3)', 'assertion-inverted'),
    inSpec(
      'any error',
      'expect { pay(-1) }.to raise_error(ArgumentError, "negative")',
      'expect { pay(-1) }.to raise_error',
      'assertion-weakened',
    ),
    inSpec(
      'an error without a message',
      'expect { pay(-1) }.to raise_error(ArgumentError, /negative/)',
      'expect { pay(-1) }.to raise_error(ArgumentError)',
      'assertion-weakened',
    ),
    inSpec(
      'a wide tolerance',
      'expect(mean).to be_within(0.001).of(2.5)',
      'expect(mean).to be_within(5).of(2.5)',
      'assertion-weakened',
    ),
    inSpec(
      'any change',
      'expect { add }.to change { cart.size }.by(1)',
      'expect { add }.to change { cart.size }',
      'assertion-weakened',
    ),
    inSpec(
      'any arguments',
      'expect(mail).to have_received(:send).with("a")',
      'expect(mail).to have_received(:send)',
      'assertion-weakened',
    ),
    inSpec(
      'answered by a stub',
      EQUAL,
      `allow(cart).to receive(:total).and_return(3)\n${EQUAL}`,
      'subject-mocked',
    ),
    inSpec('rescued', EQUAL, `begin\n  ${EQUAL}\nrescue => e\n  puts e\nend`, 'assertion-swallowed'),
    inSpec(
      'rescued by its class',
      EQUAL,
      `begin\n  ${EQUAL}\nrescue RSpec::Expectations::ExpectationNotMetError\nend`,
      'assertion-swallowed',
    ),
    inSpec('rescued by a modifier', EQUAL, `${EQUAL} rescue nil`, 'assertion-swallowed'),
    inSpec(
      'rescued at the end of the example',
      EQUAL,
      `${EQUAL}\nrescue StandardError\n  nil`,
      'assertion-swallowed',
    ),
    inSpec('a return in front', EQUAL, `return\n${EQUAL}`, 'assertion-unreachable'),
    inSpec('next in front', EQUAL, `next\n${EQUAL}`, 'assertion-unreachable'),
    inSpec('a return on a condition', EQUAL, `return if ENV["CI"]\n${EQUAL}`, 'assertion-unreachable'),
    inSpec('on a condition', EQUAL, `if cart\n  ${EQUAL}\nend`, 'assertion-unreachable'),
    inSpec('on a condition as a modifier', EQUAL, `${EQUAL} unless ENV["CI"]`, 'assertion-unreachable'),
    inSpec('on a condition that never holds', EQUAL, `${EQUAL} if false`, 'assertion-unreachable'),
    inSpec('removed', `${EQUAL}\nexpect(cart.tax).to eq(1)`, EQUAL, 'assertion-removed'),
    inSpec('without to', EQUAL, 'expect(cart.total)', 'assertion-removed'),
    inSpec('an expected error around it', EQUAL, `expect { ${EQUAL} }.to raise_error`, 'assertion-weakened'),
    inSpec('bent', EQUAL, 'expect(cart.total).to eq(4)', 'expectation-changed'),
    inSpec(
      'bent in a heredoc',
      'expect(cart.text).to eq(<<~TEXT)\n  a: 1\nTEXT',
      'expect(cart.text).to eq(<<~TEXT)\n  a: 2\nTEXT',
      'expectation-changed',
    ),
    [
      'bent in a let',
      spec('expect(cart.total).to eq(expected)', 'let(:expected) { 3 }\n\n  it "adds up"'),
      spec('expect(cart.total).to eq(expected)', 'let(:expected) { 4 }\n\n  it "adds up"'),
      'expectation-changed',
    ],
    inSpec('the older form', 'cart.total.should == 3', 'cart.total.should be_true', 'assertion-weakened'),
    [
      'on one line',
      'describe Cart do\n  it { is_expected.to eq(3) }\nend\n',
      'describe Cart do\n  it { is_expected.not_to be_nil }\nend\n',
      'test-deleted',
    ],
  ]);
});

describe('a test of minitest or test-unit that became weaker is found', () => {
  minitest([
    [
      'deleted',
      mini(ASSERT),
      'class CartTest < Minitest::Test\n  def test_empty\n    assert_equal 0, Cart.new.size\n  end\nend\n',
      'test-deleted',
    ],
    ['renamed', mini(ASSERT), mini(ASSERT, 'def check_total'), 'test-not-collected'],
    ['private', mini(ASSERT), mini(ASSERT, 'private\n\n  def test_total'), 'test-not-collected'],
    ['a private method', mini(ASSERT), mini(ASSERT, 'private def test_total'), 'test-not-collected'],
    ['without its base class', mini(ASSERT), mini(ASSERT, undefined, 'class CartTest'), 'test-not-collected'],
    [
      'replaced by a later method of its name',
      mini(ASSERT),
      mini(ASSERT).replace('def test_empty', 'def test_total\n    assert true\n  end\n\n  def test_empty'),
      'assertion-vacuous',
    ],
    ['skipped', mini(ASSERT), mini(`skip "flaky"\n${ASSERT}`), 'test-skipped'],
    ['omitted', mini(ASSERT), mini(`omit("flaky")\n${ASSERT}`), 'test-skipped'],
    ['skipped unless', mini(ASSERT), mini(`skip unless ENV["FULL"]\n${ASSERT}`), 'test-skipped'],
    [
      'skipped in its setup',
      mini(ASSERT),
      mini(ASSERT, 'def setup\n    skip "later"\n  end\n\n  def test_total'),
      'test-skipped',
    ],
    [
      'a test of Rails is skipped',
      'class CartTest < ActiveSupport::TestCase\n  test "adds" do\n    assert_equal 3, cart.total\n  end\nend\n',
      'class CartTest < ActiveSupport::TestCase\n  test "adds" do\n    skip\n    assert_equal 3, cart.total\n  end\nend\n',
      'test-skipped',
    ],
    inMini('a constant', ASSERT, 'assert true', 'assertion-vacuous'),
    inMini('equal constants', ASSERT, 'assert_equal 3, 3', 'assertion-vacuous'),
    inMini('the same value twice', ASSERT, 'assert_equal cart.total, cart.total', 'assertion-vacuous'),
    inMini('a truth', ASSERT, 'assert cart.total', 'assertion-weakened'),
    inMini('a truth with a message', ASSERT, 'assert cart.total, 3', 'assertion-weakened'),
    inMini('not nil', ASSERT, 'refute_nil cart.total', 'assertion-weakened'),
    inMini('a class', ASSERT, 'assert_kind_of Integer, cart.total', 'assertion-weakened'),
    inMini(
      'a part',
      'assert_equal [1, 2], cart.items',
      'assert_includes cart.items, 1',
      'assertion-weakened',
    ),
    inMini('not another value', ASSERT, 'refute_equal 4, cart.total', 'assertion-weakened'),
    inMini('inverted', 'assert cart.open?', 'refute cart.open?', 'assertion-inverted'),
    inMini(
      'any error',
      'assert_raises(ArgumentError) { pay(-1) }',
      'assert_raises { pay(-1) }',
      'assertion-weakened',
    ),
    inMini(
      'a wide tolerance',
      'assert_in_delta 2.5, mean, 0.001',
      'assert_in_delta 2.5, mean, 10',
      'assertion-weakened',
    ),
    inMini('rescued', ASSERT, `begin\n  ${ASSERT}\nrescue Minitest::Assertion\nend`, 'assertion-swallowed'),
    inMini(
      'rescued in the method',
      ASSERT,
      `${ASSERT}\nrescue Exception => e\n  warn e`,
      'assertion-swallowed',
    ),
    inMini('a return at the end', ASSERT, `begin\n  ${ASSERT}\nensure\n  return\nend`, 'assertion-swallowed'),
    inMini('bent', ASSERT, 'assert_equal 4, cart.total', 'expectation-changed'),
    inMini(
      'a spec of minitest',
      '_(cart.total).must_equal 3',
      '_(cart.total).wont_be_nil',
      'assertion-weakened',
    ),
    inMini(
      'an empty loop',
      '[[1, 2]].each { |a, b| assert_equal b, f(a) }',
      '[].each { |a, b| assert_equal b, f(a) }',
      'assertion-unreachable',
    ),
    inMini('without assertions', ASSERT, 'puts cart.total', 'assertion-removed'),
  ]);
});

describe('an honest change of the tests of Ruby has no finding', () => {
  rspec([
    ['renamed', spec(EQUAL), spec(EQUAL, 'it "sums the prices"')],
    [
      'formatted',
      spec('expect(cart.total).to eq 3'),
      spec('expect(\n  cart.total\n).to eq(3)').replaceAll('"', "'"),
    ],
    ['a chain on two lines', spec(EQUAL), spec('expect(cart.total)\n  .to eq(3)')],
    [
      'braces in place of do',
      spec(EQUAL),
      spec(EQUAL).replace(/"adds up" do\n\s*(.*)\n {2}end/, '"adds up" { $1 }'),
    ],
    ['the older form becomes the newer', spec('cart.total.should == 3'), spec(EQUAL)],
    ['a let', spec(`cart = Cart.new\n${EQUAL}`), spec(EQUAL, 'let(:cart) { Cart.new }\n\n  it "adds up"')],
    [
      'a subject',
      spec('expect(cart.total).to eq(3)'),
      spec('expect(subject.total).to eq(3)', 'subject { cart }\n\n  it "adds up"'),
    ],
    ['a stricter matcher', spec('expect(cart.total).to be_truthy'), spec(EQUAL)],
    [
      'a stricter error',
      spec('expect { pay }.to raise_error'),
      spec('expect { pay }.to raise_error(ArgumentError, "negative")'),
    ],
    ['an alias of a matcher', spec('expect(cart.total).to eq(3)'), spec('expect(cart.total).to eql(3)')],
    ['another word for not', spec('expect(a).to_not eq(1)'), spec('expect(a).not_to eq(1)')],
    ['runs again', spec(EQUAL, 'xit "adds up"'), spec(EQUAL)],
    ['is not focused any more', spec(EQUAL, 'fit "adds up"'), spec(EQUAL)],
    ['the reason of a skip', spec(EQUAL, 'it "adds up", skip: "a"'), spec(EQUAL, 'it "adds up", skip: "b"')],
    ['a new pending example', spec(EQUAL), spec(EQUAL, 'it "refunds"\n\n  it "adds up"')],
    ['skipped on Windows', spec(EQUAL), spec(`skip "signals" if Gem.win_platform?\n${EQUAL}`)],
    [
      'a suite around',
      spec(EQUAL),
      spec(EQUAL, 'context "with items" do\n  it "adds up"').replace(
        'it "is empty"',
        'end\n\n  it "is empty"',
      ),
    ],
    [
      'the words in comments and strings',
      spec(EQUAL),
      spec(`# xit, skip, fit, pending\nputs "skip"\n${EQUAL}`),
    ],
    ['metadata', spec(EQUAL), spec(EQUAL, 'it "adds up", :slow, type: :model')],
    [
      'examples become a table',
      'describe "f" do\n  it "a" do\n    expect(f("a")).to eq("b")\n  end\n  it "c" do\n    expect(f("c")).to eq("d")\n  end\nend\n',
      'describe "f" do\n  {"a" => "b", "c" => "d"}.each do |raw, want|\n    it "reads #{raw}" do\n      expect(f(raw)).to eq(want)\n    end\n  end\nend\n',
    ],
    [
      'a value for each of two',
      spec('expect(r.status).to eq(200)\nexpect(r.body).to eq("ok")'),
      spec('aggregate_failures do\n  expect(r.status).to eq(200)\n  expect(r.body).to eq("ok")\nend'),
    ],
    [
      'a helper',
      spec(`${EQUAL}\nexpect(cart.tax).to eq(1)`),
      spec(
        'expect_cart(cart)',
        `def expect_cart(cart)\n    ${EQUAL}\n    expect(cart.tax).to eq(1)\n  end\n\n  it "adds up"`,
      ),
    ],
    [
      'a feature that is gone with its tests',
      {
        'lib/cart.rb': 'class Cart\n  def refund\n    1\n  end\n  def total\n    3\n  end\nend\n',
        'spec/cart_spec.rb': spec(`${EQUAL}`).replace(
          'it "is empty"',
          'it "refunds" do\n    expect(cart.refund).to eq(1)\n  end\n\n  it "is empty"',
        ),
      },
      { 'lib/cart.rb': 'class Cart\n  def total\n    3\n  end\nend\n', 'spec/cart_spec.rb': spec(EQUAL) },
    ],
    [
      'minitest becomes RSpec',
      { 'test/cart_test.rb': mini(ASSERT) },
      { 'spec/cart_spec.rb': spec(EQUAL, 'it "total"') },
    ],
    ['a retry that raises', spec(EQUAL), spec(`begin\n  ${EQUAL}\nrescue Timeout::Error\n  raise\nend`)],
  ]);
  minitest([
    ['an alias of an assertion', mini('assert_equal nil, cart.owner'), mini('assert_nil cart.owner')],
    ['brackets', mini('assert_equal 3, cart.total'), mini('assert_equal(3, cart.total)')],
    [
      'a name for a value',
      mini('assert_equal 3, sum(1, 2)'),
      mini('result = sum(1, 2)\nassert_equal 3, result'),
    ],
    [
      'a spec of minitest in another form',
      mini('cart.total.must_equal 3'),
      mini('_(cart.total).must_equal 3'),
    ],
    [
      'methods become tests with titles',
      mini(ASSERT).replaceAll(/def test_(\w+)/g, 'test "$1" do'),
      mini(ASSERT).replaceAll(/def test_(\w+)/g, 'test "the $1" do'),
    ],
    [
      'test-unit becomes minitest',
      mini(ASSERT, undefined, 'class CartTest < Test::Unit::TestCase'),
      mini(ASSERT),
    ],
    ['an older name', mini('assert_not_nil cart'), mini('refute_nil cart')],
    [
      'a setup',
      mini(`cart = Cart.new\n${ASSERT}`),
      mini(ASSERT, 'def setup\n    @cart = Cart.new\n  end\n\n  def test_total'),
    ],
  ]);
});
