import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files } from '../helpers/project.ts';

export const BIN = fileURLToPath(new URL('../../bin/ralph-loop.js', import.meta.url));
export const GATE_BIN = fileURLToPath(new URL('../../bin/ralph-gate.js', import.meta.url));

/** Nothing but what Node needs: extra certificates alone would double its start. */
export function bareEnv(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, TMPDIR: home };
}

export interface BenchProject {
  readonly root: string;
  /** The event of the check agent's stop here, as JSON; fields may be added or replaced. */
  event(fields?: Record<string, unknown>): string;
  remove(): void;
}

/** A Trellis project with a task; the files are given by their paths. */
export function benchProject(files: Files): BenchProject {
  const root = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  mkdirSync(join(root, '.git'));
  for (const [path, text] of Object.entries({ '.trellis/.current-task': 'tasks/bench', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const event = {
    hook_event_name: 'SubagentStop',
    agent_type: 'check',
    last_assistant_message: '',
    cwd: root,
  };
  return {
    root,
    event: (fields = {}) => JSON.stringify({ ...event, ...fields }),
    // The owner of a run lives for a moment longer than the hook.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** A project in a repository, with one commit of the files. */
export function repository(files: Readonly<Record<string, string>>): BenchProject {
  const outer = benchProject({});
  const root = join(outer.root, 'project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=one');
  return { ...outer, root, event: (fields) => outer.event({ cwd: root, ...fields }) };
}

export interface HookRun {
  readonly child: ChildProcess;
  /** What it printed and how long it lived, in milliseconds. */
  readonly ended: Promise<{ stdout: string; ms: number }>;
}

export function startHook(project: BenchProject, args: readonly string[] = []): HookRun {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, 'hook', ...args], {
    env: bareEnv(project.root),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin?.end(project.event());
  const ended = new Promise<{ stdout: string; ms: number }>((resolve) =>
    child.once('close', () => resolve({ stdout, ms: performance.now() - startedAt })),
  );
  return { child, ended };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
