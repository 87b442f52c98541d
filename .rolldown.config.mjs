import { resolve } from 'node:path';
import { defineConfig } from 'rolldown';

// yaml, leven and commander are inlined. The program is CommonJS: on Node 20, setting up the ESM loader alone costs
// a fifth of Node's own start, which is all that a hook may take for a stop that is none of its business.
// The hook is bundled apart from the other commands: chunks shared with them would each be one more file to load. What is
// large is shared all the same: yaml is a tenth of the package, and takes longer to run than to find.
const program = resolve('src/cli/program.ts');
const status = resolve('src/cli/commands/status.ts');
/** What all bundles load from one place. */
const shared = ['yaml', 'jsonc-parser'];
const sharedFrom = (path) => Object.fromEntries(shared.map((name) => [name, `${path}/${name}.cjs`]));
// The board is an ES module: Ink's layout engine is WASM that is compiled by a top-level await, which CommonJS has not.
// `watch` alone loads it.
const board = resolve('src/watch/show-board.tsx');
// Ink takes DEV=true, which people set for other programs, for the wish to debug it: it then looks for React's developer
// tools, and for its own package.json.
const inkWithoutDevelopment = {
  name: 'ink-without-development',
  load: {
    filter: { id: /\/ink\/build\/(?:utils|devtools)\.js$/ },
    handler: () => 'export const isDev = () => false;',
  },
};
// jsonc-parser's main is UMD, whose own require() no bundler can follow.
const libraries = { mainFields: ['module', 'main'] };
const cjs = {
  format: 'cjs',
  minify: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
};
export default defineConfig([
  {
    input: { main: 'src/cli/main.ts' },
    platform: 'node',
    resolve: libraries,
    external: [program, status, ...shared],
    // What lazy parts share with the entry stays in it, as more exports of its own: each chunk is a file to load.
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...cjs,
      dir: 'dist/program',
      codeSplitting: {
        groups: [
          { name: 'main', test: /[\\/]src[\\/]cli[\\/]main\.ts$/, includeDependenciesRecursively: true },
        ],
      },
      // A real import() would set up the ESM loader, for the length of Node's own start.
      dynamicImportInCjs: false,
      paths: {
        [program]: './commands/program.cjs',
        [status]: './status/status.cjs',
        ...sharedFrom('.'),
      },
    },
  },
  {
    input: { program },
    platform: 'node',
    resolve: libraries,
    external: [board, status, ...shared],
    output: {
      ...cjs,
      dir: 'dist/program/commands',
      paths: { [board]: './board.mjs', [status]: '../status/status.cjs', ...sharedFrom('..') },
    },
  },
  {
    input: { status },
    platform: 'node',
    resolve: libraries,
    external: shared,
    output: { ...cjs, dir: 'dist/program/status', paths: sharedFrom('..') },
    preserveEntrySignatures: 'allow-extension',
  },
  {
    input: Object.fromEntries(shared.map((name) => [name, name])),
    platform: 'node',
    resolve: libraries,
    output: { ...cjs, dir: 'dist/program' },
  },
  {
    input: { board },
    platform: 'node',
    plugins: [inkWithoutDevelopment],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: {
      dir: 'dist/program/commands',
      format: 'esm',
      minify: true,
      entryFileNames: '[name].mjs',
      codeSplitting: false,
    },
  },
  {
    input: { index: 'src/index.ts' },
    platform: 'node',
    resolve: libraries,
    // Editors read the docstrings in the types.
    output: { dir: 'dist/library', format: 'esm', comments: { jsdoc: false } },
  },
]);
