import { relative } from 'node:path';
import type { KnownHost } from '../../hosts/host.ts';
import type { SetupTarget } from '../../setup/detect.ts';
import type { FileChange, Plan } from '../../setup/plan.ts';
import type { Program } from '../../setup/program.ts';

/** The changes as a diff, as git would show it. */
export async function diffLines(changes: readonly FileChange[]): Promise<string[]> {
  const { createTwoFilesPatch } = await import('diff');
  return changes.map(({ path, before, after }) => {
    const [from, to] = [
      before === undefined ? '/dev/null' : `a/${path}`,
      after === undefined ? '/dev/null' : `b/${path}`,
    ];
    return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 })
      .replace(/^=+\n/, '')
      .replace(/\n$/, '');
  });
}

/**
 * What is done, a line a file, and what there is to say of it.
 *
 * @param whyNothing what is so where no file is to be changed
 */
export function planLines(
  place: SetupTarget,
  { changes, remarks }: Plan,
  whyNothing = 'all is set up as it shall be',
): string[] {
  const where = place.why === undefined ? [] : [`In ${place.root}, ${place.why}:`];
  const files = changes.map((change) => `  ${verb(change).padEnd(7)}  ${change.path}`);
  if (changes.length === 0) return [...where, `Nothing to change: ${whyNothing}.`, ...remarks];
  return [...where, ...files, ...remarks];
}

/** What a person does next. */
export function nextSteps(hosts: readonly KnownHost[], program: Program): string[] {
  const call = program.kind === 'on-path' ? 'ralph-loop' : 'npx ralph-loop';
  return [
    ...programRemark(program),
    ...hosts.flatMap(({ trust }) => trust?.instructions ?? []),
    `Next: "${call} verify" runs the gates; "${call} doctor --fire" proves that the hooks answer.`,
  ];
}

function programRemark(program: Program): string[] {
  if (program.kind === 'in-project')
    return program.isThere
      ? []
      : [`${program.path} is not there yet: install the dependencies of this project.`];
  if (program.kind === 'on-path')
    return ['The hooks call the ralph-loop that is on PATH: whoever works here needs it there.'];
  const place = relative(process.cwd(), program.path).startsWith('..')
    ? program.path
    : relative(process.cwd(), program.path);
  return [
    `The hooks call ${place}${program.isTemporary ? ', a copy that npm removes some day' : ''}, which is on this machine only. For all who work here: add ralph-loop to the project's dependencies, and run init again.`,
  ];
}

function verb({ before, after }: FileChange): string {
  if (before === undefined) return 'created';
  return after === undefined ? 'removed' : 'changed';
}
