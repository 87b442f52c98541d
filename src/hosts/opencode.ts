import { hookSpecificOutput, type KnownHost, PLUGIN_PAGE } from './host.ts';

/**
 * OpenCode. It starts no command: a plugin does, which sends the events of Claude Code and reads the answers.
 */
export const opencode: KnownHost<'opencode'> = {
  name: 'opencode',
  title: 'OpenCode',
  recognizes: (_, { OPENCODE }) => OPENCODE === '1',
  answerExtras: ['systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  // That of the plugin: OpenCode waits for it without a limit.
  timeout: { unit: 's', defaultSeconds: 600 },
  projectFiles: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  executable: 'opencode',
  hookFile: {
    path: '.opencode/plugins/ralph-loop.js',
    otherPaths: ['~/.config/opencode/plugins/ralph-loop.js'],
    isFoundBelow: true,
    page: 'opencode.mjs',
    ...PLUGIN_PAGE,
  },
  sampleStop: (event) => ({ event, env: { OPENCODE: '1' } }),
};
