import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, repository } from './bench-project.ts';
import { measureJsonCommand } from './measure-json-command.ts';

const FILES = 200;
const LINES = 500;
const RUNS = 5;

/** One unit of a test file, in the form of its language. */
const UNITS: Readonly<
  Record<string, { path: (n: number) => string; head: string; unit: (n: number) => string }>
> = {
  typescript: {
    path: (n) => `tests/file-${n}.test.ts`,
    head: "import { expect, it } from 'vitest';\nimport { total } from '../src/cart.ts';\n",
    unit: (n) =>
      `it('adds ${n} items with a price', async () => {\n  const cart = { items: [{ sku: 'a', price: ${n} }] };\n  expect(total(cart)).toBe(${n});\n  expect(cart.items).toHaveLength(1);\n});\n`,
  },
  python: {
    path: (n) => `tests/test_file_${n}.py`,
    head: 'import pytest\nfrom shop.cart import total\n',
    unit: (n) =>
      `\ndef test_adds_${n}_items():\n    cart = [{"sku": "a", "price": ${n}}]\n    assert total(cart) == ${n}\n    assert len(cart) == 1\n`,
  },
  go: {
    path: (n) => `pkg/p${n}/file_test.go`,
    head: 'package p\n\nimport "testing"\n',
    unit: (n) =>
      `\nfunc TestAdds${n}(t *testing.T) {\n\tif got := Total(${n}); got != ${n} {\n\t\tt.Errorf("Total() = %d", got)\n\t}\n}\n`,
  },
  java: {
    path: (n) => `src/test/java/a/File${n}Test.java`,
    head: 'package a;\nimport org.junit.jupiter.api.Test;\nclass FileTest {\n',
    unit: (n) =>
      `  @Test\n  void adds${n}() {\n    Cart cart = new Cart(${n});\n    assertEquals(${n}, cart.total());\n  }\n`,
  },
};

/** `ralph-loop integrity` with many changed test files. */
export async function measureIntegrity(): Promise<void> {
  for (const [language, { path, head, unit }] of Object.entries(UNITS)) {
    const file = (skew: number) => {
      let text = head;
      for (let n = 0; text.split('\n').length < LINES; n++) text += unit(n + (n % 10 === 0 ? skew : 0));
      return text;
    };
    const paths = Array.from({ length: FILES }, (_, n) => path(n));
    const [before, after] = [file(0), file(1)];
    const project = repository(Object.fromEntries(paths.map((each) => [each, before])));
    for (const each of paths) writeFileSync(join(project.root, each), after);
    const runs: Awaited<ReturnType<typeof measureJsonCommand>>[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measureJsonCommand('integrity', project.root));
    const findings = (runs[0]?.document.findings ?? []) as readonly unknown[];
    const memory = Math.max(...runs.map(({ peakKb }) => peakKb));
    console.log(
      `  ${FILES} changed files of ${LINES} lines, ${language}: ${(median(runs.map(({ ms }) => ms)) / 1000).toFixed(2)} s, ${Math.round(memory / 1024)} MB, ${findings.length} findings`,
    );
    project.remove();
  }
}
