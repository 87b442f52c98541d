import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where stops outside of any project are logged: the XDG base directory specification's place for a user's logs. */
export function userLogDirectory(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'ralph-loop');
}
