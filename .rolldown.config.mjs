import { defineConfig } from 'rolldown';

// yaml and commander are inlined, each in a chunk of its own that only the command that needs it loads.
export default defineConfig({
  input: { main: 'src/main.ts', index: 'src/index.ts' },
  platform: 'node',
  output: { dir: 'dist', format: 'esm', minify: true, cleanDir: true },
});
