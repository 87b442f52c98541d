import { expect, test } from 'vitest';
import type { RuleName } from '../../../src/integrity/rules.ts';
import { rulesOf, type Texts } from '../../helpers/weakened.ts';

const OTHER = '#[test]\nfn other() {\n    assert_eq!(other_total(), 1);\n}';

/** A test named `adds`, with attributes and another test after it. */
function inTest(lines: readonly string[], attributes: readonly string[] = [], head = 'fn adds()'): string {
  const body = lines.map((line) => `    ${line}`).join('\n');
  return `use cart::*;\n\n${['#[test]', ...attributes].join('\n')}\n${head} {\n${body}\n}\n\n${OTHER}\n`;
}

const SUM = ['assert_eq!(total(2, 3), 5);'];
const before = inTest(SUM);
const PARSE = ['let got = parse("2h").unwrap();', 'assert_eq!(got, 7200);'];
const parse = (...lines: readonly string[]) => inTest(lines);
const rstest = (...attributes: readonly string[]) =>
  `#[rstest]\n${attributes.join('\n')}\nfn folds(#[case] input: &str, #[case] expected: &str) {\n    assert_eq!(fold(input), expected);\n}\n`;
const table = (list: string, loop = 'for (input, want) in cases {') =>
  inTest([`let cases = ${list};`, loop, '    assert_eq!(fold(input), want);', '}']);
const doc = (fence: string, ...lines: readonly string[]) =>
  `/// Adds.\n///\n/// \`\`\`${fence}\n${lines.map((line) => `/// ${line}`).join('\n')}\n/// \`\`\`\npub fn total(a: u8, b: u8) -> u8 {\n    a + b\n}\n`;
const unit = (code: string, tests: string, attribute = '#[cfg(test)]') =>
  `${code}\n\n${attribute}\nmod tests {\n    use super::*;\n\n${tests}\n}\n`;
const UNIT = '    #[test]\n    fn adds() {\n        assert_eq!(total(2, 3), 5);\n    }\n';
const CODE = 'pub fn total(a: u8, b: u8) -> u8 {\n    a + b\n}';

type Row = readonly [what: string, before: string, after: string, rule: RuleName | undefined];

test.each<Row>([
  // Tests that are gone, do not run, or are not collected
  ['a test is deleted', before, `use cart::*;\n\n${OTHER}\n`, 'test-deleted'],
  [
    'a test is commented out',
    before,
    before.replace(/#\[test\]\nfn adds[\s\S]*?\n}/, '/* $& */'),
    'test-deleted',
  ],
  ['a test has another name', before, before.replace('adds', 'adds_two'), undefined],
  ['#[test] is removed', before, before.replace('#[test]\n', ''), 'test-not-collected'],
  [
    '#[test] is on a condition that never holds',
    before,
    before.replace('#[test]', '#[cfg_attr(any(), test)]'),
    'test-not-collected',
  ],
  ['#[ignore] is added', before, inTest(SUM, ['#[ignore]']), 'test-skipped'],
  ['#[ignore] is added with a reason', before, inTest(SUM, ['#[ignore = "slow"]']), 'test-skipped'],
  [
    '#[ignore] is in front of #[test]',
    before,
    before.replace('#[test]', '#[ignore]\n#[test]'),
    'test-skipped',
  ],
  ['#[ignore] is removed', inTest(SUM, ['#[ignore]']), before, undefined],
  ['#[ignore] gets a reason', inTest(SUM, ['#[ignore]']), inTest(SUM, ['#[ignore = "slow"]']), undefined],
  ['a comment has #[ignore]', before, inTest(SUM, ['// #[ignore]']), undefined],
  ['a string has #[ignore]', before, inTest(['println!("#[ignore]");', ...SUM]), undefined],
  ['a test is ignored under Miri', before, inTest(SUM, ['#[cfg_attr(miri, ignore)]']), undefined],
  ['a test is ignored on one system', before, inTest(SUM, ['#[cfg_attr(windows, ignore)]']), undefined],
  ['a test is ignored in every build', before, inTest(SUM, ['#[cfg_attr(all(), ignore)]']), 'test-skipped'],
  [
    'a test is ignored without a feature',
    before,
    inTest(SUM, ['#[cfg_attr(not(feature = "slow"), ignore)]']),
    'test-skipped',
  ],
  ['a test needs a feature', before, inTest(SUM, ['#[cfg(feature = "slow")]']), 'test-skipped'],
  ['a test is never built', before, inTest(SUM, ['#[cfg(any())]']), 'test-skipped'],
  ['a test is built for one system', before, inTest(SUM, ['#[cfg(unix)]']), undefined],
  ['a test is built for tests', before, inTest(SUM, ['#[cfg(test)]']), undefined],
  ['a file needs a feature', before, `#![cfg(feature = "slow")]\n${before}`, 'test-skipped'],
  ['a lint is allowed in a file of tests', before, `#![allow(dead_code)]\n${before}`, undefined],
  ['a module is never built', unit(CODE, UNIT), unit(CODE, UNIT, '#[cfg(all(test, any()))]'), 'test-skipped'],
  [
    'a module is built outside of tests only',
    unit(CODE, UNIT),
    unit(CODE, UNIT, '#[cfg(not(test))]'),
    'test-skipped',
  ],
  [
    'a module needs a flag',
    unit(CODE, UNIT),
    unit(CODE, UNIT, '#[cfg(all(test, slow_tests))]'),
    'test-skipped',
  ],
  [
    'a module has another name',
    unit(CODE, UNIT),
    unit(CODE, UNIT).replace('mod tests', 'mod totals'),
    undefined,
  ],
  ['#[should_panic] is added', before, inTest(SUM, ['#[should_panic]']), 'test-expected-to-fail'],
  [
    '#[should_panic] is added to a test that unwraps',
    inTest(['save(1).unwrap();']),
    inTest(['save(1).unwrap();'], ['#[should_panic]']),
    'assertion-swallowed',
  ],
  [
    '#[should_panic] loses its message',
    inTest(['total(200, 200);'], ['#[should_panic(expected = "too large")]']),
    inTest(['total(200, 200);'], ['#[should_panic]']),
    'assertion-weakened',
  ],
  [
    '#[should_panic] gets a message',
    inTest(['total(200, 200);'], ['#[should_panic]']),
    inTest(['total(200, 200);'], ['#[should_panic(expected = "too large")]']),
    undefined,
  ],
  [
    '#[should_panic] is removed',
    inTest(['total(200, 200);'], ['#[should_panic]']),
    inTest(['total(200, 200);']),
    'assertion-removed',
  ],
  [
    'tokio runs the test',
    before,
    before.replace('#[test]\nfn adds', '#[tokio::test]\nasync fn adds'),
    undefined,
  ],
  // Bodies
  ['a body is empty', before, inTest([]), 'test-emptied'],
  ['a body is commented out', before, inTest(SUM.map((line) => `// ${line}`)), 'test-emptied'],
  ['a test returns first', before, inTest(['return;', ...SUM]), 'assertion-unreachable'],
  [
    'a test returns Ok first',
    inTest(SUM, [], 'fn adds() -> Result<(), Error>'),
    inTest(['return Ok(());', ...SUM], [], 'fn adds() -> Result<(), Error>'),
    'assertion-unreachable',
  ],
  [
    'a test returns on a variable',
    before,
    inTest(['if std::env::var("CI").is_ok() {', '    return;', '}', ...SUM]),
    'assertion-unreachable',
  ],
  ['an assertion never runs', before, inTest(['if false {', ...SUM, '}']), 'assertion-unreachable'],
  ['an assertion is in a block', before, inTest(['{', ...SUM, '}']), undefined],
  [
    'a thread is not joined',
    before,
    inTest(['std::thread::spawn(|| {', ...SUM, '});']),
    'assertion-swallowed',
  ],
  [
    'a closure is not called',
    before,
    inTest(['let _check = move || {', ...SUM, '};']),
    'assertion-unreachable',
  ],
  [
    'a closure asserts what was asserted twice',
    inTest(['assert_eq!(double(1), 2);', 'assert_eq!(double(2), 4);']),
    inTest(['let check = |x, y| assert_eq!(double(x), y);', 'check(1, 2);', 'check(2, 4);']),
    undefined,
  ],
  [
    'a closure is called with another value',
    inTest(['let check = |x, y| assert_eq!(double(x), y);', 'check(1, 2);', 'check(2, 4);']),
    inTest(['let check = |x, y| assert_eq!(double(x), y);', 'check(1, 2);', 'check(2, 5);']),
    'expectation-changed',
  ],
  ['a closure is called', before, inTest(['let check = || {', ...SUM, '};', 'check();']), undefined],
  [
    'a panic is caught',
    before,
    inTest(['let _ = std::panic::catch_unwind(|| {', ...SUM, '});']),
    'assertion-swallowed',
  ],
  [
    'a panic is caught and asserted',
    inTest(['assert!(std::panic::catch_unwind(|| total(200, 200)).is_err());']),
    inTest(['let result = std::panic::catch_unwind(|| total(200, 200));', 'assert!(result.is_err());']),
    undefined,
  ],
  [
    'an assertion is left out of optimized builds',
    before,
    inTest(['debug_assert_eq!(total(2, 3), 5);']),
    'assertion-unreachable',
  ],
  // Assertions
  ['a truth takes the place of a value', before, inTest(['assert!(true);']), 'assertion-vacuous'],
  ['a value is dropped', before, inTest(['let _ = total(2, 3);']), 'assertion-swallowed'],
  ['a value is printed', before, inTest(['println!("{}", total(2, 3));']), 'assertion-removed'],
  [
    'success takes the place of the value',
    parse(...PARSE),
    parse('assert!(parse("2h").is_ok());'),
    'assertion-removed',
  ],
  [
    'inequality takes the place of equality',
    before,
    inTest(['assert_ne!(total(2, 3), 4);']),
    'assertion-weakened',
  ],
  ['a bound takes the place of a value', before, inTest(['assert!(total(2, 3) > 0);']), 'assertion-weakened'],
  [
    'a value is compared with itself',
    before,
    inTest(['assert_eq!(total(2, 3), total(2, 3));']),
    'assertion-vacuous',
  ],
  [
    'the wanted value is what was computed',
    inTest(['let got = total(2, 3);', 'let want = 5;', 'assert_eq!(got, want);']),
    inTest(['let got = total(2, 3);', 'let want = got;', 'assert_eq!(got, want);']),
    'assertion-vacuous',
  ],
  [
    'the value is set to a constant',
    inTest(['let got = total(2, 3);', 'assert_eq!(got, 5);']),
    inTest(['let got = 5;', 'assert_eq!(got, 5);']),
    'assertion-vacuous',
  ],
  [
    'the wanted value changes, and the code does not',
    before,
    inTest(['assert_eq!(total(2, 3), 6);']),
    'expectation-changed',
  ],
  [
    'the wanted value in a variable changes, and the code does not',
    inTest(['let want = 5;', 'assert_eq!(total(2, 3), want);']),
    inTest(['let want = 6;', 'assert_eq!(total(2, 3), want);']),
    'expectation-changed',
  ],
  [
    'the wanted value moves into a variable',
    before,
    inTest(['let want = 5;', 'assert_eq!(total(2, 3), want);']),
    undefined,
  ],
  ['expected and actual change places', before, inTest(['assert_eq!(5, total(2, 3));']), undefined],
  ['a message is added', before, inTest(['assert_eq!(total(2, 3), 5, "of {}", 2);']), undefined],
  [
    'assert! with == takes the place of assert_eq!',
    before,
    inTest(['assert!(total(2, 3) == 5);']),
    undefined,
  ],
  [
    'one of two assertions is removed',
    inTest([...SUM, 'assert_eq!(total(0, 0), 0);']),
    before,
    'assertion-removed',
  ],
  ['an assertion is added', before, inTest([...SUM, 'assert!(true);']), undefined],
  [
    'the error becomes any',
    inTest(['assert_eq!(parse("x"), Err(Error::Unit));']),
    inTest(['assert!(parse("x").is_err());']),
    'assertion-weakened',
  ],
  [
    'any error becomes a certain one',
    inTest(['assert!(parse("x").is_err());']),
    inTest(['assert_eq!(parse("x"), Err(Error::Unit));']),
    undefined,
  ],
  [
    'an error is wanted instead of success',
    inTest(['assert!(parse("x").is_ok());']),
    inTest(['assert!(parse("x").is_err());']),
    'assertion-inverted',
  ],
  [
    'a pattern matches all',
    inTest(['assert!(matches!(parse("x"), Err(Error::Unit)));']),
    inTest(['assert!(matches!(parse("x"), _));']),
    'assertion-vacuous',
  ],
  [
    'a pattern is any error',
    inTest(['assert!(matches!(parse("x"), Err(Error::Unit)));']),
    inTest(['assert!(matches!(parse("x"), Err(_)));']),
    'assertion-weakened',
  ],
  [
    'a pattern has its own macro',
    inTest(['assert!(matches!(parse("x"), Err(Error::Unit)));']),
    inTest(['assert_matches!(parse("x"), Err(Error::Unit));']),
    undefined,
  ],
  [
    'a list is an array',
    inTest(['assert_eq!(items(), vec!["a".to_string()]);']),
    inTest(['assert_eq!(items(), ["a"]);']),
    undefined,
  ],
  [
    'a length of 0 becomes is_empty',
    inTest(['assert_eq!(items().len(), 0);']),
    inTest(['assert!(items().is_empty());']),
    undefined,
  ],
  [
    'true is asserted with assert!',
    inTest(['assert_eq!(valid(2), true);']),
    inTest(['assert!(valid(2));']),
    undefined,
  ],
  [
    'a truth becomes the opposite',
    inTest(['assert!(valid(2));']),
    inTest(['assert!(!valid(2));']),
    'assertion-inverted',
  ],
  [
    'a truth among other assertions is removed',
    inTest(['assert!(valid(2));', ...SUM]),
    before,
    'assertion-removed',
  ],
  [
    'a predicate takes the place of a value',
    before,
    inTest(['assert!(is_small(total(2, 3)));']),
    'assertion-weakened',
  ],
  // Success
  [
    'a failure becomes a default',
    parse(...PARSE),
    parse('let got = parse("2h").unwrap_or_default();', PARSE[1] ?? ''),
    'assertion-swallowed',
  ],
  [
    'a failure becomes a value',
    parse(...PARSE),
    parse('let got = parse("2h").unwrap_or(7200);', PARSE[1] ?? ''),
    'assertion-swallowed',
  ],
  [
    'a failure panics with its text',
    parse(...PARSE),
    parse('let got = parse("2h").unwrap_or_else(|e| panic!("{e}"));', PARSE[1] ?? ''),
    undefined,
  ],
  [
    'unwrap becomes expect',
    parse(...PARSE),
    parse('let got = parse("2h").expect("two hours");', PARSE[1] ?? ''),
    undefined,
  ],
  [
    'unwrap becomes a question mark',
    parse(...PARSE),
    inTest(['let got = parse("2h")?;', PARSE[1] ?? '', 'Ok(())'], [], 'fn adds() -> Result<(), Error>'),
    undefined,
  ],
  [
    'success is not asserted any more',
    inTest(['save(1).unwrap();', ...SUM]),
    inTest(['save(1).ok();', ...SUM]),
    'assertion-swallowed',
  ],
  [
    'a result is dropped',
    inTest(['save(1).unwrap();', ...SUM]),
    inTest(['let _ = save(1);', ...SUM]),
    'assertion-swallowed',
  ],
  [
    'the assertion runs on success only',
    parse(...PARSE),
    parse('if let Ok(got) = parse("2h") {', '    assert_eq!(got, 7200);', '}'),
    'assertion-swallowed',
  ],
  [
    'the assertion runs on success, and anything else fails',
    parse(...PARSE),
    parse(
      'if let Ok(got) = parse("2h") {',
      '    assert_eq!(got, 7200);',
      '} else {',
      '    panic!("no");',
      '}',
    ),
    undefined,
  ],
  [
    'a match drops the error',
    parse(...PARSE),
    parse('match parse("2h") {', '    Ok(got) => assert_eq!(got, 7200),', '    Err(_) => {}', '}'),
    'assertion-swallowed',
  ],
  [
    'a match panics with the error',
    parse(...PARSE),
    parse(
      'match parse("2h") {',
      '    Ok(got) => assert_eq!(got, 7200),',
      '    Err(e) => panic!("{e}"),',
      '}',
    ),
    undefined,
  ],
  [
    'let else panics',
    parse(...PARSE),
    parse('let Ok(got) = parse("2h") else { panic!("no") };', 'assert_eq!(got, 7200);'),
    undefined,
  ],
  [
    'let else returns',
    parse(...PARSE),
    parse('let Ok(got) = parse("2h") else { return };', 'assert_eq!(got, 7200);'),
    'assertion-swallowed',
  ],
  // Tolerances, snapshots, properties
  [
    'a tolerance is wider',
    inTest(['assert!((mean() - 2.5).abs() < 1e-9);']),
    inTest(['assert!((mean() - 2.5).abs() < 0.5);']),
    'assertion-weakened',
  ],
  [
    'a tolerance in a constant is wider',
    `const EPS: f64 = 1e-9;\n${inTest(['assert!((mean() - 2.5).abs() < EPS);'])}`,
    `const EPS: f64 = 0.5;\n${inTest(['assert!((mean() - 2.5).abs() < EPS);'])}`,
    'assertion-weakened',
  ],
  [
    'approx: a tolerance is wider',
    inTest(['assert_relative_eq!(mean(), 2.5, epsilon = 1e-6);']),
    inTest(['assert_relative_eq!(mean(), 2.5, epsilon = 0.1);']),
    'assertion-weakened',
  ],
  [
    'approx: a float is compared within rounding',
    inTest(['assert_eq!(mean(), 2.5);']),
    inTest(['assert_relative_eq!(mean(), 2.5, epsilon = 1e-9);']),
    undefined,
  ],
  [
    'insta: an inline snapshot changes, and the code does not',
    inTest(['insta::assert_snapshot!(page(), @"a");']),
    inTest(['insta::assert_snapshot!(page(), @"b");']),
    'expectation-changed',
  ],
  [
    'insta: a snapshot becomes a truth',
    inTest(['insta::assert_snapshot!(page(), @"a");']),
    inTest(['assert!(!page().is_empty());']),
    'assertion-weakened',
  ],
  [
    'proptest: the property is weaker',
    'proptest! {\n    #[test]\n    fn folds(s in ".*") {\n        prop_assert_eq!(fold(&fold(&s)), fold(&s));\n    }\n}\n',
    'proptest! {\n    #[test]\n    fn folds(s in ".*") {\n        prop_assert!(fold(&s).len() < 99);\n    }\n}\n',
    'assertion-weakened',
  ],
  [
    'claims: success is a macro',
    inTest(['assert!(save(1).is_ok());']),
    inTest(['assert_ok!(save(1));']),
    undefined,
  ],
  // Tables
  [
    'rstest: a case is dropped',
    rstest('#[case("A", "a")]', '#[case(" b ", "b")]'),
    rstest('#[case("A", "a")]'),
    'test-cases-removed',
  ],
  [
    'rstest: a case is added',
    rstest('#[case("A", "a")]'),
    rstest('#[case("A", "a")]', '#[case(" b ", "b")]'),
    undefined,
  ],
  [
    'rstest: a case gets a name',
    rstest('#[case("A", "a")]', '#[case(" b ", "b")]'),
    rstest('#[case::lower("A", "a")]', '#[case::trim(" b ", "b")]'),
    undefined,
  ],
  [
    'rstest: the wanted value of a case changes, and the code does not',
    rstest('#[case("A", "a")]'),
    rstest('#[case("A", "A")]'),
    'expectation-changed',
  ],
  [
    'rstest: a test is ignored',
    rstest('#[case("A", "a")]'),
    rstest('#[case("A", "a")]', '#[ignore]'),
    'test-skipped',
  ],
  [
    'a row of a table is dropped',
    table('[("A", "a"), (" b ", "b")]'),
    table('[("A", "a")]'),
    'test-cases-removed',
  ],
  [
    'a part of a table is used',
    table('[("A", "a"), (" b ", "b")]'),
    table('[("A", "a"), (" b ", "b")]', 'for (input, want) in cases.iter().take(1) {'),
    'test-cases-removed',
  ],
  [
    'a table is passed by reference',
    table('[("A", "a"), (" b ", "b")]'),
    table('vec![("A", "a"), (" b ", "b")]', 'for (input, want) in &cases {'),
    undefined,
  ],
  [
    'the wanted value of a row changes, and the code does not',
    table('[("A", "a"), (" b ", "b")]'),
    table('[("A", "a"), (" b ", " b ")]'),
    'expectation-changed',
  ],
  [
    'a row is passed over',
    table('[("A", "a"), (" b ", "b")]'),
    table(
      '[("A", "a"), (" b ", "b")]',
      'for (input, want) in cases {\n        if input == "A" {\n            continue;\n        }',
    ),
    'assertion-unreachable',
  ],
  [
    'tests become rows',
    '#[test]\nfn lower() {\n    assert_eq!(fold("A"), "a");\n}\n\n#[test]\nfn trims() {\n    assert_eq!(fold(" b "), "b");\n}\n',
    '#[rstest]\n#[case("A", "a")]\n#[case(" b ", "b")]\nfn folds(#[case] input: &str, #[case] expected: &str) {\n    assert_eq!(fold(input), expected);\n}\n',
    undefined,
  ],
  [
    'an entry of a macro that makes tests is dropped',
    'macro_rules! cases { ($($n:ident: $v:expr,)*) => { $(#[test] fn $n() { check($v) })* } }\ncases! { one: 1, two: 2, }\n',
    'macro_rules! cases { ($($n:ident: $v:expr,)*) => { $(#[test] fn $n() { check($v) })* } }\ncases! { one: 1, }\n',
    'test-deleted',
  ],
  [
    'a check moves into a helper of the file',
    before,
    `${inTest(['adds_up(2, 3, 5);'])}\nfn adds_up(a: u8, b: u8, want: u8) {\n    assert_eq!(total(a, b), want);\n}\n`,
    undefined,
  ],
  // Documentation
  [
    'a documentation test is ignored',
    doc('', 'assert_eq!(total(2, 3), 5);'),
    doc('ignore', 'assert_eq!(total(2, 3), 5);'),
    'test-skipped',
  ],
  [
    'a documentation test is only compiled',
    doc('', 'assert_eq!(total(2, 3), 5);'),
    doc('no_run', 'assert_eq!(total(2, 3), 5);'),
    'test-skipped',
  ],
  [
    'a documentation test is only text',
    doc('', 'assert_eq!(total(2, 3), 5);'),
    doc('text', 'assert_eq!(total(2, 3), 5);'),
    'test-deleted',
  ],
  [
    'a documentation test asserts nothing',
    doc('', 'assert_eq!(total(2, 3), 5);'),
    doc('', 'total(2, 3);'),
    'assertion-removed',
  ],
  [
    'a documentation test has its language',
    doc('', 'assert_eq!(total(2, 3), 5);'),
    doc('rust', 'assert_eq!(total(2, 3), 5);'),
    undefined,
  ],
  [
    'a documentation test hides a line',
    doc('', 'use cart::total;', 'assert_eq!(total(2, 3), 5);'),
    doc('', '# use cart::total;', 'assert_eq!(total(2, 3), 5);'),
    undefined,
  ],
  [
    'a file is formatted',
    before,
    before.replace('total(2, 3)', 'total(\n        2,\n        3,\n    )'),
    undefined,
  ],
])('in a Rust test, %s: the finding is as declared', async (_what, text, after, rule) => {
  const rules = await rulesOf({ 'tests/cart.rs': text }, { 'tests/cart.rs': after });
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});

type Files = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>;

/** The texts of one side. */
function side(files: Files, index: 0 | 1): Texts {
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [path, texts[index]]));
}

test.each<readonly [what: string, files: Files, rule: RuleName | undefined]>([
  [
    'a test of a module moves to a file',
    { 'src/lib.rs': [unit(CODE, UNIT), CODE], 'tests/total.rs': [undefined, UNIT] },
    undefined,
  ],
  [
    'a test file moves to a folder that cargo does not look into',
    { 'tests/total.rs': [before, undefined], 'tests/old/total.rs': [undefined, before] },
    'test-not-collected',
  ],
  [
    'a test file moves to a folder whose program declares it',
    {
      'tests/total.rs': [before, undefined],
      'tests/all/main.rs': [undefined, 'mod total;\n'],
      'tests/all/total.rs': [undefined, before],
    },
    undefined,
  ],
  [
    'a module of tests moves to a file that nothing declares',
    { 'src/lib.rs': [unit(CODE, UNIT), CODE], 'src/tests.rs': [undefined, UNIT] },
    'test-not-collected',
  ],
  [
    'a module of tests moves to a file that is declared',
    {
      'src/lib.rs': [unit(CODE, UNIT), `${CODE}\n\n#[cfg(test)]\nmod tests;\n`],
      'src/tests.rs': [undefined, UNIT],
    },
    undefined,
  ],
  ['a test of a module is deleted', { 'src/lib.rs': [unit(CODE, UNIT), CODE] }, 'test-deleted'],
  [
    'the wanted value in a module changes, and its code does not',
    { 'src/lib.rs': [unit(CODE, UNIT), unit(CODE, UNIT.replace('5', '6'))] },
    'expectation-changed',
  ],
  [
    'the wanted value in a module changes with its code',
    { 'src/lib.rs': [unit(CODE, UNIT), unit(CODE.replace('a + b', 'a + b + 1'), UNIT.replace('5', '6'))] },
    undefined,
  ],
  [
    'a function goes with its test',
    {
      'src/lib.rs': [
        unit(
          `${CODE}\n\npub fn half(a: u8) -> u8 {\n    a / 2\n}`,
          `${UNIT}\n    #[test]\n    fn halves() {\n        assert_eq!(half(4), 2);\n    }`,
        ),
        unit(CODE, UNIT),
      ],
    },
    undefined,
  ],
])('in Rust, %s: the finding is as declared', async (_what, files, rule) => {
  const rules = await rulesOf(side(files, 0), side(files, 1));
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});
