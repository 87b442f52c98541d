import { relative } from 'node:path';
import { type Result, success } from '../base/result.ts';
import { type ProjectFiles, readConfig, readCurrentTask, repositoryAround } from '../config/discover.ts';
import type { ProjectConfig } from '../config/load.ts';
import { BASELINE_FILE } from '../gates/known-failures.ts';
import { asSet, gravestFirst } from '../integrity/find.ts';
import type { GitLimits } from './changed-files.ts';
import { checkIntegrity, type IntegrityCheck } from './check-integrity.ts';
import { type JudgedConfig, judgeConfig, readRecordedConfig } from './protected-gates.ts';
import type { ProjectRecord } from './session-record.ts';
import { changesIn, type TreeBase } from './tree-base.ts';

const WORKTREE_FILES = ['worktree.yaml', '.trellis/worktree.yaml'];
const GATE_CONFIG_FILES = ['gate.config.json', '.gaterc.json', '.gaterc'];

export interface JudgedProject extends IntegrityCheck {
  /** The gates and settings of the base, where those of the project are weaker. */
  readonly config: ProjectConfig;
}

/**
 * Judges a project as a stop does, with a commit in the place of the beginning of the session: its tests and checks, and
 * its gates, which run as they were in the base where they are weaker now.
 *
 * @returns a failure as of `checkIntegrity`
 */
export async function judgeByBase(
  files: ProjectFiles,
  config: ProjectConfig,
  base: TreeBase,
  limits: GitLimits,
): Promise<Result<JudgedProject>> {
  const { root, layout } = files;
  const check = await checkIntegrity(root, base, { layout, settings: config.settings }, limits);
  if (!check.ok) return check;
  const judged = await judgeGates(files, config, base, limits);
  if (!judged.ok) return judged;
  // Gates are compared with those of the base, not as texts of a file.
  const inFiles = check.value.findings.filter(({ rule }) => rule !== 'gate-changed');
  const inGates = asSet(judged.value.findings, judged.value.config.settings);
  return success({
    config: judged.value.config,
    findings: [...inGates, ...inFiles].toSorted(gravestFirst),
    notes: check.value.notes,
  });
}

async function judgeGates(
  files: ProjectFiles,
  config: ProjectConfig,
  base: TreeBase,
  limits: GitLimits,
): Promise<Result<Pick<JudgedConfig, 'config' | 'findings'>>> {
  const recorded = await filesInBase(files, base, limits);
  if (!recorded.ok) return recorded;
  // A project that begins with this change has no gates to keep.
  if (recorded.value === undefined) return success({ config, findings: [] });
  const { root } = files;
  const record: ProjectRecord = {
    project: recorded.value,
    task: null,
    // Scripts are among the files that are compared.
    files: {},
    hooks: {},
    repository: repositoryAround(root) ?? null,
  };
  const present = { files, config, task: readCurrentTask(root) };
  return success(judgeConfig(record, await readRecordedConfig(record), present, () => undefined));
}

/** @returns undefined if the base has no config, or the same one */
async function filesInBase(
  files: ProjectFiles,
  base: TreeBase,
  limits: GitLimits,
): Promise<Result<ProjectFiles | undefined>> {
  const { root, layout, gateConfig } = files;
  const own = gateConfig && relative(root, gateConfig.path);
  const gateConfigs = [...new Set([...(own === undefined ? [] : [own]), ...GATE_CONFIG_FILES])];
  const found = await changesIn(root, base, [...WORKTREE_FILES, ...gateConfigs, BASELINE_FILE], limits);
  if (!found.ok) return found;
  const { changes } = found.value;
  if (changes.length === 0) return success(undefined);
  const before = (path: string) => {
    const change = changes.find((each) => each.path === path);
    return change ? change.before : readConfig(`${root}/${path}`)?.text;
  };
  const textOf = (paths: readonly string[]) => {
    const path = paths.find((each) => before(each) !== undefined);
    return path === undefined ? undefined : { path: `${root}/${path}`, text: before(path) ?? '' };
  };
  const worktree = textOf(layout === 'trellis' ? WORKTREE_FILES.toReversed() : WORKTREE_FILES);
  const gates = gateConfig || worktree === undefined ? textOf(gateConfigs) : undefined;
  if (worktree === undefined && gates === undefined) return success(undefined);
  return success({
    root,
    layout,
    ...(worktree && { config: worktree }),
    ...(gates && {
      gateConfig: { ...gates, workingDirectory: gateConfig?.workingDirectory ?? root },
    }),
    recorded: { baseline: before(BASELINE_FILE) ?? null, markers: null },
  });
}
