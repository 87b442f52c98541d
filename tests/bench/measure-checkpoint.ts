import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN, bareEnv, median } from './bench-project.ts';

const RUNS = 5;
const CHANGED = 50;
const FILES_IN_A_DIRECTORY = 20;

const CASES = [
  { name: '10,000 files', files: 10_000, attributes: '' },
  { name: '10,000 files, `* text=auto`', files: 10_000, attributes: '* text=auto\n' },
  { name: '50,000 files', files: 50_000, attributes: '' },
];

/** Whole processes: a checkpoint of many files with few of them changed, and going back to it. */
export function measureCheckpoint(): void {
  for (const { name, files, attributes } of CASES) {
    const root = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
    fill(root, files, attributes);
    const [made, restored, size]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < RUNS; run++) {
      change(root, run);
      const before = bytesIn(root);
      const { ms, stdout } = timed(root, ['create']);
      made.push(ms);
      size.push(bytesIn(root) - before);
      change(root, run + 1);
      restored.push(timed(root, ['restore', /\w{12}/.exec(stdout)?.[0] ?? '']).ms);
    }
    console.log(
      `  ${name}, ${CHANGED} changed: made in ${median(made).toFixed(0)} ms, takes ${(median(size) / 1000).toFixed(0)} kB; restored in ${median(restored).toFixed(0)} ms, with the rescue (medians of ${RUNS})`,
    );
    rmSync(root, { recursive: true, force: true });
  }
}

function pathOf(root: string, file: number): string {
  return join(root, `d${file % 50}`, `e${Math.floor(file / 50 / FILES_IN_A_DIRECTORY)}`, `f${file}.ts`);
}

/** A repository of files of 2 kB, all committed and packed. */
function fill(root: string, files: number, attributes: string): void {
  const text = 'export const answer = 42;\n'.repeat(80);
  for (let file = 0; file < files; file++) {
    mkdirSync(join(pathOf(root, file), '..'), { recursive: true });
    writeFileSync(pathOf(root, file), `// ${file}\n${text}`);
  }
  writeFileSync(join(root, '.gitattributes'), attributes);
  for (const args of [['init'], ['add', '.'], ['commit', '--quiet', '--message=x'], ['gc', '--quiet']])
    git(root, ...args);
}

/** Half of the changed files are staged. */
function change(root: string, run: number): void {
  for (let file = 0; file < CHANGED; file++) {
    appendFileSync(pathOf(root, file * 100), `// ${run}\n`);
    if (file === CHANGED / 2) git(root, 'add', '.');
  }
}

function git(root: string, ...args: readonly string[]): void {
  const config = ['user.name=x', 'user.email=x@example.com', 'gc.auto=0'].flatMap((pair) => ['-c', pair]);
  execFileSync('git', [...config, ...args], { cwd: root, env: bareEnv(root), stdio: 'ignore' });
}

function timed(root: string, args: readonly string[]): { ms: number; stdout: string } {
  const startedAt = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, 'checkpoint', ...args], {
    cwd: root,
    env: bareEnv(tmpdir()),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { ms: performance.now() - startedAt, stdout };
}

function bytesIn(root: string): number {
  const { stdout } = spawnSync('git', ['count-objects'], { cwd: root, env: bareEnv(root), encoding: 'utf8' });
  return Number(/(\d+) kilobytes/.exec(stdout)?.[1] ?? 0) * 1000;
}
