import type { Finding, ProjectChange } from '../types.ts';
import { findGrownBaselines } from './baselines.ts';
import { findShadowedTools } from './shadowed-tools.ts';
import { findWeakerCommands } from './weaker-commands.ts';
import { findRemovedHooks, findWeakerGates, parseGates } from './weaker-gates.ts';
import { findWeakerSettings } from './weaker-settings.ts';

/**
 * Prepares the rules for the configuration of checks: commands, runners, linters, gates, hooks, tools.
 *
 * @returns what finds in the change, or in some files of it
 */
export async function configRules(change: ProjectChange): Promise<(change: ProjectChange) => Finding[]> {
  const parsed = await parseGates(change);
  return (each) => [
    ...findWeakerGates(each, parsed),
    ...findRemovedHooks(each),
    ...findWeakerCommands(each),
    ...findWeakerSettings(each),
    ...findGrownBaselines(each),
    ...findShadowedTools(each),
  ];
}
