import { type CommandFault, commandFault } from './command-faults.ts';
import type { GateKind } from './proposed-gate.ts';

/** Commands that a project has names for, as the scripts of a package.json. */
export type NamedCommands = Readonly<Record<string, string>>;

/**
 * What scripts, tasks and targets are called that check something; `-` and `_` are as good as `:`. The first that is
 * there and fit is taken.
 */
const KNOWN_NAMES: Readonly<Record<GateKind, readonly string[]>> = {
  format: ['format:check', 'check:format', 'fmt:check', 'check:fmt', 'prettier:check', 'check:prettier'],
  // Where one of them only checks, plain `lint` often repairs.
  lint: ['lint:check', 'check:lint', 'lint', 'lint:ci', 'lint:all', 'eslint', 'phpcs', 'cs:check'],
  typecheck: [
    'typecheck',
    'type:check',
    'check:types',
    'types:check',
    'ts:check',
    'check:ts',
    'lint:types',
    'lint:ts',
    'test:types',
    'test:typecheck',
    'tsc',
    'types',
    'mypy',
    'phpstan',
  ],
  test: ['test', 'test:run', 'test:ci', 'test:once', 'test:unit', 'unit', 'unit:test', 'unit:tests', 'tests'],
  build: ['build'],
};

/** The names among these commands that say this kind of check, the likeliest first. */
export function namesOf(kind: GateKind, commands: NamedCommands): string[] {
  const names = Object.keys(commands);
  return KNOWN_NAMES[kind].flatMap((known) => names.filter((name) => plainName(name) === known));
}

/** Whether a name says this kind of check. */
export function isNameOf(kind: GateKind, name: string): boolean {
  return KNOWN_NAMES[kind].includes(plainName(name));
}

/** What makes a command unfit to be a gate of its kind: a test may well repair something on its way. */
export function faultOf(kind: GateKind, command: string): CommandFault | undefined {
  const fault = commandFault(command);
  const mayChange = kind === 'test' || kind === 'build';
  return fault === 'changes files' && mayChange ? undefined : fault;
}

/** The name of the command that makes the gate of this kind, if there is one. */
export function pickNamed(kind: GateKind, commands: NamedCommands): string | undefined {
  return namesOf(kind, commands).find((name) => faultOf(kind, commands[name] ?? '') === undefined);
}

function plainName(name: string): string {
  return name.replaceAll(/[-_]/g, ':');
}
