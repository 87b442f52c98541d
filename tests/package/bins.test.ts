import { execa } from 'execa';
import { describe, expect } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { test } from '../helpers/packed-package.ts';
import { answerOf, mainStops } from '../helpers/stops.ts';

const gateConfig = (command: string) => ({
  'gate.config.json': JSON.stringify({ gates: [{ name: 'unit', command }] }),
});

describe.concurrent('the installed programs', () => {
  test.for([
    { bin: 'ralph-loop', args: ['--version'], says: `${packageJson.version}\n` },
    { bin: 'ralph-loop-cli', args: ['--version'], says: `${packageJson.version}\n` },
    { bin: 'ralph-gate', args: ['--version'], says: `${packageJson.version}\n` },
    { bin: 'ralph-loop', args: ['--help'], says: 'Usage: ralph-loop ' },
    { bin: 'ralph-gate', args: ['--help'], says: 'Usage: ralph-gate ' },
    { bin: 'ralph-loop', args: ['verify'], says: '✓ unit ' },
    { bin: 'ralph-gate', args: [], says: '✓ unit ' },
  ])('run $bin with $args', async ({ bin, args, says }, { packed, makeProject }) => {
    const { root: cwd, environment: env } = makeProject(gateConfig('true'));
    const options = { cwd, env, extendEnv: false, stripFinalNewline: false } as const;
    const { stdout, stderr } = await execa(`${packed.home}/node_modules/.bin/${bin}`, args, options);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(says), stderr: '' });
  });

  test.for([
    { bin: 'ralph-gate', args: ['--hook'], command: 'echo broken; false', decision: 'block' },
    { bin: 'ralph-gate', args: ['--hook'], command: 'true', decision: undefined },
    { bin: 'ralph-loop', args: ['hook'], command: 'echo broken; false', decision: 'block' },
  ])(
    'run $bin with $args, which answers a stop while the gate is `$command`',
    async (row, { packed, makeProject }) => {
      const project = makeProject(gateConfig(row.command));
      const { root: cwd, environment: env } = project;
      const input = JSON.stringify(mainStops(project));
      const options = { cwd, env, extendEnv: false, input, reject: false, stripFinalNewline: false } as const;
      const run = await execa(`${packed.home}/node_modules/.bin/${row.bin}`, row.args, options);
      const { decision, reason } = answerOf(run);
      expect(decision).toBe(row.decision);
      if (row.decision) expect(reason).toContain('broken');
    },
  );
});
