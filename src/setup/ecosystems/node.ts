import { faultOf, type NamedCommands, namesOf } from '../known-names.ts';
import { wholeCommand } from '../node/called-scripts.ts';
import { checkFormIn } from '../node/check-form.ts';
import { guessCheck } from '../node/guess-check.ts';
import { type PackageManager, packageManagerOf } from '../node/package-manager.ts';
import { type PickedScript, pickScripts } from '../node/pick-scripts.ts';
import { scriptsOf } from '../node/scripts-of.ts';
import { waitsOnlyInTerminal, waitsOutsideCi } from '../node/terminal-watchers.ts';
import { kindsIn } from '../node/tool-kinds.ts';
import { workspaceCheck } from '../node/workspace-check.ts';
import { isTable } from '../parse-data.ts';
import type { ProjectFacts } from '../project-facts.ts';
import { type Candidate, type GateKind, KINDS, type Note } from '../proposed-gate.ts';

/**
 * The scripts of the root's package.json. For each kind of check that they do not make: the scripts of the workspace's
 * packages; else a script that repairs, in the form that only checks; else what is installed and configured.
 */
export function nodeGates(project: ProjectFacts): (Candidate | Note)[] {
  const packageJson = project.data('package.json');
  const scripts = scriptsOf(packageJson);
  const manager = packageManagerOf(project, packageJson);
  const picked = pickScripts(scripts);
  const checked = picked.flatMap(({ kind, script }) => [kind, ...kindsIn(wholeCommand(script, scripts))]);
  const others = KINDS.filter((kind) => !checked.includes(kind)).flatMap((kind): (Candidate | Note)[] => {
    const gate =
      workspaceCheck(kind, project, packageJson, manager) ??
      checkFormIn(scripts, kind, manager) ??
      guessCheck(kind, project, packageJson, manager);
    return gate ? [{ kind, ...gate }] : unfitScript(kind, scripts);
  });
  return [
    ...brokenScripts(packageJson.scripts),
    ...picked.map((pick) => scriptGate(pick, wholeCommand(pick.script, scripts), manager)),
    ...others,
  ];
}

function scriptGate(
  { kind, script, isMixed, parts, covers }: PickedScript,
  command: string,
  manager: PackageManager,
): Candidate {
  const setting = waitsOutsideCi(command) ? 'CI=true ' : '';
  const remark = waitsOnlyInTerminal(command) ? '; vitest runs once where there is no terminal' : '';
  const seenIn = `script ${script} in package.json`;
  const also = covers.length > 0 ? `, which runs ${covers.join(' and ')} too` : '';
  return {
    kind,
    run: parts.map((part) => setting + manager.run(part)).join(' && '),
    why: parts[0] === script ? `${seenIn}${also}${remark}` : `the rest of ${seenIn}${remark}`,
    ...(isMixed && { name: script }),
  };
}

/** What the person can do about a script that would be a gate, but for how it is written. */
function unfitScript(kind: GateKind, scripts: NamedCommands): Note[] {
  for (const script of namesOf(kind, scripts)) {
    const fault = faultOf(kind, wholeCommand(script, scripts));
    if (fault === 'never ends')
      return [
        { note: `The script ${script} in package.json never ends; one that runs once could be a gate.` },
      ];
    if (fault === 'changes files')
      return [
        { note: `The script ${script} in package.json changes files; one that only checks could be a gate.` },
      ];
  }
  return [];
}

function brokenScripts(scripts: unknown): Note[] {
  if (scripts === undefined || isTable(scripts)) return [];
  return [{ note: 'The "scripts" of package.json are no object; nothing is proposed from them.' }];
}
