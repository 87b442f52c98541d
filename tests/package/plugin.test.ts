import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { claudeCode } from '../../src/hosts/claude-code.ts';
import { readHookFile } from '../../src/setup/hook-files.ts';
import { test } from '../helpers/packed-package.ts';
import { worktreeYaml } from '../helpers/project.ts';
import { mainStops } from '../helpers/stops.ts';

describe('the Claude Code plugin', () => {
  test('has the version of the package', ({ repository }) => {
    const read = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'));
    expect(read('.claude-plugin/plugin.json').version).toBe(read('package.json').version);
  });

  test('has a hook for prompts, and one for each stop event, which blocks', async ({
    packed,
    makeProject,
  }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml(['echo "Error: boom"; exit 1']) });
    const plugin = join(packed.home, 'node_modules', 'ralph-loop-cli');
    const manifest = JSON.parse(readFileSync(join(plugin, '.claude-plugin/plugin.json'), 'utf8'));
    const hooks = readHookFile(readFileSync(join(plugin, manifest.hooks), 'utf8'), claudeCode.hookFile);
    if (!hooks.ok) throw new Error(JSON.stringify(hooks.failure));
    expect(hooks.value.entries.map(({ event, matcher, timeout }) => ({ event, matcher, timeout }))).toEqual([
      { event: 'UserPromptSubmit', matcher: undefined, timeout: 30 },
      { event: 'Stop', matcher: undefined, timeout: 600 },
      { event: 'SubagentStop', matcher: undefined, timeout: 600 },
      { event: 'PostToolUse', matcher: claudeCode.hookFile.editTools, timeout: 30 },
    ]);
    const typed = mainStops(project, { hook_event_name: 'UserPromptSubmit', prompt: 'x :: verify:"true"' });
    for (const { event, command } of hooks.value.entries.filter(({ event }) => event !== 'PostToolUse')) {
      const isPrompt = event === 'UserPromptSubmit';
      const { stdout } = await execa('/bin/sh', ['-c', command], {
        cwd: project.root,
        // The prompt's answer is in the form of the host.
        env: { ...project.environment, CLAUDE_PLUGIN_ROOT: plugin, CLAUDECODE: '1' },
        extendEnv: false,
        input: JSON.stringify(isPrompt ? typed : mainStops(project)),
      });
      expect(JSON.parse(stdout)).toMatchObject(
        isPrompt ? { hookSpecificOutput: { hookEventName: event } } : { decision: 'block' },
      );
    }
  });
});
