import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { compile, tsconfig } from '../helpers/compile.ts';
import { test as base } from '../helpers/packed-package.ts';
import { expectGone } from '../helpers/processes.ts';
import type { Project } from '../helpers/project.ts';
import { sleepLong } from '../helpers/shell-commands.ts';

const EXAMPLE = fileURLToPath(new URL('../fixtures/library/run-gates.ts', import.meta.url));

/** `test` with the example of the API page, compiled against the installed package. */
const test = base.extend('example', { scope: 'file' }, async ({ packed }) => {
  cpSync(EXAMPLE, join(packed.home, 'run-gates.ts'));
  writeFileSync(join(packed.home, 'tsconfig.json'), tsconfig({ types: ['node'], lib: ['es2023'] }));
  const output = await compile(packed.home);
  return { output, program: join(packed.home, 'run-gates.js') };
});

const gates = (...commands: readonly [name: string, command: string][]) => ({
  'gate.config.json': JSON.stringify({ gates: commands.map(([name, command]) => ({ name, command })) }),
});

const run = (program: string, { root: cwd, environment: env }: Project) =>
  execa(process.execPath, [program], { cwd, env, extendEnv: false, reject: false });

describe.concurrent('the example of the library', () => {
  test('compiles', ({ example }) => {
    expect(example.output).toBe('');
  });

  test.for([
    {
      files: gates(['lint', 'true'], ['unit', 'echo fine']),
      exitCode: 0,
      stdout: /^✓ lint \(.+\)\n✓ unit \(.+\)\nAll blocking gates passed in .+\.$/,
      stderr: 'Running lint …\nRunning unit …',
    },
    {
      files: gates(['lint', 'exit 3'], ['unit', 'true']),
      exitCode: 1,
      stdout: /^✗ lint \(exit 3, .+\)\n⊘ unit \(not run\)\n1 blocking gate failed in .+\.$/,
      stderr: 'Running lint …',
    },
    {
      files: { 'gate.config.json': '{ "gates": [{ "name": "lint" }] }' },
      exitCode: 2,
      stdout: /^$/,
      stderr: expect.stringMatching(/^gate\.config\.json:1:\d+: .*command/),
    },
  ])('exits with $exitCode', async ({ files, ...expected }, { example, makeProject }) => {
    const { exitCode, stdout, stderr } = await run(example.program, makeProject(files));
    expect({ exitCode, stdout, stderr }).toEqual({
      ...expected,
      stdout: expect.stringMatching(expected.stdout),
    });
  });

  test('ends its gates at Ctrl-C', async ({ example, makeProject }) => {
    const project = makeProject(gates(['slow', sleepLong('slow.pid')], ['later', 'touch later.ran']));
    const running = run(example.program, project);
    const pid = await project.pidIn('slow.pid');
    running.kill('SIGINT');
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ slow \(interrupted, .+\)\n⊘ later \(not run\)\n/);
    await expectGone(pid);
    expect(project.has('later.ran')).toBe(false);
  });
});
