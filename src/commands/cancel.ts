import { cancelPromiseLoop } from '../drive/cancel-loop.ts';
import { cancelledText } from '../feedback/promise-loop-texts.ts';
import { cancelAttempts, loopFiles, peekLoop } from '../loop/loop-file.ts';
import { readPromiseLoop } from '../loop/promise-loop-file.ts';
import { readPromiseLoops } from '../loop/read-promise-loops.ts';
import { rootAround } from '../root-around.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * `ralph-loop cancel [loop]`: calls a loop off. The agent of one that is driven is ended, with all that it has started;
 * of a hook's loop, the next stop is allowed.
 *
 * @param named a task, or a hook loop's key or the end of it; undefined: the only loop that there is
 * @returns the exit code: 0 done, 1 it could not be, 2 usage
 */
export async function cancel(named: string | undefined): Promise<number> {
  const root = rootAround(process.cwd()) ?? process.cwd();
  const wanted = named ?? onlyLoop(root);
  if (typeof wanted !== 'string') return refuse(wanted.why, EXIT.usage);
  if (readPromiseLoop(root, wanted)) {
    const cancelled = await cancelPromiseLoop(root, wanted, { now: () => new Date(), env: process.env });
    if ('refused' in cancelled) return refuse(cancelled.refused, EXIT.failed);
    print([cancelledText(cancelled.loop), ...cancelled.notes].join('\n'));
    return EXIT.done;
  }
  const path = loopFiles(root).find((file) => isNamed(peekLoop(file)?.task, wanted));
  if (path === undefined) return refuse(`There is no loop ${wanted}.${listOf(root)}`, EXIT.failed);
  const state = await cancelAttempts(path, new Date());
  print(
    `Cancelled the loop ${state?.task} at iteration ${state?.iteration}: its next stop is allowed, and nothing is verified then.`,
  );
  return EXIT.done;
}

/** By its key as status shows it, or by the last part of it: \`demo\` is .trellis/tasks/demo. */
function isNamed(key: string | undefined, wanted: string): boolean {
  return key !== undefined && (key === wanted || key.split('/').at(-1) === wanted);
}

function onlyLoop(root: string): string | { readonly why: string } {
  const names = namesOf(root);
  const [name, another] = names;
  if (name === undefined) return { why: 'There is no loop to be cancelled.' };
  return another === undefined ? name : { why: `Which one? Name it:${listOf(root)}` };
}

function namesOf(root: string): string[] {
  const driven = readPromiseLoops(root).filter(
    ({ status }) => status === 'running' || status === 'interrupted',
  );
  const ofHooks = loopFiles(root).flatMap((path) => peekLoop(path) ?? []);
  const counted = ofHooks.filter(({ iteration }) => iteration > 0);
  return [...driven.map(({ task_id }) => task_id), ...counted.map(({ task }) => task)];
}

function listOf(root: string): string {
  const names = namesOf(root).map((name) => `\n  ${name}`);
  return names.length > 0 ? ` There are:${names.join('')}` : '';
}

function refuse(problem: string, exitCode: number): number {
  process.stderr.write(`${problem}\n`);
  return exitCode;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
