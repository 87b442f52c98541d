import type { RunCommand } from '../process/run-command.ts';

/** POSIX's shell, where Python's subprocess looks for it too. */
export const PLAIN_SHELL = '/bin/sh';
/** Programs of these names run what `-c` gives them; any other has to show it. */
const SHELLS = /^(?:sh|ash|dash|bash|zsh|m?ksh|ksh93|yash|fish|t?csh|pwsh|nu|elvish|xonsh|osh)$/;
/** Enough for a shell that reads long start-up files. */
const PROBE_TIMEOUT_MS = 10_000;
/** An exit code that nothing gives by chance. */
const PROBE_CODE = 42;

/** The person's shell, or why it is none. */
export type UserShell = { readonly path: string } | { readonly problem: string };

/**
 * The shell of the person's environment, `/bin/sh` where none is set. Accounts that nobody logs in to have `nologin`
 * or `false` there, and `true` would let every gate pass: what is not known for a shell must run a command first.
 *
 * @param env the environment that gates inherit
 */
export async function userShell(env: NodeJS.ProcessEnv, runCommand: RunCommand): Promise<UserShell> {
  const path = env.SHELL || PLAIN_SHELL;
  if (SHELLS.test(path.slice(path.lastIndexOf('/') + 1))) return { path };
  const probe = {
    command: `exit ${PROBE_CODE}`,
    shell: path,
    cwd: '/',
    env,
    timeoutMs: PROBE_TIMEOUT_MS,
    graceMs: 0,
  };
  const { end } = await runCommand(probe, {});
  if (end.how === 'exited' && end.exitCode === PROBE_CODE) return { path };
  return {
    problem: `$SHELL is ${path}, which does not run commands: set it to a shell, as /bin/bash, or unset it`,
  };
}
