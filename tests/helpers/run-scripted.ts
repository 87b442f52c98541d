import { type RunGatesOptions, runGates } from '../../src/gates/run-gates.ts';
import type { Gate } from '../../src/gates/types.ts';
import { type Script, scriptedCommands } from './scripted-commands.ts';

/** Runs gates with scripted commands, by default fail-fast and in an empty environment. */
export async function runScripted(
  gates: readonly Gate[],
  script: Script = {},
  options: Partial<RunGatesOptions> = {},
) {
  const { runCommand, specs } = scriptedCommands(script);
  const summary = await runGates(gates, { runCommand, failFast: true, env: {}, ...options });
  return {
    summary,
    specs,
    ran: specs.map(({ command }) => command),
    reasons: summary.results.map(({ outcome }) => outcome.reason),
  };
}
