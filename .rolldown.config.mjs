import { defineConfig } from 'rolldown';

// yaml and commander are inlined, each in a chunk of its own that only the command that needs it loads.
// The program is CommonJS: on Node 20, setting up the ESM loader alone costs a fifth of Node's own start, which is
// all that a hook may take for a stop that is none of its business. The library is ESM.
const shared = { platform: 'node', treeshake: true };
export default defineConfig([
  {
    ...shared,
    input: { main: 'src/main.ts' },
    output: {
      dir: 'dist/program',
      format: 'cjs',
      minify: true,
      cleanDir: true,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
    },
  },
  {
    ...shared,
    input: { index: 'src/index.ts' },
    output: { dir: 'dist/library', format: 'esm', cleanDir: true },
  },
]);
