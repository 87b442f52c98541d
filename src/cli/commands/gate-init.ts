import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { realPathOf } from '../../base/files.ts';
import { findGateConfig, findProject } from '../../config/discover.ts';
import { listsGates } from '../../setup/plan-config.ts';
import { planGateSetup } from '../../setup/plan-gate-setup.ts';
import { findProgram } from '../../setup/program.ts';
import { readDirectory } from '../../setup/project-facts.ts';
import { proposeGates } from '../../setup/propose-gates.ts';
import { EXIT, print } from '../terminal.ts';
import { failUnwritten, gateLines, planLines, recordForHooks, writeSetup } from './init.ts';

interface GateInitOptions {
  /** Replace an existing config. */
  readonly force?: boolean;
  /** Print the config, and write nothing. */
  readonly print?: boolean;
  readonly skipHook?: boolean;
}

/**
 * `ralph-gate init`: writes a `gate.config.json` with the proposed gates into the working directory, and Claude Code's hook
 * into its local settings. As in Ralph Gate, it does not ask and needs no repository.
 *
 * @returns the exit code: 0 done, 1 not possible
 */
export async function gateInit({ force, print: isPrinting, skipHook }: GateInitOptions): Promise<number> {
  const root = realPathOf(process.cwd());
  const { gates, notes } = proposeGates(readDirectory(root));
  if (gates.length === 0)
    return failUnwritten([
      'No gates found in this project. Write gate.config.json by hand, for example: {"gates": [{"name": "test", "command": "npm test"}]}',
      ...notes,
    ]);
  const problem = existingConfig(root, force ?? false);
  if (problem !== undefined && !isPrinting) return failUnwritten([problem]);
  // The hooks start ralph-loop, which is beside this program.
  const running = (process.argv[1] ?? '').replace(/ralph-gate(?=(\.js)?$)/, 'ralph-loop');
  const program = findProgram(root, root, running, process.env.PATH ?? '');
  const plan = await planGateSetup(root, gates, { program, hasHook: !skipHook });
  if (isPrinting) {
    print(plan.config.trimEnd());
    return EXIT.ok;
  }
  if (plan.problems.length > 0) return failUnwritten(plan.problems);
  const problems = writeSetup(root, plan.changes);
  if (problems.length > 0) return failUnwritten(problems);
  const next = [
    ...(skipHook ? [] : recordForHooks(program)),
    ...(existsSync(join(root, '.git'))
      ? []
      : [`Start Claude Code in ${root}: it reads the hook only there.`]),
    'Next: run the gates with "ralph-gate".',
  ];
  const target = { root, repository: root };
  print([...planLines(target, plan), ...gateLines(root, plan.gates), ...notes, ...next]);
  return EXIT.ok;
}

/** Why no gate config is written: there is one, or it would not be read. */
function existingConfig(root: string, force: boolean): string | undefined {
  const found = findProject(root);
  const config = found.ok ? found.value.config : undefined;
  if (config && listsGates(config.text))
    return `${basename(config.path)} has the gates of this project: a gate.config.json would not be read.`;
  const existing = findGateConfig([root]);
  return existing === undefined || force
    ? undefined
    : `${basename(existing)} already exists. Use --force to replace it.`;
}
