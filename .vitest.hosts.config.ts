import { defineConfig } from 'vitest/config';

/** Opt-in (`npm run test:hosts`): real clients, downloaded once, against a scripted model on loopback. */
export default defineConfig({
  test: {
    include: ['tests/hosts/**/*.test.ts'],
    // A limit for a client that hangs. A run takes a few seconds; where others use the machine, OpenCode, which starts five
    // processes of 0.8 GB one after another, took five minutes.
    testTimeout: 20 * 60_000,
    env: { RALPH_TEST_HOSTS: '1' },
    fileParallelism: false,
    // The table of clients and cases stands as it is printed.
    disableConsoleIntercept: true,
  },
});
