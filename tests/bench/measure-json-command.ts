import { spawn } from 'node:child_process';
import { BIN, bareEnv } from './bench-project.ts';
import { peakMemoryKb } from './peak-memory.ts';

interface MeasuredCommand {
  readonly ms: number;
  readonly peakKb: number;
  /** What the command printed. */
  readonly document: Record<string, unknown>;
}

/** Runs `ralph-loop <command> --json` in a directory, which is also its home. */
export async function measureJsonCommand(command: string, directory: string): Promise<MeasuredCommand> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, command, '--json'], {
    cwd: directory,
    env: bareEnv(directory),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [stdout, peakKb] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakMemoryKb(child.pid));
  }, 10);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { ms: performance.now() - startedAt, peakKb, document: JSON.parse(stdout) };
}
