import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../helpers/packed-package.ts';

const MEGABYTE = 1_000_000;
/** The SDK and zod are most of it, and are loaded by `ralph-loop mcp` alone. */
const MCP_SERVER = 'dist/program/commands/mcp.cjs';

describe('the package', () => {
  test('holds what is run, its types and its schemas, and no more', ({ packed }) => {
    // How the program is cut into chunks is the bundler's business.
    const files = packed.files.map((file) =>
      file.replace(/^(dist\/(?:program|library)\/).*(\.c?js)$/, '$1*$2'),
    );
    expect([...new Set(files)].toSorted()).toEqual([
      '.claude-plugin/hooks.json',
      '.claude-plugin/marketplace.json',
      '.claude-plugin/plugin.json',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/package.json',
      'bin/ralph-gate.js',
      'bin/ralph-loop.js',
      'dist/library/*.js',
      'dist/program/*.cjs',
      'dist/types/index.d.ts',
      'package.json',
      'schema/gate.config.json',
      'schema/worktree.json',
    ]);
  });

  test('is smaller than a megabyte; unpacked, its MCP server comes on top', ({ packed }) => {
    const server = statSync(join(packed.home, 'node_modules/ralph-loop', MCP_SERVER)).size;
    expect(packed.size).toBeLessThan(MEGABYTE);
    expect(packed.unpackedSize - server).toBeLessThan(MEGABYTE);
    expect(server).toBeLessThan(MEGABYTE / 2);
  });

  test("has MCP's SDK in the part that is loaded for it, and nowhere else", ({ packed }) => {
    const textOf = (file: string) => readFileSync(join(packed.home, 'node_modules/ralph-loop', file), 'utf8');
    const parts = packed.files.filter((file) => file.startsWith('dist/') && !file.endsWith('.d.ts'));
    expect(parts.filter((file) => textOf(file).includes('modelcontextprotocol'))).toEqual([MCP_SERVER]);
    expect(parts.filter((file) => textOf(file).includes('mcp.cjs'))).toEqual([
      'dist/program/commands/program.cjs',
    ]);
  });

  test('installs nothing but itself, and runs no script for it', ({ packed }) => {
    const modules = join(packed.home, 'node_modules');
    expect(readdirSync(modules).toSorted()).toEqual(['.bin', '.package-lock.json', 'ralph-loop']);
    expect(readdirSync(join(modules, '.bin')).toSorted()).toEqual(['ralph-gate', 'ralph-loop']);
    const packageJson = JSON.parse(readFileSync(join(modules, 'ralph-loop/package.json'), 'utf8'));
    expect(Object.keys(packageJson).filter((key) => /dependencies/i.test(key))).toEqual(['devDependencies']);
    expect(Object.keys(packageJson.scripts).filter((name) => /install/.test(name))).toEqual([]);
  });
});
