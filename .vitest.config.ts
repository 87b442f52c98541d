import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/{unit,process,cli,package}/**/*.test.ts'],
    // A module graph for each of 200 files would take half of the run; tests undo what they stub.
    isolate: false,
    // Vitest leaves one core to itself; most tests wait for processes.
    maxWorkers: '100%',
    // A limit for a test that hangs, far above what any test needs: no test depends on the machine's speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
