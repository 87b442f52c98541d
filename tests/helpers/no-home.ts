/** A directory that nobody can create, as the user's state directory of tests without a home. */
export const NO_HOME = '/proc/no-home';
