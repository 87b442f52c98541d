import { hookSpecificOutput, type KnownHost, PLUGIN_PAGE } from './host.ts';

/** Kilo Code, a fork of OpenCode: the same plugin in folders of its own. It sets OpenCode's variables too. */
export const kilo: KnownHost<'kilo'> = {
  name: 'kilo',
  title: 'Kilo Code',
  recognizes: (_, { KILO }) => KILO === '1',
  answerExtras: ['systemMessage'],
  promptContext: hookSpecificOutput,
  editContext: hookSpecificOutput,
  timeout: { unit: 's', defaultSeconds: 600 },
  projectFiles: ['.kilo', '.kilocode', 'kilo.json', 'kilo.jsonc'],
  executable: 'kilo',
  hookFile: {
    path: '.kilo/plugins/ralph-loop.js',
    otherPaths: ['~/.config/kilo/plugins/ralph-loop.js'],
    isFoundBelow: true,
    page: 'opencode.mjs',
    ...PLUGIN_PAGE,
  },
  sampleStop: (event) => ({ event, env: { KILO: '1', OPENCODE: '1' } }),
};
