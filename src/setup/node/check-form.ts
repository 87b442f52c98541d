import { commandFault } from '../command-faults.ts';
import type { NamedCommands } from '../known-names.ts';
import type { GateKind } from '../proposed-gate.ts';
import type { FoundCheck } from './found-check.ts';
import type { PackageManager } from './package-manager.ts';
import { kindsIn } from './tool-kinds.ts';

/** What scripts are called that repair. */
const REPAIRING_NAMES = [
  'lint',
  'lint:fix',
  'eslint',
  'format',
  'format:fix',
  'format:write',
  'fmt',
  'prettier',
];

/** Anything that makes it more than one program and its arguments. */
const IS_MORE = /[&|;<>$`\n]/;

/** The check of one kind that a script would make if it did not repair: `eslint src --fix` as `eslint src`. */
export function checkFormIn(
  scripts: NamedCommands,
  kind: GateKind,
  manager: PackageManager,
): FoundCheck | undefined {
  for (const script of REPAIRING_NAMES) {
    const command = checkForm(scripts[script] ?? '');
    if (command !== undefined && kindsIn(command).includes(kind))
      return command === scripts[script]
        ? { run: manager.run(script), why: `script ${script} in package.json` }
        : { run: manager.exec(command), why: `script ${script} in package.json, as a check only` };
  }
  return undefined;
}

function checkForm(command: string): string | undefined {
  if (IS_MORE.test(command)) return undefined;
  if (/^prettier\s/.test(command)) {
    const checking = command.replace(/\s(--write|-w)(?=\s|$)/, ' --check');
    return /\s(--check|-c|--list-different|-l)(\s|$)/.test(checking) ? checking : undefined;
  }
  if (!/^(eslint|oxlint|xo|standard|stylelint|biome (check|lint|format))(\s|$)/.test(command))
    return undefined;
  const checking = command.replaceAll(/\s--(fix|write|apply|unsafe)(?=\s|$)/g, '');
  return commandFault(checking) === undefined ? checking : undefined;
}
