// The commands of all changed files, before and after → findings. What is gone in one file may be in another.

import { count } from '../../base/text.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import { isCheckName } from './checks.ts';
import { type PlacedCheck, type WeakenedCheck, weakenedChecks } from './commands.ts';
import { lineOf } from './data.ts';
import { type Declared, declaredIn, declaresCommands } from './steps.ts';

/** The checks of a change that are gone, ignored, narrowed, or accept more. */
export function findWeakerCommands(change: ProjectChange): Finding[] {
  const { changes } = change;
  const files = changes.filter(
    ({ path, oldPath }) => declaresCommands(path) || declaresCommands(oldPath ?? path),
  );
  const read = files.map((file) => {
    const before = declaredIn(file.path, file.before);
    return { file, before, after: withoutAliases(declaredIn(file.path, file.after), before.steps) };
  });
  const hasStep = (when: 'before' | 'after', tool: string) => read.some((each) => each[when].steps.has(tool));
  const before = read.flatMap(({ file, before: { checks } }): FiledCheck[] =>
    checks.map((check) => ({
      ...check,
      isDefinitionGone:
        isByName(check.tool) && hasStep('before', check.tool) && !hasStep('after', check.tool),
      file,
    })),
  );
  const after = read.flatMap(({ file, after: { checks } }): FiledCheck[] =>
    checks.map((check) => ({ ...check, ignoredBy: check.ignoredBy ?? droppedBy(check, changes), file })),
  );
  const weakened = weakenedChecks(before, after).filter(
    (each) => each.after || !isPackageGone(each.before.file),
  );
  const emptied = read.flatMap(({ file, before: old, after: now }) => {
    const [was, left] = [checksByStep(old.checks), checksByStep(now.checks)];
    return [...now.steps]
      .filter((step) => isEmptied(step, was.get(step) ?? [], left.get(step) ?? []))
      .map((step) => ({ file, step }));
  });
  const isTold = ({ file, step }: (typeof emptied)[number]) =>
    weakened.some(({ before: check }) => check.file === file && check.step === step);
  return [
    ...goneFiles(weakened),
    ...weakened
      .filter(({ before: { file }, after: now }) => now || file.after !== undefined)
      .map((each) => findingOf(each, each.before.file, each.after?.file)),
    ...emptied
      .filter((each) => !isTold(each))
      .map(
        ({ file, step }): Finding => ({
          rule: 'check-removed',
          severity: 'high',
          path: file.path,
          line: lineOf(file.after, [step.slice(step.indexOf(' ') + 1)]),
          message: `\`${step}\` no longer runs what it is named for`,
        }),
      ),
    ...hiddenTargets(change),
  ];
}

/** New files that are named like a target of make beside them: make finds nothing to do for it. */
function hiddenTargets({ changes, read }: ProjectChange): Finding[] {
  return changes.flatMap(({ path, before, after }): Finding[] => {
    const [, directory = '', name = ''] = /^(.*\/)?([\w-]+)$/.exec(path) ?? [];
    if (before !== undefined || after === undefined || !isCheckName(name)) return [];
    const text = ['Makefile', 'makefile', 'GNUmakefile']
      .map((file) => read(directory + file))
      .find((each) => each !== undefined);
    const has = (start: string) => new RegExp(`^${start}(?![\\w-])`, 'm').test(text ?? '');
    if (!has(`${name}(?=[ \\t]*:)`) || has(`\\.PHONY:.*(?<![\\w-])${name}`)) return [];
    const message = `make does nothing for its target \`${name}\`: the file of this name is up to date`;
    return [{ rule: 'check-removed', severity: 'high', path, message }];
  });
}

/** More would grow with the square of the size of the file. */
const MOST_CHECKS = 50;

function checksByStep(checks: readonly PlacedCheck[]): Map<string | undefined, PlacedCheck[]> {
  const found = new Map<string | undefined, PlacedCheck[]>();
  for (const check of checks) {
    const others = found.get(check.step);
    if (others) others.push(check);
    else found.set(check.step, [check]);
  }
  return found;
}

/** The checks of a file where a step that starts a new step by its name has the checks of that one. */
function withoutAliases({ checks, steps }: Declared, known: ReadonlySet<string>): Declared {
  const isAlias = ({ tool, step }: PlacedCheck) => steps.has(tool) && !known.has(tool) && step !== tool;
  const byStep = checksByStep(checks);
  return {
    steps,
    checks: checks.flatMap((check) => {
      const own = isAlias(check) ? (byStep.get(check.tool) ?? []) : [];
      // A chain of new names is followed by one.
      return own.length === 0 || own.length > MOST_CHECKS || own.some(isAlias)
        ? [check]
        : own.map((each) => ({
            ...each,
            step: check.step ?? each.tool,
            args: [...each.args, ...check.args],
            ignoredBy: check.ignoredBy ?? each.ignoredBy,
            disabledBy: check.disabledBy ?? each.disabledBy,
            condition: check.condition ?? each.condition,
          }));
    }),
  };
}

const STARTS =
  /\b(?:spawn(?:Sync)?|execFile|exec|subprocess\.(?:run|call|Popen)|os\.system|execa|system)\s*\(/;
/** A status that is passed on, or a failure that is thrown. */
const PASSES =
  /\bexit(?:Code)?\b|check\s*=\s*True|check_(?:call|output|returncode)|execSync|execFileSync|execa|raise\b|throw\b|reject\b|abort\b/;

/** The program of the change that starts a check and drops its status; undefined if none does. */
function droppedBy({ tool, text }: PlacedCheck, changes: ProjectChange['changes']): string | undefined {
  if (!/\.(?:[cm]?[jt]s|py|rb)$/.test(tool)) return undefined;
  const path = tool.replace(/^\.\//, '');
  const program = changes.find((each) => each.path === path);
  return isDropping(program?.after) && !isDropping(program?.before) ? text : undefined;
}

function isDropping(text: string | undefined): boolean {
  return text !== undefined && STARTS.test(text) && !PASSES.test(text);
}

/** Whether a check is a script or target that is started by its name. */
function isByName(tool: string): boolean {
  return /^(?:script|make|just|task|poe|hatch|composer|rake) /.test(tool);
}

/** Whether a script that is named like a check has none left of its kind, given its checks before and after. */
function isEmptied(step: string, before: readonly PlacedCheck[], after: readonly PlacedCheck[]): boolean {
  const name = step.slice(step.indexOf(' ') + 1);
  if (!/^(?:script|make|just|poe|task|hatch|pdm|pixi) /.test(step) || !isCheckName(name)) return false;
  const subjects = before.filter(({ mayGo }) => !mayGo).map(({ subject }) => subject);
  return (
    subjects.length > 0 &&
    !after.some(({ subject }) => subject === 'any' || subjects.includes(subject) || subjects.includes('any'))
  );
}

/** Whether the file of a package is gone, with the package: its scripts go with it. */
function isPackageGone({ path, after }: FileChange): boolean {
  return (
    after === undefined &&
    /\/(?:package\.json|composer\.json|pyproject\.toml|Makefile|tox\.ini|noxfile\.py)$/.test(path)
  );
}

type FiledCheck = PlacedCheck & { readonly file: FileChange };
type Weakened = WeakenedCheck & { readonly before: FiledCheck };

/** One finding for each file that is gone, with all the checks that nothing runs any more. */
function goneFiles(weakened: readonly Weakened[]): Finding[] {
  const gone = weakened.filter(({ before: { file }, after }) => !after && file.after === undefined);
  return [...new Set(gone.map(({ before: { file } }) => file))].map((file) => {
    const checks = gone
      .filter((each) => each.before.file === file)
      .map(({ before: { text } }) => `\`${text.split('\n')[0]}\``);
    const [first = '', ...others] = [...new Set(checks)];
    const more = others.length > 0 ? ` and ${count(others.length, 'other check')}` : '';
    return {
      rule: 'check-removed',
      severity: 'high',
      path: file.path,
      message: `the file that ran ${first}${more} is gone`,
    };
  });
}

function findingOf(
  {
    rule,
    severity,
    message,
    before,
    after,
  }: WeakenedCheck & { readonly before: PlacedCheck; readonly after: PlacedCheck | undefined },
  oldFile: FileChange,
  newFile: FileChange | undefined,
): Finding {
  const file = newFile ?? oldFile;
  const { step = '', text } = after ?? before;
  const words = [
    ...step
      .split(' › ')
      .map((name) => name.replace(/^(?:script|make|just|env|session|stage|hook|file|job) /, '')),
    text.split(' ')[0],
  ];
  const line = lineOf(newFile ? file.after : (oldFile.before ?? oldFile.after), words);
  return {
    rule,
    severity,
    path: file.path,
    ...(line !== undefined && { line }),
    message: `${message}${placed(step)}`,
  };
}

/** Where a message is about, if the file has several places. */
function placed(step: string): string {
  return step === '' || step.startsWith('file ') ? '' : ` (${step})`;
}
