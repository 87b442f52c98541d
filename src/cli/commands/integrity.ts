import { join, relative } from 'node:path';
import { uptimeMs } from '../../base/time.ts';
import { findProject, repositoryAround } from '../../config/discover.ts';
import { readProject } from '../../config/load.ts';
import { defaultSettings } from '../../config/settings.ts';
import { integrityLines } from '../../messages/integrity.ts';
import type { GitLimits } from '../../verification/changed-files.ts';
import { checkIntegrity } from '../../verification/check-integrity.ts';
import { baseFor } from '../../verification/tree-base.ts';
import { EXIT, fail, print, stdoutPaint, warn } from '../terminal.ts';

interface IntegrityOptions {
  /** A revision of git to compare with. */
  readonly base?: string;
  readonly json?: boolean;
}

/** Longer than any repository needs; git may hang on a network file system. */
const GIT_MS = 60_000;

/**
 * `ralph-loop integrity`: prints how the working tree made tests or checks weaker than they are in the base.
 *
 * @returns the exit code: 0 nothing that blocks a stop, 1 a high finding, 2 usage error or no repository
 */
export async function integrity({ base: named, json = false }: IntegrityOptions): Promise<number> {
  const cwd = process.cwd();
  const found = findProject(cwd);
  const root = found.ok ? found.value.root : (repositoryAround(cwd) ?? cwd);
  if (repositoryAround(root) === undefined)
    return fail(`${root} is not in a git repository: there is nothing to compare with.`, EXIT.usage);
  const limits: GitLimits = { env: process.env, endAt: uptimeMs() + GIT_MS };
  const base = await baseFor(root, named, limits);
  if (!base.ok) return fail(base.failure.message, EXIT.usage);
  const layout = found.ok ? found.value.layout : 'stand-alone';
  const config = found.ok ? await readProject(found.value, undefined) : undefined;
  const settings = config?.settings ?? defaultSettings(layout);
  if (config && config.problems.length > 0) warn(config.problems);
  const check = await checkIntegrity(root, base.value.tree, { layout, settings }, limits);
  if (!check.ok) return fail(check.failure.message, EXIT.usage);
  const { findings, notes } = check.value;
  if (notes.length > 0) warn(notes);
  if (json) print(JSON.stringify({ findings }, null, 2));
  else {
    const shown = findings.map((finding) => ({ ...finding, path: relative(cwd, join(root, finding.path)) }));
    print(integrityLines(shown, base.value.name, stdoutPaint()));
  }
  return findings.some(({ severity }) => severity === 'high') ? EXIT.failed : EXIT.ok;
}
