import { relative } from 'node:path';
import { readCurrentTask } from '../config/current-task.ts';
import { findProject } from '../config/find-project.ts';
import { readProject } from '../config/read-project.ts';
import { chainLine } from '../feedback/chain-texts.ts';
import { loopLines } from '../feedback/loop-lines.ts';
import { coloured, plain } from '../feedback/paint.ts';
import { readChains } from '../loop/chain-file.ts';
import { readLog } from '../loop/execution-log.ts';
import { loopFiles, peekLoop } from '../loop/loop-file.ts';
import { ralphDirectory } from '../loop/loop-location.ts';
import { reportLoop } from '../loop/loop-report.ts';
import { maskTexts } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';

/**
 * `ralph-loop status`: the loops of this project, told from their files alone, so also while a hook runs.
 *
 * @returns the exit code
 */
export async function status({ json }: { readonly json: boolean }): Promise<number> {
  const found = findProject(process.cwd(), { needsRepository: false });
  if (!found.found) {
    const none =
      'No worktree.yaml or gate.config.json was found here or in the directories above: the hook allows every stop.';
    print(json ? JSON.stringify({ project: null, loops: [], chains: [], last_call: null }, null, 2) : none);
    return 0;
  }
  const { root, layout, config, gateConfig } = found.project;
  const files = [config, gateConfig].flatMap((file) => file?.path ?? []);
  const now = new Date();
  const { settings, problems: wrong } = await readProject(found.project, readCurrentTask(root));
  const problems = maskTexts(wrong, secretsIn(process.env));
  const log = readLog(ralphDirectory(root));
  const loops = loopFiles(root).flatMap((path) => {
    const state = peekLoop(path);
    return state ? [reportLoop(state, log, settings, now)] : [];
  });
  const chains = readChains(root);
  if (json) {
    const project = {
      root,
      layout,
      config: files[0] ?? null,
      ...(gateConfig && { gate_config: gateConfig.path }),
      problems,
    };
    print(JSON.stringify({ project, loops, chains, last_call: log.at(-1) ?? null }, null, 2));
    return 0;
  }
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  print(
    `Config    ${files.map((path) => relative(process.cwd(), path)).join(', ') || 'none; the current task is guarded by markers'}`,
  );
  for (const problem of problems) print(`          ${paint('red', problem)}`);
  for (const chain of chains) print(`Typed     ${chainLine(chain)}`);
  print(loopLines(loops, log.at(-1), now, paint).join('\n'));
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
