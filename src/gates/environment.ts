import { TREE_VARIABLE } from '../process/process-group.ts';
import { isSecretName } from '../process/secrets/environment.ts';
import { PROJECTS_VARIABLE } from './nesting.ts';
import type { CommandGate } from './types.ts';

/** Variables that programs need for themselves, and that contain no secrets. */
const BASICS = ['PATH', 'HOME', 'SHELL', 'USER', 'LANG', 'TMPDIR', 'TERM', 'NODE_ENV', 'CI'];

/** Variables of this program, which a gate always inherits: they say what it is part of. */
const OWN = [TREE_VARIABLE, PROJECTS_VARIABLE];

/** The whole environment of a gate's command. */
export function gateEnvironment(
  inherited: NodeJS.ProcessEnv,
  { env, passEnv, secretsPassed }: CommandGate,
): NodeJS.ProcessEnv {
  const passed = passEnv === undefined ? inherited : only([...BASICS, ...passEnv], inherited);
  const safe = secretsPassed === undefined ? passed : withoutSecretNames(passed, secretsPassed);
  return { ...safe, ...env, ...only(OWN, inherited), RALPH_LOOP: '1' };
}

function withoutSecretNames(env: NodeJS.ProcessEnv, except: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isSecretName(name) || except.includes(name)),
  );
}

function only(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));
}
