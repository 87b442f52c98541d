import { relative } from 'node:path';
import { chainLine } from '../feedback/chain-texts.ts';
import { loopLines } from '../feedback/loop-lines.ts';
import { coloured, plain } from '../feedback/paint.ts';
import { readStatus } from '../read-status.ts';

/**
 * `ralph-loop status`: the loops and the chains of this project.
 *
 * @returns the exit code
 */
export async function status({ json }: { readonly json: boolean }): Promise<number> {
  const now = new Date();
  const told = await readStatus(process.cwd(), now);
  if (json) {
    print(JSON.stringify(told, null, 2));
    return 0;
  }
  const chains = told.chains.map((chain) => `Chain     ${chainLine(chain)}`);
  if (!told.project) {
    const stops = chains.length > 0 ? 'judges stops by what was typed alone:' : 'allows every stop.';
    const none = `No worktree.yaml or gate.config.json was found here or in the directories above: the hook ${stops}`;
    print([none, ...chains].join('\n'));
    return 0;
  }
  const { config, gate_config = config, problems } = told.project;
  const files = [...new Set([config, gate_config])].flatMap((path) => path ?? []);
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  print(
    `Config    ${files.map((path) => relative(process.cwd(), path)).join(', ') || 'none; the current task is guarded by markers'}`,
  );
  for (const problem of problems) print(`          ${paint('red', problem)}`);
  print([...chains, ...loopLines(told.loops, told.last_call ?? undefined, now, paint)].join('\n'));
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
