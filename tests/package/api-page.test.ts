import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import * as library from '../../src/index.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${repository}/docs/api.md`, 'utf8');

describe('the API reference', () => {
  // The build made the declarations that the page is made of.
  test('is up to date with the docstrings', async () => {
    const { stdout } = await execa(process.execPath, ['.api-page.mjs'], {
      cwd: repository,
      stripFinalNewline: false,
    });
    expect(page).toBe(stdout);
  });

  test.for(Object.keys(library))('describes %s', (name) => {
    expect(page).toMatch(new RegExp(`^### ${name}\n\n[A-Z].*\n`, 'm'));
  });
});
