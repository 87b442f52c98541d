/** What a person sets for every repository. Anything else of git's says which repository, and how, to some other git. */
const KEPT: readonly string[] = [
  'GIT_CEILING_DIRECTORIES',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
];

/**
 * The environment in which we ask git. Who calls us may be a git hook, whose GIT_DIR and GIT_INDEX_FILE are not meant for
 * us; and git shall neither translate nor ask.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name));
  return { ...Object.fromEntries(ours), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
}
