// The commands of all changed files, before and after → findings. What is gone in one file may be in another.

import { count } from '../../base/text.ts';
import type { FileChange, Finding, ProjectChange } from '../types.ts';
import { isCheckName } from './checks.ts';
import { type PlacedCheck, type WeakenedCheck, weakenedChecks } from './commands.ts';
import { lineOf } from './data.ts';
import { declaredIn, declaresCommands } from './steps.ts';

/** The checks of a change that are gone, ignored, narrowed, or accept more. */
export function findWeakerCommands({ changes }: ProjectChange): Finding[] {
  const files = changes.filter(
    ({ path, oldPath }) => declaresCommands(path) || declaresCommands(oldPath ?? path),
  );
  const read = files.map((file) => ({
    file,
    before: declaredIn(file.path, file.before),
    after: declaredIn(file.path, file.after),
  }));
  const hasStep = (when: 'before' | 'after', tool: string) => read.some((each) => each[when].steps.has(tool));
  const before = read.flatMap(({ file, before: { checks } }) =>
    checks.map((check) => ({
      ...check,
      isDefinitionGone:
        isByName(check.tool) && hasStep('before', check.tool) && !hasStep('after', check.tool),
      file,
    })),
  );
  const after = read.flatMap(({ file, after: { checks } }) => checks.map((check) => ({ ...check, file })));
  const weakened = weakenedChecks(before, after).filter(
    (each) => each.after || !isPackageGone(each.before.file),
  );
  const emptied = read.flatMap(({ file, before: old, after: now }) =>
    [...now.steps].filter((step) => isEmptied(step, old.checks, now.checks)).map((step) => ({ file, step })),
  );
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
  ];
}

/** Whether a check is a script or target that is started by its name. */
function isByName(tool: string): boolean {
  return /^(?:script|make|just|task|poe|hatch|composer|rake) /.test(tool);
}

/** Whether a script that is named like a check has none left of its kind. */
function isEmptied(step: string, before: readonly PlacedCheck[], after: readonly PlacedCheck[]): boolean {
  const name = step.slice(step.indexOf(' ') + 1);
  if (!/^(?:script|make|just|poe|task|hatch|pdm|pixi) /.test(step) || !isCheckName(name)) return false;
  const subjects = before
    .filter((check) => check.step === step && !check.mayGo)
    .map(({ subject }) => subject);
  const left = after.filter((check) => check.step === step).map(({ subject }) => subject);
  return (
    subjects.length > 0 &&
    !left.some((subject) => subject === 'any' || subjects.includes(subject) || subjects.includes('any'))
  );
}

/** Whether the file of a package is gone, with the package: its scripts go with it. */
function isPackageGone({ path, after }: FileChange): boolean {
  return (
    after === undefined &&
    /\/(?:package\.json|composer\.json|pyproject\.toml|Makefile|tox\.ini|noxfile\.py)$/.test(path)
  );
}

type Weakened = WeakenedCheck & { readonly before: PlacedCheck & { readonly file: FileChange } };

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
