import { describe, expect } from 'vitest';
import { type Files, test, trellisFiles } from '../helpers/project.ts';
import { checkStops, hookAnswers } from '../helpers/stops.ts';

const LISTENS_TWICE = `
const { createServer } = require('node:http');
const first = createServer().listen(0, '127.0.0.1', () => {
  createServer().listen(first.address().port, '127.0.0.1');
});
`;

/** From a port that was free a moment ago. */
const FETCHES_FROM_NOBODY = `
import { createServer } from 'node:http';
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => fetch('http://127.0.0.1:' + port));
});
`;

interface Row {
  readonly gate: string;
  readonly files?: Files;
  /** How the gate ended. */
  readonly ended: string;
  readonly advice: string | RegExp;
}

const MEMORY = 'most likely the system did, for lack of memory.';

const ROWS: readonly Row[] = [
  {
    gate: 'no-such-program --check',
    ended: 'exited with code 127',
    advice:
      "`no-such-program` is not installed here, or is misspelled. Install the project's dependencies, or correct the name.",
  },
  {
    gate: 'npm() { echo "sh: 1: no-such-lint: not found" >&2; return 127; }; npm run lint',
    ended: 'exited with code 127',
    advice: '`no-such-lint` is not installed here, or is misspelled.',
  },
  {
    gate: './check.sh',
    files: { 'check.sh': 'exit 0\n' },
    ended: 'exited with code 126',
    advice: 'Make the file executable (chmod +x), or call it by its interpreter.',
  },
  {
    gate: 'echo "Error: ENOSPC: no space left on device, write" >&2; exit 1',
    ended: 'exited with code 1',
    advice: 'The disk is full, so this says nothing about the code.',
  },
  {
    gate: 'echo "Error: listen EADDRINUSE: address already in use :::3000" >&2; exit 1',
    ended: 'exited with code 1',
    advice: 'Port 3000 is in use, so this says nothing about the code.',
  },
  {
    gate: 'node listens-twice.cjs',
    files: { 'listens-twice.cjs': LISTENS_TWICE },
    ended: 'exited with code 1',
    advice: /Port \d{2,5} is in use, so this says nothing about the code\./,
  },
  {
    gate: 'node -e "require(\'left-pad\')"',
    ended: 'exited with code 1',
    advice: 'If "left-pad" is a dependency, it is not installed',
  },
  {
    gate: 'node imports.mjs',
    files: { 'imports.mjs': "import '@scope/left-pad/deep.js';\n" },
    ended: 'exited with code 1',
    advice: 'If "@scope/left-pad" is a dependency, it is not installed',
  },
  {
    gate: 'node fetches.mjs',
    files: { 'fetches.mjs': FETCHES_FROM_NOBODY },
    ended: 'exited with code 1',
    advice: 'It could not reach a server.',
  },
  {
    gate: "node -e \"require('node:net').connect(1, '127.0.0.1')\"",
    ended: 'exited with code 1',
    advice: 'It could not reach a server.',
  },
  { gate: 'kill -9 $$', ended: 'was killed by SIGKILL', advice: MEMORY },
  {
    gate: 'sh -c "kill -9 \\$\\$"; exit $?',
    ended: 'exited with code 137 (128 + 9: killed by SIGKILL)',
    advice: MEMORY,
  },
  {
    gate: '{ name: slow, run: "echo watching; sleep 600", timeout: 1 }',
    ended: 'timed out: it was still running after 1 s and was ended',
    advice: 'Look for what it waits for: a watch mode, a server that never ends,',
  },
];

const ANY_ADVICE = /says nothing about the code|is not installed|to the user|chmod|could not reach/;

describe.concurrent('a stop blocked by a failure outside of the code has advice', () => {
  test.for(ROWS)('for $gate', async ({ gate, files = {}, ended, advice }, { makeProject }) => {
    const project = makeProject({ ...trellisFiles([gate]), ...files });
    const { decision, reason } = await hookAnswers(project, checkStops(project));
    expect(decision).toBe('block');
    expect(reason).toContain(ended);
    if (typeof advice === 'string') expect(reason).toContain(advice);
    else expect(reason).toMatch(advice);
  });

  test.for([
    'echo "AssertionError: expected 1 to be 2"; exit 1',
    'echo "✓ survives ENOSPC"; echo "AssertionError: expected 1 to be 2"; exit 1',
    'echo "✗ reports EADDRINUSE (3 ms)"; echo "AssertionError: expected 1 to be 2"; exit 1',
    'exit 1',
  ])('and a failure of the code has none: %s', async (gate, { makeProject }) => {
    const project = makeProject(trellisFiles([gate]));
    const { reason } = await hookAnswers(project, checkStops(project));
    expect(reason).toMatch(/^Iteration 1\/5\. Verification failed:\n/);
    expect(reason).not.toMatch(ANY_ADVICE);
  });
});
