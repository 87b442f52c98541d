import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchProject, startHook } from './bench-project.ts';
import { piecesOf, variedLogs } from './logs.ts';
import { peakMemoryKb } from './peak-memory.ts';

const ROWS = {
  '1 GB of lines, exit 1': "yes 'src/a.ts(1,2): error TS1000: no' | head -c 1000000000; exit 1",
  'one line of 200 MB, exit 1': "head -c 200000000 /dev/zero | tr '\\0' x; exit 1",
};
const VARIED_BYTES = 100e6;

/** Peak memory of the hook, size of its answer, and peak size of its files, under gates that print a lot. */
export async function measureOutput(): Promise<void> {
  for (const [name, command] of Object.entries(ROWS)) await measure(name, command);
  const directory = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  for (const log of variedLogs()) {
    const file = join(directory, 'log');
    writeFileSync(file, '');
    for (const [, piece] of piecesOf(log, VARIED_BYTES)) appendFileSync(file, piece);
    await measure(`100 MB of ${log.name}`, `cat ${file}; exit 1`);
  }
  rmSync(directory, { recursive: true });
}

async function measure(name: string, command: string): Promise<void> {
  const project = benchProject({ '.trellis/worktree.yaml': `verify:\n  - ${command}\n` });
  const { child, ended } = startHook(project);
  let peakKb = 0;
  let diskBytes = 0;
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakMemoryKb(child.pid));
    diskBytes = Math.max(diskBytes, sizeOf(join(project.root, '.trellis', '.ralph')));
  }, 20);
  const { stdout, ms } = await ended;
  clearInterval(watch);
  const memory = peakKb > 0 ? `${Math.round(peakKb / 1024)} MB memory` : 'memory unknown here';
  console.log(
    `  ${name}: ${memory}, ${(diskBytes / 1e6).toFixed(1)} MB disk, answer ${stdout.length} characters, ${(ms / 1000).toFixed(1)} s`,
  );
  project.remove();
}

function sizeOf(directory: string): number {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce(
        (sum, entry) =>
          sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
  } catch {
    return 0;
  }
}
