import { resolve } from 'node:path';
import { defineConfig } from 'rolldown';

// yaml, leven and commander are inlined. The program is CommonJS: on Node 20, setting up the ESM loader alone costs
// a fifth of Node's own start, which is all that a hook may take for a stop that is none of its business.
// The hook is bundled apart from the other commands: chunks shared with them would each be one more file to load.
const program = resolve('src/program.ts');
const gateProgram = resolve('src/gate-program.ts');
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
    input: { main: 'src/main.ts' },
    platform: 'node',
    resolve: libraries,
    external: [program, gateProgram],
    // What lazy parts share with the entry stays in it, as more exports of its own: each chunk is a file to load.
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...cjs,
      dir: 'dist/program',
      paths: { [program]: './commands/program.cjs', [gateProgram]: './commands/gate-program.cjs' },
    },
  },
  {
    input: { program, 'gate-program': gateProgram },
    platform: 'node',
    resolve: libraries,
    output: { ...cjs, dir: 'dist/program/commands' },
  },
  {
    input: { index: 'src/index.ts' },
    platform: 'node',
    resolve: libraries,
    output: { dir: 'dist/library', format: 'esm' },
  },
]);
