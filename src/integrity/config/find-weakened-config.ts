import type { Finding, ProjectChange } from '../types.ts';
import { findGrownBaselines } from './baselines.ts';
import { findShadowedTools } from './shadowed-tools.ts';
import { findWeakerCommands } from './weaker-commands.ts';
import { findRemovedHooks, findWeakerGates } from './weaker-gates.ts';
import { findWeakerSettings } from './weaker-settings.ts';

/** Returns the findings of a change in the configuration of checks: commands, runners, linters, gates, hooks, tools. */
export async function findWeakenedConfig(change: ProjectChange): Promise<readonly Finding[]> {
  return [
    ...(await findWeakerGates(change)),
    ...findRemovedHooks(change),
    ...findWeakerCommands(change),
    ...findWeakerSettings(change),
    ...findGrownBaselines(change),
    ...findShadowedTools(change),
  ];
}
