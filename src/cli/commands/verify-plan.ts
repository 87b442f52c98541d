import { gateSecrets } from '../../gates/plan.ts';
import { userShell } from '../../gates/run-gates.ts';
import type { Gate } from '../../gates/types.ts';
import { planLines } from '../../messages/report.ts';
import { runCommand } from '../../process/run-command.ts';
import { maskTexts } from '../../process/secrets/masker.ts';

/** What would run, as text or as JSON. */
export async function planText(plan: readonly Gate[], root: string, json: boolean): Promise<string> {
  const shown = maskTexts(plan, gateSecrets(plan, process.env));
  if (json) return JSON.stringify(shown, null, 2);
  return [...(await shellLine(plan)), ...planLines(shown, root)].join('\n') || 'No gate would run.';
}

/** The shell that a gate config's gates run in. */
async function shellLine(plan: readonly Gate[]): Promise<string[]> {
  if (!plan.some((gate) => gate.kind === 'command' && gate.inUserShell)) return [];
  const shell = await userShell(process.env, runCommand);
  return [shell.ok ? `Shell: ${shell.value}` : shell.failure.message];
}
