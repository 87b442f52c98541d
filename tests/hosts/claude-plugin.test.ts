import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { test, worktreeYaml } from '../helpers/project.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { type Command, installClient } from './install-client.ts';
import { neverFixes } from './model-scripts.ts';
import { runClient } from './run-client.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const client = await installClient(claudeCode);
const claude: Command = client.installed ? client.command : [''];

describe.skipIf(!client.installed)('this repository as a plugin of Claude Code', () => {
  test.for(['plugin.json', 'marketplace.json'])('has a valid %s', async (file, { makeProject }) => {
    const { environment } = makeProject();
    const [program, ...before] = claude;
    const manifest = `${REPOSITORY}/.claude-plugin/${file}`;
    const { stdout } = await execa(program, [...before, 'plugin', 'validate', '--strict', manifest], {
      env: environment,
      extendEnv: false,
    });
    expect(stdout).toContain('Validation passed');
  });

  test('blocks the stop in a project that has only gates', async ({ makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['test -f fixed.txt']) });
    const withPlugin: Client = {
      ...claudeCode,
      arguments: (place) => [...claudeCode.arguments(place), '--plugin-dir', REPOSITORY],
    };
    const run = await runClient(withPlugin, claude, project, neverFixes);
    expect(run.complaints).toEqual([]);
    expect(run.log.map(({ host, answer }) => `${host}: ${answer}`)).toEqual([
      ...Array(4).fill('claude-code: block'),
      'claude-code: allow',
    ]);
  });
});
