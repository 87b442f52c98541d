import { type Result, success } from '../base/result.ts';
import type { ProjectLayout } from '../config/discover.ts';
import { defaultSettings } from '../config/settings.ts';
import { parseWorktree } from '../config/worktree.ts';
import { isOwnFile } from '../hosts/own-files.ts';
import { findReplacedTools } from '../integrity/config/replaced-tools.ts';
import type { IntegritySettings } from '../integrity/find.ts';
import type { Finding, ProjectChange } from '../integrity/types.ts';
import type { GitLimits } from './changed-files.ts';
import { changesSince, type TreeBase } from './tree-base.ts';

export interface IntegrityCheck {
  /** The gravest first. */
  readonly findings: readonly Finding[];
  /** What could not be compared, for people. */
  readonly notes: readonly string[];
}

/**
 * Finds what became weaker in a project since a base. The settings of the base count: a change of them is a finding itself.
 *
 * @param settings of the project as it is now
 * @returns a failure if there is no repository, the base is gone, or the time is up
 */
export async function checkIntegrity(
  root: string,
  base: TreeBase,
  { layout, settings }: { readonly layout: ProjectLayout; readonly settings: IntegritySettings },
  limits: GitLimits,
): Promise<Result<IntegrityCheck>> {
  const since = await changesSince(root, base, limits);
  if (!since.ok) return since;
  const { change, notes } = since.value;
  // Git ignores where package managers link programs.
  if (change.changes.length === 0 && findReplacedTools(change).length === 0)
    return success({ findings: [], notes });
  const { findWeakened } = await import('../integrity/find.ts');
  const inBase = await settingsOfBase(change, layout, root);
  const findings = await findWeakened(change, inBase ?? settings);
  return success({ findings: withoutOwnCode(findings, change), notes });
}

/**
 * Without what is found in the programs that `init` writes, which end processes and read the environment. That one of them
 * has changed is reported.
 */
function withoutOwnCode(findings: readonly Finding[], { changes }: ProjectChange): Finding[] {
  const own = new Set(
    changes
      .filter(({ path, after }) => after !== undefined && isOwnFile(path, after))
      .map(({ path }) => path),
  );
  return findings.filter(({ path, rule }) => rule === 'hook-removed' || !own.has(path));
}

/** @returns undefined if the settings did not change */
async function settingsOfBase(
  { changes }: ProjectChange,
  layout: ProjectLayout,
  root: string,
): Promise<IntegritySettings | undefined> {
  const path = layout === 'trellis' ? '.trellis/worktree.yaml' : 'worktree.yaml';
  const changed = changes.find((change) => change.path === path);
  if (!changed) return undefined;
  if (changed.before === undefined) return defaultSettings(layout);
  return (await parseWorktree(changed.before, layout, root)).settings;
}
