import { maskText } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';
import type { Gate } from './types.ts';

/** The secrets of an environment, and of the variables that gates add to it. */
export function gateSecrets(gates: readonly Gate[], env: NodeJS.ProcessEnv): string[] {
  const own = gates.flatMap((gate) => (gate.kind === 'command' ? secretsIn(gate.env) : []));
  return [...new Set([...secretsIn(env), ...own])];
}

/** A gate as it may be told of. Masked before any name is cut to fit: half a token is a token no search would find. */
export function withoutSecrets(gate: Gate, secrets: readonly string[]): Gate {
  if (gate.kind === 'marker') return gate;
  return { ...gate, name: maskText(gate.name, secrets), command: maskText(gate.command, secrets) };
}
