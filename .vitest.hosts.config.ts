import { defineConfig } from 'vitest/config';

/** Opt-in (`npm run test:hosts`): real clients, downloaded once, against a scripted model on loopback. */
export default defineConfig({
  test: {
    include: ['tests/hosts/**/*.test.ts'],
    // A run takes a few seconds; a loaded machine, or a client that retries, may need far more.
    testTimeout: 300_000,
    env: { RALPH_TEST_HOSTS: '1' },
    fileParallelism: false,
    // The table of clients and cases stands as it is printed.
    disableConsoleIntercept: true,
  },
});
