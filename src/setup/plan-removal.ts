import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../hosts/hosts.ts';
import { stopIgnoringState } from './edit-ignore-file.ts';
import { type FileChange, readPresentFile } from './file-change.ts';
import { joined, type Plan, planOnTop } from './plan.ts';
import { planNoHooks } from './plan-hooks.ts';
import { planNoMcp } from './plan-mcp.ts';
import { originalOf, type SetupRecord } from './setup-record.ts';

/**
 * Plans that `init` is taken back: a file that nobody has changed since becomes what it was, to the byte; from any
 * other, only what is ours goes.
 *
 * @param root absolute directory of the project
 */
export function planRemoval(root: string, record: SetupRecord | undefined): Plan {
  const restored = (record?.files ?? []).flatMap(({ path }): FileChange[] => {
    const file = readPresentFile(root, path);
    if ('why' in file) return [];
    const original = originalOf(record, path, file.text);
    return original ? [{ path, before: file.text, after: original.text }] : [];
  });
  const isRestored = (path: string) => restored.some((change) => change.path === path);
  const read = (path: string) => readPresentFile(root, path);
  const isThere = (path: string) => existsSync(join(root, path));
  const others = HOSTS.filter(({ hookFile }) => !isRestored(hookFile.path));
  const kept = (record?.files ?? [])
    .filter(({ path }) => path.endsWith('worktree.yaml') && !isRestored(path) && isThere(path))
    .map(({ path }) => `${path} stays: it has been changed since.`);
  const named = HOSTS.filter(({ mcpFile }) => mcpFile !== undefined && !isRestored(mcpFile));
  const ours = planOnTop(planNoHooks(others, read), read, (changed) => planNoMcp(named, changed));
  return joined([
    { changes: restored, remarks: kept, problems: [] },
    ours,
    ...(isRestored('.gitignore') ? [] : [planIgnoreFile(read('.gitignore'))]),
  ]);
}

function planIgnoreFile(file: ReturnType<typeof readPresentFile>): Plan {
  const nothing = { changes: [], remarks: [], problems: [] };
  if ('why' in file || file.text === undefined) return nothing;
  const after = stopIgnoringState(file.text);
  return after === file.text
    ? nothing
    : { ...nothing, changes: [{ path: '.gitignore', before: file.text, after }] };
}
