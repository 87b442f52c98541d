/** Variables that a person sets for all repositories. Other variables of git select one repository, or change how another git process works. */
const KEPT: readonly string[] = [
  'GIT_CEILING_DIRECTORIES',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
];

/**
 * The environment for git calls. The caller of ralph-loop may be a git hook, whose GIT_DIR and GIT_INDEX_FILE name another
 * repository. Git prints untranslated messages and asks no questions.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
}
