import { count, jsonText, oneLine, timeAgo } from '../../base/text.ts';
import { compareCheckpoint } from '../../checkpoint/compare.ts';
import { restoreCheckpoint } from '../../checkpoint/restore.ts';
import { createCheckpoint } from '../../checkpoint/save.ts';
import { type Checkpoint, checkpointRef, dropCheckpoint, listCheckpoints } from '../../checkpoint/store.ts';
import { findProject } from '../../config/discover.ts';
import { headLines, headOf } from '../../messages/checkpoint.ts';
import { readCaller } from '../../process/caller.ts';
import { logCommand, reportCommand } from '../record-command.ts';
import { EXIT, fail, onInterrupt, print } from '../terminal.ts';

// All commands return the exit code: 0 done, 1 not possible, 2 usage.

/** `ralph-loop checkpoint create`: saves the working tree and the index. */
export async function checkpointCreate(label = ''): Promise<number> {
  const created = await createCheckpoint(process.cwd(), {
    kind: 'manual',
    label,
    now: new Date(),
    env: process.env,
  });
  if (!created.ok) return fail(`Cannot create a checkpoint: ${created.failure.message}`);
  const { checkpoint, excluded } = created.value;
  print([
    `Created checkpoint ${checkpoint.id}`,
    `${headOf(checkpoint)}, ${count(checkpoint.changedFiles, 'file')} changed`,
    ...excludedLines(excluded),
  ]);
  return EXIT.ok;
}

/** `ralph-loop checkpoint list`: the checkpoints of this working tree, the latest last. */
export async function checkpointList({ json = false }: { readonly json?: boolean } = {}): Promise<number> {
  const listed = await listCheckpoints(process.cwd(), process.env);
  if (!listed.ok) return fail(`Cannot list the checkpoints: ${listed.failure.message}`);
  if (json) print(jsonText(listed.value.map(checkpointAsJson)));
  else if (listed.value.length === 0) print('No checkpoints.');
  else print([row('ID', 'WHEN', 'KIND', 'FILES', 'LABEL'), ...listed.value.map(checkpointRow)]);
  return EXIT.ok;
}

/** `ralph-loop checkpoint show`: what a checkpoint contains, and what has changed since. */
export async function checkpointShow(id: string): Promise<number> {
  const compared = await compareCheckpoint(process.cwd(), id, process.env);
  if (!compared.ok) return fail(`Cannot show the checkpoint: ${compared.failure.message}`);
  const { checkpoint, stat, isStagedChanged } = compared.value;
  const { kind, label, changedFiles } = checkpoint;
  print([
    `Checkpoint ${id}, ${kind}, ${age(checkpoint)}`,
    ...(label === '' ? [] : [label]),
    `${headOf(checkpoint)}, ${count(changedFiles, 'file')} changed`,
    checkpointRef(checkpoint),
    '',
    stat === '' ? 'No file has changed since then.' : `Changes since then:\n${stat.trimEnd()}`,
    ...(isStagedChanged ? ['The index has changed too.'] : []),
  ]);
  return EXIT.ok;
}

/** `ralph-loop checkpoint restore`: restores the working tree and the index. */
export async function checkpointRestore(id: string): Promise<number> {
  // A partial restoration is useless, and the rest of it takes a moment only.
  onInterrupt(() => {});
  const restored = await restoreCheckpoint(process.cwd(), id, { now: new Date(), env: process.env });
  if (!restored.ok) return fail(`Cannot restore the checkpoint: ${restored.failure.message}`);
  const { rescue, written, removed, excluded } = restored.value;
  await record(`checkpoint restore ${id}`);
  print([
    `Restored ${id}: ${count(written, 'file')} written, ${removed} removed.`,
    `The state before is saved as checkpoint ${rescue.id}:`,
    `  ralph-loop checkpoint restore ${rescue.id}`,
    ...headLines(restored.value),
    ...excludedLines(excluded),
  ]);
  return EXIT.ok;
}

async function record(command: string): Promise<void> {
  const caller = readCaller(process.env);
  const project = findProject(process.cwd());
  const root = project.ok ? project.value.root : undefined;
  await logCommand(root, command, caller);
  if (root !== undefined) reportCommand(root, command, caller);
}

/** `ralph-loop checkpoint drop`: deletes checkpoints; the working tree is not changed. */
export async function checkpointDrop(
  named: readonly string[],
  { all = false }: { readonly all?: boolean },
): Promise<number> {
  if (all === named.length > 0) return fail('Name the checkpoints to drop, or use --all.', EXIT.usage);
  const listed = await listCheckpoints(process.cwd(), process.env);
  if (!listed.ok) return fail(`Cannot drop checkpoints: ${listed.failure.message}`);
  const ids = all ? listed.value.map((checkpoint) => checkpoint.id) : named;
  if (ids.length === 0) print('No checkpoints.');
  for (const id of ids) {
    const dropped = await dropCheckpoint(process.cwd(), id, process.env);
    if (!dropped.ok) return fail(`Cannot drop checkpoint ${id}: ${dropped.failure.message}`);
    print(`Dropped checkpoint ${id}.`);
  }
  return EXIT.ok;
}

function checkpointAsJson(checkpoint: Checkpoint): object {
  const { id, kind, label, createdAt, branch, head, changedFiles } = checkpoint;
  const ref = checkpointRef(checkpoint);
  return { id, kind, label, created_at: createdAt, branch, head, changed_files: changedFiles, ref };
}

/** Width of a row; the label gets what the other columns leave. */
const ROW_COLUMNS = 60;

function checkpointRow(checkpoint: Checkpoint): string {
  const { id, kind, changedFiles, label } = checkpoint;
  return row(id, age(checkpoint), kind, String(changedFiles), label);
}

function row(id: string, when: string, kind: string, files: string, label: string): string {
  const start = `${id.padEnd(12)}  ${when.padEnd(10)}  ${kind.padEnd(6)}  ${files.padStart(5)}  `;
  return `${start}${oneLine(label, ROW_COLUMNS - start.length)}`.trimEnd();
}

function age({ createdAt }: Checkpoint): string {
  return timeAgo(Date.now() - createdAt.getTime());
}

function excludedLines(paths: readonly string[]): string[] {
  return paths.length === 0
    ? []
    : ['Neither saved nor restored (git does not look inside):', ...paths.map((path) => `  ${path}`)];
}
