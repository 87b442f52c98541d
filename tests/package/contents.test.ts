import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect } from 'vitest';
import * as library from '../../src/index.ts';
import { test } from '../helpers/packed-package.ts';

const MEGABYTE = 1_000_000;
/** The SDK and zod are most of it, and are loaded by `ralph-loop mcp` alone. */
const MCP_SERVER = 'dist/program/mcp.cjs';
/** Ink and React are most of it, and are loaded by `ralph-loop watch` alone. */
const BOARD = 'dist/program/board.mjs';

describe('the package', () => {
  test('contains the programs, the types, the schemas and the reference pages, and nothing else', ({
    packed,
  }) => {
    // The bundler decides how the program is split into chunks.
    const files = packed.files.map((file) =>
      file
        .replace(/^(dist\/(?:program|library)\/).*(\.[cm]?js)$/, '$1*$2')
        .replace(/^docs\/[^/]+\.(md|svg)$/, 'docs/*.$1'),
    );
    expect([...new Set(files)].toSorted()).toEqual([
      '.claude-plugin/hooks.json',
      '.claude-plugin/marketplace.json',
      '.claude-plugin/plugin.json',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/package.json',
      'bin/plugins/opencode.mjs',
      'bin/plugins/pi.mjs',
      'bin/ralph-gate.js',
      'bin/ralph-hook.cjs',
      'bin/ralph-loop.js',
      'dist/library/*.js',
      'dist/program/*.cjs',
      'dist/program/*.mjs',
      'dist/types/index.d.ts',
      'docs/*.md',
      'docs/*.svg',
      'package.json',
      'schema/baseline.json',
      'schema/gate.config.json',
      'schema/worktree.json',
    ]);
  });

  test('exports what the sources of its library export', async ({ packed }) => {
    const built = await import(join(packed.home, 'node_modules/ralph-loop-cli/dist/library/index.js'));

    expect(Object.keys(built).toSorted()).toEqual(Object.keys(library).toSorted());
    expect(Object.values(built)).not.toContain(undefined);
  });

  test('contains every file that the README links to', ({ packed }) => {
    const readme = readFileSync(join(packed.home, 'node_modules/ralph-loop-cli/README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, file = '']) => file);
    expect(links).toContain('docs/hosts.md');
    expect(links.filter((file) => !packed.files.includes(file))).toEqual([]);
  });

  test('is smaller than 1.1 MB, and than 2.45 unpacked without its MCP server and its board', ({
    packed,
  }) => {
    const sizeOf = (file: string) => statSync(join(packed.home, 'node_modules/ralph-loop-cli', file)).size;
    const [server, board] = [sizeOf(MCP_SERVER), sizeOf(BOARD)];
    expect(packed.size).toBeLessThan(1.1 * MEGABYTE);
    expect(packed.unpackedSize - server - board).toBeLessThan(2.45 * MEGABYTE);
    expect(server).toBeLessThan(MEGABYTE / 2);
    expect(board).toBeLessThan(MEGABYTE / 2);
  });

  test.for([
    { what: "MCP's SDK", sign: 'modelcontextprotocol', part: MCP_SERVER, loadedBy: 'program.cjs' },
    { what: 'React', sign: 'react.element', part: BOARD, loadedBy: 'watch.cjs' },
  ])('contains $what only in the chunk that is loaded for it', (row, { packed }) => {
    const textOf = (file: string) =>
      readFileSync(join(packed.home, 'node_modules/ralph-loop-cli', file), 'utf8');
    const parts = packed.files.filter((file) => file.startsWith('dist/') && !file.endsWith('.d.ts'));
    expect(parts.filter((file) => textOf(file).includes(row.sign))).toEqual([row.part]);
    expect(parts.filter((file) => textOf(file).includes(basename(row.part)))).toEqual([
      `dist/program/${row.loadedBy}`,
    ]);
  });

  test('installs no dependencies, and runs no install script', ({ packed }) => {
    const modules = join(packed.home, 'node_modules');
    expect(readdirSync(modules).toSorted()).toEqual(['.bin', '.package-lock.json', 'ralph-loop-cli']);
    expect(readdirSync(join(modules, '.bin')).toSorted()).toEqual([
      'ralph-gate',
      'ralph-loop',
      'ralph-loop-cli',
    ]);
    const packageJson = JSON.parse(readFileSync(join(modules, 'ralph-loop-cli/package.json'), 'utf8'));
    expect(Object.keys(packageJson).filter((key) => /dependencies/i.test(key))).toEqual(['devDependencies']);
    expect(Object.keys(packageJson.scripts).filter((name) => /install/.test(name))).toEqual([]);
  });
});
