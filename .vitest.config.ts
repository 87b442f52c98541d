import { defineConfig } from 'vitest/config';
import { NO_HOME } from './tests/helpers/no-home.ts';

export default defineConfig({
  test: {
    include: ['tests/{unit,process,cli,package}/**/*.test.ts'],
    // A module graph for each of 200 files would take half of the run; tests undo what they stub.
    isolate: false,
    // Vitest leaves one core to itself; most tests wait for processes.
    maxWorkers: '100%',
    // No test writes into the home of the person who runs it: `makeProject` gives each project a home of its own.
    env: { XDG_STATE_HOME: NO_HOME },
    // A limit for a test that hangs, far above what any test needs: no test depends on the machine's speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
