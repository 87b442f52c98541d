import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{unit,process,cli,package}/**/*.test.ts'],
    // A limit against hanging, far above what any test needs; no test depends on the machine's speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
