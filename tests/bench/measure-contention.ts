import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchProject, median, startHook } from './bench-project.ts';

const HOOKS = 50;

/** Fifty hooks at once on one loop: what is counted, and what a reader sees meanwhile. */
export async function measureContention(): Promise<void> {
  const project = benchProject({
    '.trellis/worktree.yaml': 'verify:\n  - exit 1\nralph:\n  max_iterations: 1000\n',
  });
  const state = join(project.root, '.trellis', '.ralph-state.json');
  let reads = 0;
  let partial = 0;
  const reader = setInterval(() => {
    try {
      const text = readFileSync(state, 'utf8');
      reads++;
      JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) partial++;
    }
  }, 1);
  const startedAt = performance.now();
  const runs = await Promise.all(Array.from({ length: HOOKS }, () => startHook(project).ended));
  const wallMs = performance.now() - startedAt;
  clearInterval(reader);
  const blocks = runs.filter(({ stdout }) => stdout.includes('"block"')).length;
  const { iteration } = JSON.parse(readFileSync(state, 'utf8'));
  console.log(
    `  ${HOOKS} hooks: ${iteration} counted, ${blocks} blocked; ${partial} of ${reads} reads saw partial JSON`,
  );
  console.log(
    `  all done after ${wallMs.toFixed(0)} ms; one took ${median(runs.map(({ ms }) => ms)).toFixed(0)} ms (median)`,
  );
  project.remove();
}
