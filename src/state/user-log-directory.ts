import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Where stops outside of any project are logged: the XDG base directory specification's place for a user's
 * logs. A relative path there is to be ignored, it says; without a home there is none.
 */
export function userLogDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const { XDG_STATE_HOME: stateHome = '' } = env;
  const base = isAbsolute(stateHome) ? stateHome : join(homedir(), '.local', 'state');
  return isAbsolute(base) ? join(base, 'ralph-loop') : undefined;
}
