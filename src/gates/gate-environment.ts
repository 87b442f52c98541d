import { isSecretName } from '../process/secrets.ts';
import type { CommandGate } from './types.ts';

/** What programs need in order to be found, to keep their files, and to know whom they talk to: no secret is in these. */
const BASICS = ['PATH', 'HOME', 'SHELL', 'USER', 'LANG', 'TMPDIR', 'TERM', 'NODE_ENV', 'CI'];

/** The whole environment of a gate's command. */
export function gateEnvironment(
  inherited: NodeJS.ProcessEnv,
  { env, passEnv, secretsPassed }: CommandGate,
): NodeJS.ProcessEnv {
  const passed = passEnv === undefined ? inherited : only([...BASICS, ...passEnv], inherited);
  const safe = secretsPassed === undefined ? passed : withoutSecretNames(passed, secretsPassed);
  return { ...safe, ...env, RALPH_LOOP: '1' };
}

function withoutSecretNames(env: NodeJS.ProcessEnv, except: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isSecretName(name) || except.includes(name)),
  );
}

function only(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));
}
