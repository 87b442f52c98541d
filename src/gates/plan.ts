import { join } from 'node:path';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskText } from '../process/secrets/masker.ts';
import type { Gate } from './types.ts';

/** The gates in the order they run: by `order`, then as in the config. Markers count as order 0. */
export function planGates<G extends Gate>(gates: readonly G[]): G[] {
  return gates.toSorted((a, b) => orderOf(a) - orderOf(b));
}

export function orderOf(gate: Gate): number {
  return gate.kind === 'command' ? gate.order : 0;
}

/** What becomes the paths of the changed files in the command of a gate. */
export const CHANGED_FILES = '{changed_files}';

/** Whether it depends on the changed files if, or how, a gate runs. */
export function needsChanges(gate: Gate): boolean {
  return gate.kind === 'command' && (gate.paths !== undefined || gate.command.includes(CHANGED_FILES));
}

/** The secrets of an environment and of the variables that gates add to it. */
export function gateSecrets(gates: readonly Gate[], env: NodeJS.ProcessEnv): string[] {
  const added = gates.flatMap((gate) => (gate.kind === 'command' ? secretsIn(gate.env) : []));
  return [...new Set([...secretsIn(env), ...added])];
}

/**
 * A gate for display, with its secrets masked. Names are cut to length after this, because no search finds half of a
 * secret.
 */
export function maskGate(gate: Gate, secrets: readonly string[]): Gate {
  if (gate.kind === 'marker') return gate;
  const { batches: _, ...shown } = gate;
  return { ...shown, name: maskText(gate.name, secrets), command: maskText(gate.command, secrets) };
}

/** With the number, well below the 255 bytes that file systems allow. */
const MAX_NAME_CHARACTERS = 80;

/**
 * Where each gate's full output goes: `<directory>/test.log`, `<directory>/pnpm-run-lint.log`. The names are valid on
 * every file system, the same in every run, and distinct even if case is ignored.
 *
 * @param gates all gates of the plan, names unique
 * @param secrets values that no file name may contain, besides well-known tokens
 */
export function logPathsIn(
  directory: string,
  gates: readonly Gate[],
  secrets: readonly string[],
): (gate: Gate) => string {
  const names = fileNames(gates, secrets);
  return ({ name }) => join(directory, names.get(name) ?? `${slug(name)}.log`);
}

function fileNames(gates: readonly Gate[], secrets: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  for (const gate of gates) {
    const base = slug(maskGate(gate, secrets).name);
    let use = (uses.get(base) ?? 0) + 1;
    let name = use === 1 ? base : `${base}-${use}`;
    while (taken.has(name.toLowerCase())) name = `${base}-${++use}`;
    uses.set(base, use);
    taken.add(name.toLowerCase());
    names.set(gate.name, `${name}.log`);
  }
  return names;
}

function slug(name: string): string {
  if (/^[\w-]{1,80}$/.test(name)) return name;
  const safe = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  // Letters outside ASCII take up to four bytes each.
  const maxCharacters = /^[ -~]*$/.test(safe) ? MAX_NAME_CHARACTERS : MAX_NAME_CHARACTERS / 4;
  return [...safe].slice(0, maxCharacters).join('') || 'gate';
}
