import { expect, test } from 'vitest';
import type { RuleName } from '../../../src/integrity/rules.ts';
import { rulesOf, type Texts } from '../../helpers/weakened.ts';

/** A file of tests around lines, which are not indented. */
function file(...lines: readonly string[]): string {
  return ['package cart', '', 'import "testing"', '', ...lines, ''].join('\n');
}

/** A test named TestTotal. */
function inTest(...lines: readonly string[]): string {
  return file('func TestTotal(t *testing.T) {', ...lines.map((line) => `\t${line}`), '}', '', OTHER);
}

const OTHER = 'func TestOther(t *testing.T) {\n\tif Other() != 1 {\n\t\tt.Fatal("other")\n\t}\n}';
const GOT = ['got := Total(2, 3)', 'if got != 5 {', '\tt.Errorf("got %d", got)', '}'];
const PARSE = [
  'got, err := Parse("2h")',
  'if err != nil {',
  '\tt.Fatalf("Parse: %v", err)',
  '}',
  'if got != 2*time.Hour {',
  '\tt.Errorf("got %v", got)',
  '}',
];
const TABLE = (rows: readonly string[], ...loop: readonly string[]) =>
  inTest(
    'cases := []struct {',
    '\tname, in, want string',
    '}{',
    ...rows.map((row) => `\t${row}`),
    '}',
    ...loop,
  );
const ROWS = ['{"lower", "A", "a"},', '{"trim", " a ", "a"},', '{"tag", "a+b", "a"},'];
const LOOP = [
  'for _, tc := range cases {',
  '\tt.Run(tc.name, func(t *testing.T) {',
  '\t\tif got := Fold(tc.in); got != tc.want {',
  '\t\t\tt.Errorf("Fold(%q) = %q", tc.in, got)',
  '\t\t}',
  '\t})',
  '}',
];
const GINKGO = (it: string, body = 'Expect(Total(2, 3)).To(Equal(5))') =>
  `package cart_test\n\nvar _ = Describe("Cart", func() {\n\t${it}("adds", func() {\n\t\t${body}\n\t})\n\tIt("is empty", func() {\n\t\tExpect(New().Len()).To(Equal(0))\n\t})\n})\n`;
const testify = (...lines: readonly string[]) => inTest(...lines);

type Row = readonly [what: string, before: string, after: string, rule: RuleName | undefined];

const PATH = 'cart/cart_test.go';

test.each<Row>([
  // Tests that are gone, do not run, or are not collected
  ['a test is deleted', inTest(...GOT), file(OTHER), 'test-deleted'],
  ['a test has another name', inTest(...GOT), inTest(...GOT).replace('TestTotal', 'TestSum'), undefined],
  [
    'the name of a test begins with x',
    inTest(...GOT),
    inTest(...GOT).replace('TestTotal', 'xTestTotal'),
    'test-not-collected',
  ],
  [
    'the name of a test goes on with a small letter',
    inTest(...GOT),
    inTest(...GOT).replace('TestTotal', 'Testtotal'),
    'test-not-collected',
  ],
  [
    'the name of a test goes on with an underscore',
    inTest(...GOT),
    inTest(...GOT).replace('TestTotal', 'Test_total'),
    undefined,
  ],
  [
    'a test takes something else than *testing.T',
    inTest(...GOT),
    inTest(...GOT).replace('TestTotal(t *testing.T)', 'TestTotal(t testing.TB)'),
    'test-not-collected',
  ],
  ['a test is commented out', inTest(...GOT), file(`/*\n${inTest(...GOT)}\n*/`, OTHER), 'test-deleted'],
  ['a test is skipped in its first line', inTest(...GOT), inTest('t.Skip("flaky")', ...GOT), 'test-skipped'],
  ['a test is skipped at once', inTest(...GOT), inTest('t.SkipNow()', ...GOT), 'test-skipped'],
  ['a skipped test is not skipped any more', inTest('t.Skip("flaky")', ...GOT), inTest(...GOT), undefined],
  [
    'a skipped test has another reason',
    inTest('t.Skip("flaky")', ...GOT),
    inTest('t.Skip("needs a fix of the clock")', ...GOT),
    undefined,
  ],
  [
    'a test is skipped on an environment variable',
    inTest(...GOT),
    inTest('if os.Getenv("CI") != "" {', '\tt.Skip("ci")', '}', ...GOT),
    'test-skipped',
  ],
  [
    'a test is skipped without a tool',
    inTest(...GOT),
    inTest('if _, err := exec.LookPath("git"); err != nil {', '\tt.Skip("no git")', '}', ...GOT),
    undefined,
  ],
  [
    'a test is skipped on one operating system',
    inTest(...GOT),
    inTest('if runtime.GOOS == "windows" {', '\tt.Skip("no links")', '}', ...GOT),
    undefined,
  ],
  [
    'a test calls a helper of its file that skips',
    inTest(...GOT),
    `${inTest('later(t)', ...GOT)}\nfunc later(t *testing.T) {\n\tt.Helper()\n\tt.Skip("later")\n}\n`,
    'test-skipped',
  ],
  ['a comment speaks of t.Skip()', inTest(...GOT), inTest('// never t.Skip() this one', ...GOT), undefined],
  ['a string contains t.Skip()', inTest(...GOT), inTest('t.Log("no t.Skip() here")', ...GOT), undefined],
  [
    'a build tag that no run sets is added',
    inTest(...GOT),
    `//go:build ignore\n\n${inTest(...GOT)}`,
    'test-not-collected',
  ],
  [
    'a build tag of the old form is added',
    inTest(...GOT),
    `// +build integration\n\n${inTest(...GOT)}`,
    'test-not-collected',
  ],
  [
    'a build tag asks for an own tag and the machine',
    inTest(...GOT),
    `//go:build linux && e2e\n\n${inTest(...GOT)}`,
    'test-not-collected',
  ],
  ['a build tag excludes an own tag', inTest(...GOT), `//go:build !short\n\n${inTest(...GOT)}`, undefined],
  ['a build tag is about the machine', inTest(...GOT), `//go:build !windows\n\n${inTest(...GOT)}`, undefined],
  ['a build tag is removed', `//go:build integration\n\n${inTest(...GOT)}`, inTest(...GOT), undefined],
  [
    'a build tag is behind the package clause, where it is a comment',
    inTest(...GOT),
    inTest(...GOT).replace('package cart\n', 'package cart\n\n//go:build ignore\n'),
    undefined,
  ],
  // Bodies
  ['a body is empty', inTest(...GOT), inTest(), 'test-emptied'],
  ['a body is commented out', inTest(...GOT), inTest(...GOT.map((line) => `// ${line}`)), 'test-emptied'],
  ['a test returns first', inTest(...GOT), inTest('return', ...GOT), 'assertion-unreachable'],
  [
    'a test returns on a condition that always holds',
    inTest(...GOT),
    inTest('if true {', '\treturn', '}', ...GOT),
    'assertion-unreachable',
  ],
  [
    'a test returns on an environment variable',
    inTest(...GOT),
    inTest('if os.Getenv("CI") == "" {', '\treturn', '}', ...GOT),
    'assertion-unreachable',
  ],
  [
    'a test returns when there is an error',
    inTest(...PARSE),
    inTest(...PARSE.map((line) => (line.includes('Fatalf') ? '\treturn' : line))),
    'assertion-unreachable',
  ],
  [
    'a test reports an error and returns, instead of t.Fatal',
    inTest(...PARSE),
    inTest(
      ...PARSE.flatMap((line) =>
        line.includes('Fatalf') ? ['\tt.Errorf("Parse: %v", err)', '\treturn'] : line,
      ),
    ),
    undefined,
  ],
  [
    'the assertion is on a condition that never holds',
    inTest(...GOT),
    inTest('if false {', ...GOT, '}'),
    'assertion-unreachable',
  ],
  [
    'a panic is dropped',
    inTest(...GOT),
    inTest('defer func() { recover() }()', ...GOT),
    'assertion-swallowed',
  ],
  [
    'a panic is dropped, and printed',
    inTest(...GOT),
    inTest('defer func() {', '\tif r := recover(); r != nil {', '\t\tt.Log(r)', '\t}', '}()', ...GOT),
    'assertion-swallowed',
  ],
  [
    'a panic is reported with the input',
    inTest(...GOT),
    inTest(
      'defer func() {',
      '\tif r := recover(); r != nil {',
      '\t\tt.Fatalf("panic: %v", r)',
      '\t}',
      '}()',
      ...GOT,
    ),
    undefined,
  ],
  // `if` as an assertion
  [
    'a failure is only logged',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('Errorf', 'Logf'))),
    'assertion-swallowed',
  ],
  [
    'a failure ends the test instead of being collected',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('Errorf', 'Fatalf'))),
    undefined,
  ],
  [
    'the call that fails is gone from the block',
    inTest(...GOT),
    inTest(...GOT.filter((line) => !line.includes('Errorf'))),
    'assertion-swallowed',
  ],
  ['the result is dropped', inTest(...GOT), inTest('got := Total(2, 3)', '_ = got'), 'assertion-swallowed'],
  ['the result is logged', inTest(...GOT), inTest('got := Total(2, 3)', 't.Log(got)'), 'assertion-removed'],
  [
    'the condition can never hold',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('got != 5', 'got != 5 && false'))),
    'assertion-vacuous',
  ],
  [
    'the condition compares a value with itself',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('got != 5', 'got != got'))),
    'assertion-vacuous',
  ],
  [
    'the wanted value is what was computed',
    inTest('want := 5', ...GOT.map((line) => line.replace('!= 5', '!= want'))),
    inTest(...GOT.slice(0, 1), 'want := got', ...GOT.slice(1).map((line) => line.replace('!= 5', '!= want'))),
    'assertion-vacuous',
  ],
  [
    'the result is set to a constant',
    inTest(...GOT),
    inTest('got := 5', ...GOT.slice(1)),
    'assertion-vacuous',
  ],
  [
    'a bound takes the place of a value',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('got != 5', 'got < 0'))),
    'assertion-weakened',
  ],
  [
    'a second value is allowed',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('got != 5', 'got != 5 && got != 4'))),
    'assertion-weakened',
  ],
  [
    'the assertion asserts the opposite',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('!=', '=='))),
    'assertion-weakened',
  ],
  [
    'the wanted value changes, and the code does not',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace('5', '6'))),
    'expectation-changed',
  ],
  [
    'the wanted value in a variable changes, and the code does not',
    inTest('want := "a-b"', 'if got := Fold("A B"); got != want {', '\tt.Errorf("%q", got)', '}'),
    inTest('want := "ab"', 'if got := Fold("A B"); got != want {', '\tt.Errorf("%q", got)', '}'),
    'expectation-changed',
  ],
  [
    'the wanted value moves into a variable',
    inTest(...GOT),
    inTest('const want = 5', ...GOT.map((line) => line.replace('!= 5', '!= want'))),
    undefined,
  ],
  [
    'the result has another name',
    inTest(...GOT),
    inTest(...GOT.map((line) => line.replace(/\bgot\b(?! %)/g, 'total'))),
    undefined,
  ],
  [
    'the result is computed in the condition',
    inTest(...GOT),
    inTest('if got := Total(2, 3); got != 5 {', '\tt.Errorf("got %d", got)', '}'),
    undefined,
  ],
  [
    'the condition is turned around with an else',
    inTest(...GOT),
    inTest(
      'got := Total(2, 3)',
      'if got == 5 {',
      '\tt.Log("ok")',
      '} else {',
      '\tt.Errorf("got %d", got)',
      '}',
    ),
    undefined,
  ],
  [
    'one of two checks is removed',
    inTest(...GOT, 'if Total(0, 0) != 0 {', '\tt.Error("zero")', '}'),
    inTest(...GOT),
    'assertion-removed',
  ],
  [
    'the check of an error is dropped with a blank name',
    inTest(...PARSE),
    inTest('got, _ := Parse("2h")', ...PARSE.slice(4)),
    'assertion-swallowed',
  ],
  [
    'the check of an error assigns it to nothing',
    inTest(...PARSE),
    inTest('got, err := Parse("2h")', '_ = err', ...PARSE.slice(4)),
    'assertion-swallowed',
  ],
  [
    'an error is only logged',
    inTest(...PARSE),
    inTest(...PARSE.map((line) => line.replace('Fatalf', 'Logf'))),
    'assertion-swallowed',
  ],
  [
    'an error that is wanted is any error',
    inTest('_, err := Parse("x")', 'if err != ErrUnit {', '\tt.Errorf("%v", err)', '}'),
    inTest('_, err := Parse("x")', 'if err == nil {', '\tt.Error("no error")', '}'),
    'assertion-weakened',
  ],
  [
    'an error is compared with errors.Is',
    inTest('_, err := Parse("x")', 'if err != ErrUnit {', '\tt.Errorf("%v", err)', '}'),
    inTest('_, err := Parse("x")', 'if !errors.Is(err, ErrUnit) {', '\tt.Errorf("%v", err)', '}'),
    undefined,
  ],
  [
    'errors.Is becomes any error',
    inTest('_, err := Parse("x")', 'if !errors.Is(err, ErrUnit) {', '\tt.Errorf("%v", err)', '}'),
    inTest('_, err := Parse("x")', 'if err == nil {', '\tt.Error("no error")', '}'),
    'assertion-weakened',
  ],
  [
    'a difference is computed and not looked at',
    inTest('if diff := cmp.Diff(want, Load()); diff != "" {', '\tt.Errorf("%s", diff)', '}'),
    inTest('diff := cmp.Diff(want, Load())', 't.Log(diff)'),
    'assertion-removed',
  ],
  [
    'cmp.Diff takes the place of reflect.DeepEqual',
    inTest('got := Load()', 'if !reflect.DeepEqual(got, want) {', '\tt.Errorf("%v", got)', '}'),
    inTest('got := Load()', 'if diff := cmp.Diff(want, got); diff != "" {', '\tt.Errorf("%s", diff)', '}'),
    undefined,
  ],
  [
    'a length takes the place of reflect.DeepEqual',
    inTest('got := Load()', 'if !reflect.DeepEqual(got, want) {', '\tt.Errorf("%v", got)', '}'),
    inTest('got := Load()', 'if len(got) == 0 {', '\tt.Errorf("%v", got)', '}'),
    'assertion-weakened',
  ],
  [
    'a tolerance is wider',
    inTest('got := Mean(xs)', 'if math.Abs(got-2.5) > 1e-9 {', '\tt.Errorf("%v", got)', '}'),
    inTest('got := Mean(xs)', 'if math.Abs(got-2.5) > 0.5 {', '\tt.Errorf("%v", got)', '}'),
    'assertion-weakened',
  ],
  [
    'a sum of floats is compared within rounding',
    inTest('got := Mean(xs)', 'if got != 2.5 {', '\tt.Errorf("%v", got)', '}'),
    inTest('got := Mean(xs)', 'if math.Abs(got-2.5) > 1e-9 {', '\tt.Errorf("%v", got)', '}'),
    undefined,
  ],
  [
    'checks move into a switch',
    inTest(...PARSE),
    inTest(
      'got, err := Parse("2h")',
      'switch {',
      'case err != nil:',
      '\tt.Fatal(err)',
      'case got != 2*time.Hour:',
      '\tt.Errorf("got %v", got)',
      '}',
    ),
    undefined,
  ],
  [
    'a check moves into a helper of the file',
    inTest(...GOT),
    `${inTest('wantTotal(t, Total(2, 3), 5)')}\nfunc wantTotal(t *testing.T, got, want int) {\n\tt.Helper()\n\tif got != want {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n`,
    undefined,
  ],
  [
    'a check moves into a helper that checks nothing',
    inTest(...GOT),
    `${inTest('report(t, Total(2, 3), 5)')}\nfunc report(t *testing.T, got, want int) {\n\tt.Helper()\n\tt.Logf("%d %d", got, want)\n}\n`,
    'assertion-removed',
  ],
  // Tables
  [
    'a row of a table is dropped',
    TABLE(ROWS, ...LOOP),
    TABLE(ROWS.slice(0, 2), ...LOOP),
    'test-cases-removed',
  ],
  [
    'a row of a table is commented out',
    TABLE(ROWS, ...LOOP),
    TABLE([...ROWS.slice(0, 2), `// ${ROWS[2]}`], ...LOOP),
    'test-cases-removed',
  ],
  ['a row of a table is added', TABLE(ROWS.slice(0, 2), ...LOOP), TABLE(ROWS, ...LOOP), undefined],
  [
    'the rows of a table get the names of their columns',
    TABLE(ROWS, ...LOOP),
    TABLE(
      ROWS.map((row) => row.replace(/\{(".*"), (".*"), (".*")\}/, '{name: $1, in: $2, want: $3}')),
      ...LOOP,
    ),
    undefined,
  ],
  [
    'only a part of a table is used',
    TABLE(ROWS, ...LOOP),
    TABLE(ROWS, ...LOOP.map((line) => line.replace('range cases', 'range cases[:1]'))),
    'test-cases-removed',
  ],
  [
    'a row is passed over',
    TABLE(ROWS, ...LOOP),
    TABLE(
      ROWS,
      ...LOOP.flatMap((line) =>
        line.startsWith('for') ? [line, '\tif tc.name == "tag" {', '\t\tcontinue', '\t}'] : line,
      ),
    ),
    'assertion-unreachable',
  ],
  [
    'a row is skipped',
    TABLE(ROWS, ...LOOP),
    TABLE(
      ROWS,
      ...LOOP.flatMap((line) =>
        line.includes('t.Run') ? [line, '\t\tif tc.name == "tag" {', '\t\t\tt.Skip("later")', '\t\t}'] : line,
      ),
    ),
    'test-skipped',
  ],
  [
    'the wanted value of a row changes, and the code does not',
    TABLE(ROWS, ...LOOP),
    TABLE([...ROWS.slice(0, 2), '{"tag", "a+b", "a+b"},'], ...LOOP),
    'expectation-changed',
  ],
  [
    'the loop over a table ends after its first row',
    TABLE(ROWS, ...LOOP),
    TABLE(ROWS, ...LOOP.slice(0, -1), '\tbreak', '}'),
    'test-cases-removed',
  ],
  [
    'an assertion moves into a goroutine that nobody waits for',
    inTest(...GOT),
    inTest('go func() {', ...GOT, '}()'),
    'assertion-unreachable',
  ],
  [
    'a row has another title',
    TABLE(ROWS, ...LOOP),
    TABLE([...ROWS.slice(0, 2), '{"strips the tag", "a+b", "a"},'], ...LOOP),
    undefined,
  ],
  [
    'a table gets a column for errors',
    TABLE(ROWS, ...LOOP),
    TABLE(
      [...ROWS.map((row) => row.replace('},', ', false},')), '{"bad", "", "", true},'],
      'for _, tc := range cases {',
      '\tt.Run(tc.name, func(t *testing.T) {',
      '\t\tgot, err := Fold(tc.in)',
      '\t\tif (err != nil) != tc.wantErr {',
      '\t\t\tt.Fatalf("%v", err)',
      '\t\t}',
      '\t\tif tc.wantErr {',
      '\t\t\treturn',
      '\t\t}',
      '\t\tif got != tc.want {',
      '\t\t\tt.Errorf("Fold(%q) = %q", tc.in, got)',
      '\t\t}',
      '\t})',
      '}',
    ).replace('name, in, want string', 'name, in, want string\n\twantErr bool'),
    undefined,
  ],
  [
    'the loop over a table has no subtests any more',
    TABLE(ROWS, ...LOOP),
    TABLE(
      ROWS,
      'for _, tc := range cases {',
      '\tif got := Fold(tc.in); got != tc.want {',
      '\t\tt.Errorf("%q", got)',
      '\t}',
      '}',
    ),
    undefined,
  ],
  [
    'a row of a map is dropped',
    inTest(
      'for in, want := range map[string]int{"a": 1, "b": 2} {',
      '\tif got := F(in); got != want {',
      '\t\tt.Error(got)',
      '\t}',
      '}',
    ),
    inTest(
      'for in, want := range map[string]int{"a": 1} {',
      '\tif got := F(in); got != want {',
      '\t\tt.Error(got)',
      '\t}',
      '}',
    ),
    'test-cases-removed',
  ],
  [
    'the wanted value of a map changes, and the code does not',
    inTest(
      'for in, want := range map[string]int{"a": 1, "b": 2} {',
      '\tif got := F(in); got != want {',
      '\t\tt.Error(got)',
      '\t}',
      '}',
    ),
    inTest(
      'for in, want := range map[string]int{"a": 1, "b": 3} {',
      '\tif got := F(in); got != want {',
      '\t\tt.Error(got)',
      '\t}',
      '}',
    ),
    'expectation-changed',
  ],
  // Subtests
  [
    'a subtest is removed',
    inTest(
      't.Run("adds", func(t *testing.T) {',
      ...GOT,
      '})',
      't.Run("zero", func(t *testing.T) {',
      '\tif Total(0, 0) != 0 {',
      '\t\tt.Error("zero")',
      '\t}',
      '})',
    ),
    inTest('t.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    'test-deleted',
  ],
  [
    'a subtest is skipped',
    inTest('t.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    inTest('t.Run("adds", func(t *testing.T) {', '\tt.Skip()', ...GOT, '})'),
    'test-skipped',
  ],
  [
    'a test is skipped, and so are its subtests',
    inTest('t.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    inTest('t.Skip()', 't.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    'test-skipped',
  ],
  [
    'a test becomes a subtest',
    inTest(...GOT),
    inTest('t.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    undefined,
  ],
  [
    'a subtest becomes the test',
    inTest('t.Run("adds", func(t *testing.T) {', ...GOT, '})'),
    inTest(...GOT),
    undefined,
  ],
  ['a test runs in parallel', inTest(...GOT), inTest('t.Parallel()', ...GOT), undefined],
  // testify
  [
    'testify: the value becomes a truth',
    testify('assert.Equal(t, 5, Total(2, 3))'),
    testify('assert.True(t, true)'),
    'assertion-vacuous',
  ],
  [
    'testify: the value becomes not nil',
    testify('assert.Equal(t, 5, Total(2, 3))'),
    testify('assert.NotNil(t, Total(2, 3))'),
    'assertion-weakened',
  ],
  [
    'testify: a value is compared with itself',
    testify('got := Total(2, 3)', 'assert.Equal(t, 5, got)'),
    testify('got := Total(2, 3)', 'assert.Equal(t, got, got)'),
    'assertion-vacuous',
  ],
  [
    'testify: an error is not checked any more',
    testify('err := Save(c)', 'require.NoError(t, err)', 'assert.Equal(t, 5, c.Total)'),
    testify('_ = Save(c)', 'assert.Equal(t, 5, c.Total)'),
    'assertion-swallowed',
  ],
  [
    'testify: a certain error becomes any error',
    testify('require.ErrorIs(t, err, ErrUnit)'),
    testify('require.Error(t, err)'),
    'assertion-weakened',
  ],
  [
    'testify: any error becomes a certain error',
    testify('require.Error(t, err)'),
    testify('require.ErrorIs(t, err, ErrUnit)'),
    undefined,
  ],
  [
    'testify: assert becomes require',
    testify('assert.Equal(t, 5, Total(2, 3))', 'assert.NoError(t, err)'),
    testify('require.Equal(t, 5, Total(2, 3))', 'require.NoError(t, err)'),
    undefined,
  ],
  [
    'testify takes the place of if',
    inTest(...PARSE),
    testify('got, err := Parse("2h")', 'require.NoError(t, err)', 'assert.Equal(t, 2*time.Hour, got)'),
    undefined,
  ],
  [
    'testify: the asserter has a name',
    testify('assert.Equal(t, 5, Total(2, 3))'),
    testify('is := assert.New(t)', 'is.Equal(5, Total(2, 3))'),
    undefined,
  ],
  [
    'testify: a length takes the place of the elements',
    testify('assert.Equal(t, []string{"a", "b"}, got)'),
    testify('assert.NotEmpty(t, got)'),
    'assertion-weakened',
  ],
  [
    'testify: a part takes the place of the text',
    testify('assert.Equal(t, "a-b", got)'),
    testify('assert.Contains(t, got, "a")'),
    'assertion-weakened',
  ],
  [
    'testify: a tolerance is wider',
    testify('assert.InDelta(t, 2.5, got, 0.001)'),
    testify('assert.InDelta(t, 2.5, got, 1)'),
    'assertion-weakened',
  ],
  [
    'testify: expected and actual change places',
    testify('assert.Equal(t, Total(2, 3), 5)'),
    testify('assert.Equal(t, 5, Total(2, 3))'),
    undefined,
  ],
  [
    'testify: a message is added',
    testify('assert.Equal(t, 5, Total(2, 3))'),
    testify('assert.Equalf(t, 5, Total(2, 3), "total of %d", 2)'),
    undefined,
  ],
  [
    'testify: a method of a suite is renamed so that nothing calls it',
    file('type S struct{ suite.Suite }', '', 'func (s *S) TestTotal() {', '\ts.Equal(5, Total(2, 3))', '}'),
    file('type S struct{ suite.Suite }', '', 'func (s *S) checkTotal() {', '\ts.Equal(5, Total(2, 3))', '}'),
    'test-deleted',
  ],
  [
    'testify: a suite is not run any more',
    file('func TestSuite(t *testing.T) {', '\tsuite.Run(t, new(S))', '}', '', OTHER),
    file('func TestSuite(t *testing.T) {', '\t_ = S{}', '}', '', OTHER),
    'assertion-removed',
  ],
  [
    'testify: a method of a suite is skipped',
    file('func (s *S) TestTotal() {', '\ts.Equal(5, Total(2, 3))', '}'),
    file('func (s *S) TestTotal() {', '\ts.T().Skip("later")', '\ts.Equal(5, Total(2, 3))', '}'),
    'test-skipped',
  ],
  [
    'testify: a truth has its own assertion',
    testify('assert.Equal(t, true, Valid(2))'),
    testify('assert.True(t, Valid(2))'),
    undefined,
  ],
  [
    'testify: a truth becomes the opposite',
    testify('assert.True(t, Valid(2))'),
    testify('assert.False(t, Valid(2))'),
    'assertion-inverted',
  ],
  [
    'testify: a truth among other assertions is removed',
    testify('assert.True(t, Valid(2))', 'assert.Equal(t, 5, Total(2, 3))'),
    testify('assert.Equal(t, 5, Total(2, 3))'),
    'assertion-removed',
  ],
  [
    'testify: a number becomes a constant with a name',
    testify('assert.Equal(t, 200, resp.StatusCode)'),
    testify('assert.Equal(t, http.StatusOK, resp.StatusCode)'),
    undefined,
  ],
  [
    'a temporary folder is made by the test',
    inTest(
      'dir, err := os.MkdirTemp("", "a")',
      'if err != nil {',
      '\tt.Fatal(err)',
      '}',
      'defer os.RemoveAll(dir)',
      ...GOT,
    ),
    inTest('dir := t.TempDir()', 'use(dir)', ...GOT),
    undefined,
  ],
  [
    'a row becomes a test',
    TABLE(ROWS, ...LOOP),
    `${TABLE(ROWS.slice(0, 2), ...LOOP)}\nfunc TestTag(t *testing.T) {\n\tif got := Fold("a+b"); got != "a" {\n\t\tt.Errorf("%q", got)\n\t}\n}\n`,
    undefined,
  ],
  [
    'a row that was there twice is removed',
    TABLE([...ROWS, ...ROWS.slice(0, 1)], ...LOOP),
    TABLE(ROWS, ...LOOP),
    undefined,
  ],
  [
    'the copy of a loop variable is removed',
    TABLE(ROWS, ...LOOP.flatMap((line) => (line.startsWith('for') ? [line, '\ttc := tc'] : line))),
    TABLE(ROWS, ...LOOP),
    undefined,
  ],
  // Gomega and Ginkgo
  ['Ginkgo: a test is pending', GINKGO('It'), GINKGO('PIt'), 'test-skipped'],
  ['Ginkgo: a test is excluded', GINKGO('It'), GINKGO('XIt'), 'test-skipped'],
  ['Ginkgo: a test is focused', GINKGO('It'), GINKGO('FIt'), 'test-focused'],
  [
    'Ginkgo: a test skips itself',
    GINKGO('It'),
    GINKGO('It', 'Skip("later")\n\t\tExpect(Total(2, 3)).To(Equal(5))'),
    'test-skipped',
  ],
  [
    'Ginkgo: a test has a label',
    GINKGO('It'),
    GINKGO('It').replace('"adds",', '"adds", Label("fast"),'),
    undefined,
  ],
  ['Ginkgo: a test is renamed', GINKGO('It'), GINKGO('It').replace('"adds"', '"adds two"'), undefined],
  [
    'Gomega: a value becomes not nil',
    GINKGO('It'),
    GINKGO('It', 'Expect(Total(2, 3)).NotTo(BeNil())'),
    'assertion-weakened',
  ],
  ['Gomega: a matcher is missing', GINKGO('It'), GINKGO('It', 'Expect(Total(2, 3))'), 'assertion-removed'],
  [
    'Gomega: the other spelling of a matcher',
    GINKGO('It', 'Expect(err).NotTo(HaveOccurred())\n\t\tExpect(n).To(Equal(5))'),
    GINKGO('It', 'Expect(err).ToNot(HaveOccurred())\n\t\tExpect(n).To(BeNumerically("==", 5))'),
    undefined,
  ],
  [
    'Ginkgo: an entry of a table is dropped',
    'package a\n\nvar _ = DescribeTable("adds", func(a, b int) {\n\tExpect(a).To(Equal(b))\n}, Entry("one", 1, 1), Entry("two", 2, 2))\n',
    'package a\n\nvar _ = DescribeTable("adds", func(a, b int) {\n\tExpect(a).To(Equal(b))\n}, Entry("one", 1, 1))\n',
    'test-cases-removed',
  ],
  // Other libraries
  [
    'quicktest: a checker accepts more',
    testify('c := qt.New(t)', 'c.Assert(Total(2, 3), qt.Equals, 5)'),
    testify('c := qt.New(t)', 'c.Assert(Total(2, 3), qt.IsNotNil)'),
    'assertion-weakened',
  ],
  [
    'quicktest takes the place of testify',
    testify('assert.Equal(t, 5, Total(2, 3))'),
    testify('qt.Assert(t, Total(2, 3), qt.Equals, 5)'),
    undefined,
  ],
  [
    'GoConvey: a checker accepts more',
    inTest('Convey("adds", t, func() {', '\tSo(Total(2, 3), ShouldEqual, 5)', '})'),
    inTest('Convey("adds", t, func() {', '\tSo(Total(2, 3), ShouldNotBeNil)', '})'),
    'assertion-weakened',
  ],
  [
    'gotest.tools: a value becomes a truth',
    testify('assert.Assert(t, Total(2, 3) == 5)'),
    testify('assert.Assert(t, Total(2, 3) > 0)'),
    'assertion-weakened',
  ],
  // Examples, fuzz tests
  [
    'an example has no output any more',
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '\t// Output: 5', '}'),
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '}'),
    'test-skipped',
  ],
  [
    'the output of an example changes, and the code does not',
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '\t// Output: 5', '}'),
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '\t// Output: 6', '}'),
    'expectation-changed',
  ],
  [
    'the output of an example is unordered',
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '\t// Output: 5', '}'),
    file('func ExampleTotal() {', '\tfmt.Println(Total(2, 3))', '\t// Unordered output: 5', '}'),
    'assertion-weakened',
  ],
  [
    'a seed of a fuzz test is dropped',
    file(
      'func FuzzFold(f *testing.F) {',
      '\tf.Add("a")',
      '\tf.Add("b")',
      '\tf.Fuzz(func(t *testing.T, s string) {',
      '\t\tif Fold(Fold(s)) != Fold(s) {',
      '\t\t\tt.Error(s)',
      '\t\t}',
      '\t})',
      '}',
    ),
    file(
      'func FuzzFold(f *testing.F) {',
      '\tf.Add("a")',
      '\tf.Fuzz(func(t *testing.T, s string) {',
      '\t\tif Fold(Fold(s)) != Fold(s) {',
      '\t\t\tt.Error(s)',
      '\t\t}',
      '\t})',
      '}',
    ),
    'test-cases-removed',
  ],
  [
    'a file is formatted',
    inTest(...GOT),
    inTest(...GOT)
      .replaceAll('\t', '  ')
      .replace('Total(2, 3)', 'Total(\n2,\n3,\n)'),
    undefined,
  ],
])('in a Go test, %s: the finding is as declared', async (_what, before, after, rule) => {
  const rules = await rulesOf({ [PATH]: before }, { [PATH]: after });
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
    'the name of a file ends with a rare operating system',
    {
      'cart/cart_test.go': [inTest(...GOT), undefined],
      'cart/cart_plan9_test.go': [undefined, inTest(...GOT)],
    },
    'test-not-collected',
  ],
  [
    'the name of a file ends with a rare architecture',
    {
      'cart/cart_test.go': [inTest(...GOT), undefined],
      'cart/cart_js_wasm_test.go': [undefined, inTest(...GOT)],
    },
    'test-not-collected',
  ],
  [
    'the name of a file ends with a usual operating system',
    {
      'cart/cart_test.go': [inTest(...GOT), undefined],
      'cart/cart_linux_test.go': [undefined, inTest(...GOT)],
    },
    undefined,
  ],
  [
    'the name of a file has a system in the middle',
    {
      'cart/cart_test.go': [inTest(...GOT), undefined],
      'cart/cart_js_total_test.go': [undefined, inTest(...GOT)],
    },
    undefined,
  ],
  [
    'a test file loses its suffix',
    { 'cart/cart_test.go': [inTest(...GOT), undefined], 'cart/cart_checks.go': [undefined, inTest(...GOT)] },
    'test-not-collected',
  ],
  [
    'a test file has another name',
    { 'cart/cart_test.go': [inTest(...GOT), undefined], 'cart/total_test.go': [undefined, inTest(...GOT)] },
    undefined,
  ],
  [
    'a test file moves into testdata',
    {
      'cart/cart_test.go': [inTest(...GOT), undefined],
      'cart/testdata/cart_test.go': [undefined, inTest(...GOT)],
    },
    'test-not-collected',
  ],
  [
    'the name of a test file begins with an underscore',
    { 'cart/cart_test.go': [inTest(...GOT), undefined], 'cart/_cart_test.go': [undefined, inTest(...GOT)] },
    'test-not-collected',
  ],
  [
    'a test file is split',
    {
      'cart/cart_test.go': [inTest(...GOT), file(OTHER)],
      'cart/total_test.go': [undefined, inTest(...GOT).replace(OTHER, '')],
    },
    undefined,
  ],
  [
    'a function goes with its test',
    {
      'cart/cart_test.go': [inTest(...GOT), file(OTHER)],
      'cart/cart.go': ['package cart\n\nfunc Total(a, b int) int { return a + b }\n', 'package cart\n'],
    },
    undefined,
  ],
  [
    'a wanted value changes with the code',
    {
      'cart/cart_test.go': [inTest(...GOT), inTest(...GOT.map((line) => line.replace('5', '6')))],
      'cart/cart.go': [
        'package cart\n\nfunc Total(a, b int) int { return a + b }\n',
        'package cart\n\nfunc Total(a, b int) int { return a + b + 1 }\n',
      ],
    },
    undefined,
  ],
])('in Go, %s: the finding is as declared', async (_what, files, rule) => {
  const rules = await rulesOf(side(files, 0), side(files, 1));
  if (rule === undefined) expect(rules).toEqual([]);
  else expect(rules).toContain(rule);
});
