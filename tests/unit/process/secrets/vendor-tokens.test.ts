import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (file: string) => fileURLToPath(new URL(`../../../../${file}`, import.meta.url));

test("the list of vendors' tokens is as `npm run docs` makes it", () => {
  const made = execFileSync(process.execPath, [path('.token-shapes.mjs')], { encoding: 'utf8' });
  expect(readFileSync(path('src/process/secrets/vendor-tokens.ts'), 'utf8')).toBe(made);
});
