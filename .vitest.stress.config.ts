import { defineConfig } from 'vitest/config';

/** `npm run test:stress`: processes killed at random moments, fifty hooks at once, large inputs, long property runs. */
export default defineConfig({
  test: {
    include: ['tests/stress/**/*.test.ts'],
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
