import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchProject, type HookRun, startHook } from './bench-project.ts';

const LIMIT_SECONDS = 1;
const PIDS = '.trellis/pids';
/** Each notes the pid of what it leaves running. */
const TREES = {
  plain: `echo $$ >> ${PIDS}; sleep 60`,
  'background child': `sleep 60 & echo $! >> ${PIDS}; wait`,
  'TERM-immune child': `sh -c 'trap "" TERM; echo $$ >> ${PIDS}; while :; do sleep 60; done'`,
  'TERM-immune leader': `trap "" TERM; echo $$ >> ${PIDS}; while :; do sleep 60; done`,
  'child in its own session, holding the pipe': `setsid sleep 5 & sleep 60`,
};
const LEADER_GONE = `sleep 60 & echo $! >> ${PIDS}; exit 0`;

/** How long it takes to end what does not want to end, and who survives. */
export async function measureEndings(): Promise<void> {
  for (const [name, command] of Object.entries(TREES)) {
    const project = projectOf(command);
    const { stdout, ms } = await startHook(project).ended;
    const over = ms / 1000 - LIMIT_SECONDS;
    console.log(
      `  timeout, ${name}: answered ${over.toFixed(2)} s after the limit (${decisionOf(stdout)}), survivors ${survivors(project.root)}`,
    );
    project.remove();
  }
  const left = projectOf(LEADER_GONE);
  const { stdout, ms } = await startHook(left).ended;
  console.log(
    `  leader gone, child holds the pipe: ${decisionOf(stdout)} after ${(ms / 1000).toFixed(2)} s, survivors ${survivors(left.root)}`,
  );
  left.remove();
  for (const [name, command] of Object.entries({
    plain: TREES.plain,
    'TERM-immune': TREES['TERM-immune leader'],
  })) {
    const project = projectOf(command, 60);
    const run = startHook(project);
    const goneMs = await terminateOnceRunning(run, project.root);
    const state = JSON.parse(readFileSync(join(project.root, '.trellis/.ralph-state.json'), 'utf8'));
    console.log(
      `  SIGTERM to the hook, ${name} gate: gone in ${goneMs.toFixed(0)} ms, iteration ${state.iteration}, survivors ${survivors(project.root)}`,
    );
    project.remove();
  }
}

function projectOf(command: string, limitSeconds = LIMIT_SECONDS) {
  const settings = `ralph:\n  command_timeout: ${limitSeconds}\n`;
  return benchProject({ '.trellis/worktree.yaml': `verify:\n  - |\n    ${command}\n${settings}` });
}

async function terminateOnceRunning({ child, ended }: HookRun, root: string): Promise<number> {
  while (pidsOf(root).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const startedAt = performance.now();
  child.kill('SIGTERM');
  await ended;
  return performance.now() - startedAt;
}

function pidsOf(root: string): number[] {
  try {
    return readFileSync(join(root, PIDS), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A zombie is dead: it only waits for its new parent to notice. */
function survivors(root: string): number {
  return pidsOf(root).filter((pid) => {
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.trim() !== '' && !stdout.startsWith('Z');
  }).length;
}

function decisionOf(stdout: string): string {
  return stdout.includes('"block"') ? 'block' : 'allow';
}
