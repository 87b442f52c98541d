import { success } from '../base/result.ts';
import { repositoryAround } from '../config/discover.ts';
import { parseGateConfig } from '../config/gate-config.ts';
import { defaultSettings } from '../config/settings.ts';
import type { Gate } from '../gates/types.ts';
import type { ProposedGate } from './candidates.ts';
import { launcherText, planLauncher } from './launcher.ts';
import { EMPTY_PLAN, joinPlans, type Plan, planEdit, planOnTop, readEditableFile } from './plan.ts';
import { planLocalHooks } from './plan-hooks.ts';
import { gateSecondsOf, planIgnore } from './plan-setup.ts';
import type { Program } from './program.ts';

const CONFIG = 'gate.config.json';

interface GateSetup extends Plan {
  /** The text of the config. */
  readonly config: string;
  readonly gates: readonly Gate[];
}

/** Plans everything that `ralph-gate init` writes: the gate config, Claude Code's hook, its launcher, and `.gitignore`. */
export async function planGateSetup(
  root: string,
  gates: readonly ProposedGate[],
  { program, hasHook }: { readonly program: Program; readonly hasHook: boolean },
): Promise<GateSetup> {
  const read = (path: string) => readEditableFile(root, path);
  const config = gateConfigJson(gates);
  const parsed = await parseGateConfig(config, { directory: root, workingDirectory: root });
  const { agents } = defaultSettings('stand-alone');
  const hooks = hasHook
    ? planLocalHooks({ agents, gateSeconds: gateSecondsOf(parsed.gates) }, read)
    : EMPTY_PLAN;
  const plan = joinPlans([
    planEdit(CONFIG, read, () => success({ text: config })),
    planOnTop(hooks, read, (changed) => planLauncher(launcherText(program), changed)),
    ...(repositoryAround(root) !== undefined ? [planIgnore(read, { withResults: true })] : []),
  ]);
  return { ...plan, config, gates: parsed.gates };
}

/** Gates with orders that leave room for others between them, as Ralph Gate wrote them. */
function gateConfigJson(gates: readonly ProposedGate[]): string {
  const list = gates.map(({ name, run, cwd, timeoutSeconds }, index) => ({
    name,
    command: run,
    order: 10 * (index + 1),
    ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }),
    ...(cwd !== undefined && { cwd }),
  }));
  return `${JSON.stringify({ gates: list, failFast: true }, null, 2)}\n`;
}
