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
 * repository. Git prints untranslated messages, asks no questions and fetches nothing: a repository's config names the
 * programs for that.
 */
export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // An object that is fetched now is not the object that was saved.
    GIT_NO_LAZY_FETCH: '1',
    // The same for git before 2.45: no protocol is allowed.
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Arguments for git, so that it runs no program that the config of a repository names. Filters are not covered. */
export const NO_PROGRAMS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'] as const;

/**
 * Variables for git, so that it runs none of these filters. An argument cannot name a filter with an equals sign.
 *
 * @param settings names of all settings of filters: `filter.lfs.clean`
 */
export function withoutFilters(settings: readonly string[]): NodeJS.ProcessEnv {
  const pairs = settings.flatMap((setting, index) => [
    [`GIT_CONFIG_KEY_${index}`, setting],
    [`GIT_CONFIG_VALUE_${index}`, setting.endsWith('.required') ? 'false' : ''],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** Pathspecs of the working tree below a directory, except the files that ralph-loop and Trellis write. */
export const WITHOUT_OWN_FILES: readonly string[] = [
  '.',
  ':(exclude,glob)**/.trellis/.ralph*',
  ':(exclude,glob)**/.trellis/.ralph/**',
  ':(exclude,glob)**/.trellis/tasks/**/task.json',
  ':(exclude,glob)**/gate-results-*.json',
];
