import { expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { condensed } from '../../../helpers/condensed.ts';

const of = (output: string) => excerptText(excerptOf(condensed(output), 6000, { hung: false }));
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');

const diffOf = (file: string) =>
  `--- /p/${file}\t2026-11-27 14:45:07 +0000\n+++ /p/${file}\t2026-11-27 14:45:39 +0000\n@@ -1,60 +1,60 @@\n${many(30, (i) => `-a${i} = 'one, two'\n+a${i} = "one, two"\n b${i} = 3`)}\nwould reformat /p/${file}\n`;
const finding = (i: number) =>
  `shop/a${i}.py:${i}:1: F821 undefined name 'name${i}'\n    return name${i} + another_name\n           ^\n`;
const OUTPUT = `==> black\n${diffOf('a.py')}${diffOf('b.py')}\n==> flake8\n${many(30, finding)}\n==> mypy\n${many(20, (i) => `shop/b${i}.py:${i}: error: Incompatible types in assignment ${i}  [assignment]\n        total = unit_price * count\n                ^\n`)}\nmake: *** [Makefile:6: lint] Error 1\n`;

test('steps that do not fit together leave out the diffs of formatters and the source of findings first', () => {
  const shown = of(OUTPUT);

  for (const file of ['a.py', 'b.py']) expect(shown).toContain(`would reformat /p/${file}`);
  expect(shown.match(/F821/g)).toHaveLength(30);
  expect(shown.match(/Incompatible types/g)?.length).toBeGreaterThan(15);
  expect(shown).not.toMatch(/^[+-]a\d|another_name|unit_price|^\s*\^/m);
});

test('steps that fit together have the diffs of formatters and the source of findings', () => {
  const shown = of(
    `==> black\n${diffOf('a.py')}\n==> flake8\n${finding(3)}\nmake: *** [Makefile:6: lint] Error 1\n`,
  );

  expect(shown).toContain('-a3 = ');
  expect(shown).toContain('another_name');
});

test('an error of Rust keeps its place where the source is left out, and a diff of rustfmt its heading', () => {
  const diff = (i: number) =>
    `Diff in /p/src/a${i}.rs:${i + 1}:\n${many(30, (n) => `-    let a${n}=1;\n+    let a${n} = 1;`)}`;
  const error = (i: number) =>
    `error: length comparison of line${i} to zero\n  --> src/b${i}.rs:${i + 12}:12\n   |\n${i + 12} |     if line${i}.len() == 0 {\n   |        ^^^^^^^^^^^^^^^^ help: try \`line${i}.is_empty()\`\n`;
  const shown = of(
    `##[group]fmt\n${many(20, diff)}\n##[endgroup]\n##[group]clippy\n${many(30, error)}\n##[endgroup]\nfailed steps: fmt clippy\n`,
  );

  expect(shown.match(/Diff in /g)).toHaveLength(20);
  expect(shown.match(/--> src/g)?.length).toBeGreaterThan(20);
  expect(shown).not.toMatch(/let a\d|if line\d+\.len/);
});
