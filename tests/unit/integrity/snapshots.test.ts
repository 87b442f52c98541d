// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are source texts
import { describe, expect, test } from 'vitest';
import { findRewrittenSnapshots } from '../../../src/integrity/tests/snapshots.ts';

type Files = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>;

function found(files: Files): string[] {
  const changes = Object.entries(files)
    .filter(([, [before, after]]) => before !== after)
    .map(([path, [before, after]]) => ({ path, before, after }));
  return findRewrittenSnapshots({ changes, read: (path) => files[path]?.[1] }).map(
    ({ severity }) => severity,
  );
}

const same = (text: string) => [text, text] as const;

const TEST = `import { invoice } from '../src/invoice';
describe('invoice', () => {
  it('has one line', () => { expect(invoice(1)).toMatchSnapshot(); });
  it('has none', () => { expect(invoice(0)).toMatchSnapshot(); });
});
`;
const snap = (one: string, none = '"Total 0.00"') =>
  `// Vitest Snapshot v1\n\nexports[\`invoice > has none 1\`] = \`\n${none}\n\`;\n\nexports[\`invoice > has one line 1\`] = \`\n${one}\n\`;\n`;
const ONE = '"Chair 118.00\nTotal 118.00"';

/** The source, the test and its snapshots of a project. */
interface Change {
  readonly source?: readonly [string, string];
  readonly test?: readonly [string, string];
  readonly snapshot: readonly [string | undefined, string | undefined];
  readonly others?: Files;
}

const SOURCE = "import { money } from './money';\nexport const invoice = (n) => `Total ${money(n)}`;\n";
const CHANGED = [SOURCE, SOURCE.replace('Total', 'Sum')] as const;

function inProject({
  source = [SOURCE, SOURCE],
  test: tests = [TEST, TEST],
  snapshot,
  others,
}: Change): string[] {
  return found({
    'src/invoice.ts': source,
    'tests/invoice.test.ts': tests,
    'tests/__snapshots__/invoice.test.ts.snap': snapshot,
    ...others,
  });
}

type Row = readonly [what: string, change: Change, severity?: 'high' | 'medium'];

// biome-ignore format: one row a line
const ROWS: readonly Row[] = [
  ['a value changed and nothing else', { snapshot: [snap(ONE), snap(ONE.replaceAll('118', '119'))] }, 'high'],
  ['a value changed and the documentation', { snapshot: [snap(ONE), snap(ONE.replaceAll('118', '119'))], others: { 'README.md': ['a', 'b'] } }, 'high'],
  ['a value changed and code that the test does not reach', { snapshot: [snap(ONE), snap(ONE.replaceAll('118', '119'))], others: { 'src/log.ts': ['export const a = 1;', 'export const a = 2;'] } }, 'medium'],
  ['a value became NaN with the code', { source: CHANGED, snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', 'NaN'))] }, 'high'],
  ['a value became undefined with the code', { source: CHANGED, snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', 'undefined'))] }, 'high'],
  ['a value became an object with the code', { source: CHANGED, snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', '[object Object]'))] }, 'high'],
  ['a value became null with the code', { source: CHANGED, snapshot: [snap('Object {\n  "id": 7,\n}'), snap('Object {\n  "id": null,\n}')] }, 'high'],
  ['a value became an error with the code', { source: CHANGED, snapshot: [snap(ONE), snap('"TypeError: Cannot read properties of undefined"')] }, 'high'],
  ['a value became an invalid date with the code', { source: CHANGED, snapshot: [snap(ONE), snap('"Invalid Date"')] }, 'high'],
  ['a value became empty with the code', { source: CHANGED, snapshot: [snap(ONE), snap('""')] }, 'high'],
  ['a component became empty with the code', { source: CHANGED, snapshot: [snap('<div>\n  <p>\n    3\n  </p>\n</div>'), snap('<div />')] }, 'high'],
  ['an entry is gone and its test is there', { source: CHANGED, snapshot: [snap(ONE), snap(ONE).replace(/exports\[`invoice > has none 1[^;]*;\n\n/, '')] }, 'high'],
  ['all entries are gone and their tests are there', { snapshot: [snap(ONE), undefined] }, 'high'],
  ['it follows its component', { source: CHANGED, snapshot: [snap(ONE), snap(ONE.replace('Total', 'Sum'))] }],
  ['it follows a module that its component imports', { snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', '118,00'))], others: { 'src/money.ts': ['export const money = (n) => n;', 'export const money = (n) => n + 1;'] } }],
  ['it follows a style that its component imports', { snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', '118,00'))], others: { 'src/invoice.css': ['a {}', 'b {}'] } }],
  ['it follows a dependency', { snapshot: [snap(ONE), snap(ONE.replaceAll('118.00', '118,00'))], others: { 'package.json': ['{"dependencies":{"a":"1"}}', '{"dependencies":{"a":"2"}}'] } }],
  ['it follows another input of its test', { test: [TEST, TEST.replace('invoice(1)', 'invoice(2)')], snapshot: [snap(ONE), snap(ONE.replaceAll('118', '236'))] }],
  ['an entry goes with its test', { test: [TEST, TEST.replace(/ {2}it\('has none'.*\n/, '')], snapshot: [snap(ONE), snap(ONE).replace(/exports\[`invoice > has none 1[^;]*;\n\n/, '')] }],
  ['an entry becomes an assertion', { test: [TEST, TEST.replace('expect(invoice(0)).toMatchSnapshot()', "expect(invoice(0)).toBe('Total 0.00')")], snapshot: [snap(ONE), snap(ONE).replace(/exports\[`invoice > has none 1[^;]*;\n\n/, '')] }],
  ['an entry becomes an inline snapshot', { test: [TEST, TEST.replace('expect(invoice(0)).toMatchSnapshot()', 'expect(invoice(0)).toMatchInlineSnapshot(`"Total 0.00"`)')], snapshot: [snap(ONE), snap(ONE).replace(/exports\[`invoice > has none 1[^;]*;\n\n/, '')] }],
  ['an entry is added', { test: [TEST, TEST.replace("  it('has none'", "  it('has two', () => { expect(invoice(2)).toMatchSnapshot(); });\n  it('has none'")], snapshot: [snap(ONE), `${snap(ONE)}\nexports[\`invoice > has two 1\`] = \`\n"x"\n\`;\n`] }],
  ['an entry is renamed with its test', { test: [TEST, TEST.replace('has none', 'is empty')], snapshot: [snap(ONE), snap(ONE).replace('has none', 'is empty')] }],
  ['the header and the indentation change', { snapshot: [snap('Object {\n  "id": 7,\n}'), snap('Object {\n    "id": 7,\n}').replace('// Vitest Snapshot v1', '// Jest Snapshot v1')] }],
  ['quotes are no longer escaped', { snapshot: [snap('Object {\n  "id": \\"a\\",\n}'), snap('{\n  "id": "a",\n}')] }],
  ['a field is added that may be missing', { source: CHANGED, snapshot: [snap('Object {\n  "id": 7,\n}'), snap('Object {\n  "id": 7,\n  "note": undefined,\n}')] }],
  ['NaN was there', { source: CHANGED, snapshot: [snap('"NaN a"'), snap('"NaN b"')] }],
  ['an error is what the test is about', { source: CHANGED, test: same(TEST.replace('has none', 'rejects none')), snapshot: [snap(ONE).replace('has none', 'rejects none'), snap(ONE, '"RangeError: no lines"').replace('has none', 'rejects none')] }],
];

describe('a snapshot of JavaScript', () => {
  test.each(ROWS.map(([what, change, severity]) => ({ what, change, severity })))(
    'is found or not: $what',
    ({ change, severity }) => {
      expect(inProject(change)).toEqual(severity === undefined ? [] : [severity]);
    },
  );
});

const RUST = (body: string) => `---\nsource: src/lib.rs\nexpression: total()\n---\n${body}\n`;
const AMBR = (body: string) =>
  `# serializer version: 1\n# name: test_total\n  ${body}\n# ---\n# name: test_other\n  'x'\n# ---\n`;

// biome-ignore format: one row a line
const FORMATS: readonly (readonly [what: string, files: Files, severity?: string])[] = [
  ['insta: a value alone', { 'src/snapshots/a__total.snap': [RUST('3'), RUST('4')] }, 'high'],
  ['insta: a value with the code', { 'src/snapshots/a__total.snap': [RUST('3'), RUST('4')], 'src/lib.rs': ['fn total() {}', 'fn total() -> u8 { 4 }'] }],
  ['insta: its header', { 'src/snapshots/a__total.snap': [RUST('3'), RUST('3').replace('source: src/lib.rs', 'source: src/total.rs\nassertion_line: 7')] }],
  ['insta: an empty value with the code', { 'src/snapshots/a__total.snap': [RUST('a: 3'), RUST('')], 'src/lib.rs': ['fn total() {}', 'fn total() -> u8 { 4 }'] }, 'high'],
  ['syrupy: a value alone', { 'tests/__snapshots__/test_total.ambr': [AMBR('3'), AMBR('4')], 'tests/test_total.py': same('def test_total(snapshot):\n    assert total() == snapshot\n') }, 'high'],
  ['syrupy: a value with the code', { 'tests/__snapshots__/test_total.ambr': [AMBR('3'), AMBR('4')], 'shop/total.py': ['a = 1', 'a = 2'], 'tests/test_total.py': same('def test_total(snapshot):\n    assert total() == snapshot\n') }],
  ['syrupy: None with the code', { 'tests/__snapshots__/test_total.ambr': [AMBR('3'), AMBR('None')], 'shop/total.py': ['a = 1', 'a = 2'] }, 'high'],
  ['an approved file alone', { 'tests/Total.approved.txt': ['3\n', '4\n'] }, 'high'],
  ['an approved file with the code', { 'tests/Total.approved.txt': ['3\n', '4\n'], 'src/Total.java': ['class A {}', 'class B {}'] }],
  ['an approved file that is an error', { 'tests/Total.approved.txt': ['3\n', 'Exception in thread "main" java.lang.NullPointerException\n'], 'src/Total.java': ['class A {}', 'class B {}'] }, 'high'],
  ['a verified file alone', { 'tests/Total.verified.json': ['{"a": 1}', '{"a": 2}'] }, 'high'],
  ['a golden file with a text that a format could not write', { 'render.go': ['package a\n', 'package a\n\nfunc F() {}\n'], 'testdata/total.golden': ['total: 3\n', 'total: %!s(int=3)\n'] }, 'high'],
  ['a golden file alone', { 'testdata/total.golden': ['3\n', '4\n'] }, 'high'],
  ['an approved file of other line ends', { 'tests/Total.approved.txt': ['3\n4\n', '3\r\n4\r\n'] }],
  ['a new snapshot', { 'src/snapshots/a__total.snap': [undefined, RUST('3')] }],
  ['a file that only ends in snap', { 'src/a.snapper.ts': ['a', 'b'] }],
];

test.each(FORMATS.map(([what, files, severity]) => ({ what, files, severity })))(
  'a snapshot of another library is found or not: $what',
  ({ files, severity }) => {
    expect(found(files)).toEqual(severity === undefined ? [] : [severity]);
  },
);

const inline = (value: string) =>
  `import { invoice } from '../src/invoice';\nit('has one line', () => { expect(invoice(1)).toMatchInlineSnapshot(\`${value}\`); });\n`;

// biome-ignore format: one row a line
const INLINE: readonly (readonly [what: string, before: string, after: string, codeChanged: boolean, severity?: string])[] = [
  ['a value alone', inline('"118.00"'), inline('"119.00"'), false, 'high'],
  ['a value with the code', inline('"118.00"'), inline('"119.00"'), true],
  ['NaN with the code', inline('"118.00"'), inline('"NaN"'), true, 'high'],
  ['an empty call in place of a value', inline('"118.00"'), inline('"118.00"').replace(/`.*`/, ''), true, 'high'],
  ['its indentation', inline('\n  "a\n  b"\n'), inline('\n    "a\n    b"\n  '), false],
  ['another input', inline('"118.00"'), inline('"119.00"').replace('invoice(1)', 'invoice(2)'), false],
];

test.each(
  INLINE.map(([what, before, after, codeChanged, severity]) => ({
    what,
    before,
    after,
    codeChanged,
    severity,
  })),
)('an inline snapshot is found or not: $what', ({ before, after, codeChanged, severity }) => {
  const files = {
    'tests/invoice.test.ts': [before, after] as const,
    'src/invoice.ts': codeChanged ? CHANGED : same(SOURCE),
  };
  expect(found(files)).toEqual(severity === undefined ? [] : [severity]);
});
